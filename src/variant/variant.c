/* variant.c
 *
 * The Variant decoder: one value of any generation of the engine, as a sequence of events. The layouts and
 * the verdicts on bad input are those of decode_variant() (core/io/marshalls.cpp of 4.6, 3.6 and 2.1), the
 * compact form is that of MultiplayerAPI::encode_and_compress_variant() (scene/main/multiplayer_api.cpp).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/internal.h"

#include "common/bytes.h"
#include "common/utf8.h"

#include <float.h>
#include <string.h>

/* What read_string() does not complain about. */
enum {
    STRING_TERMINATED = 1,   /* the text ends in a NUL that is counted (PackedStringArray) */
    STRING_STALE_PADDING = 2 /* engines before 4.6 leave the padding uninitialised (NodePath) */
};

/* Compact form, first byte. */
#define COMPACT_TYPE       0x3fu
#define COMPACT_MODE_SHIFT 6

#define SHARED_FLAG        0x80000000u /* of container counts, Godot 2 */
#define NODE_PATH_NEW      0x80000000u /* of the first word: not the plain string of before 3.0 */
#define NODE_PATH_PROPERTY 2u          /* of the flags: one more string than counted, Godot 2 */
#define NODE_PATH_FLAGS    1u          /* of the flags: those that engines since 3.0 set */

/* Half of all values are Strings: reading them without a call makes the decoder faster by a tenth. */
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

static inline uint32_t padding_of(uint32_t length)
{
    return -length & 3;
}

static inline uint32_t bytes_left(const variant_decoder *d)
{
    return d->length - d->position;
}

static inline const uint8_t *here(const variant_decoder *d)
{
    return d->bytes + d->position;
}

/* --- findings ---------------------------------------------------------------------------------------- */

static void report_as(variant_decoder *d, variant_problem problem, variant_verdict verdict, uint32_t offset,
                      uint32_t length)
{
    if (d->problems_seen >> problem & 1) {
        return;
    }
    d->problems_seen |= 1u << problem;
    d->queue[d->findings++] = (finding){
        .problem = (uint8_t)problem,
        .verdict = (uint8_t)verdict,
        .fatal = d->failed,
        .offset = offset,
        .length = length,
    };
    if (VARIANT_REJECTS(verdict) && !d->rejected) {
        d->rejected = true;
        d->error = verdict;
    }
}

static void report(variant_decoder *d, variant_problem problem, uint32_t offset, uint32_t length)
{
    report_as(d, problem, variant_usual_verdict(problem, d->options.dialect), offset, length);
}

/* Reports that nothing behind these bytes can be read. Returns false for the caller to return. */
static bool fail(variant_decoder *d, variant_problem problem, uint32_t offset, uint32_t length)
{
    d->failed = true;
    d->problems_seen &= ~(1u << problem); /* its harmless variety does not hide the fatal one */
    report(d, problem, offset, length);
    d->position = offset + length;
    return false;
}

/* True if `size` more bytes are there. */
static inline bool need(variant_decoder *d, uint32_t size)
{
    if (bytes_left(d) >= size) {
        return true;
    }
    return fail(d, VARIANT_PROBLEM_TRUNCATED, d->position, bytes_left(d));
}

static inline bool read_u32(variant_decoder *d, uint32_t *value)
{
    if (!need(d, 4)) {
        return false;
    }
    *value = le32(here(d));
    d->position += 4;
    return true;
}

/* --- strings ----------------------------------------------------------------------------------------- */

/* Nothing but the usual: `length` bytes of ASCII without a NUL, then zeros up to `end`, which is at most four
 * bytes further and a multiple of four. Almost all strings are like this, so they need no other check. */
static inline bool is_plain_string(const uint8_t *p, uint32_t length, uint32_t end)
{
    const uint32_t low = 0x01010101u, top = 0x80808080u; /* of each byte */
    uint32_t at = 0;
    for (; at + 4 <= length; at += 4) {
        uint32_t word = le32(p + at);
        if (((word - low) | word) & top) { /* a byte is 0 or above 0x7f */
            return false;
        }
    }
    if (at == end) {
        return true;
    }
    uint32_t text_bits = 8 * (length - at);
    uint32_t word = le32(p + at);
    if (word >> text_bits != 0) {
        return false;
    }
    word |= low << text_bits;
    return !(((word - low) | word) & top);
}

