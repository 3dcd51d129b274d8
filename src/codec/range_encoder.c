/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "codec/range_coder.h"

#include "codec/range_model.h"

typedef struct {
    uint8_t *out, *end;
    uint32_t low, range;
    bool full;
} range_encoder;

static void shift_out(range_encoder *encoder)
{
    if (encoder->out < encoder->end) {
        *encoder->out++ = (uint8_t)(encoder->low >> 24);
    } else {
        encoder->full = true;
    }
    encoder->low <<= 8;
}

/* One step of the loop that shifts out the bytes that are final; false if there are none. */
static inline bool shift(uint32_t *low, uint32_t *range)
{
    if ((*low ^ (*low + *range)) < 0x01000000) {
        return true;
    }
    if (*range >= 0x00010000) {
        return false;
    }
    *range = (0 - *low) & 0xffff;
    return true;
}

static void put(range_encoder *encoder, uint32_t start, uint32_t frequency, uint32_t total)
{
    encoder->range /= total;
    encoder->low += start * encoder->range;
    encoder->range *= frequency;
    while (shift(&encoder->low, &encoder->range)) {
        shift_out(encoder);
        encoder->range <<= 8;
    }
}

/* Returns the node of the byte in the highest context. */
static uint16_t encode_symbol(range_model *model, range_encoder *encoder, uint16_t context, uint8_t symbol)
{
    uint16_t highest, *link = &highest;
    model_node before;
    occurrence own;

    for (; context; context = before.lower) {
        before = model->nodes[context];
        own = bump(model, context, symbol);
        *link = own.node;
        link = &model->nodes[own.node].lower;
        if (own.frequency > 0) {
            put(encoder, (uint32_t)before.escape + own.start, own.frequency, before.total);
            learn(model, context, own.frequency, 0, &other_rules);
            return highest;
        }
        if (before.tree != 0) { /* without values, no escape is coded */
            put(encoder, 0, before.escape, before.total);
        }
        learn(model, context, 0, NEW_ESCAPE, &other_rules);
    }
    own = bump_in_root(model, symbol);
    *link = own.node;
    put(encoder, (uint32_t)model->nodes[0].escape + own.start, own.frequency, model->nodes[0].total);
    learn(model, 0, own.frequency, 0, &root_rules);
    return highest;
}

size_t enet_range_encode(const uint8_t *in, size_t length, uint8_t *out, size_t capacity)
{
    range_encoder encoder = {.out = out, .end = out + capacity, .range = 0xffffffff};
    range_model model;
    uint16_t context = 0;
    unsigned order = 0;

    reset_model(&model);
    for (size_t i = 0; i < length && !encoder.full; i++) {
        context = next_context(&model, encode_symbol(&model, &encoder, context, in[i]), &order);
    }
    while (encoder.low && !encoder.full) {
        shift_out(&encoder);
    }
    return encoder.full ? 0 : (size_t)(encoder.out - out);
}
