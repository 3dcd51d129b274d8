/* test_decompress.c
 *
 * The general compression algorithms over blocks that are longer than a datagram; tests/enet/test_compression.c has
 * the rest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "codec/decompress.h"

#define TEXT "the quick brown fox"

/* PackedByteArray.compress(FileAccess.COMPRESSION_FASTLZ) of Godot 4.6 for TEXT, 20,000 zeros, TEXT again, and zeros up
 * to 66,000 bytes: level 2, and the second text is a match whose distance takes two more bytes. */
static const char far_match[] =
    "3374686520717569636b2062726f776e20666f7800e0ffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffff6400ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff78ff2e33e0ffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3"
    "0002000000";

static size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t length = strlen(hex) / 2;
    for (size_t i = 0; i < length; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    return length;
}

static void fastlz_far_match(void **state)
{
    enum { LENGTH = 66000, SECOND = 20000 + sizeof TEXT - 1 };
    uint8_t packed[512], *expected = calloc(1, LENGTH), *out = malloc(LENGTH);
    size_t length = from_hex(far_match, packed), written;

    (void)state;
    memcpy(expected, TEXT, strlen(TEXT));
    memcpy(expected + SECOND, TEXT, strlen(TEXT));
    assert_int_equal(fastlz_decompress(packed, length, out, LENGTH, &written), DECOMPRESSED);
    assert_int_equal(written, LENGTH);
    assert_memory_equal(out, expected, LENGTH);
    assert_int_equal(fastlz_decompress(packed, length, out, LENGTH - 1, &written), DECOMPRESS_TOO_LONG);
    assert_int_equal(written, 0);
    free(expected);
    free(out);
}

/* A literal byte, then the 32 that one control byte can announce. */
static void fastlz_longest_literals(void **state)
{
    static const uint8_t packed[] = "\0a\x1f"
                                    "bcdefghijklmnopqrstuvwxyzABCDEFG";
    uint8_t out[64];
    size_t written;

    (void)state;
    assert_int_equal(fastlz_decompress(packed, sizeof packed - 1, out, sizeof out, &written), DECOMPRESSED);
    assert_int_equal(written, 33);
    assert_memory_equal(out, "abcdefghijklmnopqrstuvwxyzABCDEFG", 33);
}

/* The two formats are different modes of the engine. */
static void zlib_or_gzip(void **state)
{
    for (int gzip = 0; gzip < 2; gzip++) {
        uint8_t packed[100], out[100];
        size_t written;
        z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)TEXT,
                           .avail_in = (uInt)strlen(TEXT),
                           .next_out = packed,
                           .avail_out = sizeof packed};

        (void)state;
        assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16 * gzip, 8, Z_DEFAULT_STRATEGY),
                         Z_OK);
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        size_t length = sizeof packed - stream.avail_out;
        deflateEnd(&stream);

        decompress_function right = gzip ? gzip_decompress : zlib_decompress;
        decompress_function wrong = gzip ? zlib_decompress : gzip_decompress;
        assert_int_equal(right(packed, length, out, sizeof out, &written), DECOMPRESSED);
        assert_int_equal(written, strlen(TEXT));
        assert_memory_equal(out, TEXT, written);
        assert_int_equal(wrong(packed, length, out, sizeof out, &written), DECOMPRESS_CORRUPT);
        assert_int_equal(right(packed, length - 1, out, sizeof out, &written), DECOMPRESS_TRUNCATED);
        assert_int_equal(written, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fastlz_far_match),
        cmocka_unit_test(fastlz_longest_literals),
        cmocka_unit_test(zlib_or_gzip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
