/* range_coder.c
 *
 * The compressor that comes with ENet: an adaptive model of order 2 that predicts a byte from the two before
 * it, with escapes to order 1 and order 0, and a 32-bit carry-less range coder. The output is the same as
 * ENet's bit for bit, also for corrupt input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "codec/range_coder.h"

#include "codec/range_model.h"

typedef struct {
    const uint8_t *in, *end;
    uint32_t low;
    uint32_t code; /* what was read, less `low` */
    uint32_t range;
} range_decoder;

/* The next four bytes. Zeros follow the end of the input because the encoder drops them. */
COLD static uint32_t last_bytes(const uint8_t *in, const uint8_t *end)
{
    uint32_t word = 0;

    for (int i = 0; i < 4; i++) {
        word = word << 8 | (in < end ? *in++ : 0);
    }
    return word;
}

/* Shifts by a number of bits that is a multiple of 8. */
static ALWAYS_INLINE void shift_in(range_decoder *decoder, unsigned bits)
{
    ptrdiff_t left = decoder->end - decoder->in, bytes = bits / 8;
    uint32_t word;

    if (UNLIKELY(left < 4)) {
        word = last_bytes(decoder->in, decoder->end);
        decoder->in += bytes < left ? bytes : left;
    } else {
        word = be32(decoder->in);
        decoder->in += bytes;
    }
    decoder->code = decoder->code << bits | (uint32_t)((uint64_t)word << bits >> 32);
    decoder->low <<= bits;
    decoder->range <<= bits;
}

/* The number of leading bits that are the same in all numbers of the range, in whole bytes, at most 24.
 * Without a branch, because it would be mispredicted. */
static inline unsigned settled_bits(uint32_t low, uint32_t range)
{
    uint32_t difference = low ^ (low + range);

#ifdef __GNUC__
    return (unsigned)__builtin_clz(difference | 1) & 24;
#else
    return 8u * ((difference < 0x01000000) + (difference < 0x00010000) + (difference < 0x00000100));
#endif
}

/* Selects a part of the range. False if it is exhausted, which is possible only with a corrupt stream, and
 * was never observed. */
static ALWAYS_INLINE bool take(range_decoder *decoder, uint32_t start, uint32_t range)
{
    decoder->low += start;
    decoder->code -= start;
    decoder->range = range;
    shift_in(decoder, settled_bits(decoder->low, decoder->range));
    while (UNLIKELY(decoder->range < 0x00010000)) {
        if (decoder->range == 0) {
            return false;
        }
        decoder->range = (0 - decoder->low) & 0xffff;
        shift_in(decoder, 8);
        shift_in(decoder, settled_bits(decoder->low, decoder->range));
    }
    return true;
}

typedef enum { FOUND, ESCAPED, END_OF_DATA, CORRUPT } decoded;

/* Decodes with a context that is not the root. Usually it has one value or its first value is repeated, so
 * the value at the top of the tree is compared before its position is divided out. */
static ALWAYS_INLINE decoded ask(range_model *model, range_decoder *decoder, uint16_t context,
                                 occurrence *found)
{
    const model_node *node = &model->nodes[context];
    uint32_t unit, escape, start, range;
    model_node *top;

    if (node->tree == 0) {
        return ESCAPED; /* it is empty: no escape is coded */
    }
    unit = decoder->range / node->total;
    top = &model->nodes[node->tree];
    start = (node->escape + (uint32_t)(top->below - top->frequency)) * unit;
    range = top->frequency * unit;
    if (decoder->code - start < range) {
        found->node = node->tree;
        found->symbol = top->symbol;
        found->frequency = top->frequency;
        strengthen(top, &other_rules);
    } else {
        uint16_t position;

        escape = node->escape * unit;
        if (decoder->code < escape || (position = (uint16_t)(decoder->code / unit)) < node->escape) {
            return take(decoder, 0, escape) ? ESCAPED : CORRUPT;
        }
        *found = locate(model, context, (uint16_t)(position - node->escape), &other_rules);
        if (found->frequency == 0) {
            return CORRUPT;
        }
        start = ((uint32_t)node->escape + found->start) * unit;
        range = found->frequency * unit;
    }
    if (!take(decoder, start, range)) {
        return CORRUPT;
    }
    learn(model, context, found->frequency, 0, &other_rules);
    return FOUND;
}

/* The root contains every byte. */
static ALWAYS_INLINE decoded ask_root(range_model *model, range_decoder *decoder, occurrence *found)
{
    uint32_t unit = decoder->range / model->nodes[0].total;
    uint16_t escape = model->nodes[0].escape;
    uint16_t position = (uint16_t)(decoder->code / unit);

    if (position < escape) {
        return END_OF_DATA;
    }
    *found = locate_in_root(model, (uint16_t)(position - escape));
    if (!take(decoder, ((uint32_t)escape + found->start) * unit, found->frequency * unit)) {
        return CORRUPT;
    }
    learn(model, 0, found->frequency, 0, &root_rules);
    return FOUND;
}

/* Adds the byte to the contexts above the one that contained it, linked to the node in that one. Returns the
 * node in the highest. */
static inline uint16_t teach_higher_orders(range_model *model, uint16_t from, uint16_t to, uint8_t symbol,
                                           uint16_t lowest)
{
    uint16_t highest, *link = &highest;

    for (uint16_t k = from; k != to; k = model->nodes[k].lower) {
        occurrence own = bump(model, k, symbol);

        *link = own.node;
        link = &model->nodes[own.node].lower;
        learn(model, k, own.frequency, own.frequency == 0 ? NEW_ESCAPE : 0, &other_rules);
    }
    *link = lowest;
    return highest;
}

decompress_result enet_range_decode(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                    size_t *out_length)
{
    range_decoder decoder = {.in = in, .end = in + length, .range = 0xffffffff};
    uint8_t *to = out, *out_end = out + capacity;
    range_model model;
    uint16_t context = 0;
    unsigned order = 0;

    *out_length = 0;
    reset_model(&model);
    for (int i = 0; i < 4; i++) {
        decoder.code = decoder.code << 8 | (decoder.in < decoder.end ? *decoder.in++ : 0);
    }
    for (;;) {
        occurrence found;
        decoded result = context ? ask(&model, &decoder, context, &found) : ESCAPED;
        if (result == FOUND) {
            context = found.node;
        } else {
            uint16_t k = context ? model.nodes[context].lower : 0; /* orders below */

            if (k && result == ESCAPED) {
                result = ask(&model, &decoder, k, &found);
            }
            if (result == ESCAPED) {
                k = 0;
                result = ask_root(&model, &decoder, &found);
            }
            if (result == CORRUPT) {
                return DECOMPRESS_CORRUPT;
            }
            if (result == END_OF_DATA) {
                break;
            }
            context = teach_higher_orders(&model, context, k, found.symbol, found.node);
        }
        if (to == out_end) {
            return DECOMPRESS_TOO_LONG;
        }
        *to++ = found.symbol;
        context = next_context(&model, context, &order);
    }
    *out_length = (size_t)(to - out);
    return to != out ? DECOMPRESSED : DECOMPRESS_EMPTY_OUTPUT;
}
