/* enet/range_coder.c
 *
 * The compressor that comes with ENet: an adaptive model of order 2 that predicts a byte from the two before
 * it, with escapes to order 1 and order 0, and a 32-bit carry-less range coder. Bit for bit what ENet
 * computes, for corrupt input, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/compression.h"

/* --- model ----------------------------------------------------------------------------------------- */

/* A node is a byte value in the search tree of the context that owns it, and itself the context one order
 * higher, with a tree of its own. Node 0 is the root, the context of order 0; as it is in no tree, 0 stands
 * for "none" in all links between nodes. */
typedef struct {
    uint8_t symbol, frequency;
    uint16_t below;         /* own frequency and those of the left subtree */
    uint16_t less, greater; /* children */
    uint16_t tree;          /* as a context: top of its tree */
    uint16_t escape, total; /* as a context: frequencies */
    uint16_t lower;         /* as a context: the one an order lower */
} model_node;

#define NODE_COUNT 4096
#define MAX_ORDER  2

/* 64 KiB. Nodes are set up when they are taken: the rest of the array is never touched. */
typedef struct {
    uint16_t used;
    uint16_t context; /* of the highest order, for the next byte */
    uint8_t order;
    model_node nodes[NODE_COUNT];
} range_model;

/* What the root and the other contexts do differently. The functions that take it are inlined with one of the
 * two, which saves the decoder a third of its instructions. */
typedef struct {
    uint8_t increment; /* frequency a byte value gains when it is seen */
    uint8_t floor;     /* frequency of byte values never seen */
    uint8_t limit;     /* frequency above which all are halved */
} context_rules;

static const context_rules root_rules = {.increment = 3, .floor = 1, .limit = 250};
static const context_rules other_rules = {.increment = 2, .floor = 0, .limit = 251};

#define MAX_TOTAL 65280 /* total above which frequencies are halved */

/* A byte value in a context, as it was before the model learned from it. */
typedef struct {
    uint16_t node;
    uint8_t symbol;
    uint16_t start;     /* sum of the frequencies of all smaller values */
    uint16_t frequency; /* 0: new in this context */
} occurrence;

static uint16_t new_node(range_model *model, uint8_t symbol, uint8_t frequency)
{
    uint16_t index = model->used++;

    model->nodes[index] = (model_node){.symbol = symbol, .frequency = frequency, .below = frequency};
    return index;
}

static void reset_model(range_model *model)
{
    model->used = 0;
    new_node(model, 0, 0);
    model->nodes[0].escape = 1;
    model->nodes[0].total = 257;
    model->context = 0;
    model->order = 0;
}

/* Adds `symbol` to the tree where `link` stands. */
static void insert(range_model *model, uint16_t *link, occurrence *found, const context_rules *rules)
{
    found->node = *link = new_node(model, found->symbol, rules->increment);
}

/* The byte value was found at `node`; it becomes more frequent. */
static inline void strengthen(model_node *node, const context_rules *rules)
{
    node->below = (uint16_t)(node->below + rules->increment);
    node->frequency = (uint8_t)(node->frequency + rules->increment);
}

/* Raises the frequency of a known byte value, inserting it if it is new. */
static inline occurrence bump(range_model *model, uint16_t context, uint8_t symbol,
                              const context_rules *rules)
{
    occurrence found = {
        .symbol = symbol, .start = (uint16_t)(symbol * rules->floor), .frequency = rules->floor};
    uint16_t *link = &model->nodes[context].tree;

    while (*link) {
        model_node *node = &model->nodes[*link];

        if (symbol < node->symbol) {
            node->below = (uint16_t)(node->below + rules->increment);
            link = &node->less;
        } else if (symbol > node->symbol) {
            found.start = (uint16_t)(found.start + node->below);
            link = &node->greater;
        } else {
            found.node = *link;
            found.frequency = (uint16_t)(found.frequency + node->frequency);
            found.start = (uint16_t)(found.start + node->below - node->frequency);
            strengthen(node, rules);
            return found;
        }
    }
    insert(model, link, &found, rules);
    return found;
}

/* Finds the byte value at cumulative frequency `position` (escape not counted) and raises its frequency. In
 * the root a new value is inserted, elsewhere there is none: false, the stream is corrupt. */