/* The part of a string that the reader keeps: behind a byte order mark, up to the first NUL. */
static void find_text(const uint8_t *bytes, variant_string *s)
{
    const uint8_t *p = bytes + s->offset + 4;
    s->text_offset = s->offset + 4;
    s->text_length = s->wire_length;
    if (s->text_length >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) {
        s->text_offset += 3;
        s->text_length -= 3;
        p += 3;
    }
    const uint8_t *nul = s->text_length > 0 ? memchr(p, 0, s->text_length) : NULL;
    if (nul != NULL) {
        s->text_length = (uint32_t)(nul - p);
    }
}

static void check_text(variant_decoder *d, const variant_string *s, unsigned rules)
{
    utf8_rules rules_of_text = d->options.dialect == VARIANT_GODOT3 ? UTF8_GODOT3 : UTF8_STANDARD;
    uint32_t end = s->text_offset + s->text_length;
    uint32_t sequence;
    for (uint32_t at = s->text_offset; at < end; at += sequence) {
        sequence = utf8_sequence(d->bytes + at, end - at, rules_of_text);
        if (sequence == 0) {
            report(d, VARIANT_PROBLEM_INVALID_UTF8, at, 1);
            break;
        }
    }
    if (end < s->padding_offset && !((rules & STRING_TERMINATED) && end + 1 == s->padding_offset)) {
        report(d, VARIANT_PROBLEM_EMBEDDED_NUL, end, 1);
    }
}

static bool all_zero(const uint8_t *p, uint32_t length)
{
    while (length > 0) {
        if (p[--length] != 0) {
            return false;
        }
    }
    return true;
}

/* Passes the padding behind `length` bytes; as much of it as is there. */
static uint32_t read_padding(variant_decoder *d, uint32_t length, bool may_be_stale)
{
    uint32_t padding = padding_of(length);
    if (padding > bytes_left(d)) {
        padding = bytes_left(d);
        report(d, VARIANT_PROBLEM_PADDING_MISSING, d->position, padding);
    }
    if (!may_be_stale && !all_zero(here(d), padding)) {
        report(d, VARIANT_PROBLEM_PADDING_NOT_ZERO, d->position, padding);
    }
    d->position += padding;
    return padding;
}

/* The rest of read_string(), for strings that are not plain. */
static void read_unusual_string(variant_decoder *d, variant_string *s, unsigned rules)
{
    bool stale_padding = d->facts->lax_strings || (rules & STRING_STALE_PADDING);
    find_text(d->bytes, s);
    check_text(d, s, rules);
    d->position = s->padding_offset;
    s->padding = (uint8_t)read_padding(d, s->wire_length, stale_padding);
    s->length = d->position - s->offset;
}

static ALWAYS_INLINE bool read_string_inline(variant_decoder *d, variant_string *s, unsigned rules)
{
    uint32_t offset = d->position;
    uint32_t length;
    if (!read_u32(d, &length)) {
        return false;
    }
    uint32_t left = bytes_left(d);
    uint32_t padding = padding_of(length);
    bool padded = length <= left && padding <= left - length;
    if (!padded && (length > left || !d->facts->lax_strings)) {
        return fail(d, VARIANT_PROBLEM_STRING_OVERRUN, offset, d->length - offset);
    }

    uint32_t text_length = rules & STRING_TERMINATED && length > 0 ? length - 1 : length;
    s->offset = offset;
    s->wire_length = length;
    s->text_offset = offset + 4;
    s->text_length = text_length;
    s->padding_offset = offset + 4 + length;
    s->padding = (uint8_t)padding;
    s->length = 4 + length + padding;
    if (padded && is_plain_string(here(d), text_length, length + padding)) {
        d->position += length + padding;
    } else {
        read_unusual_string(d, s, rules);
    }
    return true;
}

static bool read_string(variant_decoder *d, variant_string *s, unsigned rules)
{
    return read_string_inline(d, s, rules);
}

variant_string variant_next_string(const uint8_t *bytes, const variant_event *event, uint32_t *position)
{
    uint32_t end = event->data_offset + event->data_length;
    variant_string s = {.offset = *position, .wire_length = le32(bytes + *position)};
    s.padding_offset = s.offset + 4 + s.wire_length;
    s.padding = (uint8_t)padding_of(s.wire_length);
    if (s.padding > end - s.padding_offset) {
        s.padding = (uint8_t)(end - s.padding_offset);
    }
    s.text_offset = s.offset + 4;
    s.text_length = s.wire_length;
    if (event->type == VARIANT_PACKED_STRING_ARRAY && s.wire_length > 0) {
        s.text_length--;
    }
    if (((s.wire_length + s.padding) & 3) != 0 ||
        !is_plain_string(bytes + s.text_offset, s.text_length, s.wire_length + s.padding)) {
        find_text(bytes, &s);
    }
    *position = s.padding_offset + s.padding;
    s.length = *position - s.offset;
    return s;
}

