/* variant/test_detect.c
 *
 * Detection of the generation: cases decided by the layout, ambiguous cases, and all recorded values of
 * engines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/variant_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NONE VARIANT_DIALECT_COUNT

static variant_guess detect(const char *hex, variant_dialect preferred)
{
    test_bytes b = bytes_from_hex(hex);
    variant_guess guess = variant_detect(b.bytes, b.length, preferred);
    if (guess.score > 0) {
        assert_int_equal(guess.consumed, b.length);
    }
    bytes_free(&b);
    return guess;
}

static void test_decided_by_layout(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        variant_dialect dialect;
        bool strong;
    } cases[] = {
        /* [1, 2] */
        {"1c0000000200000002000000010000000200000002000000", VARIANT_GODOT4, true},
        {"130000000200000002000000010000000200000002000000", VARIANT_GODOT3, true},
        {"150000000200000002000000010000000200000002000000", VARIANT_GODOT2, true},
        /* Vector3(1, 2, 3), Vector3i(1, 2, 3) */
        {"070000000000803f0000004000004040", VARIANT_GODOT3, true},
        {"090000000000803f0000004000004040", VARIANT_GODOT4, true},
        {"0a000000010000000200000003000000", VARIANT_GODOT4, true},
        /* &"abcd" */
        {"150000000400000061626364", VARIANT_GODOT4, true},
        /* PoolIntArray([5]), [233] and [0x3b1]: not one character; the last would be an alpha in UTF-16 */
        {"150000000100000005000000", VARIANT_GODOT3, false},
        {"1500000001000000e9000000", VARIANT_GODOT3, false},
        {"1500000001000000b1030000", VARIANT_GODOT3, false},
        /* NodePath("A") */
        {"160000000100008000000000000000000100000041000000", VARIANT_GODOT4, false},
        /* [5] of 3.0, which sends all ints in 64 bits */
        {"1300000001000000020001000500000000000000", VARIANT_GODOT3, true},
        /* the manual's array of 64-bit integers, in an array */
        {"130000000100000016000000010000000500000000000000", VARIANT_GODOT4_MANUAL, true},
        /* [1.5] in 64 bits: not this one either */
        {"130000000100000003000100000000000000f83f", VARIANT_GODOT4_MANUAL, true},
        /* [5, 5], in 64 and in 32 bits: no engine writes that */
        {"13000000020000000200010005000000000000000200000005000000", VARIANT_GODOT4_MANUAL, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        variant_guess guess = detect(cases[i].hex, NONE);
        assert_true(guess.score > 0);
        assert_int_equal(guess.dialect, cases[i].dialect);
        assert_int_equal(guess.strong, cases[i].strong);
    }
}

