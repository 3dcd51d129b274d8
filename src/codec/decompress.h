/* decompress.h
 *
 * The general compression algorithms of the engine (core/io/compression.cpp), each over a whole block.
 *
 * Nothing is allocated except inside zlib and libzstd, whose state is bounded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What became of a block. */
typedef enum {
    DECOMPRESSED,
    DECOMPRESS_EMPTY_INPUT,  /* nothing to decompress */
    DECOMPRESS_EMPTY_OUTPUT, /* a valid stream of no bytes */
    DECOMPRESS_TOO_LONG,     /* more output than the caller has room for */
    DECOMPRESS_TRUNCATED,    /* the stream goes on after the end of the block */
    DECOMPRESS_CORRUPT,      /* not a stream of this algorithm */
    DECOMPRESS_UNKNOWN,      /* algorithm not known */
    DECOMPRESS_NOT_BUILT,    /* this build has no library for it: HAVE_ZLIB or HAVE_ZSTD is not defined */
    DECOMPRESS_OVER_BUDGET,  /* for callers: not decompressed, because a limit is reached */
    DECOMPRESS_RESULT_COUNT
} decompress_result;

/* Decompresses `length` bytes into `out`, which has room for `capacity`. Bytes after the end of a zlib or
 * gzip stream are ignored, as the engine does. On any result but DECOMPRESSED *out_length is 0. */
typedef decompress_result (*decompress_function)(const uint8_t *in, size_t length, uint8_t *out,
                                                 size_t capacity, size_t *out_length);

/* Both levels of FastLZ. Senders use level 1 for anything below 64 KiB; receivers take level 2 as well. */
decompress_result fastlz_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                    size_t *out_length);
/* Deflate without a header, as in .zip. */
decompress_result deflate_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                     size_t *out_length);
decompress_result zlib_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                  size_t *out_length);
decompress_result gzip_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                  size_t *out_length);
/* Zstandard frames with the magic number, see is_zstd(). */
decompress_result zstd_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                  size_t *out_length);
bool is_zstd(const uint8_t *in, size_t length);

#endif
