/* test_variant.c
 *
 * The Variant decoder with recorded verdicts and values of engines, with a vector for every layout and
 * problem, with every truncation of these, and with hostile input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/variant_data.h"
#include "variant/variant_invariants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define BIT(problem) (1u << VARIANT_PROBLEM_##problem)

typedef struct {
    variant_options options;
    test_bytes bytes;
    unsigned long consumed;
    const char *text, *findings;
} vector;

static vector vector_read(test_table *table)
{
    char *field[6];
    if (split_tabs(table->line, field, 6) != 6) {
        fail_msg("line %u: not six fields", table->number);
    }
    return (vector){
        .options = {.dialect = dialect_by_name(field[0]),
                    .compact = strstr(field[1], "compact") != NULL,
                    .objects_allowed = strstr(field[1], "objects") != NULL},
        .bytes = bytes_from_hex(field[2]),
        .consumed = strtoul(field[3], NULL, 10),
        .text = field[4],
        .findings = field[5],
    };
}

/* All findings of a value in the form of the vectors. */
static void describe_findings(const vector *v, char *text, size_t size)
{
    variant_decoder decoder;
    variant_event e;
    size_t at = 0;
    variant_init(&decoder, v->bytes.bytes, v->bytes.length, v->options);
    snprintf(text, size, "-");
    while (variant_next(&decoder, &e)) {
        if (e.kind == VARIANT_FINDING) {
            at += (size_t)snprintf(text + at, size - at, "%s%u+%u %s: %s%s", at > 0 ? "; " : "", e.offset,
                                   e.length, variant_problems[e.problem].name,
                                   variant_verdict_name(e.verdict), e.fatal ? ", fatal" : "");
        }
    }
}

/* The layouts found in the vectors: [1] with 64-bit components. */
typedef struct {
    bool seen[VARIANT_DIALECT_COUNT][VARIANT_TYPE_COUNT][2];
} coverage;

static void cover(coverage *c, const vector *v)
{
    variant_decoder decoder;
    variant_event e;
    variant_init(&decoder, v->bytes.bytes, v->bytes.length, v->options);
    if (!variant_next(&decoder, &e) || e.kind == VARIANT_FINDING) {
        return;
    }
    if (!v->options.compact) {
        c->seen[v->options.dialect][e.type][e.wide] = true;
    }
    if (e.kind == VARIANT_VALUE) { /* the text of the event is that of the value */
        char text[1000];
        variant_event_text(v->bytes.bytes, &e, text, sizeof text);
        assert_string_equal(text, v->text);
    }
}

static void check_coverage(const coverage *c)
{
    for (variant_dialect dialect = 0; dialect < VARIANT_DIALECT_COUNT; dialect++) {
        for (uint32_t id = 0; id < variant_type_count(dialect); id++) {
            variant_type type = variant_type_of_id(dialect, id);
            bool number = type == VARIANT_INT || type == VARIANT_FLOAT;
            bool reals = variant_type_facts(type)->component_kind == VARIANT_REAL;
            bool has_wide = dialect != VARIANT_GODOT2 && (number || (reals && dialect == VARIANT_GODOT4));
            if (!c->seen[dialect][type][false]) {
                fail_msg("no vector of %s in %s", variant_type_name(type), variant_dialect_name(dialect));
            }
            if (c->seen[dialect][type][true] != has_wide) {
                fail_msg("64-bit %s in %s", variant_type_name(type), variant_dialect_name(dialect));
            }
        }
    }
}

static void test_vectors(void **state)
{
    (void)state;
    test_table table = table_open("variant-vectors.tsv");
    uint32_t problems = 0;
    coverage covered = {0};
    while (table_next(&table)) {
        vector v = vector_read(&table);
        char text[1000], findings[1000];
        uint32_t consumed;
        variant_text(v.bytes.bytes, v.bytes.length, v.options, text, sizeof text, &consumed);
        describe_findings(&v, findings, sizeof findings);
        if (strcmp(text, v.text) != 0 || strcmp(findings, v.findings) != 0 || consumed != v.consumed) {
            fail_msg("line %u: %u bytes, \"%s\", findings: %s", table.number, consumed, text, findings);
        }
        variant_census census = variant_check(v.bytes.bytes, v.bytes.length, v.options);
        problems |= census.problems;
        cover(&covered, &v);
        bytes_free(&v.bytes);
    }
    table_close(&table);
    check_coverage(&covered);
    /* every kind of problem occurs, except the one that needs 1026 levels */
    assert_int_equal(problems | BIT(TOO_DEEP), (1u << VARIANT_PROBLEM_COUNT) - 1);
}

