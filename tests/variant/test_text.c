/* variant/test_text.c
 *
 * Text of values compared with the engines' text, and the text writer with buffers of every size.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "variant/variant_data.h"
#include "variant/variant_invariants.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* --- comparing with the engine's text ---------------------------------------------------------------- */

/* The engine sorts dictionaries and breaks lines, and Godot 3 writes blanks inside of brackets. Both texts
 * are normalised: entries of dictionaries sorted, no blanks or line breaks outside of strings. */
typedef struct {
    char *text;
    size_t length;
} piece;

static void append(piece *p, const char *text, size_t length)
{
    p->text = realloc(p->text, p->length + length + 1);
    memcpy(p->text + p->length, text, length);
    p->length += length;
    p->text[p->length] = '\0';
}

static int compare_pieces(const void *a, const void *b)
{
    return strcmp(((const piece *)a)->text, ((const piece *)b)->text);
}

static size_t string_length(const char *quoted)
{
    size_t n = 1;
    while (quoted[n] != '"') {
        n += quoted[n] == '\\' ? 2 : 1;
    }
    return n + 1;
}

/* Reads up to the bracket `close` (or the end of the text), including it. */
static piece normal_list(const char **text, char close)
{
    piece *items = calloc(1, sizeof *items);
    size_t count = 1;
    append(&items[0], "", 0);
    for (; **text != '\0' && **text != close; ++*text) {
        piece *item = &items[count - 1];
        if (**text == '"') {
            size_t n = string_length(*text);
            append(item, *text, n);
            *text += n - 1;
        } else if (strchr("([{", **text) != NULL) {
            char open = **text;
            append(item, (*text)++, 1);
            piece inner = normal_list(text, open == '(' ? ')' : (char)(open + 2));
            append(item, inner.text, inner.length);
            free(inner.text);
            --*text;
        } else if (**text == ',') {
            items = realloc(items, ++count * sizeof *items);
            items[count - 1] = (piece){NULL, 0};
            append(&items[count - 1], "", 0);
        } else if (!isspace((unsigned char)**text)) {
            append(item, *text, 1);
        }
    }
    if (close == '}') {
        qsort(items, count, sizeof *items, compare_pieces);
    }
    piece all = {NULL, 0};
    for (size_t i = 0; i < count; i++) {
        append(&all, i > 0 ? "," : "", i > 0 ? 1 : 0);
        append(&all, items[i].text, items[i].length);
        free(items[i].text);
    }
    free(items);
    append(&all, &close, close != '\0' ? 1 : 0);
    if (close != '\0') {
        ++*text;
    }
    return all;
}

static char *normal(const char *text)
{
    return normal_list(&text, '\0').text;
}

/* Godot 3 has other names for some types, and prints numbers as f32 with six digits. */
static char *as_godot3(const char *text)
{
    static const char *const names[][2] = {{"Quaternion", "Quat"},
                                           {"Transform3D", "Transform"},
                                           {"PackedByteArray", "PoolByteArray"},
                                           {"PackedInt32Array", "PoolIntArray"},
                                           {"PackedFloat32Array", "PoolRealArray"},
                                           {"PackedStringArray", "PoolStringArray"},
                                           {"PackedVector2Array", "PoolVector2Array"},
                                           {"PackedVector3Array", "PoolVector3Array"},
                                           {"PackedColorArray", "PoolColorArray"}};
    piece out = {NULL, 0};
    append(&out, "", 0);
    while (*text != '\0') {
        size_t n = *text == '"' ? string_length(text) : strspn(text, "0123456789+-.e");
        char *number_end = NULL;
        bool is_float = *text != '"' && n > 0 && memchr(text, '.', n) != NULL;
        is_float =
            is_float || (*text != '"' && isdigit((unsigned char)*text) && memchr(text, 'e', n) != NULL);
        if (is_float) {
            char number[64];
            int length = snprintf(number, sizeof number, "%g", (double)(float)strtod(text, &number_end));
            bool bare =
                strpbrk(number, ".en") == NULL && text[0] != '\0' && strstr(text, ".0") == text + n - 2;
            append(&out, number, (size_t)length);
            append(&out, ".0", bare ? 2 : 0);
            assert_ptr_equal(number_end, text + n);
        } else if (n > 0) {
            append(&out, text, n);
        } else {
            n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
            const char *name = text;
            size_t name_length = n = n > 0 ? n + strspn(text + n, "0123456789DArray") : 1;
            for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                if (strlen(names[i][0]) == n && strncmp(text, names[i][0], n) == 0) {
                    name = names[i][1];
                    name_length = strlen(name);
                }
            }
            append(&out, name, name_length);
        }
        text += n;
    }
    return out.text;
}