/* What the score is made of. */
static void test_scores(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        variant_dialect dialect;
        int score;
        bool strong;
    } cases[] = {
        /* 999999 and -999999 count, 1000000 and -1000000 do not; 2 for the length */
        {"1c00000004000000020000003f420f0002000000c1bdf0ff0200000040420f0002000000c0bdf0ff", VARIANT_GODOT4,
         4, true},
        /* 1, -1 and 0 */
        {"20000000030000000000803f000080bf00000000", VARIANT_GODOT4, 5, true},
        /* 2^-30 and 2^30 are outside of the range of plausible numbers, their neighbours are inside */
        {"2000000004000000000080300000804e000000310000004e", VARIANT_GODOT4, 4, true},
        /* not denormal, not huge */
        {"20000000060000000000803f0000803f0000803f0000803f0000000100000071", VARIANT_GODOT4, 6, true},
        /* denormal and huge numbers cost three points each */
        {"200000000e0000000000803f0000803f0000803f0000803f0000803f0000803f0000803f0000803f0000803f0000803f000"
         "0803f0000803f0000800000008071",
         VARIANT_GODOT4, 8, true},
        /* infinite and NaN too */
        {"200000000e0000000000803f0000803f0000803f0000803f0000803f0000803f0000803f0000803f0000803f0000803f000"
         "0803f0000803f000080ff0000c07f",
         VARIANT_GODOT4, 8, true},
        /* the first sixteen numbers count */
        {"1e00000014000000000000000100000002000000030000000400000005000000060000000700000008000000090000000a0"
         "000000b0000000c0000000d0000000e0000000f00000010000000110000001200000013000000",
         VARIANT_GODOT4, 18, true},
        /* [1.5] */
        {"1c00000001000000030000000000c03f", VARIANT_GODOT4, 3, true},
        /* a float: short, so weak evidence */
        {"030000000000c0bf", VARIANT_GODOT4, 1, false},
        /* Strings of two and three characters */
        {"1c00000002000000040000000200000061620000040000000300000061626300", VARIANT_GODOT4, 6, true},
        /* one of two is enough */
        {"040000000200000061620000", VARIANT_GODOT4, 1, true},
        /* one character is not */
        {"040000000100000061000000", VARIANT_GODOT4, 1, false},
        /* neither are two control characters */
        {"04000000020000001f7f0000", VARIANT_GODOT4, 1, false},
        /* a blank counts */
        {"040000000200000061200000", VARIANT_GODOT4, 1, true},
        /* é is one character */
        {"0400000002000000c3a90000", VARIANT_GODOT4, 1, false},
        /* {"a": 1, "b": 1}: 2 for its String keys, 1 for each short text */
        {"1b0000000200000004000000010000006100000002000000010000000400000001000000620000000200000001000000",
         VARIANT_GODOT4, 8, true},
        /* {"a": 1}: 2 for the first key already, 1 for the text, 1 for the number */
        {"1b000000010000000400000001000000610000000200000001000000", VARIANT_GODOT4, 6, true},
        /* {1: "a"}: none */
        {"1b000000010000000200000001000000040000000100000061000000", VARIANT_GODOT4, 4, true},
        /* Godot 3, stale padding: 3 less than 2 + 3 + 1 */
        {"13000000020000000400000003000000616263010200000001000000", VARIANT_GODOT3, 3, true},
        /* class names of engine objects, from A to Z */
        {"18000000010000004100000000000000", VARIANT_GODOT4, 2, false},
        {"18000000010000005a00000000000000", VARIANT_GODOT4, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        variant_guess guess = detect(cases[i].hex, cases[i].dialect);
        if (guess.dialect != cases[i].dialect || guess.score != cases[i].score ||
            guess.strong != cases[i].strong) {
            fail_msg("%s: %s, score %d, %s", cases[i].hex, variant_dialect_name(guess.dialect), guess.score,
                     guess.strong ? "strong" : "weak");
        }
    }
}

/* Both readings are complete: the conversation decides, otherwise Godot 4. */
static void test_ambiguous(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "0e000000000000000000803f000000000000a040",                 /* Plane or Color */
        "0b0000000000803f00000000000000000000803f0000000000000000", /* Transform2D or AABB */
        "0400000005000000476f646f74000000",                         /* String everywhere */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(detect(cases[i], NONE).dialect, VARIANT_GODOT4);
        for (variant_dialect preferred = 0; preferred < VARIANT_DIALECT_COUNT; preferred++) {
            assert_int_equal(detect(cases[i], preferred).dialect, preferred);
        }
    }
    /* &"a" or PoolIntArray([97]), &"~" or PoolIntArray([126]) */
    static const char *const names[] = {"150000000100000061000000", "15000000010000007e000000"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(detect(names[i], NONE).dialect, VARIANT_GODOT4);
        assert_int_equal(detect(names[i], VARIANT_GODOT3).dialect, VARIANT_GODOT3);
        assert_int_equal(detect(names[i], VARIANT_GODOT4_MANUAL).dialect, VARIANT_GODOT4_MANUAL);
        assert_false(detect(names[i], NONE).strong);
    }
    /* the previous dialect of the conversation is not used if it does not fit */
    assert_int_equal(detect("1c00000000000000", VARIANT_GODOT3).dialect, VARIANT_GODOT4);
}