/* Cases in which a truncated value may still be complete: byte arrays and strings of Godot 2 need no padding
 * at the end of the data, a compact full object may be truncated to a null one, and an array with the
 * manual's 64-bit count is also valid with a 32-bit count. */
static bool may_be_complete(const vector *v, const variant_census *census, size_t cut)
{
    if (census->position == cut && (census->problems & BIT(PADDING_MISSING))) {
        return true;
    }
    if (census->problems & BIT(COMPACT_NULL_OBJECT)) {
        return true;
    }
    return v->options.dialect == VARIANT_GODOT4_MANUAL && v->bytes.bytes[0] == 22;
}

static void check_truncations(const vector *v, unsigned line)
{
    const uint32_t sensible = BIT(TRUNCATED) | BIT(STRING_OVERRUN) | BIT(BAD_COUNT);
    for (size_t cut = 0; cut < v->consumed; cut++) {
        test_bytes part = bytes_copy(v->bytes.bytes, cut);
        variant_census census = variant_check(part.bytes, cut, v->options);
        bytes_free(&part);
        if (census.fatal == 0 && may_be_complete(v, &census, cut)) {
            continue;
        }
        if (census.rejecting != 1 || census.fatal != 1 || !(census.problems & sensible) ||
            census.position > cut) {
            fail_msg("line %u cut to %zu bytes: %u rejecting, %u fatal, problems %08x", line, cut,
                     census.rejecting, census.fatal, census.problems);
        }
    }
}

static void test_truncations(void **state)
{
    (void)state;
    test_table table = table_open("variant-vectors.tsv");
    unsigned used = 0;
    while (table_next(&table)) {
        vector v = vector_read(&table);
        v.options.objects_allowed = true;
        variant_verdict error;
        variant_skip(v.bytes.bytes, v.bytes.length, v.options, &error);
        if (!VARIANT_REJECTS(error)) {
            check_truncations(&v, table.number);
            used++;
        }
        bytes_free(&v.bytes);
    }
    table_close(&table);
    assert_true(used > 150);
}

static void check_text_and_findings(const vector *v, const char *text, const char *findings)
{
    char now[1000];
    variant_text(v->bytes.bytes, v->bytes.length, v->options, now, sizeof now, NULL);
    assert_string_equal(now, text);
    describe_findings(v, now, sizeof now);
    assert_string_equal(now, findings);
}

/* Bytes after a value do not matter, although most values are read with fewer checks if there are enough
 * bytes. */
static void check_trailing_bytes(const vector *v)
{
    const size_t counts[] = {3, 64};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        vector more = *v;
        more.bytes.length += counts[i];
        more.bytes.bytes = malloc(more.bytes.length);
        memcpy(more.bytes.bytes, v->bytes.bytes, v->bytes.length);
        memset(more.bytes.bytes + v->bytes.length, 0xff, counts[i]);
        assert_int_equal(variant_skip(more.bytes.bytes, more.bytes.length, more.options, NULL), v->consumed);
        check_text_and_findings(&more, v->text, v->findings);
        bytes_free(&more.bytes);
    }
}

static void test_trailing_bytes(void **state)
{
    (void)state;
    test_table table = table_open("variant-vectors.tsv");
    unsigned used = 0;
    while (table_next(&table)) {
        vector v = vector_read(&table);
        bool may_grow = strstr(v.findings, "missing") != NULL || strstr(v.findings, "null object") != NULL ||
                        v.options.dialect == VARIANT_GODOT4_MANUAL;
        if (v.consumed == v.bytes.length && !may_grow) {
            check_trailing_bytes(&v);
            used++;
        }
        bytes_free(&v.bytes);
    }
    table_close(&table);
    assert_true(used > 100);
}

