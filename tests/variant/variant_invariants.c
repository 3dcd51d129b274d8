/* variant_invariants.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/variant_invariants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: violated: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* An independent check of UTF-8. */
static bool is_utf8(const uint8_t *p, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t more = p[i] < 0x80 ? 0 : p[i] >> 5 == 6 ? 1 : p[i] >> 4 == 14 ? 2 : p[i] >> 3 == 30 ? 3 : 9;
        if (more > length - i - 1) {
            return false;
        }
        uint32_t c = p[i] & (more == 0 ? 0x7fu : 0x3fu >> more);
        for (size_t k = 1; k <= more; k++) {
            if (p[i + k] >> 6 != 2) {
                return false;
            }
            c = c << 6 | (p[i + k] & 0x3fu);
        }
        static const uint32_t least[] = {1, 0x80, 0x800, 0x10000};
        if (c < least[more] || c > 0x10ffff || c >> 11 == 0x1b) {
            return false;
        }
        i += more + 1;
    }
    return true;
}

void variant_check_text(const char *text, size_t length)
{
    REQUIRE(text[length] == '\0');
    REQUIRE(strlen(text) == length);
    REQUIRE(is_utf8((const uint8_t *)text, length));
}

static void check_range(uint32_t offset, uint32_t length, size_t from, size_t to)
{
    REQUIRE(offset >= from && offset <= to);
    REQUIRE(length <= to - offset);
}

static void check_string(const variant_string *s, size_t from, size_t to)
{
    check_range(s->offset, s->length, from, to);
    REQUIRE(s->padding <= 3);
    REQUIRE(s->length == 4 + s->wire_length + s->padding);
    REQUIRE(s->padding_offset == s->offset + 4 + s->wire_length);
    check_range(s->text_offset, s->text_length, s->offset + 4, s->padding_offset);
}

static void check_container_type(const variant_container_type *t, size_t from, size_t to)
{
    if (t->kind == VARIANT_UNTYPED) {
        REQUIRE(t->type == VARIANT_NIL && t->length == 0);
        return;
    }
    check_range(t->offset, t->length, from, to);
    if (t->kind != VARIANT_TYPED_BUILTIN) {
        check_string(&t->name, t->offset, t->offset + t->length);
    }
}

/* The strings of a NodePath or PackedStringArray fill the payload exactly. */
static void check_strings(const uint8_t *bytes, const variant_event *e, uint32_t count)
{
    uint32_t position = e->data_offset;
    for (uint32_t i = 0; i < count; i++) {
        variant_string s = variant_next_string(bytes, e, &position);
        check_string(&s, e->data_offset, e->data_offset + e->data_length);
        REQUIRE(position == s.offset + s.length);
    }
    REQUIRE(position == e->data_offset + e->data_length);
}

static void check_numbers(const uint8_t *bytes, const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);
    uint32_t count = facts->packed ? e->count * facts->component_count : facts->component_count;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += variant_component(bytes, e, i) + (double)variant_component_int(bytes, e, i);
    }
    REQUIRE(count > 0 || sum == 0); /* the sum only ensures that everything is read */
    if (facts->packed && facts->component_count > 0) {
        REQUIRE((uint64_t)e->count * e->element_size == e->data_length);
    }
}

static void check_old_node_path(const variant_event *e)
{
    REQUIRE(e->value.path.names == 0 && e->value.path.subnames == 0 && e->value.path.flags == 0);
    check_string(&e->text, e->offset, e->offset + e->length);
}

static void check_input_event(const variant_input_event *v)
{
    REQUIRE(v->fields <= 2);
    for (uint32_t i = v->fields; i < 2; i++) {
        REQUIRE(v->number[i] == 0);
    }
}

