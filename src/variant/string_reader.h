/* string_reader.h
 *
 * Private to the Variant decoder: the fast path for strings, without a function call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_STRING_READER_H
#define VARIANT_STRING_READER_H

#include "base/compiler.h"
#include "variant/reader.h"

#ifdef HAVE_SSE2
#include <emmintrin.h>
#endif

/* The fast path: `length` bytes of ASCII without a NUL, then zeros up to `end`, which is at most four
 * bytes further and a multiple of four. Almost all strings are like this, so they need no other check. There
 * are four bytes before `p`, of the length. */
bool variant_is_plain_string(const uint8_t *p, uint32_t length, uint32_t end);

/* The same, if there are `left` bytes from `p` on, at least `end`. With SSE2, short strings are checked
 * without a loop, whose end could not be predicted. */
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

#endif