/* A String of `length` letters with `odd` at `place`, which may be in the padding. */
static void check_string(uint32_t length, uint32_t place, uint8_t odd)
{
    const size_t size = 8 + ((length + 3) & ~3u);
    char text[1000], findings[1000];
    vector v = {.bytes = {calloc(size, 1), size}, .consumed = size, .text = text, .findings = findings};
    v.bytes.bytes[0] = 4;
    v.bytes.bytes[4] = (uint8_t)length;
    memset(v.bytes.bytes + 8, 'a', length);
    v.bytes.bytes[8 + place] = odd;
    variant_text(v.bytes.bytes, size, v.options, text, sizeof text, NULL);
    describe_findings(&v, findings, sizeof findings);
    const bool padding = place >= length, wrong = padding ? odd != 0 : odd == 0 || odd >= 0x80;
    assert_int_equal(strcmp(findings, "-") != 0, wrong);
    check_trailing_bytes(&v);
    bytes_free(&v.bytes);
}

static void test_short_strings(void **state)
{
    (void)state;
    static const uint8_t odd[] = {0, 1, '\a', '\n', ' ' - 1, ' ', '"', '\'', '\\', 0x7f, 0x80, 0xc3, 0xff};
    for (uint32_t length = 1; length <= 36; length++) {
        for (uint32_t place = 0; place < ((length + 3) & ~3u); place++) {
            for (size_t i = 0; i < sizeof odd; i++) {
                check_string(length, place, odd[i]);
            }
        }
    }
}

static void check_verdicts(const char *name, variant_dialect dialect, unsigned lines)
{
    test_table table = table_open(name);
    unsigned count = 0;
    while (table_next(&table)) {
        char *field[3];
        assert_int_equal(split_tabs(table.line, field, 3), 3);
        test_bytes b = bytes_from_hex(field[0]);
        variant_census census = variant_check(b.bytes, b.length, (variant_options){.dialect = dialect});
        bool accepted = strcmp(field[1], "accept") == 0;
        if (accepted != (census.rejecting == 0)) {
            fail_msg("%s line %u: the engine says %s, not %s", name, table.number, field[1],
                     variant_verdict_name(census.error));
        }
        if (accepted) {
            variant_decoder decoder;
            variant_event e;
            variant_init(&decoder, b.bytes, b.length, (variant_options){.dialect = dialect});
            assert_true(variant_next(&decoder, &e));
            assert_int_equal(variant_id_of_type(dialect, e.type), strtol(field[2], NULL, 10));
        }
        bytes_free(&b);
        count++;
    }
    table_close(&table);
    assert_int_equal(count, lines);
}

static void test_verdicts_godot4(void **state)
{
    (void)state;
    check_verdicts("godot-4.6-verdicts.tsv", VARIANT_GODOT4, 3000);
}

static void test_verdicts_godot3(void **state)
{
    (void)state;
    check_verdicts("godot-3.6-verdicts.tsv", VARIANT_GODOT3, 2000);
}

/* Checks the output of test-captures/judge: the type that the engine returned or -1, then the same with
 * objects allowed. Returns the number of refused values. */
static unsigned check_judged(const char *name, variant_dialect dialect)
{
    test_table table = table_open(name);
    unsigned refused = 0;
    while (table_next(&table)) {
        char *field[3];
        assert_int_equal(split_tabs(table.line, field, 3), 3);
        test_bytes b = bytes_from_hex(field[0]);
        for (int objects = 0; objects < 2; objects++) {
            variant_options options = {.dialect = dialect, .objects_allowed = objects};
            bool accepted = strcmp(field[1 + objects], "-1") != 0;
            variant_census census = variant_check(b.bytes, b.length, options);
            /* whether the receiver has a script is not in the value: that engine had no res:// and no
             * res://missing.gd */
            bool unknown = objects && strcmp(field[1], "-1") != 0 &&
                           (strstr(field[0], "060000007265733a2f2f") != NULL ||
                            strstr(field[0], "7265733a2f2f6d697373") != NULL);
            if (accepted != (census.rejecting == 0) && !(unknown && !accepted)) {
                fail_msg("%s line %u %s: the engine says %s, not %s", name, table.number, field[0],
                         field[1 + objects], variant_verdict_name(census.error));
            }
            refused += !accepted;
        }
        bytes_free(&b);
    }
    assert_true(table.number > 4000);
    table_close(&table);
    return refused;
}

/* Headers with every pair of kinds and types, valid and invalid, alone and in other values. */
static void test_typed_containers(void **state)
{
    (void)state;
    assert_int_equal(check_judged("godot-4.6-typed.tsv.gz", VARIANT_GODOT4), 5776);
    assert_int_equal(check_judged("godot-3.6-typed.tsv.gz", VARIANT_GODOT3), 7520);
}

