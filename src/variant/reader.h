/* reader.h
 *
 * Private functions of the Variant decoder. variant.c returns the events and reads headers and values of
 * fixed size; strings.c, containers.c and packed.c read the rest.
 *
 * Functions that return bool return false after a fatal problem: nothing after it can be read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_READER_H
#define VARIANT_READER_H

#include "base/bytes.h"
#include "base/compiler.h"
#include "variant/internal.h"

#ifdef HAVE_SSE2
#include <emmintrin.h>
#endif

/* --- findings.c ---------------------------------------------------------------------------------- */

/* Reports a problem of the value that is being read, with the default verdict of its dialect or with
 * another. */
void variant_report(variant_decoder *d, variant_problem problem, uint32_t offset, uint32_t length);
void variant_report_as(variant_decoder *d, variant_problem problem, variant_verdict verdict, uint32_t offset,
                       uint32_t length);

/* Reports that nothing from these bytes on can be read. Returns false for the caller to return. */
bool variant_fail(variant_decoder *d, variant_problem problem, uint32_t offset, uint32_t length);

#define SHARED_FLAG 0x80000000u /* of container counts, Godot 2 */

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

/* Whether there are `size` more bytes; if not, a problem is reported. */
static inline bool need(variant_decoder *d, uint32_t size)
{
    if (bytes_left(d) >= size) {
        return true;
    }
    return variant_fail(d, VARIANT_PROBLEM_TRUNCATED, d->position, bytes_left(d));
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

/* --- strings.c ----------------------------------------------------------------------------------- */

/* What variant_read_string() does not report as a problem. */
enum {
    STRING_TERMINATED = 1,   /* the text ends in a NUL that is counted (PackedStringArray) */
    STRING_STALE_PADDING = 2 /* engines before 4.6 leave the padding uninitialised (NodePath) */
};

bool variant_read_string(variant_decoder *d, variant_string *s, unsigned rules);
/* Skips the padding after `length` bytes; returns how many bytes of it are present. */
uint32_t variant_read_padding(variant_decoder *d, uint32_t length, bool may_be_stale);
bool variant_text_is(const variant_decoder *d, const variant_string *s, const char *text);
bool variant_text_begins(const variant_decoder *d, const variant_string *s, const char *text);

/* The payload of a value whose header has been read. */
bool variant_read_string_value(variant_decoder *d, variant_event *e);
bool variant_read_node_path(variant_decoder *d, variant_event *e);
bool variant_read_signal(variant_decoder *d, variant_event *e);
bool variant_read_packed_strings(variant_decoder *d, variant_event *e);

/* The fast path: `length` bytes of ASCII without a NUL, then zeros up to `end`, which is at most four
 * bytes further and a multiple of four. Almost all strings are like this, so they need no other check. There
 * are four bytes before `p`, of the length. */
bool variant_is_plain_string(const uint8_t *p, uint32_t length, uint32_t end);

/* The same, if there are `left` bytes from `p` on, at least `end`. With SSE2, short strings are checked
 * without a loop, whose end could not be predicted: values are decoded in 20 % less time. */
static inline bool is_plain_string(const uint8_t *p, uint32_t length, uint32_t end, uint32_t left)
{
#ifdef HAVE_SSE2
    if (end <= 32 && left >= 32) {
        const __m128i low = _mm_loadu_si128((const void *)p), high = _mm_loadu_si128((const void *)(p + 16));
        const __m128i zero = _mm_setzero_si128();
        uint32_t zeros = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, zero)) |
                         (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, zero)) << 16;
        uint32_t beyond_ascii = (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
        uint64_t wrong = (zeros ^ ~(uint64_t)0 << length) | beyond_ascii;
        return (wrong & (((uint64_t)1 << end) - 1)) == 0;
    }
#endif
    (void)left;
    return variant_is_plain_string(p, length, end);
}

/* Sets all members for a plain string with its padding. */
static inline void set_string(variant_string *s, uint32_t offset, uint32_t length)
{
    uint32_t padding = padding_of(length);
    s->offset = offset;
    s->length = 4 + length + padding;
    s->text_offset = offset + 4;
    s->text_length = length;
    s->wire_length = length;
    s->padding_offset = offset + 4 + length;
    s->padding = (uint8_t)padding;
}

/* --- containers.c -------------------------------------------------------------------------------- */

/* Makes *e the BEGIN of a container of `e->count` values, or pairs of values. */
static inline variant_level *open_level(variant_decoder *d, variant_event *e, variant_role role)
{
    variant_level *level = &d->levels[++d->depth];
    uint8_t shift = role == VARIANT_KEY;
    *level = (variant_level){
        .offset = e->offset,
        .header = e->header,
        .total = e->count << shift,
        .type = (uint8_t)e->type,
        .role = (uint8_t)role,
        .shift = shift,
        .plain = role != VARIANT_PROPERTY && d->depth < VARIANT_MAX_DEPTH,
        .want = {VARIANT_NIL, VARIANT_NIL},
    };
    e->kind = VARIANT_BEGIN;
    e->data_length = 0;
    return level;
}

/* Type of the elements of an Array or Dictionary that is not typed. */
static inline void set_untyped(variant_container_type *t)
{
    t->kind = VARIANT_UNTYPED;
    t->type = VARIANT_NIL;
    t->length = 0;
}

bool variant_read_array(variant_decoder *d, variant_event *e, const variant_layout *layout);
bool variant_read_dictionary(variant_decoder *d, variant_event *e, const variant_layout *layout);
bool variant_read_object(variant_decoder *d, variant_event *e, const variant_layout *layout);

/* --- packed.c ------------------------------------------------------------------------------------ */

bool variant_read_packed(variant_decoder *d, variant_event *e, const variant_layout *layout);
bool variant_read_image(variant_decoder *d, variant_event *e);
bool variant_read_input_event(variant_decoder *d, variant_event *e);

/* --- variant.c ----------------------------------------------------------------------------------- */

/* The eight bytes with which the payload of an Object or Signal ends. */
bool variant_read_id(variant_decoder *d, variant_event *e);

/* A count that the engine uses as a signed number in a loop: a negative one means 0. */
bool variant_read_loop_count(variant_decoder *d, variant_event *e);

#endif