static bool text_is(const variant_decoder *d, const variant_string *s, const char *text)
{
    return s->text_length == strlen(text) && memcmp(d->bytes + s->text_offset, text, s->text_length) == 0;
}

static bool text_begins(const variant_decoder *d, const variant_string *s, const char *text)
{
    return s->text_length >= strlen(text) && memcmp(d->bytes + s->text_offset, text, strlen(text)) == 0;
}

/* --- numbers ----------------------------------------------------------------------------------------- */

bool variant_fits_f32(double f)
{
    if (f < -(double)FLT_MAX || f > (double)FLT_MAX) {
        return f < -DBL_MAX || f > DBL_MAX; /* infinity */
    }
    return (double)(float)f == f; /* not so for NaN */
}

static bool read_bool(variant_decoder *d, variant_event *e)
{
    uint32_t value;
    if (!read_u32(d, &value)) {
        return false;
    }
    e->data_length = 4;
    e->value.b = value != 0;
    if (value > 1) {
        report(d, VARIANT_PROBLEM_BAD_BOOL, e->data_offset, 4);
    }
    return true;
}

static bool read_number(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    const uint8_t *p = here(d);
    e->wide = (e->header & layout->flags & HEADER_FLAG_64) != 0;
    uint32_t size = e->wide ? 8 : 4;
    if (!need(d, size)) {
        return false;
    }
    d->position += size;
    e->data_length = size;
    bool minimal;
    if (layout->shape == SHAPE_INT) {
        e->value.i = e->wide ? (int64_t)le64(p) : (int32_t)le32(p);
        minimal = !e->wide || e->value.i < INT32_MIN || e->value.i > INT32_MAX;
    } else {
        e->value.f = e->wide ? le_f64(p) : le_f32(p);
        minimal = !e->wide || !variant_fits_f32(e->value.f);
    }
    if (!minimal && d->facts->minimal_numbers) {
        report(d, VARIANT_PROBLEM_NOT_MINIMAL, e->offset, e->data_length + 4);
    }
    return true;
}

static bool read_components(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    e->wide = (e->header & layout->flags & HEADER_FLAG_64) != 0;
    e->data_length = e->wide ? layout->wide_size : layout->size;
    if (!need(d, e->data_length)) {
        return false;
    }
    d->position += e->data_length;
    return true;
}

static bool read_id(variant_decoder *d, variant_event *e, uint32_t size)
{
    if (!need(d, size)) {
        return false;
    }
    e->value.id = size == 8 ? le64(here(d)) : 0;
    d->position += size;
    e->data_length = d->position - e->data_offset;
    return true;
}

/* --- composite values -------------------------------------------------------------------------------- */

static bool read_string_value(variant_decoder *d, variant_event *e)
{
    if (!read_string_inline(d, &e->text, 0)) {
        return false;
    }
    e->data_offset = e->text.offset + 4;
    e->data_length = e->text.wire_length;
    e->padding = e->text.padding;
    return true;
}

/* The NodePath of before Godot 3.0, which 2.1 and 3.0 still accept: a plain string without padding. */
static bool read_old_node_path(variant_decoder *d, variant_event *e)
{
    const variant_dialect_facts *facts = d->facts;
    uint32_t length = le32(here(d));
    if (length > bytes_left(d) - 4) {
        return fail(d, facts->old_node_paths ? VARIANT_PROBLEM_STRING_OVERRUN : VARIANT_PROBLEM_OLD_NODE_PATH,
                    d->position, bytes_left(d));
    }
    report(d, VARIANT_PROBLEM_OLD_NODE_PATH, d->position, 4 + length);
    e->text = (variant_string){
        .offset = d->position,
        .length = 4 + length,
        .wire_length = length,
        .padding_offset = d->position + 4 + length,
    };
    find_text(d->bytes, &e->text);
    check_text(d, &e->text, 0);
    d->position += 4 + length;
    e->data_offset += 4;
    e->data_length = length;
    e->value.path.names = e->value.path.subnames = e->value.path.flags = 0;
    e->value.path.old_format = true;
    return true;
}

