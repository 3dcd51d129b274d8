/* compressed_file.h
 *
 * The engine's compressed files (core/io/file_access_compressed.cpp): a magic number, u32 mode, block size
 * and unpacked size, the sizes of the blocks, and the blocks, each compressed on its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMPRESSED_FILE_H
#define COMPRESSED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPRESSED_FILE_MAX_BLOCK    (16u << 20)
#define COMPRESSED_FILE_MAX_UNPACKED (256u << 20)

/* Compression.Mode of the engine. */
typedef enum {
    COMPRESSED_FILE_FASTLZ,
    COMPRESSED_FILE_DEFLATE,
    COMPRESSED_FILE_ZSTD,
    COMPRESSED_FILE_GZIP,
    COMPRESSED_FILE_BROTLI,
    COMPRESSED_FILE_MODE_COUNT
} compressed_file_mode;

typedef struct {
    uint32_t mode;          /* a compressed_file_mode, others are possible */
    uint32_t block_size;    /* bytes of a block when unpacked */
    uint32_t unpacked_size; /* bytes of the content */
    uint32_t blocks_offset; /* of the first block, after the table of their sizes */
} compressed_file;

/* Reads the header. `magic`: "GCPF" of FileAccess.open_compressed(), "RSCC" of resources. `complete`: all of
 * the file is given, not only its beginning. False if it is not such a file, or is beyond a limit. */
bool compressed_file_read(const char *magic, const uint8_t *bytes, size_t length, bool complete,
                          compressed_file *file);

/* Unpacks the content into `out`, which has room for `unpacked_size` bytes. False if the file is damaged or
 * the mode is one that is not supported (Brotli). */
bool compressed_file_unpack(const compressed_file *file, const uint8_t *bytes, size_t length, uint8_t *out);

#endif