/* Sequences of UTF-8 at the limits of every form. */
static void test_strings_of_engines(void **state)
{
    (void)state;
    check_judged("godot-4.6-strings.tsv.gz", VARIANT_GODOT4);
    check_judged("godot-3.6-strings.tsv.gz", VARIANT_GODOT3);
}

/* --- hostile input ----------------------------------------------------------------------------------- */

static void put_u32(uint8_t **at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        *(*at)++ = (uint8_t)(value >> 8 * i);
    }
}

/* `levels` Arrays of one element each, the last one empty. */
static test_bytes nested_arrays(uint32_t levels)
{
    test_bytes b = {malloc((size_t)levels * 8), (size_t)levels * 8};
    uint8_t *at = b.bytes;
    for (uint32_t i = 1; i <= levels; i++) {
        put_u32(&at, 0x1c);
        put_u32(&at, i < levels ? 1 : 0);
    }
    return b;
}

static void test_depth(void **state)
{
    (void)state;
    static const struct {
        uint32_t levels;
        variant_verdict error;
        unsigned containers;
    } cases[] = {{1024, VARIANT_IGNORED, 1024},
                 {1025, VARIANT_IGNORED, 1025},
                 {1026, VARIANT_ERR_OUT_OF_MEMORY, 1025},
                 {100000, VARIANT_ERR_OUT_OF_MEMORY, 1025}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_bytes b = nested_arrays(cases[i].levels);
        variant_census census =
            variant_check(b.bytes, b.length, (variant_options){.dialect = VARIANT_GODOT4});
        assert_int_equal(census.error, cases[i].error);
        assert_int_equal(census.containers, cases[i].containers);
        assert_int_equal(census.problems, cases[i].error == VARIANT_IGNORED ? 0 : BIT(TOO_DEEP));
        bytes_free(&b);
    }
}

/* Objects whose only property is such an object: the one that is too deep has no events for its name. */
static void test_depth_of_objects(void **state)
{
    (void)state;
    const uint32_t levels = 1026;
    test_bytes b = {malloc((size_t)levels * 24), (size_t)levels * 24};
    uint8_t *at = b.bytes;
    for (uint32_t i = 0; i < levels; i++) {
        put_u32(&at, 0x18);
        put_u32(&at, 1); /* class A */
        put_u32(&at, 'A');
        put_u32(&at, 1); /* one property, p */
        put_u32(&at, 1);
        put_u32(&at, 'p');
    }
    variant_options options = {.dialect = VARIANT_GODOT4, .objects_allowed = true};
    variant_census census = variant_check(b.bytes, b.length, options);
    assert_int_equal(census.error, VARIANT_ERR_OUT_OF_MEMORY);
    assert_int_equal(census.containers, 1025);
    char text[20000];
    size_t length = variant_text(b.bytes, b.length, options, text, sizeof text, NULL);
    assert_memory_equal(text, "Object(A,\"p\":Object(A,\"p\":", 26);
    text[length - 1020] = '\0';
    assert_non_null(strstr(text, ",\"\":<too deep>)))"));
    bytes_free(&b);
}

/* A very large count does not cause more events than the bytes have values. */
static void test_huge_counts(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0x10000000, 0x40000000, 0x7fffffff, 0x80000001, 0xffffffff};
    for (variant_dialect dialect = 0; dialect < VARIANT_DIALECT_COUNT; dialect++) {
        for (uint32_t id = 0; id < variant_type_count(dialect); id++) {
            for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
                uint8_t bytes[64] = {0}, *at = bytes;
                put_u32(&at, id);
                put_u32(&at, counts[i]);
                variant_census census =
                    variant_check(bytes, sizeof bytes, (variant_options){dialect, false, true});
                assert_true(census.values + census.containers <= sizeof bytes / 4);
            }
        }
    }
}

static void test_large_arrays(void **state)
{
    (void)state;
    const uint32_t count = 3000000;
    test_bytes b = {malloc((size_t)count * 4 + 8), (size_t)count * 4 + 8};
    variant_options options = {.dialect = VARIANT_GODOT4};

    uint8_t *at = b.bytes;
    put_u32(&at, 0x1e); /* packed: one event */
    put_u32(&at, count);
    for (uint32_t i = 0; i < count; i++) {
        put_u32(&at, i);
    }
    variant_census census = variant_check(b.bytes, b.length, options);
    assert_int_equal(census.values, 1);
    assert_int_equal(census.findings, 0);

    memset(b.bytes, 0, b.length); /* three million nulls: as many events */
    b.bytes[0] = 0x1c;
    at = b.bytes + 4;
    put_u32(&at, count);
    census = variant_check(b.bytes, b.length, options);
    assert_int_equal(census.values, count);
    assert_int_equal(census.findings, 0);
    bytes_free(&b);
}