static bool read_node_path(variant_decoder *d, variant_event *e)
{
    const variant_dialect_facts *facts = d->facts;
    if (bytes_left(d) >= 4 && !(le32(here(d)) & NODE_PATH_NEW)) {
        return read_old_node_path(d, e);
    }
    if (!need(d, 12)) {
        return false;
    }
    uint32_t names = le32(here(d)) & ~NODE_PATH_NEW;
    uint32_t subnames = le32(here(d) + 4);
    uint32_t flags = le32(here(d) + 8);
    if (flags & ~(NODE_PATH_FLAGS | (facts->old_node_paths ? NODE_PATH_PROPERTY : 0))) {
        report(d, VARIANT_PROBLEM_NODE_PATH_FLAGS, d->position + 8, 4);
    }

    /* The reader adds in 32 bits, reads that many strings, and takes the first ones as names. */
    uint32_t property = flags & NODE_PATH_PROPERTY ? 1 : 0;
    uint32_t total = names + subnames + property;
    if ((uint64_t)names + subnames + property > UINT32_MAX) {
        report(d, VARIANT_PROBLEM_NODE_PATH_COUNTS, d->position, 8);
    }
    d->position += 12;
    e->data_offset = d->position;
    for (uint32_t i = 0; i < total; i++) {
        if (!read_string(d, &e->text, STRING_STALE_PADDING)) {
            return false;
        }
    }
    e->data_length = d->position - e->data_offset;
    e->value.path.names = names < total ? names : total;
    e->value.path.subnames = total - e->value.path.names;
    e->value.path.flags = flags;
    e->value.path.old_format = false;
    return true;
}

static bool read_signal(variant_decoder *d, variant_event *e)
{
    return read_string(d, &e->text, 0) && read_id(d, e, 8);
}

/* Packed arrays with a 64-bit count exist only in the manual's text (for PackedInt64Array), which contradicts
 * itself there: such an array is recognised only if it fills the data exactly. */
static bool has_long_count(const variant_decoder *d, const variant_event *e)
{
    return d->facts->long_int64_counts && e->type == VARIANT_PACKED_INT64_ARRAY && e->depth == 0 &&
           bytes_left(d) >= 4 && le32(here(d)) == 0 && bytes_left(d) == 4 + (uint64_t)e->count * 8;
}

static bool read_packed(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    e->wide = (e->header & layout->flags & HEADER_FLAG_64) != 0;
    e->element_size = e->wide ? layout->wide_size : layout->size;
    e->count_offset = d->position;
    if (!read_u32(d, &e->count)) {
        return false;
    }
    if (has_long_count(d, e)) {
        d->position += 4;
    }
    uint64_t size = (uint64_t)e->count * e->element_size;
    if (size > bytes_left(d)) {
        return fail(d, VARIANT_PROBLEM_BAD_COUNT, e->count_offset, 4);
    }
    e->data_offset = d->position;
    e->data_length = (uint32_t)size;
    d->position += e->data_length;
    if (e->element_size == 1) {
        e->padding = read_padding(d, e->data_length, d->facts->lax_strings);
    }
    return true;
}

/* Counts that the reader takes as signed and counts up to: a negative one means none. */
static bool read_loop_count(variant_decoder *d, variant_event *e)
{
    e->count_offset = d->position;
    if (!read_u32(d, &e->count)) {
        return false;
    }
    if (e->count > INT32_MAX) {
        report_as(d, VARIANT_PROBLEM_BAD_COUNT, VARIANT_TOLERATED, e->count_offset, 4);
        e->count = 0;
    }
    e->data_offset = d->position;
    return true;
}

static bool read_packed_strings(variant_decoder *d, variant_event *e)
{
    if (!read_loop_count(d, e)) {
        return false;
    }
    e->element_size = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!read_string(d, &e->text, STRING_TERMINATED)) {
            return false;
        }
    }
    e->data_length = d->position - e->data_offset;
    return true;
}

static bool read_image(variant_decoder *d, variant_event *e)
{
    if (!need(d, 20)) {
        return false;
    }
    const uint8_t *p = here(d);
    e->value.image = (variant_image){le32(p), le32(p + 4), le32(p + 8), le32(p + 12)};
    e->count_offset = d->position + 16;
    e->count = le32(p + 16);
    d->position += 20;
    if (e->count > bytes_left(d)) {
        return fail(d, VARIANT_PROBLEM_BAD_COUNT, e->count_offset, 4);
    }
    d->position += e->count;
    e->data_length = 20 + e->count;
    e->padding = read_padding(d, e->count, true);
    return true;
}

static bool read_input_event(variant_decoder *d, variant_event *e)
{
    /* How many numbers follow for each type: key, mouse button, joystick motion and button, touch. */
    static const uint8_t fields[] = {[1] = 2, [3] = 1, [4] = 2, [5] = 1, [6] = 1};
    if (!need(d, 12)) {
        return false;
    }
    variant_input_event *v = &e->value.input_event;
    v->type = le32(here(d));
    v->device = le32(here(d) + 4);
    v->length = le32(here(d) + 8);
    v->fields = v->type < sizeof fields ? fields[v->type] : 0;
    v->number[0] = v->number[1] = 0;
    d->position += 12;
    /* The reader goes by the type alone. */
    if (v->length != 12 + 4 * v->fields) {
        report(d, VARIANT_PROBLEM_INPUT_EVENT_LENGTH, d->position - 4, 4);
    }
    for (uint32_t i = 0; i < v->fields; i++) {
        if (!read_u32(d, &v->number[i])) {
            return false;
        }
    }
    memcpy(&v->axis_value, &v->number[1], sizeof v->axis_value);
    e->data_length = d->position - e->data_offset;
    return true;
}

