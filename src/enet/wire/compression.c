/* compression.c
 *
 * The algorithms that ENet applications use, and auto-detection of the one in use; see compression.h. The
 * range coder is in codec/range_coder.c, the others are in codec/decompress.c and codec/fastlz.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "codec/range_coder.h"
#include "enet/wire/judge.h"
#include "enet/wire/compression.h"

#include <string.h>

/* --- all algorithms ------------------------------------------------------------------------------ */

/* The first byte is coded by the root only, where every value has the same share, so it follows from the
 * first four bytes of the stream. */
static bool may_be_range_coder(const enet_header *header, const uint8_t *in, size_t length)
{
    uint32_t code = 0;

    for (size_t i = 0; i < 4; i++) {
        code = code << 8 | (i < length ? in[i] : 0);
    }
    return enet_may_begin_with(header, code / 0x00ff00ff - 1);
}

/* The first byte is a literal run of a level 1 stream, and its first literal the first plain byte. */
static bool may_be_fastlz(const enet_header *header, const uint8_t *in, size_t length)
{
    return length >= 2 && in[0] < 32 && enet_may_begin_with(header, in[1]);
}

static bool may_be_zlib(const enet_header *header, const uint8_t *in, size_t length)
{
    (void)header;
    return length >= 2 && in[0] == 0x78 && (in[0] * 256 + in[1]) % 31 == 0;
}

static bool may_be_zstd(const enet_header *header, const uint8_t *in, size_t length)
{
    (void)header;
    return is_zstd(in, length);
}

static const struct {
    const char *name;
    decompress_function decompress;
    bool (*may_be)(const enet_header *header, const uint8_t *in, size_t length);
} algorithms[ENET_COMPRESSION_COUNT] = {
    [ENET_COMPRESSION_NONE] = {"none", NULL, NULL},
    [ENET_COMPRESSION_RANGE_CODER] = {"range coder", enet_range_decode, may_be_range_coder},
    [ENET_COMPRESSION_FASTLZ] = {"FastLZ", fastlz_decompress, may_be_fastlz},
    [ENET_COMPRESSION_ZLIB] = {"zlib", zlib_decompress, may_be_zlib},
    [ENET_COMPRESSION_ZSTD] = {"Zstandard", zstd_decompress, may_be_zstd},
    [ENET_COMPRESSION_UNKNOWN] = {"unknown", NULL, NULL},
};

const char *enet_compression_name(enet_compression compression)
{
    return compression < ENET_COMPRESSION_COUNT ? algorithms[compression].name : "unknown";
}

const char *enet_decompress_text(decompress_result result)
{
    static const char *const texts[] = {
        [DECOMPRESSED] = "The commands were decompressed",
        [DECOMPRESS_EMPTY_INPUT] = "There is nothing to decompress",
        [DECOMPRESS_EMPTY_OUTPUT] = "The commands decompress to nothing",
        [DECOMPRESS_TOO_LONG] = "The commands decompress to more than a receiver's buffer holds",
        [DECOMPRESS_TRUNCATED] = "The compressed data goes on after the end of the datagram",
        [DECOMPRESS_CORRUPT] = "The compressed data is corrupt",
        [DECOMPRESS_UNKNOWN] = "The compression is not known",
        [DECOMPRESS_NOT_BUILT] = "This plugin was built without the library for this compression",
        [DECOMPRESS_OVER_BUDGET] = "Too much was decompressed already for what was captured",
    };

    return (size_t)result < sizeof texts / sizeof texts[0] ? texts[result] : "?";
}

decompress_result enet_decompress(enet_compression compression, const uint8_t *in, size_t length,
                                  uint8_t *out, size_t capacity, size_t *out_length)
{
    decompress_result result;

    *out_length = 0;
    if (compression >= ENET_COMPRESSION_COUNT || !algorithms[compression].decompress) {
        return DECOMPRESS_UNKNOWN;
    }
    if (length == 0) {
        return DECOMPRESS_EMPTY_INPUT;
    }
    result = algorithms[compression].decompress(in, length, out, capacity, out_length);
    return result == DECOMPRESSED && *out_length == 0 ? DECOMPRESS_EMPTY_OUTPUT : result;
}

/* --- which algorithm ----------------------------------------------------------------------------- */

static bool is_canonical(const uint8_t *in, size_t length, const uint8_t *plain, size_t plain_length)
{
    uint8_t again[ENET_MAX_DATAGRAM];
    size_t encoded = enet_range_encode(plain, plain_length, again, sizeof again);

    return encoded == length && memcmp(in, again, length) == 0;
}

/* Most traffic that is not ENet differs from it in the first 8 unpacked bytes, much of the rest in the first
 * 32: no more is decoded than needed. `out` is scratch memory. */
static bool begins_well(const enet_header *header, const uint8_t *in, size_t length, uint8_t *out,
                        size_t capacity)
{
    for (size_t enough = 8; enough < capacity; enough *= 4) {
        size_t decoded;
        decompress_result result = enet_range_decode(in, length, out, enough, &decoded);

        if (result != DECOMPRESS_TOO_LONG) { /* this is all of the output */
            return result == DECOMPRESSED;
        }
        if (!enet_may_begin_body(header, out, enough)) {
            return false;
        }
    }
    return true;
}

enet_compression enet_recognise_compression(const enet_header *header, const uint8_t *in, size_t length,
                                            enet_compression known, bool strict, uint8_t *out,
                                            size_t capacity, size_t *out_length)
{
    /* Those with a magic number first. */
    const enet_compression candidates[] = {known, ENET_COMPRESSION_ZSTD, ENET_COMPRESSION_ZLIB,
                                           ENET_COMPRESSION_FASTLZ, ENET_COMPRESSION_RANGE_CODER};

    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        const enet_compression one = candidates[i];
        const bool exact = strict && one == ENET_COMPRESSION_RANGE_CODER;

        if (length < ENET_MIN_COMPRESSED_BODY || (i > 0 && one == known) || one >= ENET_COMPRESSION_COUNT ||
            !algorithms[one].may_be || !algorithms[one].may_be(header, in, length) ||
            (exact && !begins_well(header, in, length, out, capacity)) ||
            enet_decompress(one, in, length, out, capacity, out_length) != DECOMPRESSED) {
            continue;
        }
        /* Its output is an ENet body, longer than the input. */
        if (*out_length > length &&
            enet_judge_body(header, out, *out_length, one == ENET_COMPRESSION_FASTLZ, NULL) !=
                ENET_CONFIDENCE_NONE &&
            (!exact || is_canonical(in, length, out, *out_length))) {
            return one;
        }
    }
    /* The algorithm of the connection is used for a body that breaks rules, too. */
    if (!strict && enet_decompress(known, in, length, out, capacity, out_length) == DECOMPRESSED) {
        return known;
    }
    *out_length = 0;
    return ENET_COMPRESSION_UNKNOWN;
}