/* Parts of the engine's text that are not on the wire: the object that an id refers to, and the class of a
 * typed container, which is replaced if objects are not sent in full. */
static const char *text_instead(const char *name)
{
    static const char *const texts[][2] = {
        {"typed dict objects", "Dictionary[EncodedObjectAsID, EncodedObjectAsID]({})"},
        {"typed array node", "Array[EncodedObjectAsID]([null])"},
        {"typed array script", "Array[EncodedObjectAsID]([])"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(name, texts[i][0]) == 0) {
            return texts[i][1];
        }
    }
    return NULL;
}

static void check_value(const char *line, const char *name, variant_dialect dialect)
{
    char *hex = json_string(line, "hex"), *text = json_string(line, "text");
    test_bytes b = bytes_from_hex(hex);
    variant_options options = {.dialect = dialect, .objects_allowed = json_number(line, "full") != 0};
    size_t size = b.length * 32 + 1000;
    char *ours = malloc(size);
    uint32_t consumed;
    variant_text(b.bytes, b.length, options, ours, size, &consumed);
    assert_int_equal(consumed, b.length);

    variant_decoder decoder;
    variant_event first;
    variant_init(&decoder, b.bytes, b.length, options);
    assert_true(variant_next(&decoder, &first));
    if (strcmp(name, "object freed") != 0) { /* sent as Nil */
        assert_int_equal(variant_id_of_type(dialect, first.type), json_number(line, "type"));
    }
    variant_census census = variant_check(b.bytes, b.length, options);
    assert_int_equal(census.findings, 0);

    char id[64] = "";
    bool object_as_id = first.type == VARIANT_OBJECT && first.header >> 16 & 1;
    if (object_as_id) {
        snprintf(id, sizeof id, "<Object#%lld>", (long long)first.value.id);
    }
    const char *instead = object_as_id ? id : text_instead(name);
    char *renamed = dialect == VARIANT_GODOT3 && instead == NULL ? as_godot3(ours) : strdup(ours);
    char *got = normal(renamed), *want = normal(instead != NULL ? instead : text);
    if (strcmp(got, want) != 0) {
        fail_msg("%s: \"%s\" instead of \"%s\"", name, got, want);
    }
    free(renamed);
    free(got);
    free(want);
    free(ours);
    free(hex);
    free(text);
    bytes_free(&b);
}

static void check_values(const char *file, variant_dialect dialect, unsigned lines)
{
    test_table table = table_open(file);
    unsigned count = 0;
    while (table_next(&table)) {
        char *name = json_string(table.line, "name"), *hex = json_string(table.line, "hex");
        if (hex[0] != '\0') { /* otherwise the engine refused to encode it */
            check_value(table.line, name, dialect);
        }
        free(name);
        free(hex);
        count++;
    }
    table_close(&table);
    assert_int_equal(count, lines);
}

static void test_values_godot4(void **state)
{
    (void)state;
    check_values("godot-4.6-values.jsonl", VARIANT_GODOT4, 116);
}

static void test_values_godot3(void **state)
{
    (void)state;
    check_values("godot-3.6-values.jsonl", VARIANT_GODOT3, 60);
}

/* --- numbers ----------------------------------------------------------------------------------------- */

