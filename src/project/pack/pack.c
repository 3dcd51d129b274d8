/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/pack/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/pool.h"
#include "codec/decompress.h"

#define PCK_MAGIC    0x43504447u /* "GDPC" */
#define PCK_TRAILER  12u         /* after a pack in an executable: u64 its size, "GDPC" */
#define PCK_HEADER   96u         /* the longest fixed header, format 2 */
#define MAX_NAME     4096u
#define MAX_SECTIONS 256u
#define PCK_NEWEST   4u /* the newest format that is known */

enum { PCK_DIRECTORY_ENCRYPTED = 1, PCK_RELATIVE = 2, PCK_SPARSE = 4 };
enum { PCK_FILE_ENCRYPTED = 1, PCK_FILE_REMOVED = 2, PCK_FILE_DELTA = 4 };

struct pack {
    pack_source source;
    pack_file *files;
    uint32_t count, room;
    memory_pool names; /* at most PACK_MAX_NAMES */
};

const char *pack_result_text(pack_result result)
{
    static const char *const texts[] = {
        [PACK_OK] = "can be read",
        [PACK_NEWER] =
            "has a format that is newer than this plugin: it was read like format 4, which may be wrong",
        [PACK_NO_PACK] = "is not a pack and does not contain one",
        [PACK_DAMAGED] = "is damaged",
        [PACK_ENCRYPTED] = "cannot be read: encrypted (give the project folder instead)",
        [PACK_UNSUPPORTED] = "has a format that is not supported",
        [PACK_TOO_LARGE] = "is too large",
        [PACK_NO_MEMORY] = "does not fit into memory",
    };
    return texts[result];
}

/* --- reading the source from front to back ------------------------------------------------------- */

typedef struct {
    const pack_source *source;
    uint64_t position, end; /* of the bytes not returned yet; after the last byte that may be read */
    uint32_t have, next;    /* bytes in the buffer */
    uint8_t buffer[16384];
} cursor;

static void place(cursor *c, const pack_source *source, uint64_t position, uint64_t end)
{
    c->source = source;
    c->position = position;
    c->end = end < source->size ? end : source->size;
    c->have = c->next = 0;
}

static bool fetch(cursor *c, void *to, uint32_t length)
{
    uint8_t *out = to;
    if (c->position > c->end || length > c->end - c->position) {
        return false;
    }
    c->position += length;
    while (length > 0) {
        if (c->next == c->have) {
            uint64_t at = c->position - length, left = c->end - at;
            c->next = 0;
            c->have = left < sizeof c->buffer ? (uint32_t)left : (uint32_t)sizeof c->buffer;
            if (!c->source->read(c->source->context, at, c->buffer, c->have)) {
                c->have = 0;
                return false;
            }
        }
        uint32_t part = c->have - c->next < length ? c->have - c->next : length;
        if (out) {
            memcpy(out, c->buffer + c->next, part);
            out += part;
        }
        c->next += part;
        length -= part;
    }
    return true;
}

static bool read_at(const pack_source *source, uint64_t offset, void *to, size_t length)
{
    return offset <= source->size && length <= source->size - offset &&
           source->read(source->context, offset, to, length);
}

/* --- the list of files --------------------------------------------------------------------------- */

/* Room for a name of `length` bytes, with its NUL. */
static char *add_file(pack *p, const pack_file *file, uint32_t length, pack_result *result)
{
    char *name = pool_take(&p->names, (size_t)length + 1);
    if (!name || !pool_grow(&p->names, &p->files, p->count, &p->room, PACK_MAX_FILES, sizeof *p->files)) {
        *result = PACK_TOO_LARGE;
        return NULL;
    }
    p->files[p->count] = *file;
    p->files[p->count++].name = name;
    name[length] = 0;
    return name;
}

static const char *without_scheme(const char *name)
{
    return strncmp(name, "res://", 6) == 0 ? name + 6 : name;
}

/* Length of the path of the folder that the project file is in, with its slash; of the shortest one. */
static size_t base_folder(const pack *p)
{
    size_t best = SIZE_MAX;
    for (uint32_t i = 0; i < p->count; i++) {
        const char *name = p->files[i].name, *slash = strrchr(name, '/');
        const char *last = slash ? slash + 1 : name;
        size_t length = (size_t)(last - name);
        if ((strcmp(last, "project.binary") == 0 || strcmp(last, "project.godot") == 0) && length < best) {
            best = length;
        }
    }
    return best == SIZE_MAX ? 0 : best;
}