static void test_nothing_fits(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "00",
        "ffffffff",
        "0200000005",                               /* cut off */
        "020000000500000000000000",                 /* more than one value */
        "0100000002000000",                         /* neither true nor false */
        "020100000500000002000000",                 /* reserved header bits */
        "0400000001000000ff000000",                 /* not UTF-8 */
        "1c00000001000000020001000500000000000000", /* Godot 4 would send this 5 in 32 bits */
        "1600000001000080000000000000000000000000", /* an empty name in a NodePath */
        "1b00000001000000020000000100000018000000010000006100000000000000", /* a class name in lower case */
        "1b00000001000000020000000100000018000000410000004141414141414141414141414141414141414141414141414141"
        "41414141414141414141414141414141"
        "414141414141414141414141414141414141414141414100000000000000", /* a class name of 65 characters */
        "1c0002000000000000000000",                                     /* Array of a class without a name */
        "1b0002000000000000000000",                         /* Dictionary of a class without a name */
        "1c000000030000000000000000000000",                 /* more elements than bytes */
        "1c00010002000000010000000100000001000000",         /* Array[int]([true]) */
        "1600000001000080000000000000000003000000612f6200", /* a slash in a name */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        variant_guess guess = detect(cases[i], NONE);
        if (guess.score > 0) {
            fail_msg("%s taken for %s", cases[i], variant_dialect_name(guess.dialect));
        }
    }
}

/* Short values are too common in other protocols. */
static void test_weak(void **state)
{
    (void)state;
    static const char *const cases[] = {"00000000", "0100000001000000", "0200000007000000",
                                        "030000000000803f", "1c00000000000000"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        variant_guess guess = detect(cases[i], NONE);
        assert_true(guess.score > 0);
        assert_false(guess.strong);
    }
}

/* No value written by an engine is refused, and every non-empty container is detected with the right
 * generation. */
static void check_engine(const char *file, variant_dialect dialect)
{
    test_table table = table_open(file);
    while (table_next(&table)) {
        char *hex = json_string(table.line, "hex");
        test_bytes b = bytes_from_hex(hex);
        if (b.length > 0) { /* otherwise the engine refused to encode it */
            variant_guess guess = detect(hex, dialect);
            assert_int_equal(guess.dialect, dialect);
            assert_true(guess.score > 0);

            variant_decoder decoder;
            variant_event first;
            variant_init(&decoder, b.bytes, b.length, (variant_options){.dialect = dialect});
            assert_true(variant_next(&decoder, &first));
            guess = detect(hex, NONE);
            if (first.kind == VARIANT_BEGIN && first.count > 0) {
                assert_int_equal(guess.dialect, dialect);
                assert_true(guess.strong);
            }
        }
        bytes_free(&b);
        free(hex);
    }
    table_close(&table);
}

static void test_engines(void **state)
{
    (void)state;
    check_engine("godot-4.6-values.jsonl", VARIANT_GODOT4);
    check_engine("godot-3.6-values.jsonl", VARIANT_GODOT3);
}

/* Random bytes are not detected as a value that could claim a conversation. */
static void test_random(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    unsigned strong = 0;
    for (int i = 0; i < 100000; i++) {
        uint8_t bytes[64];
        for (size_t k = 0; k < sizeof bytes; k++) {
            random ^= random << 13; /* xorshift64 */
            random ^= random >> 7;
            random ^= random << 17;
            bytes[k] = (uint8_t)(random >> 32);
        }
        strong += variant_detect(bytes, 1 + random % sizeof bytes, NONE).strong;
    }
    assert_int_equal(strong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decided_by_layout),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_nothing_fits),
        cmocka_unit_test(test_weak),
        cmocka_unit_test(test_engines),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
