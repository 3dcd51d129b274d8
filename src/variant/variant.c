/* variant.c
 *
 * The Variant decoder: one value of any generation of the engine, as a sequence of events. The layouts and
 * the verdicts on bad input are those of decode_variant() (core/io/marshalls.cpp of 4.6, 3.6 and 2.1), the
 * compact form is that of MultiplayerAPI::encode_and_compress_variant() (scene/main/multiplayer_api.cpp).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/reader.h"

#include <float.h>
#include <string.h>

#include "base/compiler.h"

/* Compact form, first byte. */
#define COMPACT_TYPE       0x3fu
#define COMPACT_MODE_SHIFT 6

/* --- numbers ------------------------------------------------------------------------------------- */

bool variant_fits_f32(double f)
{
    if (f < -(double)FLT_MAX || f > (double)FLT_MAX) {
        return f < -DBL_MAX || f > DBL_MAX; /* infinity */
    }
    return (double)(float)f == f; /* not so for NaN */
}

static inline int64_t bits_of(double f)
{
    int64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* The value of a type of fixed size, from the first eight bytes of its payload. All interpretations are
 * computed, without a branch: the type of the next value cannot be predicted. */
static inline int64_t fixed_value(const uint8_t *p, unsigned shape, bool wide)
{
    static const union {
        bool b;
        int64_t bits;
    } yes = {.b = true};
    const int64_t word = (int64_t)le64(p);
    const int64_t mask = -(int64_t)wide;
    const int64_t values[] = {
        [SHAPE_NIL] = 0,
        [SHAPE_BOOL] = le32(p) != 0 ? yes.bits : 0,
        [SHAPE_INT] = (word & mask) | ((int32_t)le32(p) & ~mask),
        [SHAPE_FLOAT] = (word & mask) | (bits_of(le_f32(p)) & ~mask),
        [SHAPE_ID] = word,
        [SHAPE_COMPONENTS] = word,
    };
    return values[shape];
}

/* Whether a number in 64 bits may fit into 32 bits, without checking its exponent. */
static inline bool may_be_too_wide(uint64_t bits, unsigned shape)
{
    return (shape == SHAPE_INT && (uint64_t)(int32_t)bits == bits) ||
           (shape == SHAPE_FLOAT && (bits & 0x1fffffff) == 0);
}

static bool read_fixed(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    e->wide = (e->header & layout->flags & HEADER_FLAG_64) != 0;
    uint32_t size = (uint32_t)layout->size << e->wide;
    if (!need(d, size)) {
        return false;
    }
    uint8_t first[8] = {0};
    memcpy(first, here(d), size < sizeof first ? size : sizeof first);
    e->value.i = fixed_value(first, layout->shape, e->wide);
    d->position += size;
    e->data_length = size;
    if (layout->shape == SHAPE_BOOL && le32(first) > 1) {
        variant_report(d, VARIANT_PROBLEM_BAD_BOOL, e->data_offset, 4);
    }
    bool narrow = (layout->shape == SHAPE_INT && e->value.i >= INT32_MIN && e->value.i <= INT32_MAX) ||
                  (layout->shape == SHAPE_FLOAT && variant_fits_f32(e->value.f));
    if (e->wide && narrow && d->facts->minimal_numbers) {
        variant_report(d, VARIANT_PROBLEM_NOT_MINIMAL, e->offset, e->data_length + 4);
    }
    return true;
}

bool variant_read_id(variant_decoder *d, variant_event *e)
{
    if (!need(d, 8)) {
        return false;
    }
    e->value.id = le64(here(d));
    d->position += 8;
    e->data_length = d->position - e->data_offset;
    return true;
}

/* --- composite values ---------------------------------------------------------------------------- */

/* Counts that the engine reads as signed: a negative count means no elements. */
bool variant_read_loop_count(variant_decoder *d, variant_event *e)
{
    e->count_offset = d->position;
    if (!read_u32(d, &e->count)) {
        return false;
    }
    if (e->count > INT32_MAX) {
        variant_report_as(d, VARIANT_PROBLEM_BAD_COUNT, VARIANT_TOLERATED, e->count_offset, 4);
        e->count = 0;
    }
    e->data_offset = d->position;
    return true;
}

/* --- one value ----------------------------------------------------------------------------------- */

static bool read_payload(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    switch ((variant_shape)layout->shape) {
    case SHAPE_NIL:
    case SHAPE_BOOL:
    case SHAPE_INT:
    case SHAPE_FLOAT:
    case SHAPE_ID:
    case SHAPE_COMPONENTS:
        return read_fixed(d, e, layout);
    case SHAPE_STRING:
        return variant_read_string_value(d, e);
    case SHAPE_NODE_PATH:
        return variant_read_node_path(d, e);
    case SHAPE_OBJECT:
        return variant_read_object(d, e, layout);
    case SHAPE_SIGNAL:
        return variant_read_signal(d, e);
    case SHAPE_DICTIONARY:
        return variant_read_dictionary(d, e, layout);
    case SHAPE_ARRAY:
        return variant_read_array(d, e, layout);
    case SHAPE_PACKED:
        return variant_read_packed(d, e, layout);
    case SHAPE_PACKED_STRINGS:
        return variant_read_packed_strings(d, e);
    case SHAPE_IMAGE:
        return variant_read_image(d, e);
    case SHAPE_INPUT_EVENT:
        break;
    }
    return variant_read_input_event(d, e);
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
        return variant_fail(d, VARIANT_PROBLEM_UNKNOWN_TYPE, e->offset, 4);
    }
    const variant_layout *layout = &facts->layouts[id];
    e->type = (variant_type)layout->type;
    if (e->header & ~(facts->type_mask | layout->flags)) {
        variant_report(d, VARIANT_PROBLEM_RESERVED_BITS, e->offset, 4);
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
        variant_report(d, VARIANT_PROBLEM_NOT_MINIMAL, e->offset, 1 + size);
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
        return variant_fail(d, VARIANT_PROBLEM_UNKNOWN_TYPE, e->offset, 1);
    }
    if (e->type != VARIANT_BOOL && e->type != VARIANT_INT) {
        return variant_fail(d, VARIANT_PROBLEM_COMPACT_MODE, e->offset, 1);
    }
    d->position += 1;
    e->data_offset = d->position;
    if (e->type == VARIANT_INT) {
        return read_compact_int(d, e, mode);
    }
    e->data_length = 0;
    e->value.b = mode & 2;
    if (mode & 1) {
        variant_report_as(d, VARIANT_PROBLEM_COMPACT_MODE, VARIANT_IGNORED, e->offset, 1);
    }
    return true;
}