static void check_value(const uint8_t *bytes, const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);
    size_t end = (size_t)e->offset + e->length;
    check_range(e->data_offset, e->data_length, e->offset + e->header_length, end);
    REQUIRE(e->padding <= 3);
    REQUIRE(e->data_offset + e->data_length + e->padding == end);
    REQUIRE(e->count == 0 || facts->packed || e->type == VARIANT_IMAGE);
    REQUIRE(!facts->packed || (e->element_size == 0) == (e->type == VARIANT_PACKED_STRING_ARRAY));
    if (e->type == VARIANT_STRING || e->type == VARIANT_STRING_NAME || e->type == VARIANT_SIGNAL) {
        check_string(&e->text, e->offset, end);
    } else if (e->type == VARIANT_INPUT_EVENT) {
        check_input_event(&e->value.input_event);
    } else if (e->type == VARIANT_NODE_PATH && e->value.path.old_format) {
        check_old_node_path(e);
    } else if (e->type == VARIANT_NODE_PATH) {
        check_strings(bytes, e, e->value.path.names + e->value.path.subnames);
    } else if (e->type == VARIANT_PACKED_STRING_ARRAY) {
        check_strings(bytes, e, e->count);
    } else {
        check_numbers(bytes, e);
    }

    char text[64];
    size_t length = variant_event_text(bytes, e, text, sizeof text);
    REQUIRE(length < sizeof text);
    variant_check_text(text, length);
}

static void check_begin(const variant_event *e, size_t length)
{
    REQUIRE(e->data_length == 0 && e->length == 0 && e->padding == 0);
    check_range(e->data_offset, 0, e->offset + 8, length);
    REQUIRE(e->count <= INT32_MAX);
    check_range(e->count_offset, 4, e->offset + 4, e->data_offset);
    if (e->type == VARIANT_OBJECT) {
        check_string(&e->text, e->offset + 4, e->data_offset);
    } else {
        check_container_type(&e->element_type, e->offset + 4, e->data_offset);
    }
    if (e->type == VARIANT_DICTIONARY) {
        check_container_type(&e->key_type, e->offset + 4, e->data_offset);
    }
}

/* State of an open container. */
typedef struct {
    uint32_t offset, header, count, children;
    variant_type type;
} open_container;

typedef struct {
    open_container open[VARIANT_MAX_DEPTH];
    unsigned depth;
    uint32_t expected; /* offset where the next value has to begin */
    bool ended;        /* a fatal finding was returned */
    uint32_t end;      /* of the bytes it is about */
    variant_census census;
} walk;

/* Role and index follow from the container and the number of elements before. */
static void check_place(walk *w, const variant_event *e)
{
    REQUIRE(e->depth == w->depth);
    if (w->depth == 0) {
        REQUIRE(e->role == VARIANT_ROOT && e->index == 0);
        return;
    }
    open_container *parent = &w->open[w->depth - 1];
    uint32_t n = parent->children++;
    switch (parent->type) {
    case VARIANT_ARRAY:
        REQUIRE(e->role == VARIANT_ELEMENT && e->index == n);
        break;
    case VARIANT_DICTIONARY:
        REQUIRE(e->role == (n % 2 ? VARIANT_ENTRY_VALUE : VARIANT_KEY) && e->index == n / 2);
        break;
    default:
        REQUIRE(parent->type == VARIANT_OBJECT && e->role == VARIANT_PROPERTY && e->index == n);
        break;
    }
}

/* The header is at the value's offset; a finding may come before the header is read. */
static void check_header(const uint8_t *bytes, uint32_t offset, const variant_event *e)
{
    uint32_t header = 0;
    for (uint32_t i = 0; i < e->header_length; i++) {
        header |= (uint32_t)bytes[offset + i] << 8 * i;
    }
    REQUIRE(e->header_length == 4 || (e->header_length == 1 && e->compact) || e->kind == VARIANT_FINDING);
    REQUIRE(e->header == header);
    REQUIRE(e->type_id == (e->header_length == 1 ? header & 0x3f : header & 0xff));
    REQUIRE(e->header_length > 0 || e->type == VARIANT_INVALID);
    REQUIRE(!e->wide || header >> 16 & 1);
    REQUIRE(!e->wide || e->kind == VARIANT_VALUE || e->kind == VARIANT_FINDING);
    REQUIRE(!e->compact || e->depth == 0);
}

static void check_finding(walk *w, const variant_event *e, size_t length)
{
    check_range(e->offset, e->length, 0, length);
    REQUIRE(e->value_offset <= length);
    REQUIRE(!w->ended);
    REQUIRE(e->problem != VARIANT_PROBLEM_UNKNOWN_TYPE || e->type == VARIANT_INVALID);
    REQUIRE(!e->fatal || VARIANT_REJECTS(e->verdict));
    w->ended = e->fatal;
    w->end = e->offset + e->length;
    w->census.findings++;
    w->census.fatal += e->fatal;
    w->census.rejecting += VARIANT_REJECTS(e->verdict);
    w->census.problems |= 1u << e->problem;
    if (VARIANT_REJECTS(e->verdict) && w->census.error == VARIANT_IGNORED) {
        w->census.error = e->verdict;
    }
}