static inline bool locate(range_model *model, uint16_t context, uint16_t position, const context_rules *rules,
                          occurrence *found)
{
    uint16_t *link = &model->nodes[context].tree;
    uint16_t base = 0; /* frequencies of all smaller values, without their floors */

    found->frequency = rules->floor;
    while (*link) {
        model_node *node = &model->nodes[*link];
        uint16_t stop = (uint16_t)(base + node->below + (node->symbol + 1) * rules->floor);
        int start = stop - (node->frequency + rules->floor);

        if (position >= stop) {
            base = (uint16_t)(base + node->below);
            link = &node->greater;
        } else if (position < start) {
            node->below = (uint16_t)(node->below + rules->increment);
            link = &node->less;
        } else {
            found->node = *link;
            found->symbol = node->symbol;
            found->start = (uint16_t)start;
            found->frequency = (uint16_t)(found->frequency + node->frequency);
            strengthen(node, rules);
            return true;
        }
    }
    if (rules->floor == 0) {
        return false;
    }
    found->symbol = (uint8_t)(position - base); /* each value before it has a floor of 1 */
    found->start = position;
    insert(model, link, found, rules);
    return true;
}

/* Halves all frequencies of a tree, rounding up, and returns their sum. Recursion is as deep as a chain of
 * left children is long: at most 256 byte values. */
static uint16_t halve_tree(range_model *model, uint16_t index)
{
    uint16_t sum = 0;

    while (index) {
        model_node *node = &model->nodes[index];

        node->frequency = (uint8_t)(node->frequency - (node->frequency >> 1));
        node->below = (uint16_t)(node->frequency + halve_tree(model, node->less));
        sum = (uint16_t)(sum + node->below);
        index = node->greater;
    }
    return sum;
}

static void halve(range_model *model, uint16_t context, const context_rules *rules)
{
    model_node *node = &model->nodes[context];

    node->escape = (uint16_t)(node->escape - (node->escape >> 1));
    node->total = (uint16_t)(halve_tree(model, node->tree) + node->escape + 256 * rules->floor);
}

/* The context gained a byte value's increment and, if it did not know the value, `escape`. */
static inline void learn(range_model *model, uint16_t context, uint16_t frequency, uint8_t escape,
                         const context_rules *rules)
{
    model_node *node = &model->nodes[context];

    node->escape = (uint16_t)(node->escape + escape);
    node->total = (uint16_t)(node->total + escape + rules->increment);
    if (frequency > rules->limit || node->total > MAX_TOTAL) {
        halve(model, context, rules);
    }
}

/* An escape is coded only if there is one and the context knows anything at all. */
static bool has_escape(const model_node *node)
{
    return node->escape != 0 && node->escape < node->total;
}

#define NEW_ESCAPE 5 /* what an unexpected byte value adds to the escape frequency */

/* After every byte. When three more nodes might not fit, the whole model is forgotten. */
static void next_byte(range_model *model)
{
    if (model->order >= MAX_ORDER) {
        model->context = model->nodes[model->context].lower;
    } else {
        model->order++;
    }
    if (model->used >= NODE_COUNT - 2) {
        reset_model(model);
    }
}

/* --- decoder --------------------------------------------------------------------------------------- */

typedef struct {
    const uint8_t *in, *end;
    uint32_t low, range, code;
} range_decoder;

/* Zeros follow the end of the input: the encoder drops them. */
static inline uint32_t next_input(range_decoder *decoder)
{
    return decoder->in < decoder->end ? *decoder->in++ : 0;
}

/* The position of the next symbol among `total`. Changes the range: take() has to follow. */
static inline uint16_t get(range_decoder *decoder, uint16_t total)
{
    decoder->range /= total;
    return (uint16_t)((decoder->code - decoder->low) / decoder->range);
}

/* One step of the loop that shifts out what is settled: false if nothing is left to shift. */
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

/* False if the range is exhausted, which only a corrupt stream could do: none was ever seen. */
static inline bool take(range_decoder *decoder, uint32_t start, uint32_t frequency)
{
    decoder->low += start * decoder->range;
    decoder->range *= frequency;
    while (decoder->range != 0 && shift(&decoder->low, &decoder->range)) {
        decoder->code = decoder->code << 8 | next_input(decoder);
        decoder->range <<= 8;
        decoder->low <<= 8;
    }
    return decoder->range >= 0x00010000;
}

typedef enum { FOUND, END_OF_DATA, CORRUPT } decoded;

/* Reads the byte value at `position` in a context that knows it. */
static inline decoded decode_in(range_model *model, range_decoder *decoder, uint16_t context,
                                uint16_t position, const context_rules *rules, occurrence *found)
{
    uint16_t escape = model->nodes[context].escape;

    if (!locate(model, context, (uint16_t)(position - escape), rules, found) ||
        !take(decoder, (uint32_t)escape + found->start, found->frequency)) {
        return CORRUPT;
    }
    learn(model, context, found->frequency, 0, rules);
    return FOUND;
}