/* Names begin at the folder of the project. Files outside of it are left out. */
static void finish_names(pack *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        p->files[i].name = without_scheme(p->files[i].name);
    }
    size_t length = base_folder(p);
    if (length == 0) {
        return;
    }
    const char *folder = NULL;
    for (uint32_t i = 0; !folder; i++) {
        const char *name = p->files[i].name, *slash = strrchr(name, '/');
        if (slash && (size_t)(slash + 1 - name) == length && strncmp(slash + 1, "project.", 8) == 0) {
            folder = name;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (strncmp(p->files[i].name, folder, length) == 0) {
            p->files[kept] = p->files[i];
            p->files[kept++].name += length;
        }
    }
    p->count = kept;
}

/* --- .pck ---------------------------------------------------------------------------------------- */

typedef struct {
    uint64_t start; /* of the pack in the source */
    uint64_t directory, base;
    uint32_t format;
} pck;

/* Header at `start`. */
static pack_result read_pck_header(const pack_source *source, uint64_t start, pck *p)
{
    uint8_t header[PCK_HEADER] = {0};
    uint64_t left = source->size - start;
    if (!read_at(source, start, header, left < sizeof header ? (size_t)left : sizeof header)) {
        return PACK_DAMAGED;
    }
    *p = (pck){.start = start, .format = le32(header + 4)};
    if (p->format == 1) { /* magic, format, version, 16 reserved words; offsets are the source's */
        p->directory = start + 84;
        return PACK_OK;
    }
    if (p->format == 0) {
        return PACK_UNSUPPORTED;
    }
    /* 4 differs from 3 in sparse bundles only. */
    uint32_t flags = le32(header + 20);
    uint64_t offset = p->format == 2 ? PCK_HEADER : le64(header + 32);
    p->base = le64(header + 24);
    if (p->base > source->size || offset > left) {
        return PACK_DAMAGED;
    }
    p->base += flags & PCK_RELATIVE ? start : 0;
    p->directory = start + offset;
    return flags & PCK_DIRECTORY_ENCRYPTED ? PACK_ENCRYPTED : flags & PCK_SPARSE ? PACK_UNSUPPORTED : PACK_OK;
}

static pack_result read_pck_entry(pack *p, const pck *header, cursor *c)
{
    uint8_t word[4], rest[36] = {0};
    pack_result result = PACK_DAMAGED;
    if (!fetch(c, word, 4) || le32(word) > MAX_NAME) {
        return PACK_DAMAGED;
    }
    uint32_t length = le32(word), flags_size = header->format == 1 ? 0 : 4;
    char *name = add_file(p, &(pack_file){.name = NULL}, length, &result);
    if (!name || !fetch(c, name, length) || !fetch(c, rest, 32 + flags_size)) {
        return result;
    }
    uint32_t flags = le32(rest + 32);
    pack_file *file = &p->files[p->count - 1];
    file->offset = le64(rest) <= p->source.size ? le64(rest) + header->base : UINT64_MAX;
    file->size = file->stored_size = le64(rest + 8);
    file->encrypted = flags & PCK_FILE_ENCRYPTED;
    file->unsupported = flags & PCK_FILE_DELTA;
    if (flags & PCK_FILE_REMOVED) {
        p->count--;
    }
    return PACK_OK;
}

/* Whether the directory of an unknown format can be read like that of the newest known one: the files with
 * their names are in the pack. */
static bool reads_well(const pack *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const pack_file *file = &p->files[i];
        if (*file->name == 0 || file->offset > p->source.size || file->size > p->source.size - file->offset) {
            return false;
        }
    }
    return p->count > 0;
}

static pack_result open_pck(pack *p, uint64_t start)
{
    pck header = {0};
    cursor c;
    uint8_t word[4] = {0};
    pack_result result = read_pck_header(&p->source, start, &header);
    place(&c, &p->source, header.directory, UINT64_MAX);
    if (result == PACK_OK && !fetch(&c, word, sizeof word)) {
        result = PACK_DAMAGED;
    }
    for (uint32_t left = le32(word); left > 0 && result == PACK_OK; left--) {
        result = read_pck_entry(p, &header, &c);
    }
    if (header.format <= PCK_NEWEST || result == PACK_ENCRYPTED) {
        return result;
    }
    return result == PACK_OK && reads_well(p) ? PACK_NEWER : PACK_UNSUPPORTED;
}

