/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec/decompress.h"

#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

enum { NO_HEADER = -MAX_WBITS, ZLIB_HEADER = MAX_WBITS, GZIP_HEADER = MAX_WBITS + 16 };

static decompress_result inflate_block(int header, const uint8_t *in, size_t length, uint8_t *out,
                                       size_t capacity, size_t *out_length)
{
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)in,
                       .avail_in = (uInt)length,
                       .next_out = out,
                       .avail_out = (uInt)capacity};
    int error;

    *out_length = 0;
    if (inflateInit2(&stream, header) != Z_OK) {
        return DECOMPRESS_UNKNOWN;
    }
    error = inflate(&stream, Z_FINISH);
    *out_length = capacity - stream.avail_out;
    inflateEnd(&stream);
    if (error == Z_STREAM_END) {
        return DECOMPRESSED;
    }
    *out_length = 0;
    if (error != Z_OK && error != Z_BUF_ERROR) {
        return DECOMPRESS_CORRUPT;
    }
    return stream.avail_in > 0 ? DECOMPRESS_TOO_LONG : DECOMPRESS_TRUNCATED;
}

#else
enum { NO_HEADER, ZLIB_HEADER, GZIP_HEADER };

static decompress_result inflate_block(int header, const uint8_t *in, size_t length, uint8_t *out,
                                       size_t capacity, size_t *out_length)
{
    (void)header, (void)in, (void)length, (void)out, (void)capacity;
    *out_length = 0;
    return DECOMPRESS_NOT_BUILT;
}
#endif

decompress_result deflate_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                     size_t *out_length)
{
    return inflate_block(NO_HEADER, in, length, out, capacity, out_length);
}

decompress_result zlib_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                  size_t *out_length)
{
    return inflate_block(ZLIB_HEADER, in, length, out, capacity, out_length);
}

decompress_result gzip_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                  size_t *out_length)
{
    return inflate_block(GZIP_HEADER, in, length, out, capacity, out_length);
}

bool is_zstd(const uint8_t *in, size_t length)
{
    static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};

    return length >= sizeof magic && memcmp(in, magic, sizeof magic) == 0;
}

#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

/* Decodes in one call into the caller's buffer, so nothing is allocated for the window of a frame. Frames
 * without the magic number are rejected: libzstd might interpret them as one of its earlier formats. */
decompress_result zstd_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                  size_t *out_length)
{
    unsigned long long announced;
    size_t result;

    *out_length = 0;
    if (!is_zstd(in, length)) {
        return DECOMPRESS_CORRUPT;
    }
    announced = ZSTD_getFrameContentSize(in, length);
    if (announced == ZSTD_CONTENTSIZE_ERROR) {
        return DECOMPRESS_TRUNCATED;
    }
    if (announced != ZSTD_CONTENTSIZE_UNKNOWN && announced > capacity) {
        return DECOMPRESS_TOO_LONG;
    }
    result = ZSTD_decompress(out, capacity, in, length);
    if (!ZSTD_isError(result)) {
        *out_length = result;
        return DECOMPRESSED;
    }
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_dstSize_tooSmall:
        return DECOMPRESS_TOO_LONG;
    case ZSTD_error_srcSize_wrong:
        return DECOMPRESS_TRUNCATED;
    default:
        return DECOMPRESS_CORRUPT;
    }
}
#else
decompress_result zstd_decompress(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                  size_t *out_length)
{
    (void)in, (void)length, (void)out, (void)capacity;
    *out_length = 0;
    return DECOMPRESS_NOT_BUILT;
}
#endif
