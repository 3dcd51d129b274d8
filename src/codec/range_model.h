/* range_model.h
 *
 * The adaptive model of ENet's range coder, for its decoder and its encoder (range_coder.c, range_encoder.c).
 * Everything is inline, because most of the time of decompression is spent here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RANGE_MODEL_H
#define RANGE_MODEL_H

#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "codec/range_coder.h"

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

#define GROUP_SIZE 16
#define GROUPS     16 /* also the row of the sums of whole groups */

/* The byte values of the root. They are in groups with sums of frequencies instead of a tree, so that a
 * position is found without branches, which could not be predicted. A word of `sums` has four sums of 16
 * bits; the four words of a row are not adjacent, so that compilers do not read them as a vector just after
 * writing them as words. */
typedef struct {
    uint64_t sums[GROUP_SIZE / 4]
                 [GROUPS + 1]; /* frequencies of all smaller values in the group, floors included */
    uint8_t frequency[256];    /* without the floor; 0: new */
    uint16_t node[256];        /* if not new */
} root_values;

/* 66 KiB. Nodes are set up when they are taken: the rest of the array is never touched. */
typedef struct {
    model_node nodes[NODE_COUNT];
    root_values root;
    uint16_t used;
} range_model;

/* Parameters that differ between the root and the other contexts; constants where locate() and learn() are
 * inlined. */
typedef struct {
    uint8_t increment; /* frequency a byte value gains when it is seen */
    uint8_t floor;     /* frequency of byte values never seen */
    uint8_t limit;     /* frequency above which all are halved */
} context_rules;

#define ROOT_INCREMENT 3

static const context_rules root_rules = {.increment = ROOT_INCREMENT, .floor = 1, .limit = 250};
static const context_rules other_rules = {.increment = 2, .floor = 0, .limit = 251};

#define MAX_TOTAL 65280 /* total above which frequencies are halved */

/* A byte value in a context, as it was before the model learned from it. */
typedef struct {
    uint16_t node;
    uint8_t symbol;
    uint16_t start;     /* sum of the frequencies of all smaller values */
    uint16_t frequency; /* 0: new in this context */
} occurrence;

static inline uint16_t new_node(range_model *model, uint8_t symbol, uint8_t frequency)
{
    uint16_t index = model->used++;

    model->nodes[index] = (model_node){.symbol = symbol, .frequency = frequency, .below = frequency};
    return index;
}

#define ONES 0x0001000100010001u /* 1 in each sum of a word */

static inline void reset_model(range_model *model)
{
    model->used = 0;
    new_node(model, 0, 0);
    model->nodes[0].escape = 1;
    model->nodes[0].total = 257;
    memset(model->root.frequency, 0, sizeof model->root.frequency);
    for (unsigned i = 0; i < GROUP_SIZE / 4; i++) {
        for (unsigned row = 0; row < GROUPS; row++) {
            model->root.sums[i][row] = 0x0003000200010000u + 4 * i * ONES;
        }
        model->root.sums[i][GROUPS] = 0x0030002000100000u + 64 * i * ONES;
    }
}

/* Adds `symbol` to the tree where `link` stands. */
static inline void insert(range_model *model, uint16_t *link, occurrence *found, const context_rules *rules)
{
    found->node = *link = new_node(model, found->symbol, rules->increment);
}

/* The byte value was found at `node`; it becomes more frequent. */
static inline void strengthen(model_node *node, const context_rules *rules)
{
    node->below = (uint16_t)(node->below + rules->increment);
    node->frequency = (uint8_t)(node->frequency + rules->increment);
}

/* Raises the frequency of a known byte value of a context that is not the root, inserting it if it is new. */
static inline occurrence bump(range_model *model, uint16_t context, uint8_t symbol)
{
    occurrence found = {.symbol = symbol};
    uint16_t *link = &model->nodes[context].tree;

    while (*link) {
        model_node *node = &model->nodes[*link];

        if (symbol < node->symbol) {
            node->below = (uint16_t)(node->below + other_rules.increment);
            link = &node->less;
        } else if (symbol > node->symbol) {
            found.start = (uint16_t)(found.start + node->below);
            link = &node->greater;
        } else {
            found.node = *link;
            found.frequency = node->frequency;
            found.start = (uint16_t)(found.start + node->below - node->frequency);
            strengthen(node, &other_rules);
            return found;
        }
    }
    insert(model, link, &found, &other_rules);
    return found;
}