static void check_end(walk *w, const variant_event *e, size_t length)
{
    REQUIRE(w->depth > 0);
    const open_container *c = &w->open[--w->depth];
    REQUIRE(e->depth == w->depth && e->type == c->type && e->offset == c->offset && e->header == c->header);
    check_range(e->offset, e->length, c->offset, length);
    REQUIRE(w->ended || e->offset + e->length == w->expected);
    REQUIRE(w->ended || c->children == c->count * (c->type == VARIANT_DICTIONARY ? 2 : 1));
}

static void check_event(walk *w, const uint8_t *bytes, size_t length, const variant_event *e)
{
    check_header(bytes, e->kind == VARIANT_FINDING ? e->value_offset : e->offset, e);
    if (e->kind == VARIANT_FINDING) {
        check_finding(w, e, length);
        return;
    }
    if (e->kind == VARIANT_END) {
        check_end(w, e, length);
        return;
    }
    REQUIRE(!w->ended);
    check_place(w, e);
    if (e->role == VARIANT_PROPERTY) {
        REQUIRE(e->name.offset == w->expected);
        check_string(&e->name, w->expected, e->offset);
        w->expected += e->name.length;
    }
    REQUIRE(e->offset == w->expected);
    if (e->kind == VARIANT_VALUE) {
        check_value(bytes, e);
        w->expected += e->length;
        w->census.values++;
    } else {
        check_begin(e, length);
        w->expected = e->data_offset;
        w->open[w->depth++] = (open_container){e->offset, e->header, e->count, 0, e->type};
        w->census.containers++;
    }
}

/* Writes the text into a buffer that is just long enough and into one that is one byte too short. */
static void check_text(const uint8_t *bytes, size_t length, variant_options options, uint32_t consumed)
{
    uint32_t text_consumed;
    char small[48];
    size_t small_length = variant_text(bytes, length, options, small, sizeof small, &text_consumed);
    REQUIRE(text_consumed == consumed);
    variant_check_text(small, small_length);

    size_t size = 1 << 16;
    char *text = malloc(size);
    size_t text_length = variant_text(bytes, length, options, text, size, NULL);
    variant_check_text(text, text_length);
    if (text_length < sizeof small) {
        REQUIRE(strcmp(text, small) == 0);
    }
    char *exact = malloc(text_length + 1);
    size_t exact_length = variant_text(bytes, length, options, exact, text_length + 1, NULL);
    variant_check_text(exact, exact_length);
    REQUIRE(strcmp(text, exact) == 0);
    free(exact);
    free(text);
}

variant_census variant_check(const uint8_t *bytes, size_t length, variant_options options)
{
    static walk w;
    variant_decoder decoder;
    variant_event event;
    /* every event except END and findings uses four bytes (one in the compact form); there is at most one
     * finding of each kind per value */
    uint64_t most = ((uint64_t)length + 4) * (2 + VARIANT_PROBLEM_COUNT);
    uint64_t events = 0;
    w.depth = 0;
    w.expected = 0;
    w.ended = false;
    w.census = (variant_census){.error = VARIANT_IGNORED};
    variant_init(&decoder, bytes, length, options);
    /* Each event is overwritten before the call: no result may depend on the previous event. */
    while (memset(&event, 0xa5, sizeof event), variant_next(&decoder, &event)) {
        REQUIRE(++events <= most);
        check_event(&w, bytes, length, &event);
    }
    REQUIRE(!variant_next(&decoder, &event));
    REQUIRE(w.depth == 0);
    REQUIRE(decoder.rejected == (w.census.rejecting > 0));
    REQUIRE(decoder.error == w.census.error);
    REQUIRE(decoder.position <= length);
    REQUIRE(decoder.position == (w.ended ? w.end : w.expected));
    w.census.position = decoder.position;

    variant_verdict error;
    uint32_t consumed = variant_skip(bytes, length, options, &error);
    REQUIRE(error == w.census.error);
    REQUIRE(consumed == (w.ended ? 0 : decoder.position));
    check_text(bytes, length, options, consumed);
    return w.census;
}
