/* enet/test_points.c
 *
 * Two capture points with clocks and delays that are given, and the limits of what is remembered. What real captures of
 * both ends show: test_points.py.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "enet/capture_of_datagrams.h"
#include "enet/points.h"

enum { NEAR = 1, FAR = 2, THIRD = 3 }; /* interfaces; the first is near endpoint 0 */

static counted_memory memory;
static enet_capture capture;
static enet_conversation conversation;
static uint32_t frame;

static int begin(void **state)
{
    (void)state;
    counted_begin(&memory);
    enet_capture_init(&capture, &(enet_memory){counted_resize, &memory});
    enet_conversation_init(&conversation, &capture, false, ENET_STOCK);
    frame = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    counted_end(&memory);
    return 0;
}

/* Datagram `number` of an endpoint; its bytes are the number. */
static uint32_t see(unsigned endpoint, uint32_t point, uint32_t number, int64_t time)
{
    uint32_t before;
    uint8_t bytes[4];
    memcpy(bytes, &number, sizeof bytes);
    enet_arrival arrival = {
        .time = time, .frame = ++frame, .bytes = 60, .endpoint = endpoint, .point = point};
    enet_wire wire = {.bytes = bytes, .captured = sizeof bytes, .length = sizeof bytes};
    uint32_t index = enet_points_see(&conversation, &arrival, &wire, &before);
    if (!before) {
        enet_points_keep(&capture, &(enet_datagram_record){.index = endpoint + 1, .crossing = index});
    } else {
        assert_int_equal(before, endpoint + 1);
    }
    return index;
}

static void test_clocks(void **state)
{
    (void)state;
    const int64_t ahead = 5000, there = 100, back = 100;
    int64_t difference;
    for (uint32_t i = 0; i < 10; i++) {
        int64_t late = i == 7 ? 0 : 40 * (i % 3) + 10; /* one is not held up */
        uint32_t index = see(0, NEAR, i, 1000 * i);
        assert_int_equal(see(0, FAR, i, 1000 * i + there + late + ahead), index);
        assert_int_equal(enet_points_clock(&capture, 1, &difference), i > 0);
        index = see(1, FAR, i, 1000 * i + ahead);
        assert_int_equal(see(1, NEAR, i, 1000 * i + back + late), index);
    }
    assert_true(enet_points_clock(&capture, 1, &difference));
    assert_int_equal(difference, ahead);
    enet_crossing_facts facts = enet_points_facts(&capture, 1);
    assert_true(facts.has_transit && facts.sender_frame == 1 && facts.receiver_frame == 2 && !facts.lost);
    assert_int_equal(facts.transit, there + 10);
    assert_int_equal(facts.frame, 1);
    assert_int_equal(facts.other_frame, 2);
    facts = enet_points_facts(&capture, 2); /* of the other end */
    assert_true(facts.has_transit && facts.sender_frame == 3 && facts.receiver_frame == 4);
    assert_true(facts.receiver_time == back + 10);
    assert_int_equal(facts.transit, back + 10);
}

static void test_lost(void **state)
{
    (void)state;
    see(0, NEAR, 1, 1000);
    see(0, FAR, 1, 1100);
    see(1, FAR, 2, 1200);
    see(1, NEAR, 2, 1300);
    uint32_t lost = see(0, NEAR, 3, 2000),
             arrived = see(1, NEAR, 4, 2100); /* the latter: its sender's point missed it */
    see(0, NEAR, 5, 3000);
    assert_false(enet_points_facts(&capture, lost).lost); /* the other point has nothing after it yet */
    see(0, FAR, 5, 3100);
    uint32_t last = see(0, NEAR, 6, 4000);
    assert_true(enet_points_facts(&capture, lost).lost);
    assert_false(enet_points_facts(&capture, arrived).lost);
    assert_false(enet_points_facts(&capture, last).lost);
}

/* The same bytes from the same end: each copy at one point is one at the other, in their order. */
static void test_alike(void **state)
{
    (void)state;
    uint32_t first = see(0, NEAR, 1, 1000), second = see(0, NEAR, 1, 1000);
    assert_int_not_equal(first, second);
    assert_int_equal(see(0, FAR, 1, 1100), first);
    assert_int_equal(see(0, FAR, 1, 1100), second);
    assert_int_not_equal(see(0, FAR, 1, 1100), second); /* doubled on the way */
    assert_int_not_equal(see(1, FAR, 1, 1100), first);  /* the other end says the same */
}

static void test_no_interface(void **state)
{
    (void)state;
    assert_int_equal(see(0, 0, 1, 1000), 0);
    assert_int_not_equal(see(0, NEAR, 2, 1000), 0);
    assert_int_not_equal(see(0, FAR, 2, 1000), 0);
}

/* Copies at further points are copies, whichever comes first, and change neither times nor losses. */
static void test_third_point(void **state)
{
    (void)state;
    see(0, NEAR, 1, 1000);
    see(0, FAR, 1, 1100);
    see(1, FAR, 2, 1200);
    see(1, NEAR, 2, 1300);
    uint32_t first = see(0, THIRD, 3, 9000), lost = see(0, NEAR, 4, 2000);
    assert_int_equal(see(0, NEAR, 3, 1900), first);
    assert_int_equal(see(0, FAR, 3, 2010), first);
    assert_int_equal(see(0, THIRD, 4, 9100), lost);
    see(0, FAR, 5, 3000);
    enet_crossing_facts facts = enet_points_facts(&capture, first);
    assert_int_equal(facts.frame, 5);
    assert_int_equal(facts.sender_frame, 7);
    assert_int_equal(facts.receiver_frame, 8);
    assert_int_equal(facts.transit, 110);
    assert_false(facts.lost);
    facts = enet_points_facts(&capture, lost);
    assert_int_equal(facts.other_frame, 0);
    assert_true(facts.lost);
    for (uint32_t point = THIRD + 1; point < THIRD + 6; point++) {
        assert_int_equal(see(0, point, 3, 1), first);
    }
    assert_int_equal(see(0, THIRD + 6, 3, 1), 0); /* there are too many */
}