/* Finds the byte value at cumulative frequency `position` (escape not counted) and raises its frequency. In
 * the root a new value is inserted, elsewhere there is none: frequency 0, the stream is corrupt. */
static ALWAYS_INLINE occurrence locate(range_model *model, uint16_t context, uint16_t position,
                                       const context_rules *rules)
{
    occurrence found = {.frequency = rules->floor};
    uint16_t *link = &model->nodes[context].tree;
    uint16_t base = 0; /* frequencies of all smaller values, without their floors */

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
            found.node = *link;
            found.symbol = node->symbol;
            found.start = (uint16_t)start;
            found.frequency = (uint16_t)(found.frequency + node->frequency);
            strengthen(node, rules);
            return found;
        }
    }
    if (rules->floor != 0) {
        found.symbol = (uint8_t)(position - base); /* each value before it has a floor of 1 */
        found.start = position;
        insert(model, link, &found, rules);
    }
    return found;
}

/* --- root ---------------------------------------------------------------------------------------- */

static inline uint16_t root_sum(const root_values *root, unsigned row, unsigned index)
{
    return (uint16_t)(root->sums[index / 4][row] >> 16 * (index % 4));
}

/* How many sums of the row are at most `position`. All are below 0x8000, so that no difference borrows. */
static inline unsigned count_up_to(const root_values *root, unsigned row, uint16_t position)
{
    uint64_t limit = (position | 0x8000u) * ONES;
    uint64_t count =
        ((limit - root->sums[0][row]) >> 15 & ONES) + ((limit - root->sums[1][row]) >> 15 & ONES) +
        ((limit - root->sums[2][row]) >> 15 & ONES) + ((limit - root->sums[3][row]) >> 15 & ONES);

    return (unsigned)(count * ONES >> 48);
}

/* The byte value at a position, escape not counted. */
static inline uint8_t find_in_root(const root_values *root, uint16_t position)
{
    unsigned group = count_up_to(root, GROUPS, position) - 1;
    uint16_t in_group = (uint16_t)(position - root_sum(root, GROUPS, group));

    return (uint8_t)(group * GROUP_SIZE + count_up_to(root, group, in_group) - 1);
}

/* Added to the sums of a row when the frequency at an index rises: the increment, to all sums after it. */
#define GAIN(index, i)                                                                                       \
    ((index) < 4 * (i)        ? ROOT_INCREMENT * ONES                                                        \
     : (index) >= 4 * (i) + 3 ? 0                                                                            \
                              : (ROOT_INCREMENT * ONES) << (16 * ((index) % 4 + 1) % 64))
#define GAINS(index)                                                                                         \
    {                                                                                                        \
        GAIN(index, 0), GAIN(index, 1), GAIN(index, 2), GAIN(index, 3)                                       \
    }

static inline void raise_sums_after(root_values *root, unsigned row, unsigned index)
{
    static const uint64_t gains[GROUP_SIZE][4] = {
        GAINS(0), GAINS(1), GAINS(2),  GAINS(3),  GAINS(4),  GAINS(5),  GAINS(6),  GAINS(7),
        GAINS(8), GAINS(9), GAINS(10), GAINS(11), GAINS(12), GAINS(13), GAINS(14), GAINS(15),
    };

    root->sums[0][row] += gains[index][0];
    root->sums[1][row] += gains[index][1];
    root->sums[2][row] += gains[index][2];
    root->sums[3][row] += gains[index][3];
}

/* Raises the frequency of a byte value in the root, giving it a node if it is new. */
static inline occurrence bump_in_root(range_model *model, uint8_t symbol)
{
    root_values *root = &model->root;
    unsigned group = symbol / GROUP_SIZE, index = symbol % GROUP_SIZE;
    occurrence found = {.symbol = symbol, .frequency = (uint16_t)(root->frequency[symbol] + 1)};

    found.start = (uint16_t)(root_sum(root, GROUPS, group) + root_sum(root, group, index));
    raise_sums_after(root, GROUPS, group);
    raise_sums_after(root, group, index);
    if (root->frequency[symbol] == 0) {
        root->node[symbol] = new_node(model, symbol, 0);
    }
    root->frequency[symbol] = (uint8_t)(root->frequency[symbol] + root_rules.increment);
    found.node = root->node[symbol];
    return found;
}