/* --- a pack inside of an executable -------------------------------------------------------------- */

static bool is_pck(const pack_source *source, uint64_t offset)
{
    uint8_t magic[4];
    return read_at(source, offset, magic, 4) && le32(magic) == PCK_MAGIC;
}

/* File offset of the section "pck" of a Windows program, 0 if there is none. */
static uint64_t pe_section(const pack_source *source)
{
    uint8_t pe[4], coff[24], entry[40];
    if (!read_at(source, 0x3c, pe, 4) || !read_at(source, le32(pe), coff, sizeof coff) ||
        memcmp(coff, "PE\0", 4) != 0) {
        return 0;
    }
    uint64_t table = (uint64_t)le32(pe) + 24 + le16(coff + 20);
    for (uint32_t i = 0; i < le16(coff + 6) && i < MAX_SECTIONS; i++) {
        if (!read_at(source, table + 40 * (uint64_t)i, entry, sizeof entry)) {
            return 0;
        }
        if (memcmp(entry, "pck\0\0\0\0", 8) == 0) {
            return le32(entry + 20);
        }
    }
    return 0;
}

/* Where the pack in an executable begins, 0 if there is none: at the end of the file, or in a section of its
 * own, which is not at the end if a Windows program was signed afterwards. */
static uint64_t find_embedded(const pack_source *source)
{
    uint8_t trailer[PCK_TRAILER], magic[4];
    if (source->size > PCK_TRAILER && read_at(source, source->size - PCK_TRAILER, trailer, sizeof trailer) &&
        le32(trailer + 8) == PCK_MAGIC && le64(trailer) <= source->size - PCK_TRAILER) {
        uint64_t start = source->size - PCK_TRAILER - le64(trailer);
        return is_pck(source, start) ? start : 0;
    }
    bool windows = read_at(source, 0, magic, 4) && memcmp(magic, "MZ", 2) == 0;
    uint64_t section = windows ? pe_section(source) : 0;
    /* The writer aligns the pack to eight bytes, the section begins where the program ended. */
    for (uint64_t at = section; section && section < source->size && at < section + 8; at++) {
        if (is_pck(source, at)) {
            return at;
        }
    }
    return 0;
}

/* --- .zip ---------------------------------------------------------------------------------------- */

enum { ZIP_END = 22, ZIP_ENTRY = 46, ZIP_LOCAL = 30 };

/* The end record is the last 22 bytes, unless there is a comment after it. */
static bool find_zip_directory(const pack_source *source, uint32_t *count, uint32_t *offset)
{
    static const uint8_t signature[] = {'P', 'K', 5, 6};
    enum { LONGEST = ZIP_END + 0xffff };
    size_t length = source->size < LONGEST ? (size_t)source->size : LONGEST;
    uint8_t *end = length >= ZIP_END ? malloc(length) : NULL;
    bool found = false;
    if (end && read_at(source, source->size - length, end, length)) {
        for (size_t at = length - ZIP_END + 1; !found && at-- > 0;) {
            found = memcmp(end + at, signature, 4) == 0;
            *count = le16(end + at + 10);
            *offset = le32(end + at + 16);
        }
    }
    free(end);
    return found;
}

static pack_result read_zip_entry(pack *p, cursor *c)
{
    uint8_t entry[ZIP_ENTRY];
    pack_result result = PACK_DAMAGED;
    if (!fetch(c, entry, sizeof entry) || le32(entry) != 0x02014b50) {
        return PACK_DAMAGED;
    }
    uint32_t flags = le16(entry + 8), method = le16(entry + 10), name_length = le16(entry + 28),
             rest = le16(entry + 30) + (uint32_t)le16(entry + 32);
    pack_file file = {.size = le32(entry + 24),
                      .stored_size = le32(entry + 20),
                      .offset = le32(entry + 42),
                      .zip = true,
                      .deflated = method == 8,
                      .unsupported =
                          (flags & 1) != 0 || (method != 0 && method != 8)}; /* 1: with a password */
    char *name = add_file(p, &file, name_length, &result);
    return name && fetch(c, name, name_length) && fetch(c, NULL, rest) ? PACK_OK : result;
}