/* A typed container drops values of other types; null is an Object. */
static void check_element_type(variant_decoder *d, const variant_event *e, variant_type want)
{
    bool null = e->type == VARIANT_NIL && want == VARIANT_OBJECT;
    if (e->type != want && want != VARIANT_INVALID && !null) {
        variant_report(d, VARIANT_PROBLEM_ELEMENT_TYPE, e->offset, d->position - e->offset);
    }
}

/* Godot 4.3 and later take a script only by its path. */
static void check_script(variant_decoder *d, const variant_event *e)
{
    bool path = e->type == VARIANT_STRING && variant_text_begins(d, &e->text, "res://");
    if (!path && e->type != VARIANT_NIL && variant_text_is(d, &e->name, "script")) {
        variant_report(d, VARIANT_PROBLEM_OBJECT_SCRIPT, e->offset, d->position - e->offset);
    }
}

/* Checks a value against the type of its container. */
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

/* Sets the members that depend on the place of value number `taken` in `level`, the innermost open
 * container. */
static inline void place(const variant_decoder *d, variant_event *e, const variant_level *level,
                         uint32_t taken)
{
    e->depth = (uint16_t)d->depth;
    e->role = (variant_role)(level->role + (taken & level->shift));
    e->index = taken >> level->shift;
    e->compact = level->compact;
    e->wide = false;
    e->padding = 0;
    e->count = 0;
}

static bool read_property_name(variant_decoder *d, variant_event *e)
{
    e->name = (variant_string){0};
    if (!variant_read_string(d, &e->name, 0)) {
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
        return variant_fail(d, VARIANT_PROBLEM_TOO_DEEP, d->position, 0);
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
    check_child(d, e, level);
    return true;
}

/* --- the iterator -------------------------------------------------------------------------------- */

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
        .plain = !decoder->options.compact,
    };
}

