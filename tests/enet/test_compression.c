/* enet/test_compression.c
 *
 * Decompression of ENet bodies: vectors made by the libraries, corrupt streams, and detection of the
 * algorithm.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "codec/range_coder.h"
#include "enet/wire/compression.h"
#include "enet/enet_samples.h"
#include "codec/decompress.h"

#define CAPACITY (ENET_MAX_DATAGRAM - 4)

static uint8_t plain[8192], packed[8192], out[8192];
static size_t out_length;

static decompress_result decompress(enet_compression compression, const char *hex)
{
    return enet_decompress(compression, packed, from_hex(hex, packed), out, CAPACITY, &out_length);
}

static void assert_plain(const char *hex)
{
    size_t length = from_hex(hex, plain);

    assert_int_equal(out_length, length);
    assert_memory_equal(out, plain, length);
}

/* Nothing is written after `capacity` bytes. */
static decompress_result decompress_tight(enet_compression compression, size_t length, size_t capacity)
{
    decompress_result result;

    memset(out + capacity, 0xee, 64);
    result = enet_decompress(compression, packed, length, out, capacity, &out_length);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(out[capacity + i], 0xee);
    }
    assert_true(out_length <= capacity);
    assert_true((result == DECOMPRESSED) == (out_length > 0));
    return result;
}

/* --- range coder ----------------------------------------------------------------------------------- */

static void range_coder_vectors(void **state)
{
    static char line[20000];
    FILE *file = fopen(TEST_DATA_DIR "/enet-range-coder.tsv", "r");
    int vectors = 0;

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *name = strtok(line, "\t"), *plain_hex = strtok(NULL, "\t"), *packed_hex = strtok(NULL, "\n");
        size_t plain_length, packed_length;

        if (line[0] == '#') {
            continue;
        }
        assert_true(name && plain_hex && packed_hex);
        plain_length = from_hex(plain_hex, plain);
        packed_length = from_hex(packed_hex, packed);
        assert_int_equal(enet_range_decode(packed, packed_length, out, sizeof out, &out_length),
                         DECOMPRESSED);
        assert_int_equal(out_length, plain_length);
        assert_memory_equal(out, plain, plain_length);
        assert_int_equal(enet_range_encode(plain, plain_length, out, sizeof out), packed_length);
        assert_memory_equal(out, packed, packed_length);
        /* one byte too little, for the encoder and for the decoder */
        assert_int_equal(enet_range_encode(plain, plain_length, out, packed_length), packed_length);
        assert_int_equal(enet_range_encode(plain, plain_length, out, packed_length - 1), 0);
        assert_int_equal(decompress_tight(ENET_COMPRESSION_RANGE_CODER, packed_length, plain_length),
                         DECOMPRESSED);
        assert_int_equal(decompress_tight(ENET_COMPRESSION_RANGE_CODER, packed_length, plain_length - 1),
                         DECOMPRESS_TOO_LONG);
        vectors++;
    }
    fclose(file);
    assert_int_equal(vectors, 58);
}