/* --- containers -------------------------------------------------------------------------------------- */

static variant_level *open_level(variant_decoder *d, variant_event *e, variant_role role)
{
    variant_level *level = &d->levels[++d->depth];
    bool entries = role == VARIANT_KEY;
    level->offset = e->offset;
    level->header = e->header;
    level->total = entries ? 2 * e->count : e->count;
    level->taken = 0;
    level->type = (uint8_t)e->type;
    level->role = (uint8_t)role;
    level->shift = entries ? 1 : 0;
    level->compact = false;
    level->picky = role == VARIANT_PROPERTY;
    level->want[0] = level->want[1] = VARIANT_NIL;
    e->kind = VARIANT_BEGIN;
    e->data_length = 0;
    return level;
}

/* Counts of Dictionaries and Arrays are not compared with the data: what is there can be read. */
static bool read_container_count(variant_decoder *d, variant_event *e)
{
    e->count_offset = d->position;
    if (!read_u32(d, &e->count)) {
        return false;
    }
    if ((e->count & SHARED_FLAG) && !d->facts->shared_flag) {
        report(d, VARIANT_PROBLEM_SHARED_FLAG, e->count_offset, 4);
    }
    e->count &= ~SHARED_FLAG;
    e->data_offset = d->position;
    return true;
}

/* Type of a typed container's elements, keys or values. */
static bool read_container_type(variant_decoder *d, variant_container_type *t, uint32_t kind)
{
    t->kind = (variant_container_kind)kind;
    t->type = VARIANT_NIL;
    t->length = 0;
    if (kind == VARIANT_UNTYPED) {
        return true;
    }

    t->offset = d->position;
    if (kind == VARIANT_TYPED_BUILTIN) {
        if (!read_u32(d, &t->type_id)) {
            return false;
        }
        t->type = variant_type_of_id(d->options.dialect, t->type_id);
        if (t->type == VARIANT_INVALID) {
            report(d, VARIANT_PROBLEM_CONTAINER_TYPE, t->offset, 4);
        }
    } else {
        if (!read_string(d, &t->name, 0)) {
            return false;
        }
        t->type = VARIANT_OBJECT;
        /* The reader looks at names only if it may create objects, and then only scripts can be wrong. */
        if (kind == VARIANT_TYPED_SCRIPT && !text_begins(d, &t->name, "res://")) {
            report_as(d, VARIANT_PROBLEM_CONTAINER_TYPE,
                      d->options.objects_allowed ? VARIANT_ERR_INVALID_DATA : VARIANT_IGNORED, t->offset,
                      d->position - t->offset);
        }
    }
    t->length = d->position - t->offset;
    return true;
}

static bool read_array(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    uint32_t kinds = e->header & layout->flags;
    if (!read_container_type(d, &e->element_type, (kinds & HEADER_KEY_KIND) >> HEADER_KEY_SHIFT) ||
        !read_container_count(d, e)) {
        return false;
    }
    variant_level *level = open_level(d, e, VARIANT_ELEMENT);
    level->want[0] = (uint8_t)e->element_type.type;
    level->picky = kinds != 0;
    return true;
}

static bool read_dictionary(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    uint32_t kinds = e->header & layout->flags;
    if (!read_container_type(d, &e->key_type, (kinds & HEADER_KEY_KIND) >> HEADER_KEY_SHIFT) ||
        !read_container_type(d, &e->element_type, (kinds & HEADER_VALUE_KIND) >> HEADER_VALUE_SHIFT) ||
        !read_container_count(d, e)) {
        return false;
    }
    variant_level *level = open_level(d, e, VARIANT_KEY);
    level->want[0] = (uint8_t)e->key_type.type;
    level->want[1] = (uint8_t)e->element_type.type;
    level->picky = kinds != 0;
    return true;
}

/* In the compact form the engine writes a null Object as its header alone. A class name behind that would
 * make it a full object; an empty one does not, since the engine never sends it. */