/* 64 KiB of empty Arrays in one Array. */
static void test_many_containers(void **state)
{
    (void)state;
    test_bytes b = {calloc(1, 65536), 65536};
    uint8_t *at = b.bytes;
    put_u32(&at, 0x1c);
    put_u32(&at, 8191);
    while (at < b.bytes + b.length) {
        put_u32(&at, 0x1c);
        put_u32(&at, 0);
    }
    variant_census census = variant_check(b.bytes, b.length, (variant_options){.dialect = VARIANT_GODOT4});
    assert_int_equal(census.containers, 8192);
    assert_int_equal(census.position, 65536);
    bytes_free(&b);
}

/* A million invalid strings in one PackedStringArray are one finding. */
static void test_repeated_problems(void **state)
{
    (void)state;
    const uint32_t count = 1000000;
    test_bytes b = {malloc((size_t)count * 8 + 8), (size_t)count * 8 + 8};
    uint8_t *at = b.bytes;
    put_u32(&at, 0x22);
    put_u32(&at, count);
    for (uint32_t i = 0; i < count; i++) {
        put_u32(&at, 2);
        put_u32(&at, 0x010000ff);
    }
    variant_census census = variant_check(b.bytes, b.length, (variant_options){.dialect = VARIANT_GODOT4});
    assert_int_equal(census.values, 1);
    assert_int_equal(census.problems, BIT(INVALID_UTF8) | BIT(PADDING_NOT_ZERO));
    assert_int_equal(census.findings, 2);
    bytes_free(&b);
}

/* Bit flips and truncations of all values: only the guarantees of the interface are checked. */
static void test_damage(void **state)
{
    (void)state;
    test_table table = table_open("variant-vectors.tsv");
    while (table_next(&table)) {
        vector v = vector_read(&table);
        for (size_t bit = 0; bit < v.bytes.length * 8; bit++) {
            v.bytes.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            for (variant_dialect dialect = 0; dialect < VARIANT_DIALECT_COUNT; dialect++) {
                variant_check(v.bytes.bytes, v.bytes.length,
                              (variant_options){dialect, v.options.compact, v.options.objects_allowed});
            }
            v.bytes.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        bytes_free(&v.bytes);
    }
    table_close(&table);
}

/* --- tables ------------------------------------------------------------------------------------------ */

static void test_tables(void **state)
{
    (void)state;
    static const uint32_t counts[VARIANT_DIALECT_COUNT] = {39, 29, 27, 29};
    for (variant_dialect dialect = 0; dialect < VARIANT_DIALECT_COUNT; dialect++) {
        assert_int_equal(variant_type_count(dialect), counts[dialect]);
        for (uint32_t id = 0; id < counts[dialect]; id++) {
            variant_type type = variant_type_of_id(dialect, id);
            assert_int_not_equal(type, VARIANT_INVALID);
            assert_int_equal(variant_id_of_type(dialect, type), id);
        }
        assert_int_equal(variant_type_of_id(dialect, counts[dialect]), VARIANT_INVALID);
    }
    assert_int_equal(variant_id_of_type(VARIANT_GODOT3, VARIANT_VECTOR4), -1);
    assert_string_equal(variant_type_name(VARIANT_INVALID), "?");
    assert_string_equal(variant_type_facts(VARIANT_BASIS)->component_names[1], "y.x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_truncations),
        cmocka_unit_test(test_trailing_bytes),
        cmocka_unit_test(test_short_strings),
        cmocka_unit_test(test_verdicts_godot4),
        cmocka_unit_test(test_verdicts_godot3),
        cmocka_unit_test(test_typed_containers),
        cmocka_unit_test(test_strings_of_engines),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_depth_of_objects),
        cmocka_unit_test(test_huge_counts),
        cmocka_unit_test(test_large_arrays),
        cmocka_unit_test(test_many_containers),
        cmocka_unit_test(test_repeated_problems),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
