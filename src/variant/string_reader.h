/* variant/string_reader.h
 *
 * Inside of the Variant decoder: the usual kind of string, without a call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_STRING_READER_H
#define VARIANT_STRING_READER_H

#include "variant/reader.h"

/* Half of all values are Strings: reading them without a call makes the decoder faster by a tenth. */
#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* Nothing but the usual: `length` bytes of ASCII without a NUL, then zeros up to `end`, which is at most four
 * bytes further and a multiple of four. Almost all strings are like this, so they need no other check. There are four bytes before `p`,
 * of the length. */
static inline bool is_plain_string(const uint8_t *p, uint32_t length, uint32_t end)
{
    const uint64_t low = 0x0101010101010101u, top = 0x8080808080808080u; /* of each byte */
    uint32_t at = 0;
    for (; length - at >= 8; at += 8) {
        uint64_t word = le64(p + at);
        if (((word - low) | word) & top) { /* a byte is 0 or above 0x7f */
            return false;
        }
    }
    if (at == end) {
        return true;
    }
    uint32_t text_bits = 8 * (length - at);
    uint64_t word = le64(p + end - 8) >> (64 - 8 * (end - at));
    if (word >> text_bits != 0) {
        return false;
    }
    word |= low << text_bits;
    return !(((word - low) | word) & top);
}

/* Any string, after its length has been checked: *s is set but for what depends on the text. */
void variant_read_unusual_string(variant_decoder *d, variant_string *s, unsigned rules);

static ALWAYS_INLINE bool variant_read_string_inline(variant_decoder *d, variant_string *s, unsigned rules)
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
        return variant_fail(d, VARIANT_PROBLEM_STRING_OVERRUN, offset, d->length - offset);
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
        variant_read_unusual_string(d, s, rules);
    }
    return true;
}

/* The payload of a String or StringName. */
static ALWAYS_INLINE bool variant_read_string_value(variant_decoder *d, variant_event *e)
{
    if (!variant_read_string_inline(d, &e->text, 0)) {
        return false;
    }
    e->data_offset = e->text.offset + 4;
    e->data_length = e->text.wire_length;
    e->padding = e->text.padding;
    return true;
}

#endif