static bool is_compact_null(const variant_decoder *d, const variant_event *e)
{
    if (!e->compact || e->header != e->type_id) {
        return false;
    }
    if (bytes_left(d) < 4) {
        return true;
    }
    uint32_t length = le32(here(d));
    return length > bytes_left(d) - 4 || !is_identifier(here(d) + 4, length, IDENTIFIER_ASCII);
}

static bool read_full_object(variant_decoder *d, variant_event *e)
{
    if (!d->options.objects_allowed) {
        report(d, VARIANT_PROBLEM_FULL_OBJECT, e->offset, 4);
    }
    if (!read_string(d, &e->text, 0)) {
        return false;
    }
    if (e->text.text_length == 0) { /* null */
        e->value.id = 0;
        e->data_length = d->position - e->data_offset;
        return true;
    }
    if (!is_identifier(d->bytes + e->text.text_offset, e->text.text_length, IDENTIFIER_ASCII)) {
        report_as(d, VARIANT_PROBLEM_OBJECT_CLASS,
                  d->options.dialect == VARIANT_GODOT3 ? VARIANT_ERR_UNAVAILABLE : VARIANT_ERR_INVALID_DATA,
                  e->text.offset, e->text.length);
    }
    if (!read_loop_count(d, e)) {
        return false;
    }
    open_level(d, e, VARIANT_PROPERTY);
    return true;
}

static bool read_object(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    if (e->header & layout->flags & HEADER_AS_ID) {
        e->object_as_id = true;
        return read_id(d, e, 8);
    }
    if (!is_compact_null(d, e)) {
        return read_full_object(d, e);
    }
    report_as(d, VARIANT_PROBLEM_COMPACT_NULL_OBJECT,
              d->options.objects_allowed ? VARIANT_ERR_INVALID_DATA : VARIANT_ERR_UNAUTHORIZED, e->offset, 4);
    return read_id(d, e, 0);
}

/* --- one value --------------------------------------------------------------------------------------- */

static bool read_payload(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    switch ((variant_shape)layout->shape) {
    case SHAPE_NIL:
        e->data_length = 0;
        return true;
    case SHAPE_BOOL:
        return read_bool(d, e);
    case SHAPE_INT:
    case SHAPE_FLOAT:
        return read_number(d, e, layout);
    case SHAPE_COMPONENTS:
        return read_components(d, e, layout);
    case SHAPE_ID:
        return read_id(d, e, layout->size);
    case SHAPE_STRING:
        return read_string_value(d, e);
    case SHAPE_NODE_PATH:
        return read_node_path(d, e);
    case SHAPE_OBJECT:
        return read_object(d, e, layout);
    case SHAPE_SIGNAL:
        return read_signal(d, e);
    case SHAPE_DICTIONARY:
        return read_dictionary(d, e, layout);
    case SHAPE_ARRAY:
        return read_array(d, e, layout);
    case SHAPE_PACKED:
        return read_packed(d, e, layout);
    case SHAPE_PACKED_STRINGS:
        return read_packed_strings(d, e);
    case SHAPE_IMAGE:
        return read_image(d, e);
    case SHAPE_INPUT_EVENT:
        return read_input_event(d, e);
    case SHAPE_UNKNOWN:
        break;
    }
    return fail(d, VARIANT_PROBLEM_UNKNOWN_TYPE, e->offset, 4);
}

/* For findings about a value whose header could not be read. */
static void without_header(variant_event *e)
{
    e->type = VARIANT_INVALID;
    e->type_id = 0;
    e->header = 0;
    e->header_length = 0;
}

/* The full form: header word and payload. */
static bool read_full(variant_decoder *d, variant_event *e)
{
    const variant_dialect_facts *facts = d->facts;
    if (!need(d, 4)) {
        without_header(e);
        return false;
    }
    e->header = le32(here(d));
    d->position += 4;
    uint32_t id = e->header & facts->type_mask;
    e->type_id = (uint8_t)id;
    e->header_length = 4;
    e->data_offset = d->position;
    if (id >= facts->type_count) {
        e->type = VARIANT_INVALID;
        return fail(d, VARIANT_PROBLEM_UNKNOWN_TYPE, e->offset, 4);
    }
    const variant_layout *layout = &facts->layouts[id];
    e->type = (variant_type)layout->type;
    if (e->header & ~(facts->type_mask | layout->flags)) {
        report(d, VARIANT_PROBLEM_RESERVED_BITS, e->offset, 4);
    }
    return read_payload(d, e, layout);
}