static void test_one_point_is_forgotten(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ENET_POINTS_PATIENCE; i++) {
        assert_int_not_equal(see(0, NEAR, i, i), 0);
    }
    assert_int_equal(see(0, NEAR, ENET_POINTS_PATIENCE, 1), 0);
    assert_int_equal(see(0, FAR, 0, 1), 0);
    assert_false(enet_points_known(&conversation));
}

static void test_budget_of_a_file(void **state)
{
    (void)state;
    uint32_t remembered = 0;
    for (uint32_t i = 0; i < ENET_POINTS_BUDGET + 10; i++) {
        if (i % 1000 == 0) {
            enet_conversation_init(&conversation, &capture, false, ENET_STOCK);
        }
        remembered += see(0, NEAR, i, i) != 0;
    }
    assert_int_equal(remembered, ENET_POINTS_BUDGET);
}

static void test_two_points_are_limited(void **state)
{
    (void)state;
    see(0, NEAR, 0, 0);
    see(0, FAR, 0, 1);
    for (uint32_t i = 1; i < ENET_MAX_CROSSINGS; i++) {
        assert_int_not_equal(see(0, NEAR, i, i), 0);
    }
    assert_int_equal(see(0, NEAR, ENET_MAX_CROSSINGS, 1), 0);
    assert_true(enet_points_known(&conversation));
    enet_points_facts(&capture, ENET_MAX_CROSSINGS);
}

/* Clocks as far apart as times can be, in both directions: sums of two differences are still numbers. */
static void test_any_times(void **state)
{
    (void)state;
    const int64_t most = INT64_C(1) << 61;
    int64_t difference;
    uint32_t index = see(0, NEAR, 1, -ENET_MAX_TIME);
    see(0, FAR, 1, ENET_MAX_TIME);
    assert_false(enet_points_clock(&capture, 1, &difference));
    see(1, NEAR, 2, ENET_MAX_TIME);
    see(1, FAR, 2, -ENET_MAX_TIME);
    assert_true(enet_points_clock(&capture, 1, &difference));
    assert_int_equal(difference, 0);
    enet_crossing_facts facts = enet_points_facts(&capture, index);
    assert_true(facts.has_transit);
    assert_true(facts.transit == most);
}

static void test_unknown_numbers(void **state)
{
    (void)state;
    assert_int_equal(enet_points_facts(&capture, 1).frame, 0);
    assert_int_equal(see(0, NEAR, 1, 1), 1);
    assert_int_equal(enet_points_facts(&capture, 0).frame, 0);
    assert_int_equal(enet_points_facts(&capture, 1).frame, 1);
    assert_int_equal(enet_points_facts(&capture, 1000).frame, 0);
}

/* Two datagrams with the same hash: a fragment of an unreliable message, and where its type is, a reliable command. The
 * second is taken for the first; what the first refers to, a message, is not taken for a transmission. */
static void test_same_hash(void **state)
{
    (void)state;
    static const uint8_t bytes[2][42] = {
        {0,    0,    0x0c, 0,    0,    1,    0,    1,    0,    16,   0,    0,    0,    2,
         0,    0,    0,    0,    0,    0,    0,    32,   0,    0,    0,    0,    0x06, 0x3d,
         0x1b, 0xd8, 0xa0, 0x30, 0xfd, 0x32, 0x43, 0x6e, 0x13, 0xe1, 0x77, 0xfb, 0xe6, 0x97},
        {0,    0,    0x06, 0,    0,    1,    0,    1,    0,    16,   0,    0,    0,    2,
         0,    0,    0,    0,    0,    0,    0,    32,   0,    0,    0,    0,    0x07, 0x68,
         0x3b, 0xba, 0x6c, 0x12, 0x34, 0x72, 0x76, 0x7f, 0x7a, 0xa2, 0xd1, 0x78, 0xe0, 0x95}};
    static fed_conversation fed;
    feed_begin(&fed);
    fed.point = NEAR;
    assert_non_null(feed_cut(&fed, 0, bytes[0], sizeof bytes[0], sizeof bytes[0]));
    assert_int_equal(fed.datagram.commands[0].type, ENET_SEND_UNRELIABLE_FRAGMENT);
    fed.point = FAR;
    const enet_datagram_record *second = feed_cut(&fed, 0, bytes[1], sizeof bytes[1], sizeof bytes[1]);
    assert_non_null(second);
    assert_true(second->second); /* else the hash is another one: find new bytes */
    assert_int_equal(fed.datagram.commands[0].type, ENET_SEND_RELIABLE);
    assert_int_equal(second->commands[0].notes, 0);
    feed_end(&fed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clocks, begin, end),
        cmocka_unit_test_setup_teardown(test_lost, begin, end),
        cmocka_unit_test_setup_teardown(test_alike, begin, end),
        cmocka_unit_test_setup_teardown(test_no_interface, begin, end),
        cmocka_unit_test_setup_teardown(test_third_point, begin, end),
        cmocka_unit_test_setup_teardown(test_one_point_is_forgotten, begin, end),
        cmocka_unit_test_setup_teardown(test_budget_of_a_file, begin, end),
        cmocka_unit_test_setup_teardown(test_two_points_are_limited, begin, end),
        cmocka_unit_test_setup_teardown(test_any_times, begin, end),
        cmocka_unit_test_setup_teardown(test_unknown_numbers, begin, end),
        cmocka_unit_test(test_same_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
