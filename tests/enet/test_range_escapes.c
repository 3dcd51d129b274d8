/* enet/test_range_escapes.c
 *
 * Streams of the range coder that no ENet writes, longer than a datagram: every byte escapes to the root,
 * although the contexts above contain it. Only then does the total of the root grow until its frequencies are
 * halved. The result of libenet is the expected one. The test changes the model directly, so it needs the
 * sources.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "codec/range_coder.h"
#include "codec/range_coder.c"
#include "codec/range_encoder.c"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <enet/enet.h>

#define LONGEST 40000

static uint8_t plain[LONGEST], packed[4 * LONGEST], ours[LONGEST], theirs[LONGEST];

/* Returns the node of the byte in the highest context. */
static uint16_t escape_to_root(range_model *model, range_encoder *encoder, uint16_t context, uint8_t symbol)
{
    const model_node *root = &model->nodes[0];
    uint16_t escape = root->escape, total = root->total;
    occurrence found;

    for (uint16_t k = context; k; k = model->nodes[k].lower) {
        if (model->nodes[k].tree != 0) {
            put(encoder, 0, model->nodes[k].escape, model->nodes[k].total);
        }
    }
    found = bump_in_root(model, symbol);
    put(encoder, (uint32_t)escape + found.start, found.frequency, total);
    learn(model, 0, found.frequency, 0, &root_rules);
    return teach_higher_orders(model, context, 0, symbol, found.node);
}

/* Returns the length of the stream; *highest_total is the final total of the root. */
static size_t encode(size_t length, int *highest_total)
{
    range_encoder encoder = {.out = packed, .end = packed + sizeof packed, .range = 0xffffffff};
    uint16_t context = 0;
    unsigned order = 0;
    range_model model;

    reset_model(&model);
    for (size_t i = 0; i < length; i++) {
        context = next_context(&model, escape_to_root(&model, &encoder, context, plain[i]), &order);
        if (model.nodes[0].total > *highest_total) {
            *highest_total = model.nodes[0].total;
        }
    }
    for (int i = 0; i < 4; i++) { /* all of `low` */
        shift_out(&encoder);
    }
    assert_false(encoder.full);
    return (size_t)(encoder.out - packed);
}

static void escapes(void **state)
{
    void *coder = enet_range_coder_create();
    int highest_total = 0;

    (void)state;
    for (size_t step = 1; step < 256; step += 42) {
        for (size_t length = 1000; length <= LONGEST; length = length * 5 / 2) {
            size_t packed_length, our_length;

            for (size_t i = 0; i < length; i++) {
                plain[i] = (uint8_t)(i * step);
            }
            packed_length = encode(length, &highest_total);
            assert_int_equal(enet_range_coder_decompress(coder, packed, packed_length, theirs, length),
                             length);
            assert_memory_equal(theirs, plain, length);
            assert_int_equal(enet_range_decode(packed, packed_length, ours, length, &our_length),
                             DECOMPRESSED);
            assert_int_equal(our_length, length);
            assert_memory_equal(ours, plain, length);
        }
    }
    assert_true(highest_total > 60000);
    enet_range_coder_destroy(coder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(escapes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
