/* test_utf8.c
 *
 * Text from the wire. The rules of Godot 3 are those of Godot 3.6, tests/data/godot-3.6-strings.tsv.gz.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/utf8.h"

static void sequences(void **state)
{
    static const struct {
        const char *bytes;
        uint32_t standard, godot3;
    } cases[] = {
        {"a", 1, 1},
        {"\xc3\xa4", 2, 2},
        {"\xe2\x82\xac", 3, 3},
        {"\xf0\x9f\x98\x80", 4, 4},
        {"\xf4\x8f\xbf\xbf", 4, 4},
        {"\x80", 0, 0},
        {"\xc0\x80", 0, 0}, /* overlong */
        {"\xc1\xbf", 0, 0},
        {"\xe0\x80\x80", 0, 0},
        {"\xe0\x80\x8f", 0, 0},
        {"\xe0\x80\x90", 0, 3},
        {"\xe0\x9f\xbf", 0, 3},
        {"\xf0\x80\x87\xbf", 0, 0},
        {"\xf0\x80\x88\x80", 0, 4},
        {"\xf0\x8f\xbf\xbf", 0, 4},
        {"\xed\x9f\xbf", 3, 3},
        {"\xed\xa0\x80", 0, 3},     /* surrogate */
        {"\xf4\x90\x80\x80", 0, 4}, /* above U+10FFFF */
        {"\xf7\xbf\xbf\xbf", 0, 4},
        {"\xf8\x88\x80\x80\x80", 0, 5},
        {"\xf8\x80\x83\xbf\xbf", 0, 0},
        {"\xf8\x80\x84\x80\x80", 0, 5},
        {"\xf8\x87\xbf\xbf\xbf", 0, 5},
        {"\xfc\x84\x80\x80\x80\x80", 0, 6},
        {"\xfc\x80\x81\xbf\xbf\xbf", 0, 0},
        {"\xfc\x80\x82\x80\x80\x80", 0, 6},
        {"\xfc\x83\xbf\xbf\xbf\xbf", 0, 6},
        {"\xfe\x80\x80\x80\x80\x80\x80", 0, 0},
        {"\xff", 0, 0},
        {"\xe2\x28\xa1", 0, 0},
        {"\xe2\x82\x28", 0, 0},
        {"\xf0\x9f\x98\x28", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint8_t *bytes = (const uint8_t *)cases[i].bytes;
        size_t length = strlen(cases[i].bytes);
        assert_int_equal(utf8_sequence(bytes, length, UTF8_STANDARD), cases[i].standard);
        assert_int_equal(utf8_sequence(bytes, length, UTF8_GODOT3), cases[i].godot3);
        for (size_t left = 0; left < cases[i].godot3; left++) { /* cut off */
            assert_int_equal(utf8_sequence(bytes, left, UTF8_GODOT3), 0);
        }
    }
}

static void cut_between_characters(void **state)
{
    (void)state;
    assert_int_equal(utf8_cut("abc", 3, 3), 3);
    assert_int_equal(utf8_cut("abcd", 4, 3), 3);
    assert_int_equal(utf8_cut("a\xe2\x82\xac", 4, 3), 1);
    assert_int_equal(utf8_cut("\xe2\x82\xac", 3, 2), 0);
    assert_int_equal(utf8_cut("a\xe2\x82\xac", 4, 1), 1);
}

static void one_line(void **state)
{
    char text[] = "a\nb\x7f"
                  "c\xc2\x9b"
                  "d\xc2\xa0"
                  "e\x1b\xc3\xa4\xc2";
    (void)state;
    assert_string_equal(utf8_one_line(text), "a b c  d\xc2\xa0"
                                             "e \xc3\xa4\xc2");
}