/* Converts the root to a tree, which it stays. The shape of a tree in order does not matter, and values out
 * of order are inserted after the greatest one, so a chain has the same results as ENet's tree. */
static inline void root_to_tree(range_model *model)
{
    uint16_t *link = &model->nodes[0].tree;

    for (int value = 0; value < 256; value++) {
        if (model->root.frequency[value] != 0) {
            model_node *node = &model->nodes[model->root.node[value]];

            node->below = node->frequency = model->root.frequency[value];
            *link = model->root.node[value];
            link = &node->greater;
        }
    }
}

/* For a position that no value has, which no encoder writes. ENet then inserts a wrong value, so its tree is
 * no longer in order; sums cannot represent that. */
COLD static occurrence locate_out_of_order(range_model *model, uint16_t position)
{
    if (model->nodes[0].tree == 0) {
        root_to_tree(model);
    }
    return locate(model, 0, position, &root_rules);
}

/* Like locate(), in the root. The total, which a byte raises by at most 3, is below 0x8000 for all that fits
 * into a datagram; more than that may be decoded, too. */
static ALWAYS_INLINE occurrence locate_in_root(range_model *model, uint16_t position)
{
    const model_node *root = &model->nodes[0];

    if (UNLIKELY(position + root->escape >= root->total || root->total >= 0x8000 || root->tree != 0)) {
        return locate_out_of_order(model, position);
    }
    return bump_in_root(model, find_in_root(&model->root, position));
}

static inline uint16_t halve_root(root_values *root)
{
    uint16_t sum = 0, start = 0; /* of frequencies with floors; where the group starts */

    memset(root->sums, 0, sizeof root->sums);
    for (unsigned value = 0; value < 256; value++) {
        unsigned group = value / GROUP_SIZE, index = value % GROUP_SIZE;

        if (index == 0) {
            root->sums[group / 4][GROUPS] |= (uint64_t)sum << 16 * (group % 4);
            start = sum;
        }
        root->sums[index / 4][group] |= (uint64_t)(sum - start) << 16 * (index % 4);
        root->frequency[value] = (uint8_t)(root->frequency[value] - (root->frequency[value] >> 1));
        sum = (uint16_t)(sum + root->frequency[value] + 1);
    }
    return (uint16_t)(sum - 256);
}

/* --- learning ------------------------------------------------------------------------------------ */

/* Halves all frequencies of a tree, rounding up, and returns their sum. Recursion is as deep as a chain of
 * left children is long: at most 256 byte values. */
static inline uint16_t halve_tree(range_model *model, uint16_t index)
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

COLD static void halve(range_model *model, uint16_t context, const context_rules *rules)
{
    model_node *node = &model->nodes[context];
    uint16_t sum = context == 0 && node->tree == 0 ? halve_root(&model->root) : halve_tree(model, node->tree);

    node->escape = (uint16_t)(node->escape - (node->escape >> 1));
    node->total = (uint16_t)(sum + node->escape + 256 * rules->floor);
}

/* The context gained a byte value's increment and, if it did not know the value, `escape`. */
static ALWAYS_INLINE void learn(range_model *model, uint16_t context, uint16_t frequency, uint8_t escape,
                                const context_rules *rules)
{
    model_node *node = &model->nodes[context];

    node->escape = (uint16_t)(node->escape + escape);
    node->total = (uint16_t)(node->total + escape + rules->increment);
    if (frequency > rules->limit || node->total > MAX_TOTAL) {
        halve(model, context, rules);
    }
}

#define NEW_ESCAPE 5 /* what an unexpected byte value adds to the escape frequency */

/* After every byte, of which `context` is the node of the highest order: returns the context for the next
 * one. If three more nodes might not fit, the model is reset. */
static inline uint16_t next_context(range_model *model, uint16_t context, unsigned *order)
{
    if (*order >= MAX_ORDER) {
        context = model->nodes[context].lower;
    } else {
        ++*order;
    }
    if (UNLIKELY(model->used >= NODE_COUNT - 2)) {
        reset_model(model);
        *order = 0;
        return 0;
    }
    return context;
}

#endif