static pack_result open_zip(pack *p)
{
    uint32_t count, offset;
    cursor c;
    pack_result result = PACK_OK;
    if (!find_zip_directory(&p->source, &count, &offset)) {
        return PACK_DAMAGED;
    }
    if (count == 0xffff || offset == UINT32_MAX) { /* ZIP64 */
        return PACK_UNSUPPORTED;
    }
    place(&c, &p->source, offset, UINT64_MAX);
    for (uint32_t left = count; left > 0 && result == PACK_OK; left--) {
        result = read_zip_entry(p, &c);
    }
    return result;
}

/* --- files --------------------------------------------------------------------------------------- */

static pack_result open_any(pack *p)
{
    uint8_t magic[4];
    if (!read_at(&p->source, 0, magic, 4)) {
        return PACK_NO_PACK;
    }
    if (le32(magic) == PCK_MAGIC) {
        return open_pck(p, 0);
    }
    if (memcmp(magic, "PK\3\4", 4) == 0) {
        return open_zip(p);
    }
    uint64_t embedded = find_embedded(&p->source);
    return embedded ? open_pck(p, embedded) : PACK_NO_PACK;
}

pack *pack_open(pack_source source, pack_result *result)
{
    pack *p = calloc(1, sizeof *p);
    if (!p) {
        *result = PACK_NO_MEMORY;
        return NULL;
    }
    p->source = source;
    p->names.limit = PACK_MAX_NAMES;
    *result = open_any(p);
    if (*result != PACK_OK && *result != PACK_NEWER) {
        pack_close(p);
        return NULL;
    }
    finish_names(p);
    return p;
}

void pack_close(pack *p)
{
    if (p) {
        free(p->files);
        pool_free(&p->names);
        free(p);
    }
}

uint32_t pack_count(const pack *p)
{
    return p->count;
}

const pack_file *pack_at(const pack *p, uint32_t index)
{
    return &p->files[index];
}

/* Offset of a file's content in a .zip: after its local header, whose lengths can differ from the
 * directory's. 0 if it is damaged. */
static uint64_t zip_content(const pack_source *source, uint64_t offset)
{
    uint8_t local[ZIP_LOCAL];
    if (!read_at(source, offset, local, sizeof local) || le32(local) != 0x04034b50) {
        return 0;
    }
    return offset + ZIP_LOCAL + le16(local + 26) + le16(local + 28);
}

/* Why the content at `offset` is not read; PACK_OK if it is. */
static pack_result judge_file(const pack *p, const pack_file *file, uint64_t offset, size_t limit)
{
    if (file->encrypted) {
        return PACK_ENCRYPTED;
    }
    if (file->unsupported) {
        return PACK_UNSUPPORTED;
    }
    if (file->size > limit) {
        return PACK_TOO_LARGE;
    }
    bool inside = offset <= p->source.size && file->stored_size <= p->source.size - offset;
    /* Incompressible data is stored in blocks with five bytes each. */
    bool plausible = file->deflated ? file->stored_size <= file->size + file->size / 1000 + 1024
                                    : file->stored_size == file->size;
    return inside && plausible && (offset > 0 || !file->zip) ? PACK_OK : PACK_DAMAGED;
}

uint8_t *pack_read(pack *p, const pack_file *file, size_t limit, pack_result *result)
{
    uint64_t offset = file->zip ? zip_content(&p->source, file->offset) : file->offset;
    *result = judge_file(p, file, offset, limit);
    if (*result != PACK_OK) {
        return NULL;
    }
    size_t stored = (size_t)file->stored_size, size = (size_t)file->size, written = 0;
    uint8_t *bytes = malloc(stored + 1), *content = file->deflated ? malloc(size + 1) : bytes;
    if (!bytes || !content) {
        *result = PACK_NO_MEMORY;
    } else if (stored > 0 && !p->source.read(p->source.context, offset, bytes, stored)) {
        *result = PACK_DAMAGED;
    } else if (file->deflated &&
               (deflate_decompress(bytes, stored, content, size, &written) != DECOMPRESSED ||
                written != size)) {
        *result = PACK_DAMAGED;
    }
    if (content != bytes) {
        free(bytes);
    }
    if (*result != PACK_OK) {
        free(content);
        content = NULL;
    }
    return content;
}