/* Each of Unicode's Bidi_Control, the two separators, and the characters next to them. */
static void deceptive(void **state)
{
    static const char *const shown[] = {"\xd8\x9b",     "\xe2\x80\x8d", "\xe2\x80\x90", "\xe2\x80\xa7",
                                        "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa", "\xc3\xa4",
                                        "\xe2\x82\xac", "\xe2\x80"};
    static const struct {
        const char *bytes, *escape;
    } hidden[] = {
        {"\xd8\x9c", "\\u061c"},
        {"\xe2\x80\x8e", "\\u200e"},
        {"\xe2\x80\x8f", "\\u200f"},
        {"\xe2\x80\xa8", "\\u2028"},
        {"\xe2\x80\xa9", "\\u2029"},
        {"\xe2\x80\xaa", "\\u202a"},
        {"\xe2\x80\xae", "\\u202e"},
        {"\xe2\x81\xa6", "\\u2066"},
        {"\xe2\x81\xa9", "\\u2069"},
        {"\xc2\x9b", "\\u009b"},
        {"\x1b", "\\u001b"},
        {"\n", "\\n"},
        {"\t", "\\t"},
        {"\v", "\\u000b"},
        {"\x7f", "\\u007f"},
    };
    char line[32];
    (void)state;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        assert_int_equal(utf8_escape(shown[i], strlen(shown[i]), line, sizeof line), strlen(shown[i]));
        assert_string_equal(line, shown[i]);
    }
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        utf8_escape(hidden[i].bytes, strlen(hidden[i].bytes), line, sizeof line);
        assert_string_equal(line, hidden[i].escape);
    }
}

static void escapes_that_do_not_fit(void **state)
{
    char line[8] = "1234567";
    (void)state;
    assert_int_equal(utf8_escape("ab\xe2\x80\xae"
                                 "c",
                                 6, line, 8),
                     9);
    assert_string_equal(line, "ab");
    assert_int_equal(utf8_escape("", 0, line, 1), 0);
    assert_string_equal(line, "");
}

/* Every byte of a control character, of invalid UTF-8, and of characters that end a line or change its
 * direction. */
static void visible(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } texts[] = {
        {"Spieler\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8e\xae", "Spieler\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8e\xae"},
        {"a\x1b[31m\a\n\x7f", "a?[31m???"},
        {"\xc2\x9b\xc2\xa0", "??\xc2\xa0"},
        {"a\x9b\xc3", "a??"},
        {"\xe2\x80\xa8|\xe2\x80\xa9|\xe2\x80\x8e|\xe2\x80\x8f|\xd8\x9c", "???|???|???|???|??"},
        {"\xe2\x80\xaa\xe2\x80\xae|\xe2\x81\xa6\xe2\x81\xa9", "??????|??????"},
        {"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xe2\x80\x8d",
         "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xe2\x80\x8d"},
        {"\xe2\x80", "??"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[64];
        memcpy(text, texts[i].text, strlen(texts[i].text) + 1);
        assert_string_equal(utf8_make_visible(text), texts[i].wanted);
    }
}

static void names(void **state)
{
    (void)state;
    assert_true(utf8_is_printable((const uint8_t *)"Spieler\xc3\xa4", 9));
    assert_false(utf8_is_printable((const uint8_t *)"\xc2\x9b", 2)); /* C1 */
    assert_false(utf8_is_printable((const uint8_t *)"a\x7f", 2));
    assert_false(utf8_is_printable((const uint8_t *)"", 0));
    assert_true(is_identifier((const uint8_t *)"_Ab9", 4, IDENTIFIER_ASCII));
    assert_false(is_identifier((const uint8_t *)"9a", 2, IDENTIFIER_ASCII));
    assert_false(is_identifier((const uint8_t *)"a b", 3, IDENTIFIER_UNICODE));
    assert_false(is_identifier((const uint8_t *)"", 0, IDENTIFIER_UNICODE));
    assert_false(is_identifier((const uint8_t *)"h\xc3\xb6he", 5, IDENTIFIER_ASCII));
    assert_true(is_identifier((const uint8_t *)"h\xc3\xb6he", 5, IDENTIFIER_UNICODE));
    assert_false(is_identifier((const uint8_t *)"h\xc3", 2, IDENTIFIER_UNICODE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences),
        cmocka_unit_test(cut_between_characters),
        cmocka_unit_test(one_line),
        cmocka_unit_test(deceptive),
        cmocka_unit_test(escapes_that_do_not_fit),
        cmocka_unit_test(names),
        cmocka_unit_test(sequences),
        cmocka_unit_test(cut_between_characters),
        cmocka_unit_test(one_line),
        cmocka_unit_test(visible),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