static bool read_compact_int(variant_decoder *d, variant_event *e, uint32_t mode)
{
    uint32_t size = 1u << mode;
    if (!need(d, size)) {
        return false;
    }
    const uint8_t *p = here(d);
    switch (mode) {
    case 0:
        e->value.i = (int8_t)p[0];
        break;
    case 1:
        e->value.i = (int16_t)(p[0] | p[1] << 8);
        break;
    case 2:
        e->value.i = (int32_t)le32(p);
        break;
    default:
        e->value.i = (int64_t)le64(p);
        break;
    }
    d->position += size;
    e->data_length = size;
    int64_t half = mode == 0 ? 0 : (int64_t)1 << (4 * size - 1); /* range of the next smaller form */
    if (mode > 0 && e->value.i >= -half && e->value.i < half) {
        report(d, VARIANT_PROBLEM_NOT_MINIMAL, e->offset, 1 + size);
    }
    return true;
}

/* The compact form shortens bool and int; with its mode bits 0 everything else is in the full form. */
static bool is_short_form(const variant_decoder *d)
{
    if (bytes_left(d) == 0) {
        return false;
    }
    variant_type type = variant_type_of_id(d->options.dialect, *here(d) & COMPACT_TYPE);
    return type == VARIANT_BOOL || type == VARIANT_INT || *here(d) >> COMPACT_MODE_SHIFT != 0;
}

static bool read_short_form(variant_decoder *d, variant_event *e)
{
    uint8_t first = *here(d);
    uint32_t mode = first >> COMPACT_MODE_SHIFT;
    e->type_id = first & COMPACT_TYPE;
    e->type = variant_type_of_id(d->options.dialect, e->type_id);
    e->header = first;
    e->header_length = 1;
    if (e->type == VARIANT_INVALID) {
        return fail(d, VARIANT_PROBLEM_UNKNOWN_TYPE, e->offset, 1);
    }
    if (e->type != VARIANT_BOOL && e->type != VARIANT_INT) {
        return fail(d, VARIANT_PROBLEM_COMPACT_MODE, e->offset, 1);
    }
    d->position += 1;
    e->data_offset = d->position;
    if (e->type == VARIANT_INT) {
        return read_compact_int(d, e, mode);
    }
    e->data_length = 0;
    e->value.b = mode & 2;
    if (mode & 1) {
        report_as(d, VARIANT_PROBLEM_COMPACT_MODE, VARIANT_IGNORED, e->offset, 1);
    }
    return true;
}

/* A typed container drops values of other types; null is an Object. */
static void check_element_type(variant_decoder *d, const variant_event *e, variant_type want)
{
    bool null = e->type == VARIANT_NIL && want == VARIANT_OBJECT;
    if (e->type != want && want != VARIANT_INVALID && !null) {
        report(d, VARIANT_PROBLEM_ELEMENT_TYPE, e->offset, d->position - e->offset);
    }
}

/* Godot 4.3 and later take a script only by its path. */
static void check_script(variant_decoder *d, const variant_event *e)
{
    bool path = e->type == VARIANT_STRING && text_begins(d, &e->text, "res://");
    if (!path && e->type != VARIANT_NIL && text_is(d, &e->name, "script")) {
        report(d, VARIANT_PROBLEM_OBJECT_SCRIPT, e->offset, d->position - e->offset);
    }
}

/* Judges a value by the container that it is in. */
static void check_child(variant_decoder *d, const variant_event *e, const variant_level *level)
{
    variant_type want = (variant_type)level->want[(level->taken - 1) & level->shift];
    if (want != VARIANT_NIL) {
        check_element_type(d, e, want);
    }
    if (e->role == VARIANT_PROPERTY && d->options.dialect == VARIANT_GODOT4) {
        check_script(d, e);
    }
}

/* Sets what follows from the place of value number `taken` in `level`, the innermost open container. */
static inline void place(const variant_decoder *d, variant_event *e, const variant_level *level,
                         uint32_t taken)
{
    e->depth = (uint16_t)d->depth;
    e->role = (variant_role)(level->role + (taken & level->shift));
    e->index = taken >> level->shift;
    e->compact = level->compact;
    e->wide = false;
    e->object_as_id = false;
    e->padding = 0;
    e->count = 0;
}

static bool read_property_name(variant_decoder *d, variant_event *e)
{
    e->name = (variant_string){0};
    if (!read_string(d, &e->name, 0)) {
        without_header(e);
        return false;
    }
    e->offset = d->position;
    return true;
}

static inline bool read_value(variant_decoder *d, variant_event *e, const variant_level *level)
{
    e->kind = VARIANT_VALUE;
    e->offset = d->position;
    if (d->depth >= VARIANT_MAX_DEPTH) {
        e->name = (variant_string){0};
        without_header(e);
        return fail(d, VARIANT_PROBLEM_TOO_DEEP, d->position, 0);
    }
    if (level->compact && is_short_form(d)) {
        return read_short_form(d, e);
    }
    if (e->role == VARIANT_PROPERTY && !read_property_name(d, e)) {
        return false;
    }
    if (!read_full(d, e)) {
        return false;
    }
    if (level->picky) {
        check_child(d, e, level);
    }
    return true;
}