/* The results of the library for input that no encoder wrote, with an output of 4092 bytes. */
static void range_coder_corrupt(void **state)
{
    static const struct {
        const char *in;
        decompress_result result;
        size_t length;
        const char *beginning;
    } cases[] = {
        {"", DECOMPRESS_EMPTY_INPUT, 0, ""},
        {"00", DECOMPRESS_EMPTY_OUTPUT, 0, ""},
        {"0000000001", DECOMPRESS_EMPTY_OUTPUT, 0, ""},
        {"ff", DECOMPRESS_CORRUPT, 0, ""},
        {"ffffffff", DECOMPRESSED, 1, "00"},
        {"41be41be00", DECOMPRESSED, 1, "41"},
        {"41be41be0000ff", DECOMPRESSED, 1, "41"},
        {"80", DECOMPRESSED, 72, "7f7fb10000"},
        {"41", DECOMPRESSED, 72, "4040560000"},
        {"41be41", DECOMPRESSED, 77, "40ffffffffffffff00"},
        {"6202d0c7", DECOMPRESS_CORRUPT, 0, ""},
        {"6202d0c7d3", DECOMPRESSED, 3, "616263"},
        {"deadbeef", DECOMPRESSED, 170, "de8d9f1af60000"},
        {"0102030405060708", DECOMPRESSED, 170, "0000b750438062167807 00"},
        {"ed49247a061fa89ff5713e4b0ac822d364037a888f463eef79c809", DECOMPRESS_CORRUPT, 0, ""},
        {"7d44d827b8fd494b7e9bfe7984a5dd9ae1bee5", DECOMPRESS_CORRUPT, 0, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t beginning = from_hex(cases[i].beginning, plain);

        assert_int_equal(decompress(ENET_COMPRESSION_RANGE_CODER, cases[i].in), cases[i].result);
        assert_int_equal(out_length, cases[i].length);
        assert_memory_equal(out, plain, beginning);
    }
    /* not canonical */
    from_hex("616263", plain);
    assert_int_equal(enet_range_encode(plain, 3, out, sizeof out), 5);
    assert_int_equal(out[4], 0xd2);
    assert_int_equal(enet_range_encode(plain, 0, out, sizeof out), 0);
}

static void range_coder_samples(void **state)
{
    (void)state;
    assert_int_equal(decompress(ENET_COMPRESSION_RANGE_CODER, &BOTH_SEVEN[16]), DECOMPRESSED);
    assert_int_equal(out_length, 113);
    from_hex("86000001", plain);
    assert_memory_equal(out, plain, 4);
    assert_int_equal(decompress(ENET_COMPRESSION_RANGE_CODER, &BOTH_TWO_ACKS[12]), DECOMPRESSED);
    assert_int_equal(out_length, 16);
    assert_int_equal(decompress(ENET_COMPRESSION_RANGE_CODER, "6202df74d8204cda03311d"), DECOMPRESSED);
    assert_int_equal(out_length, 11);
    assert_memory_equal(out, "abracadabra", 11);
}

/* --- FastLZ ---------------------------------------------------------------------------------------- */

#define GODOT_CONNECT                                                                                        \
    "82ff00010000ffff0000057000010000000000ff000000000000000000001388000000020000000 2a1b2c3d412345678"
#define GODOT_CONNECT_FASTLZ                                                                                 \
    "0b82ff00010000ffff000005704009200020 0bc00001138820090c02000000 02a1b2c3d412345678"
#define GODOT_CONNECT_ZLIB                                                                                   \
    "789c6bfacfc0c8c0f0ff3f03036b01880504ff19e040b803483081f0c24d87af0899845500 00e75d0993"

static void fastlz_streams(void **state)
{
    static const struct {
        const char *in;
        decompress_result result;
        const char *plain;
    } cases[] = {
        {"", DECOMPRESS_EMPTY_INPUT, ""},
        {"02616263", DECOMPRESSED, "616263"},
        {"0261626320 02", DECOMPRESSED, "616263616263"},          /* a match of 3 */
        {"0061c000", DECOMPRESSED, "616161616161616161"},         /* 8 more of the same */
        {"0061e00000", DECOMPRESSED, "61616161616161616161"},     /* 9 more */
        {"0061e00100", DECOMPRESSED, "6161616161616161616161"},   /* 10 more */
        {"0161622001006300 64", DECOMPRESSED, "6162616261636 4"}, /* literals between matches */
        {"02616263ff", DECOMPRESSED, "616263"},                   /* a single byte left is not read */
        {"0261626300", DECOMPRESSED, "616263"},
        {"026162", DECOMPRESS_TRUNCATED, ""}, /* literals after the end */
        {"02616263016 4", DECOMPRESS_TRUNCATED, ""},
        {"02616263e000", DECOMPRESS_TRUNCATED, ""}, /* long match without distance */
        {"0261626320 03", DECOMPRESS_CORRUPT, ""},  /* before the start */
        {"026162633f ff", DECOMPRESS_CORRUPT, ""},
        {"40616263", DECOMPRESS_CORRUPT, ""}, /* level 3 */
        {"e0616263", DECOMPRESS_CORRUPT, ""},
        {"22616263", DECOMPRESSED, "616263"}, /* level 2 */
        {"2261626320 02", DECOMPRESSED, "616263616263"},
        {"2261626300", DECOMPRESS_TRUNCATED, ""}, /* which reads to the last byte */
        {"2261626320", DECOMPRESS_TRUNCATED, ""},
        {"22616263e0ff", DECOMPRESS_TRUNCATED, ""},
        {"226162633fff0000", DECOMPRESS_TRUNCATED, ""}, /* a far match */
        {"226162633fff000000", DECOMPRESS_CORRUPT, ""},
        {"226162633fff00", DECOMPRESS_TRUNCATED, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (decompress(ENET_COMPRESSION_FASTLZ, cases[i].in) != cases[i].result) {
            fail_msg("%s", cases[i].in);
        }
        assert_plain(cases[i].plain);
    }
}

static void fastlz_limits(void **state)
{
    size_t length = from_hex("0061e0ff00e0ff00e0ff00", packed); /* 1 + 3 * 264 */

    (void)state;
    assert_int_equal(decompress_tight(ENET_COMPRESSION_FASTLZ, length, 793), DECOMPRESSED);
    assert_int_equal(decompress_tight(ENET_COMPRESSION_FASTLZ, length, 792), DECOMPRESS_TOO_LONG);
    length = from_hex("2061e0ffff0200", packed); /* level 2: 1 + 9 + 255 + 255 + 2 */
    assert_int_equal(decompress_tight(ENET_COMPRESSION_FASTLZ, length, 522), DECOMPRESSED);
    assert_int_equal(decompress_tight(ENET_COMPRESSION_FASTLZ, length, 521), DECOMPRESS_TOO_LONG);
    length = from_hex("02616263", packed);
    assert_int_equal(decompress_tight(ENET_COMPRESSION_FASTLZ, length, 2), DECOMPRESS_TOO_LONG);
    memset(packed, 0xff, 4096); /* no extension is long enough to overflow */
    packed[0] = 0x20;
    packed[2] = 0xe0;
    assert_int_equal(decompress_tight(ENET_COMPRESSION_FASTLZ, 4096, CAPACITY), DECOMPRESS_TRUNCATED);
}

/* --- zlib and Zstandard ---------------------------------------------------------------------------- */

/* Text that all of them shorten. */
static size_t make_text(size_t length)
{
    for (size_t i = 0; i < length; i++) {
        plain[i] = (uint8_t)("the quick brown fox "[i % 20] + (i / 300 % 3));
    }
    return length;
}

static size_t pack(enet_compression compression, size_t length)
{
    uLongf size = sizeof packed;

    if (compression == ENET_COMPRESSION_ZSTD) {
        return ZSTD_compress(packed, sizeof packed, plain, length, 3);
    }
    assert_int_equal(compress2(packed, &size, plain, length, -1), Z_OK);
    return size;
}

static void library_streams(void **state)
{
    static const enet_compression both[] = {ENET_COMPRESSION_ZLIB, ENET_COMPRESSION_ZSTD};

    (void)state;
    for (int b = 0; b < 2; b++) {
        size_t length = make_text(CAPACITY), packed_length = pack(both[b], length);

        assert_int_equal(decompress_tight(both[b], packed_length, length), DECOMPRESSED);
        assert_int_equal(out_length, length);
        assert_memory_equal(out, plain, length);
        assert_int_equal(decompress_tight(both[b], packed_length, length - 1), DECOMPRESS_TOO_LONG);
        assert_int_equal(decompress_tight(both[b], packed_length, 0), DECOMPRESS_TOO_LONG);
        for (size_t cut = 0; cut < packed_length; cut++) {
            assert_int_not_equal(decompress_tight(both[b], cut, length), DECOMPRESSED);
        }
        assert_int_equal(decompress_tight(both[b], packed_length - 1, length), DECOMPRESS_TRUNCATED);
        assert_int_equal(enet_decompress(both[b], packed, 0, out, CAPACITY, &out_length),
                         DECOMPRESS_EMPTY_INPUT);
    }
}

static void library_damage(void **state)
{
    (void)state;
    /* zlib: the checksum at the end has to match; bytes after it are ignored */
    size_t length = make_text(500), packed_length = pack(ENET_COMPRESSION_ZLIB, length);
    packed[packed_length] = 0x55;
    assert_int_equal(decompress_tight(ENET_COMPRESSION_ZLIB, packed_length + 1, CAPACITY), DECOMPRESSED);
    packed[packed_length - 1] ^= 1;
    assert_int_equal(decompress_tight(ENET_COMPRESSION_ZLIB, packed_length, CAPACITY), DECOMPRESS_CORRUPT);
    assert_int_equal(decompress(ENET_COMPRESSION_ZLIB, "789d0300 00000001"), DECOMPRESS_CORRUPT);
    assert_int_equal(decompress(ENET_COMPRESSION_ZLIB, "789c030000000001"), DECOMPRESS_EMPTY_OUTPUT);
    /* a preset dictionary, which is not available */
    assert_int_equal(decompress(ENET_COMPRESSION_ZLIB, "78bb00000001030000000001"), DECOMPRESS_CORRUPT);

    /* Zstandard: any number of frames, but nothing else after them */
    packed_length = pack(ENET_COMPRESSION_ZSTD, length);
    memcpy(packed + packed_length, packed, packed_length);
    assert_int_equal(decompress_tight(ENET_COMPRESSION_ZSTD, 2 * packed_length, CAPACITY), DECOMPRESSED);
    assert_int_equal(out_length, 1000);
    assert_int_not_equal(decompress_tight(ENET_COMPRESSION_ZSTD, packed_length + 1, CAPACITY), DECOMPRESSED);
    packed[packed_length - 5] ^= 0xff;
    assert_int_not_equal(decompress_tight(ENET_COMPRESSION_ZSTD, packed_length, CAPACITY), DECOMPRESSED);
    assert_int_equal(decompress(ENET_COMPRESSION_ZSTD, "27b52ffd20000100 00"), DECOMPRESS_CORRUPT);
    assert_int_equal(decompress(ENET_COMPRESSION_ZSTD, "28b52ffd"), DECOMPRESS_TRUNCATED);
    assert_int_equal(decompress(ENET_COMPRESSION_ZSTD, "28b52ffd2000010000"), DECOMPRESS_EMPTY_OUTPUT);
    /* announces 2^62 bytes, 4 GiB of window */
    assert_int_equal(decompress(ENET_COMPRESSION_ZSTD, "28b52ffde00000000000000040010000"),
                     DECOMPRESS_TOO_LONG);
    /* does not announce its length: 1 block of 64 KiB of the same byte, window 2 GiB */
    assert_int_equal(decompress(ENET_COMPRESSION_ZSTD, "28b52ffd00a8030008 41"), DECOMPRESS_TOO_LONG);
    /* a frame that may be skipped, and a format of the library's past */
    assert_int_equal(decompress(ENET_COMPRESSION_ZSTD, "502a4d1804000000 00000000"), DECOMPRESS_CORRUPT);
    assert_int_equal(decompress(ENET_COMPRESSION_ZSTD, "25b52ffd0000000000000000"), DECOMPRESS_CORRUPT);
}

static void other_algorithms(void **state)
{
    (void)state;
    assert_int_equal(decompress(ENET_COMPRESSION_NONE, "8600"), DECOMPRESS_UNKNOWN);
    assert_int_equal(decompress(ENET_COMPRESSION_UNKNOWN, "8600"), DECOMPRESS_UNKNOWN);
    assert_int_equal(decompress(ENET_COMPRESSION_COUNT, "8600"), DECOMPRESS_UNKNOWN);
    assert_string_equal(enet_compression_name(ENET_COMPRESSION_RANGE_CODER), "range coder");
    assert_string_equal(enet_compression_name(ENET_COMPRESSION_COUNT), "unknown");
    for (int i = DECOMPRESSED; i <= DECOMPRESS_NOT_BUILT; i++) {
        assert_string_not_equal(enet_decompress_text((decompress_result)i), "?");
    }
}

/* --- which algorithm ------------------------------------------------------------------------------- */

static const enet_header connect_header = {.word = 0xcfff,
                                           .peer_id = 0xfff,
                                           .to_nobody = true,
                                           .has_sent_time = true,
                                           .compressed = true,
                                           .length = 4};
static const enet_header data_header = {
    .word = 0xc001, .peer_id = 1, .has_sent_time = true, .compressed = true, .length = 4};

static enet_compression recognise(const enet_header *header, const char *hex, enet_compression known,
                                  bool strict)
{
    return enet_recognise_compression(header, packed, from_hex(hex, packed), known, strict, out, CAPACITY,
                                      &out_length);
}

static void recognises_connect(void **state)
{
    static const struct {
        const char *hex;
        enet_compression compression;
    } cases[] = {
        {GODOT_CONNECT_FASTLZ, ENET_COMPRESSION_FASTLZ},
        {GODOT_CONNECT_ZLIB, ENET_COMPRESSION_ZLIB},
        {"837b88b1fdf1df576b939eeeff f5175b77c2479d1978b51904f2017dabf32f97", ENET_COMPRESSION_RANGE_CODER},
    };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        /* right, whatever the connection used before */
        for (int known = ENET_COMPRESSION_NONE; known <= ENET_COMPRESSION_UNKNOWN; known++) {
            assert_int_equal(recognise(&connect_header, cases[i].hex, (enet_compression)known, true),
                             cases[i].compression);
            assert_plain(GODOT_CONNECT);
        }
        /* a header without a sent time cannot have a CONNECT */
        assert_int_equal(recognise(&(enet_header){.length = 2}, cases[i].hex, ENET_COMPRESSION_UNKNOWN, true),
                         ENET_COMPRESSION_UNKNOWN);
        assert_int_equal(out_length, 0);
    }
}

static void recognises_zstd(void **state)
{
    size_t length = from_hex("86000001012c", plain);

    (void)state;
    memset(plain + length, 'a', 300);
    length = ZSTD_compress(packed, sizeof packed, plain, 306, 3);
    assert_int_equal(enet_recognise_compression(&data_header, packed, length, ENET_COMPRESSION_UNKNOWN, true,
                                                out, CAPACITY, &out_length),
                     ENET_COMPRESSION_ZSTD);
    assert_int_equal(out_length, 306);
}

static void recognises_padding(void **state)
{
    (void)state;
    /* an ACK of 8 bytes and zeros up to 16, of which all but the first are a match */
    assert_int_equal(recognise(&(enet_header){.compressed = true, .length = 2}, "0801ff000100010000 00a000",
                               ENET_COMPRESSION_UNKNOWN, true),
                     ENET_COMPRESSION_FASTLZ);
}

/* A stream that differs from the encoder's is only accepted on a known connection. */
static void canonical_form(void **state)
{
    char hex[] = "837b88b1fdf1df576b939eeefff5175b77c2479d1978b51904f2017dabf32f97ff";

    (void)state;
    assert_int_equal(recognise(&connect_header, hex, ENET_COMPRESSION_UNKNOWN, true),
                     ENET_COMPRESSION_UNKNOWN);
    assert_int_equal(recognise(&connect_header, hex, ENET_COMPRESSION_UNKNOWN, false),
                     ENET_COMPRESSION_RANGE_CODER);
    hex[strlen(hex) - 2] = 0;
    assert_int_equal(recognise(&connect_header, hex, ENET_COMPRESSION_UNKNOWN, true),
                     ENET_COMPRESSION_RANGE_CODER);
}

/* Knowledge about the connection decides if a body breaks rules. */
static void known_algorithm(void **state)
{
    (void)state;
    for (int i = 0; i < 64; i++) {
        plain[i] = 0x77; /* a command of type 7, unlikely otherwise */
    }
    out_length = enet_range_encode(plain, 64, packed, sizeof packed);
    assert_true(out_length > 5);
    size_t length = out_length;
    assert_int_equal(enet_recognise_compression(&data_header, packed, length, ENET_COMPRESSION_UNKNOWN, false,
                                                out, CAPACITY, &out_length),
                     ENET_COMPRESSION_UNKNOWN);
    assert_int_equal(enet_recognise_compression(&data_header, packed, length, ENET_COMPRESSION_RANGE_CODER,
                                                false, out, CAPACITY, &out_length),
                     ENET_COMPRESSION_RANGE_CODER);
    assert_int_equal(out_length, 64);
    assert_int_equal(enet_recognise_compression(&data_header, packed, length, ENET_COMPRESSION_RANGE_CODER,
                                                true, out, CAPACITY, &out_length),
                     ENET_COMPRESSION_UNKNOWN);
}

/* Bodies of every kind and length, compressed with every algorithm, are decompressed and recognised. */
static void recognises_what_was_sent(void **state)
{
    uint64_t seed = 7;
    unsigned tried[ENET_COMPRESSION_COUNT] = {0};

    (void)state;
    for (int round = 0; round < 3000; round++) {
        uint32_t data = 20 + random_below(&seed, 1300), variety = 1 + random_below(&seed, 40);
        enet_compression compression = (enet_compression)(1 + random_below(&seed, 4));
        size_t length = from_hex("86000001", plain) + 2, packed_length;

        if (compression == ENET_COMPRESSION_FASTLZ) {
            continue; /* no encoder here; see fastlz_streams */
        }
        plain[3] = (uint8_t)(1 + random_below(&seed, 255));
        plain[4] = (uint8_t)(data >> 8);
        plain[5] = (uint8_t)data;
        for (uint32_t i = 0; i < data; i++) {
            plain[length++] = (uint8_t)random_below(&seed, variety);
        }
        packed_length = compression == ENET_COMPRESSION_RANGE_CODER
                            ? enet_range_encode(plain, length, packed, sizeof packed)
                            : pack(compression, length);
        if (packed_length >= length) {
            continue; /* would be sent uncompressed */
        }
        assert_int_equal(enet_recognise_compression(&data_header, packed, packed_length,
                                                    ENET_COMPRESSION_UNKNOWN, true, out, CAPACITY,
                                                    &out_length),
                         compression);
        assert_int_equal(out_length, length);
        assert_memory_equal(out, plain, length);
        tried[compression]++;
    }
    assert_true(tried[ENET_COMPRESSION_RANGE_CODER] > 500 && tried[ENET_COMPRESSION_ZLIB] > 500 &&
                tried[ENET_COMPRESSION_ZSTD] > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_coder_vectors), cmocka_unit_test(range_coder_corrupt),
        cmocka_unit_test(range_coder_samples), cmocka_unit_test(fastlz_streams),
        cmocka_unit_test(fastlz_limits),       cmocka_unit_test(library_streams),
        cmocka_unit_test(library_damage),      cmocka_unit_test(other_algorithms),
        cmocka_unit_test(recognises_connect),  cmocka_unit_test(recognises_zstd),
        cmocka_unit_test(recognises_padding),  cmocka_unit_test(canonical_form),
        cmocka_unit_test(known_algorithm),     cmocka_unit_test(recognises_what_was_sent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
