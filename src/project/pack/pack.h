/* pack.h
 *
 * The files of an exported game: a .pck of Godot 3 or 4, an executable with one inside of it, or a .zip (an
 * Android package is one, too). Lists the files and reads single ones.
 *
 * Packs with parts in other files ("sparse bundles"), files that only change those of another pack ("delta"),
 * and .zip of more than 65,534 files or 4 GiB are not read, and neither are encrypted packs: with the key,
 * one also has the project's folder.
 *
 * Sources: core/io/file_access_pack.cpp (the layout, how the pack in an executable is found), PKWARE's
 * APPNOTE.TXT. Tried with exports of 4.0.3, 4.2.2, 4.3.0 (format 2), 4.5.1, 4.6.3 (3) and 4.7.2 (4).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PACK_H
#define PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACK_MAX_FILES 262144u
#define PACK_MAX_NAMES (32u << 20) /* bytes of all names together */

/* Reads `length` bytes at `offset`; false if they are not all there. */
typedef struct {
    bool (*read)(void *context, uint64_t offset, void *bytes, size_t length);
    void *context;
    uint64_t size;
} pack_source;

typedef enum {
    PACK_OK,
    /* the directory only: of a newer format, but it can be read like one of the newest format that is
     * known */
    PACK_NEWER,
    PACK_NO_PACK,   /* not a pack, and does not contain one */
    PACK_DAMAGED,   /* its directory, or this file, cannot be read to its end or contradicts itself */
    PACK_ENCRYPTED, /* the directory, or this file */
    /* format that is not known and cannot be read like a known one, sparse bundle, delta, unknown
     * compression */
    PACK_UNSUPPORTED,
    PACK_TOO_LARGE, /* beyond one of the limits */
    PACK_NO_MEMORY
} pack_result;

/* End of a sentence that begins with the name of the file, or "3 files". */
const char *pack_result_text(pack_result result);

typedef struct {
    const char *name; /* without "res://"; in a .zip and an Android package from the project's folder on */
    uint64_t offset;  /* in the source; .zip: of the entry's local header */
    uint64_t size;    /* of the content */
    uint64_t stored_size; /* .zip: as it is stored */
    bool encrypted, unsupported;
    bool zip, deflated;
} pack_file;

typedef struct pack pack;

/* Reads the directory. NULL, and the reason in `*result`, if it cannot be read; `*result` is PACK_OK or
 * PACK_NEWER if it can. `source` is kept, not its context. */
pack *pack_open(pack_source source, pack_result *result);
void pack_close(pack *p);

uint32_t pack_count(const pack *p);
const pack_file *pack_at(const pack *p, uint32_t index);

/* Content of a file, to be freed with free(); NULL, and the reason in `*result`, if it cannot be read or is
 * longer than `limit`. */
uint8_t *pack_read(pack *p, const pack_file *file, size_t limit, pack_result *result);

#endif
