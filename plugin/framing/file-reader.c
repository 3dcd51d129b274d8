/* file-reader.c
 *
 * Wiretap module: opens files of FileAccess.store_var() as captures in which every stored value is a record
 * (its length word and the Variant). Compressed files (GCPF) are unpacked. If a file cannot be unpacked or is
 * encrypted (GDEC), the only record is its header. Records are dissected by `godot.file`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define WS_BUILD_DLL
#include "framing/wiretap-layout.h"

#include <errno.h>
#include <string.h>

#include "framing/file.h"
#include "framing/store_file.h"

WS_DLL_PUBLIC_DEF const char plugin_version[] = PLUGIN_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void);

#define HEAD_LENGTH 65536u       /* is read to see whether the file may be ours */
#define MAX_FILE    (256u << 20) /* held in memory */
#define HEAD_RECORD 64u          /* of a file whose content cannot be read */

static int file_type = -1;
static int encapsulations[GODOT_FILE_ENCAPSULATIONS];

/* The content of the file that is open. Freed with `priv`, so bytes follow the structure in one block. */
typedef struct {
    store_file file;
    uint32_t length;
    uint32_t wire_length; /* of the file, if it is cut; else 0 */
    uint32_t next;        /* record that comes next in sequential reading */
    uint8_t bytes[];
} stored_content;

/* Reads the rest of the file, `limit` bytes at most. -1 on errors. */
static int read_up_to(FILE_T fh, uint8_t *bytes, unsigned limit, int *err, char **err_info)
{
    unsigned length = 0;
    while (length < limit) {
        int got = file_read(bytes + length, limit - length, fh);
        if (got <= 0) {
            *err = file_error(fh, err_info);
            if (got < 0 || (*err != 0 && *err != WTAP_ERR_SHORT_READ)) {
                return -1;
            }
            break;
        }
        length += (unsigned)got;
    }
    return (int)length;
}

/* The whole file after the `length` bytes of its head. NULL if it is too large or, then `*failed` is true,
 * cannot be read. */
static stored_content *read_content(FILE_T fh, const uint8_t *head, unsigned length, int *err,
                                    char **err_info, bool *failed)
{
    GByteArray *all = g_byte_array_new();
    uint8_t *piece = g_malloc(HEAD_LENGTH);
    stored_content *content = NULL;
    int got = (int)length;

    g_byte_array_append(all, head, length);
    while (got == (int)HEAD_LENGTH && all->len < MAX_FILE) {
        got = read_up_to(fh, piece, HEAD_LENGTH, err, err_info);
        if (got > 0) {
            g_byte_array_append(all, piece, (unsigned)got);
        }
    }
    *failed = got < 0;
    if (!*failed && all->len < MAX_FILE) {
        content = g_malloc0(sizeof *content + all->len);
        content->length = all->len;
        memcpy(content->bytes, all->data, all->len);
    }
    g_byte_array_free(all, TRUE);
    g_free(piece);
    return content;
}

/* Keeps only the header of a file that is not unpacked. Its record has the length of the file. */
static stored_content *head_of(stored_content *content)
{
    content->wire_length = content->length;
    content->length = MIN(content->length, HEAD_RECORD);
    return g_realloc(content, sizeof *content + content->length);
}

/* Replaces a compressed file by its content, if that can be unpacked and is a sequence of values. */
static stored_content *unpacked(stored_content *content)
{
    stored_content *plain = g_malloc0(sizeof *plain + content->file.content.unpacked_size);

    plain->length = content->file.content.unpacked_size;
    if (compressed_file_unpack(&content->file.content, content->bytes, content->length, plain->bytes)) {
        plain->file = store_file_judge(plain->bytes, plain->length, true);
        if (plain->file.kind == STORE_FILE_PLAIN) {
            g_free(content);
            return plain;
        }
    }
    g_free(plain);
    return content;
}

/* Length of the record at `offset`, 0 at the end. */
static uint32_t record_length(const stored_content *content, uint32_t offset)
{
    if (content->file.kind == STORE_FILE_PLAIN) {
        return store_file_record(&content->file, content->bytes, content->length, offset);
    }
    return offset == 0 ? MIN(content->length, HEAD_RECORD) : 0;
}

/* The header of a file that cannot be read: any record. */
static int encapsulation_of(const store_file *file)
{
    for (size_t i = 0; i < GODOT_FILE_ENCAPSULATIONS; i++) {
        if (file->kind == STORE_FILE_PLAIN && godot_file_encapsulations[i].dialect == file->dialect) {
            return encapsulations[i];
        }
    }
    return encapsulations[0];
}

static void fill_record(const stored_content *content, uint32_t offset, uint32_t length, wtap_rec *rec,
                        Buffer *buf)
{
    int encapsulation = encapsulation_of(&content->file);
#if WS_AT_LEAST(4, 6)
    wtap_setup_packet_rec(rec, encapsulation);
#else
    rec->rec_type = REC_TYPE_PACKET;
    rec->rec_header.packet_header.pkt_encap = encapsulation;
#endif
    rec->presence_flags = 0; /* no time */
    rec->rec_header.packet_header.caplen = length;
    rec->rec_header.packet_header.len = content->wire_length ? content->wire_length : length;
    ws_buffer_assure_space(buf, length);
    memcpy(ws_buffer_start_ptr(buf), content->bytes + offset, length);
#if WS_AT_LEAST(4, 6)
    ws_buffer_increase_length(buf, length);
#endif
}