/* --- the iterator ------------------------------------------------------------------------------------ */

void variant_init(variant_decoder *decoder, const uint8_t *bytes, size_t length, variant_options options)
{
    decoder->bytes = bytes;
    decoder->length = length > VARIANT_MAX_LENGTH ? VARIANT_MAX_LENGTH : (uint32_t)length;
    decoder->position = 0;
    decoder->options = options;
    decoder->facts = &variant_dialects[options.dialect];
    decoder->options.compact = options.compact && options.dialect == VARIANT_GODOT4;
    decoder->rejected = false;
    decoder->error = VARIANT_IGNORED;
    decoder->depth = 0;
    decoder->failed = false;
    decoder->findings = 0;
    decoder->findings_returned = 0;
    decoder->problems_seen = 0;
    decoder->levels[0] = (variant_level){
        .type = VARIANT_NIL,
        .role = VARIANT_ROOT,
        .total = 1,
        .compact = decoder->options.compact,
    };
}

static bool next_finding(variant_decoder *d, variant_event *e)
{
    const finding *f = &d->queue[d->findings_returned++];
    *e = d->about;
    e->kind = VARIANT_FINDING;
    e->value_offset = d->about.offset;
    e->offset = f->offset;
    e->length = f->length;
    e->problem = (variant_problem)f->problem;
    e->verdict = (variant_verdict)f->verdict;
    e->fatal = f->fatal;
    if (d->findings_returned == d->findings) {
        d->findings = d->findings_returned = 0;
        d->problems_seen = 0;
    }
    return true;
}

static bool end_level(variant_decoder *d, variant_event *e)
{
    const variant_level *level = &d->levels[d->depth--];
    const variant_level *parent = level - 1;
    place(d, e, parent, parent->taken - 1);
    e->kind = VARIANT_END;
    e->type = (variant_type)level->type;
    e->header = level->header;
    e->header_length = 4;
    e->type_id = (uint8_t)(level->header & HEADER_TYPE);
    e->offset = level->offset;
    e->length = d->position - level->offset;
    return true;
}

bool variant_next(variant_decoder *decoder, variant_event *event)
{
    variant_decoder *d = decoder;
    if (d->findings > 0) {
        return next_finding(d, event);
    }
    variant_level *level = &d->levels[d->depth];
    if (level->taken == level->total || d->failed) {
        return d->depth > 0 && end_level(d, event);
    }

    place(d, event, level, level->taken++);
    bool readable = read_value(d, event, level);
    event->length = event->kind == VARIANT_BEGIN ? 0 : d->position - event->offset;
    if (d->findings == 0) {
        return true;
    }
    d->about = *event;
    return readable || next_finding(d, event);
}

uint32_t variant_skip(const uint8_t *bytes, size_t length, variant_options options, variant_verdict *error)
{
    variant_decoder d;
    variant_event e;
    variant_init(&d, bytes, length, options);
    while (variant_next(&d, &e)) {
    }
    if (error != NULL) {
        *error = d.error;
    }
    return d.failed ? 0 : d.position;
}

/* --- numbers of math types and packed arrays --------------------------------------------------------- */

static const uint8_t *component_at(const uint8_t *bytes, const variant_event *event, uint32_t i,
                                   uint32_t size)
{
    return bytes + event->data_offset + (size_t)i * size;
}

double variant_component(const uint8_t *bytes, const variant_event *event, uint32_t i)
{
    switch (variant_type_facts(event->type)->component_kind) {
    case VARIANT_REAL:
        return event->wide ? le_f64(component_at(bytes, event, i, 8))
                           : le_f32(component_at(bytes, event, i, 4));
    case VARIANT_FLOAT32:
        return le_f32(component_at(bytes, event, i, 4));
    case VARIANT_FLOAT64:
        return le_f64(component_at(bytes, event, i, 8));
    default:
        return (double)variant_component_int(bytes, event, i);
    }
}

int64_t variant_component_int(const uint8_t *bytes, const variant_event *event, uint32_t i)
{
    switch (variant_type_facts(event->type)->component_kind) {
    case VARIANT_INT8U:
        return *component_at(bytes, event, i, 1);
    case VARIANT_INT32:
        return (int32_t)le32(component_at(bytes, event, i, 4));
    case VARIANT_INT64:
        return (int64_t)le64(component_at(bytes, event, i, 8));
    default:
        return 0;
    }
}
