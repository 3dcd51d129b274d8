/* variant/test_json.c: values as JSON. tests/data/godot-4.6-json.tsv was written by Godot 4.6.3;
 * test_variant_cat.py compares what depends on the order of keys or the digits of floats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "variant/json.h"
#include "variant/variant_data.h"

static char written[1u << 16];
static size_t used;

static void append(void *context, const char *text, size_t length)
{
    (void)context;
    assert_true(length < sizeof written - used);
    memcpy(written + used, text, length);
    used += length;
    written[used] = '\0';
}

static uint32_t json(const uint8_t *bytes, size_t length, variant_dialect dialect, variant_verdict *error)
{
    used = 0;
    written[0] = '\0';
    return variant_json(bytes, length, (variant_options){.dialect = dialect, .objects_allowed = true}, append,
                        NULL, error);
}

/* Brackets and quotes match, so that a text after it is not affected. */
static void assert_whole(void)
{
    char open[256];
    size_t depth = 0;
    for (const char *p = written; *p; p++) {
        if (*p == '"') {
            for (p++; *p != '"'; p += *p == '\\' ? 2 : 1) {
                assert_true(*p != '\0');
            }
        } else if (*p == '{' || *p == '[') {
            assert_true(depth < sizeof open);
            open[depth++] = *p == '{' ? '}' : ']';
        } else if (*p == '}' || *p == ']') {
            assert_true(depth > 0 && open[--depth] == *p);
        }
    }
    assert_int_equal(depth, 0);
}

static void as_the_engine(void **state)
{
    test_table table = table_open("godot-4.6-json.tsv");
    unsigned compared = 0;
    (void)state;
    while (table_next(&table)) {
        char *fields[2];
        assert_int_equal(split_tabs(table.line, fields, 2), 2);
        test_bytes b = bytes_from_hex(fields[0]);
        variant_verdict error;
        assert_int_equal(json(b.bytes, b.length, VARIANT_GODOT4, &error), b.length);
        assert_int_equal(error, VARIANT_IGNORED);
        if (!strchr(fields[1], '{') && !strchr(fields[1], '.')) {
            assert_string_equal(written, fields[1]);
            compared++;
        }
        assert_whole();
        for (size_t cut = 0; cut < b.length; cut += 4) {
            assert_int_equal(json(b.bytes, cut, VARIANT_GODOT4, &error), 0);
            assert_true(used > 0);
            assert_whole();
            assert_true(VARIANT_REJECTS(error));
        }
        bytes_free(&b);
    }
    table_close(&table);
    assert_true(compared > 40);
}

/* Bytes and the expected text, without an engine. */
static void exactly(void **state)
{
    static const struct {
        const char *hex, *json;
        variant_dialect dialect;
    } cases[] = {
        {"04000000 06000000 6122 5c0a1b7f 0000", "\"s:a\\\"\\\\\\n\\u001b\\u007f\"", VARIANT_GODOT4},
        {"04000000 02000000 61ff 0000", "\"s:a\xef\xbf\xbd\"", VARIANT_GODOT2},
        {"04000000 03000000 e282ac 00", "\"s:\xe2\x82\xac\"", VARIANT_GODOT4},
        {"1c000000 02000000 0200000001000000 0200000002000000", "[\"i:1\",\"i:2\"]", VARIANT_GODOT4},
        {"03000100 000000000000f07f", "\"f:inf\"", VARIANT_GODOT4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char hex[200] = "";
        for (const char *p = cases[i].hex; *p; p++) {
            if (*p != ' ') {
                strncat(hex, p, 1);
            }
        }
        test_bytes b = bytes_from_hex(hex);
        (void)json(b.bytes, b.length, cases[i].dialect, NULL);
        assert_string_equal(written, cases[i].json);
        bytes_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_engine), cmocka_unit_test(exactly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