static compat_bool read_record(wtap *wth, wtap_rec *rec, Buffer *buf, int64_t *offset)
{
    stored_content *content = (stored_content *)wth->priv;
    uint32_t length = record_length(content, content->next);

    if (length == 0) {
        return false; /* end of the file: *err remains 0 */
    }
    *offset = content->next;
    content->next += length;
    fill_record(content, (uint32_t)*offset, length, rec, buf);
    return true;
}

/* Offsets are those of the content: of the unpacked bytes in a compressed file. */
static compat_bool seek_record(wtap *wth, int64_t offset, wtap_rec *rec, Buffer *buf, int *err)
{
    const stored_content *content = (const stored_content *)wth->priv;
    uint32_t length = 0;

    if (offset >= 0 && offset < content->length) {
        length = record_length(content, (uint32_t)offset);
    }
    if (length == 0) {
        *err = WTAP_ERR_INTERNAL;
        return false;
    }
    fill_record(content, (uint32_t)offset, length, rec, buf);
    return true;
}

#if WS_AT_LEAST(4, 6)
static bool store_read(wtap *wth, wtap_rec *rec, int *err _U_, char **err_info _U_, int64_t *offset)
{
    return read_record(wth, rec, &rec->data, offset);
}

static bool store_seek_read(wtap *wth, int64_t offset, wtap_rec *rec, int *err, char **err_info _U_)
{
    return seek_record(wth, offset, rec, &rec->data, err);
}
#else
static compat_bool store_read(wtap *wth, wtap_rec *rec, Buffer *buf, int *err _U_, char **err_info _U_,
                              int64_t *offset)
{
    return read_record(wth, rec, buf, offset);
}

static compat_bool store_seek_read(wtap *wth, int64_t offset, wtap_rec *rec, Buffer *buf, int *err,
                                   char **err_info _U_)
{
    return seek_record(wth, offset, rec, buf, err);
}
#endif

static wtap_open_return_val store_open(wtap *wth, int *err, char **err_info)
{
    if (!wiretap_layout_fits(wth)) {
        return WTAP_OPEN_NOT_MINE;
    }
    uint8_t *head = g_malloc(HEAD_LENGTH);
    int length = read_up_to(wth->fh, head, HEAD_LENGTH, err, err_info);
    stored_content *content = NULL;
    bool failed = length < 0;

    if (length > 0 &&
        store_file_judge(head, (size_t)length, length < (int)HEAD_LENGTH).kind != STORE_FILE_NONE) {
        content = read_content(wth->fh, head, (unsigned)length, err, err_info, &failed);
    }
    g_free(head);
    if (failed) {
        return WTAP_OPEN_ERROR;
    }
    if (!content) {
        return WTAP_OPEN_NOT_MINE;
    }

    content->file = store_file_judge(content->bytes, content->length, true);
    if (content->file.kind == STORE_FILE_NONE) {
        g_free(content);
        return WTAP_OPEN_NOT_MINE;
    }
    if (content->file.kind == STORE_FILE_COMPRESSED) {
        content =
            store_file_is_too_long(&content->file, content->length) ? head_of(content) : unpacked(content);
    }

    wth->priv = content;
    wth->file_type_subtype = file_type;
    wth->file_encap = encapsulation_of(&content->file);
    wth->file_tsprec = WTAP_TSPREC_SEC;
    wth->snapshot_length = 0;
    wth->subtype_read = store_read;
    wth->subtype_seek_read = store_seek_read;
    *err = 0;
    return WTAP_OPEN_MINE;
}

static void register_store_files(void)
{
    static struct open_info open_info = {
        "Godot store_var file", OPEN_INFO_HEURISTIC, store_open, "dat;save;bin", NULL, NULL};
    static const struct supported_block_type blocks[] = {
        {WTAP_BLOCK_PACKET, MULTIPLE_BLOCKS_SUPPORTED, NO_OPTIONS_SUPPORTED},
    };
    static const struct file_type_subtype_info info = {
        "Godot store_var file",   "godot-store", "dat", "save;bin", FALSE,
        BLOCKS_SUPPORTED(blocks), NULL,          NULL,  NULL};

    for (size_t i = 0; i < GODOT_FILE_ENCAPSULATIONS; i++) {
        encapsulations[i] = wtap_register_encap_type(godot_file_encapsulations[i].description,
                                                     godot_file_encapsulations[i].name);
    }
    file_type = wtap_register_file_type_subtype(&info);
    wtap_register_open_info(&open_info, FALSE);
}

void plugin_register(void)
{
    static wtap_plugin plugin = {register_store_files};
    if (wiretap_layout_is_of_this_series()) {
        wtap_register_plugin(&plugin);
    }
}

uint32_t plugin_describe(void)
{
    return WS_PLUGIN_DESC_FILE_TYPE;
}