static double f64_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void test_floats(void **state)
{
    (void)state;
    test_table table = table_open("godot-4.6-floats.tsv");
    unsigned count = 0;
    while (table_next(&table)) {
        char *field[2], text[64];
        assert_int_equal(split_tabs(table.line, field, 2), 2);
        uint8_t bytes[12] = {3, 0, 1, 0};
        uint64_t bits = strtoull(field[0], NULL, 16);
        for (int i = 0; i < 8; i++) {
            bytes[4 + i] = (uint8_t)(bits >> 8 * i);
        }
        variant_text(bytes, sizeof bytes, (variant_options){.dialect = VARIANT_GODOT4}, text, sizeof text,
                     NULL);
        assert_string_equal(text, field[1]);

        /* as a component, without the .0 */
        variant_number_text(f64_from_bits(bits), text);
        char *point = strstr(field[1], ".0");
        if (point != NULL && point[2] == '\0') {
            *point = '\0';
        }
        assert_string_equal(text, field[1]);
        count++;
    }
    table_close(&table);
    assert_true(count > 3000);
}

/* Reading the output of the engine's algorithm gives the number back. */
static void test_floats_round_trip(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        random ^= random << 13; /* xorshift64 */
        random ^= random >> 7;
        random ^= random << 17;
        double value = f64_from_bits(random);
        char text[VARIANT_NUMBER_SIZE];
        if (value - value != 0) { /* infinite or NaN */
            continue;
        }
        assert_true(variant_number_text(value, text) < VARIANT_NUMBER_SIZE - 6);
        assert_true(strtod(text, NULL) == value);
        float single = (float)value;
        if (single - single != 0) {
            continue;
        }
        variant_number_text((double)single, text);
        assert_true(strtof(text, NULL) == single);
    }
}

/* --- the writer -------------------------------------------------------------------------------------- */

/* For each size: as much of the text as fits, in whole characters, with an ellipsis if it is truncated. */
static void check_sizes(const test_bytes *b, variant_options options)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    char whole[2000];
    size_t length = variant_text(b->bytes, b->length, options, whole, sizeof whole, NULL);
    for (size_t size = 1; size <= length + 2; size++) {
        char *text = malloc(size); /* AddressSanitizer detects writes after its end */
        uint32_t consumed;
        size_t n = variant_text(b->bytes, b->length, options, text, size, &consumed);
        assert_true(n < size);
        variant_check_text(text, n);
        assert_int_equal(consumed, variant_skip(b->bytes, b->length, options, NULL));
        char *again = malloc(size); /* the same from the whole text */
        assert_int_equal(variant_text_cut(whole, again, size), n);
        assert_string_equal(again, text);
        free(again);
        bool complete = size > length;
        bool marked = !complete && size > 3;
        if (marked) {
            assert_true(n >= 3 && size - 1 - n < 4); /* truncated by no more than the last character */
            assert_string_equal(text + n - 3, ellipsis);
            n -= 3;
        }
        assert_int_equal(strncmp(text, whole, n), 0);
        if (complete) {
            assert_int_equal(n, length);
        }
        free(text);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    test_table table = table_open("variant-vectors.tsv");
    while (table_next(&table)) {
        char *field[6];
        assert_int_equal(split_tabs(table.line, field, 6), 6);
        test_bytes b = bytes_from_hex(field[2]);
        check_sizes(&b, (variant_options){.dialect = dialect_by_name(field[0]),
                                          .compact = strstr(field[1], "compact") != NULL,
                                          .objects_allowed = strstr(field[1], "objects") != NULL});
        bytes_free(&b);
    }
    table_close(&table);
}

static void test_wide_characters(void **state)
{
    (void)state;
    /* one to four bytes each */
    test_bytes b = bytes_from_hex("04000000140000004161c3a9e282acf09f8eaef09f8eb2e282ac42ff00");
    check_sizes(&b, (variant_options){.dialect = VARIANT_GODOT4});
    bytes_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_godot4), cmocka_unit_test(test_values_godot3),
        cmocka_unit_test(test_floats),        cmocka_unit_test(test_floats_round_trip),
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_wide_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