/* Asks the contexts from high to low order; the root always answers. *context is the one that did. */
static inline decoded decode_symbol(range_model *model, range_decoder *decoder, uint16_t *context,
                                    occurrence *found)
{
    const model_node *node;
    uint16_t position;

    for (*context = model->context; *context; *context = node->lower) {
        node = &model->nodes[*context];
        if (!has_escape(node)) {
            continue;
        }
        position = get(decoder, node->total);
        if (position >= node->escape) {
            return decode_in(model, decoder, *context, position, &other_rules, found);
        }
        if (!take(decoder, 0, node->escape)) {
            return CORRUPT;
        }
    }
    position = get(decoder, model->nodes[0].total);
    if (position < model->nodes[0].escape) {
        return END_OF_DATA;
    }
    return decode_in(model, decoder, 0, position, &root_rules, found);
}

/* The contexts above the one that knew the byte learn it, and are chained to it. */
static void teach_higher_orders(range_model *model, uint16_t context, const occurrence *found)
{
    uint16_t *link = &model->context;

    for (uint16_t k = model->context; k != context; k = model->nodes[k].lower) {
        occurrence own = bump(model, k, found->symbol, &other_rules);

        *link = own.node;
        link = &model->nodes[own.node].lower;
        learn(model, k, own.frequency, own.frequency == 0 ? NEW_ESCAPE : 0, &other_rules);
    }
    *link = found->node;
}

decompress_result enet_range_decode(const uint8_t *in, size_t length, uint8_t *out, size_t capacity,
                                    size_t *out_length)
{
    range_decoder decoder = {.in = in, .end = in + length, .range = 0xffffffff};
    range_model model;
    size_t written = 0;

    *out_length = 0;
    if (length == 0) {
        return DECOMPRESS_EMPTY_INPUT;
    }
    reset_model(&model);
    for (int i = 0; i < 4; i++) {
        decoder.code = decoder.code << 8 | next_input(&decoder);
    }
    for (;;) {
        uint16_t context;
        occurrence found;
        decoded result = decode_symbol(&model, &decoder, &context, &found);

        if (result == END_OF_DATA) {
            break;
        }
        if (result == CORRUPT) {
            return DECOMPRESS_CORRUPT;
        }
        if (written >= capacity) {
            return DECOMPRESS_TOO_LONG;
        }
        teach_higher_orders(&model, context, &found);
        out[written++] = found.symbol;
        next_byte(&model);
    }
    *out_length = written;
    return written ? DECOMPRESSED : DECOMPRESS_EMPTY_OUTPUT;
}

/* --- encoder --------------------------------------------------------------------------------------- */

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

static void encode_symbol(range_model *model, range_encoder *encoder, uint8_t symbol)
{
    uint16_t *link = &model->context;
    uint16_t context = model->context;
    occurrence own;

    for (; context; context = model->nodes[context].lower) {
        model_node before = model->nodes[context];

        own = bump(model, context, symbol, &other_rules);
        *link = own.node;
        link = &model->nodes[own.node].lower;
        if (own.frequency > 0) {
            put(encoder, (uint32_t)before.escape + own.start, own.frequency, before.total);
            learn(model, context, own.frequency, 0, &other_rules);
            return;
        }
        if (has_escape(&before)) {
            put(encoder, 0, before.escape, before.total);
        }
        learn(model, context, 0, NEW_ESCAPE, &other_rules);
    }
    own = bump(model, 0, symbol, &root_rules);
    *link = own.node;
    put(encoder, (uint32_t)model->nodes[0].escape + own.start, own.frequency, model->nodes[0].total);
    learn(model, 0, own.frequency, 0, &root_rules);
}

size_t enet_range_encode(const uint8_t *in, size_t length, uint8_t *out, size_t capacity)
{
    range_encoder encoder = {.out = out, .end = out + capacity, .range = 0xffffffff};
    range_model model;

    reset_model(&model);
    for (size_t i = 0; i < length && !encoder.full; i++) {
        encode_symbol(&model, &encoder, in[i]);
        next_byte(&model);
    }
    while (encoder.low && !encoder.full) {
        shift_out(&encoder);
    }
    return encoder.full ? 0 : (size_t)(encoder.out - out);
}