void variant_copy(variant_decoder *copy, const variant_decoder *decoder)
{
    memcpy(copy, decoder, offsetof(variant_decoder, levels) + (decoder->depth + 1) * sizeof(variant_level));
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

/* The next event, whatever it is. */
static NEVER_INLINE bool next_event(variant_decoder *d, variant_event *e)
{
    if (d->findings > 0) {
        return next_finding(d, e);
    }
    variant_level *level = &d->levels[d->depth];
    if (level->taken == level->total || d->failed) {
        return d->depth > 0 && end_level(d, e);
    }

    place(d, e, level, level->taken++);
    bool readable = read_value(d, e, level);
    e->length = e->kind == VARIANT_BEGIN ? 0 : d->position - e->offset;
    if (d->findings == 0) {
        return true;
    }
    d->about = *e;
    return readable || next_finding(d, e);
}

/* --- the fast path, without calls ------------------------------------------------------------------ */

/* A header word and the first eight bytes after it: if that many bytes are left, they can be read without
 * checks. */
#define FAST_BYTES 12

static ALWAYS_INLINE bool read_fast_fixed(variant_decoder *restrict d, variant_event *restrict e,
                                          const variant_layout *layout)
{
    /* Compares the greatest first word, which is predictable, unlike the type. */
    static const uint32_t most[] = {
        [SHAPE_NIL] = UINT32_MAX,   [SHAPE_BOOL] = 1,        [SHAPE_INT] = UINT32_MAX,
        [SHAPE_FLOAT] = UINT32_MAX, [SHAPE_ID] = UINT32_MAX, [SHAPE_COMPONENTS] = UINT32_MAX,
    };
    const uint8_t *p = here(d) + 4;
    e->wide = (e->header & HEADER_FLAG_64) != 0;
    e->data_length = (uint32_t)layout->size << e->wide;
    e->length = 4 + e->data_length;
    e->value.i = fixed_value(p, layout->shape, e->wide);
    if (e->length > bytes_left(d) || le32(p) > most[layout->shape] ||
        (e->wide && may_be_too_wide(le64(p), layout->shape))) {
        return false;
    }
    d->position += e->length;
    return true;
}

static ALWAYS_INLINE bool read_fast_string(variant_decoder *restrict d, variant_event *restrict e)
{
    const uint8_t *p = here(d) + 4;
    uint32_t length = le32(p);
    uint32_t left = bytes_left(d) - 8;
    uint32_t padding = padding_of(length);
    if (length > left || padding > left - length || !is_plain_string(p + 4, length, length + padding, left)) {
        return false;
    }
    set_string(&e->text, e->data_offset, length);
    e->data_offset += 4;
    e->data_length = length;
    e->padding = padding;
    e->length = 8 + length + padding;
    d->position += e->length;
    return true;
}

static ALWAYS_INLINE bool read_fast_container(variant_decoder *restrict d, variant_event *restrict e,
                                              const variant_layout *layout)
{
    e->count = le32(here(d) + 4);
    if (e->count & SHARED_FLAG) {
        return false;
    }
    set_untyped(&e->key_type);
    set_untyped(&e->element_type);
    e->count_offset = e->data_offset;
    e->data_offset += 4;
    e->length = 0;
    d->position += 8;
    open_level(d, e, layout->shape == SHAPE_ARRAY ? VARIANT_ELEMENT : VARIANT_KEY);
    return true;
}

/* Most values: of fixed size, a text in ASCII, or a container that is not typed, each with nothing to report
 * and in a plain container. Returns false for any other, with nothing changed but *e. */
static ALWAYS_INLINE bool read_fast(variant_decoder *restrict d, variant_event *restrict e)
{
    const variant_dialect_facts *facts = d->facts;
    if (bytes_left(d) < FAST_BYTES) {
        return false;
    }
    uint32_t header = le32(here(d));
    uint32_t id = header & facts->type_mask;
    if (id >= facts->type_count) {
        return false;
    }
    const variant_layout *layout = &facts->layouts[id];
    if (header & ~(facts->type_mask | layout->flags)) {
        return false;
    }

    e->kind = VARIANT_VALUE;
    e->type = (variant_type)layout->type;
    e->type_id = (uint8_t)id;
    e->header_length = 4;
    e->header = header;
    e->offset = d->position;
    e->data_offset = d->position + 4;
    if (layout->shape == SHAPE_STRING) {
        return read_fast_string(d, e);
    }
    if (layout->shape <= SHAPE_LAST_FIXED) {
        return read_fast_fixed(d, e, layout);
    }
    return (layout->shape == SHAPE_DICTIONARY || layout->shape == SHAPE_ARRAY) && header == id &&
           read_fast_container(d, e, layout);
}

static ALWAYS_INLINE bool next_fast_event(variant_decoder *restrict d, variant_event *restrict e)
{
    variant_level *level = &d->levels[d->depth];
    if (level->plain && level->taken != level->total && !d->failed && d->findings == 0) {
        place(d, e, level, level->taken);
        if (read_fast(d, e)) {
            level->taken++;
            return true;
        }
    }
    return next_event(d, e);
}

bool variant_next(variant_decoder *decoder, variant_event *event)
{
    return next_fast_event(decoder, event);
}

uint32_t variant_skip(const uint8_t *bytes, size_t length, variant_options options, variant_verdict *error)
{
    variant_decoder d;
    variant_event e;
    variant_init(&d, bytes, length, options);
    while (next_fast_event(&d, &e)) {
    }
    if (error != NULL) {
        *error = d.error;
    }
    return d.failed ? 0 : d.position;
}
