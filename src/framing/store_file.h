/* store_file.h
 *
 * Files written by FileAccess.store_var() (Godot 3: File.store_var()): a sequence of records, each a u32
 * length and one Variant of that length. The lengths follow the file's byte order, the Variants are
 * little-endian always (core/io/file_access.cpp). Also the two forms in which the engine wraps them:
 * compressed files ("GCPF", core/io/file_access_compressed.cpp) and encrypted ones ("GDEC",
 * core/io/file_access_encrypted.cpp).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STORE_FILE_H
#define STORE_FILE_H

#include "codec/compressed_file.h"
#include "variant/variant.h"

typedef enum {
    STORE_FILE_NONE,       /* something else */
    STORE_FILE_PLAIN,      /* records from the first byte on */
    STORE_FILE_COMPRESSED, /* GCPF: see compressed_file_unpack() */
    STORE_FILE_ENCRYPTED,  /* GDEC: cannot be read without the key */
} store_file_kind;

typedef struct {
    store_file_kind kind;
    bool big_endian;         /* PLAIN: order of the lengths */
    variant_dialect dialect; /* PLAIN */
    uint32_t records;        /* PLAIN: that were checked */
    compressed_file content; /* COMPRESSED */
} store_file;

/* Recognises a file by its bytes. `complete`: all of it is given; otherwise only its beginning, and a record
 * that continues after `length` is accepted. A plain file is recognised only if every record has a
 * plausible length, is read exactly to its end in one and the same dialect without any finding, and at least
 * one record is more than a few zero bytes. Objects are taken as allowed: a file may contain them. */
store_file store_file_judge(const uint8_t *bytes, size_t length, bool complete);

/* Length of the record (with its length word) at `offset` of a PLAIN file, 0 if none fits there. */
uint32_t store_file_record(const store_file *file, const uint8_t *bytes, size_t length, size_t offset);

/* Limits of the unpacked content, in bytes: a few kilobytes could unpack to all of the memory. */
#define STORE_FILE_UNPACKED          (16u << 20)
#define STORE_FILE_UNPACKED_PER_BYTE 64u /* of the file, in addition */

/* Whether the announced content of a COMPRESSED file of `length` bytes exceeds these limits. */
bool store_file_is_too_long(const store_file *file, size_t length);

const char *store_file_mode_name(uint32_t mode); /* "FastLZ", …, "unknown" */

#endif
