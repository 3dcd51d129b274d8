/* enet/test_points.c
 *
 * Two capture points with given clocks and delays, and the limits of their state. test_points.py tests real
 * captures of both ends.
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
#include "enet/analysis/delivery.h"
#include "enet/analysis/points.h"

enum { NEAR = 1, FAR = 2, THIRD = 3 }; /* interfaces; the first one is near endpoint 0 */

static counted_memory memory;
static enet_capture capture;
static enet_conversation conversation;
static uint32_t frame;

static int begin(void **state)
{
    (void)state;
    counted_begin(&memory);
    enet_capture_init(&capture, &(memory_allocator){counted_resize, &memory});
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

/* Datagram `number` of an endpoint; its content is the number. */
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
        enet_points_keep(&capture, &(enet_datagram_record){.index = endpoint + 1, .sighting = index});
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
        int64_t late = i == 7 ? 0 : 40 * (i % 3) + 10; /* one is not delayed */
        uint32_t index = see(0, NEAR, i, 1000 * i);
        assert_int_equal(see(0, FAR, i, 1000 * i + there + late + ahead), index);
        assert_int_equal(enet_points_clock(&capture, 1, &difference), i > 0);
        index = see(1, FAR, i, 1000 * i + ahead);
        assert_int_equal(see(1, NEAR, i, 1000 * i + back + late), index);
    }
    assert_true(enet_points_clock(&capture, 1, &difference));
    assert_int_equal(difference, ahead);
    enet_sighting_facts facts = enet_points_facts(&capture, 1);
    assert_true(facts.has_transit && facts.sender_frame == 1 && facts.receiver_frame == 2 && !facts.lost);
    assert_int_equal(facts.transit, there + 10);
    assert_int_equal(facts.frame, 1);
    assert_int_equal(facts.other_frame, 2);
    facts = enet_points_facts(&capture, 2); /* of the other endpoint */
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
             arrived = see(1, NEAR, 4, 2100); /* the latter was not captured at its sender's point */
    see(0, NEAR, 5, 3000);
    assert_false(enet_points_facts(&capture, lost).lost); /* the other point has captured nothing after it
                                                           * yet */
    see(0, FAR, 5, 3100);
    uint32_t last = see(0, NEAR, 6, 4000);
    assert_true(enet_points_facts(&capture, lost).lost);
    assert_false(enet_points_facts(&capture, arrived).lost);
    assert_false(enet_points_facts(&capture, last).lost);
}

/* The same bytes from the same end: each copy at one point is one at the other, in the same order. */
static void test_alike(void **state)
{
    (void)state;
    uint32_t first = see(0, NEAR, 1, 1000), second = see(0, NEAR, 1, 1000);
    assert_int_not_equal(first, second);
    assert_int_equal(see(0, FAR, 1, 1100), first);
    assert_int_equal(see(0, FAR, 1, 1100), second);
    assert_int_not_equal(see(0, FAR, 1, 1100), second); /* duplicated on the way */
    assert_int_not_equal(see(1, FAR, 1, 1100), first);  /* the other end sends the same bytes */
}

static void test_no_interface(void **state)
{
    (void)state;
    assert_int_equal(see(0, 0, 1, 1000), 0);
    assert_int_not_equal(see(0, NEAR, 2, 1000), 0);
    assert_int_not_equal(see(0, FAR, 2, 1000), 0);
}

/* Copies at other points are copies, whichever comes first, and change neither times nor losses. */
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
    enet_sighting_facts facts = enet_points_facts(&capture, first);
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
    for (uint32_t i = 1; i < ENET_MAX_SIGHTINGS; i++) {
        assert_int_not_equal(see(0, NEAR, i, i), 0);
    }
    assert_int_equal(see(0, NEAR, ENET_MAX_SIGHTINGS, 1), 0);
    enet_points_facts(&capture, ENET_MAX_SIGHTINGS);
}

/* Clocks with the largest possible difference, in both directions: sums of two differences do not
 * overflow. */
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
    enet_sighting_facts facts = enet_points_facts(&capture, index);
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

/* Two datagrams with the same hash: a fragment of an unreliable message, and one with a reliable command
 * instead. The second one is treated as a copy of the first, but the message of the first is not treated as a
 * transmission. */
static void test_same_hash(void **state)
{
    (void)state;
    const uint64_t usual_factor = hash_factor;
    uint8_t bytes[42] = {0, 0, 0x0c, 0, 0, 1, 0, 1, 0, 16, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 32};
    static fed_conversation fed;
    feed_begin(&fed);
    fed.point = NEAR;
    hash_factor = 1; /* words that are 32 bytes apart are joined by XOR only */
    assert_non_null(feed_cut(&fed, 0, bytes, sizeof bytes, sizeof bytes));
    assert_int_equal(fed.datagram.commands[0].type, ENET_SEND_UNRELIABLE_FRAGMENT);
    fed.point = FAR;
    bytes[2] = 0x06;
    bytes[2 + 32] = 0x0c ^ 0x06;
    const enet_datagram_record *second = feed_cut(&fed, 0, bytes, sizeof bytes, sizeof bytes);
    hash_factor = usual_factor;
    assert_non_null(second);
    assert_true(second->second);
    assert_int_equal(fed.datagram.commands[0].type, ENET_SEND_RELIABLE);
    assert_int_equal(second->commands[0].notes, 0);
    feed_end(&fed);
}

/* Sends reliable message `number` on channel 0; 0: a ping from endpoint 1. Returns the index of the
 * record. */
static uint32_t send_at(fed_conversation *fed, uint32_t point, uint8_t number, uint8_t sent_time)
{
    const uint8_t ping[] = {0x80, 0, 0, sent_time, 0x85, 0xff, 0, sent_time};
    const uint8_t message[] = {0x80, 0, 0, sent_time, 0x86, 0, 0, number, 0, 1, 'x'};
    fed->point = point;
    assert_non_null(number ? feed_cut(fed, 0, message, sizeof message, sizeof message)
                           : feed_cut(fed, 1, ping, sizeof ping, sizeof ping));
    return fed->record->index;
}

static enet_delivery_facts delivery(const fed_conversation *fed, uint32_t index, uint32_t of_frame)
{
    enet_datagram_record record = enet_datagram_kept(&fed->capture, index);
    const enet_command command = {.type = ENET_SEND_RELIABLE, .channel = 0};
    return enet_delivery_of(&fed->capture, &record, &command, of_frame);
}

/* In the order of numbers: 2 waits for the retransmission of 1; a copy of 1 is late; 4 waits for 3, which is
 * lost. */
static void test_delivery(void **state)
{
    (void)state;
    static fed_conversation fed;
    uint32_t at[6];
    feed_begin(&fed);
    send_at(&fed, FAR, 0, 9);
    send_at(&fed, NEAR, 0, 9);
    send_at(&fed, NEAR, 1, 1);
    send_at(&fed, NEAR, 2, 2);
    at[0] = send_at(&fed, FAR, 2, 2); /* frame 5 */
    send_at(&fed, NEAR, 1, 3);        /* sent again */
    at[1] = send_at(&fed, FAR, 1, 3); /* frame 7 */
    at[2] = send_at(&fed, FAR, 1, 1); /* the first copy */
    send_at(&fed, NEAR, 3, 4);
    send_at(&fed, NEAR, 4, 5);
    at[3] = send_at(&fed, FAR, 4, 5); /* frame 11 */
    enet_delivery_facts facts = delivery(&fed, at[0], 5);
    assert_true(facts.known && !facts.copy);
    assert_int_equal(facts.frame, 7);
    assert_int_equal(facts.wait, 2000000);
    facts = delivery(&fed, at[1], 7);
    assert_true(facts.known && !facts.copy && facts.frame == 7 && facts.wait == 0);
    facts = delivery(&fed, at[2], 8);
    assert_true(facts.known && facts.copy);
    facts = delivery(&fed, at[3], 11);
    assert_true(facts.known && !facts.copy && facts.frame == 0);
    assert_false(delivery(&fed, at[3], 10).known); /* where it left its sender */
    at[4] = send_at(&fed, FAR, 3, 4);              /* it was only late */
    assert_int_equal(delivery(&fed, at[3], 11).frame, 12);
    feed_end(&fed);
}

static const uint8_t connect[48] = {
    0x8f, 0xff, 0, 1, 0x82, 0xff, 0, 1, 0, 0, 0xff, 0xff, 0, 0, 5, 0x70, 0, 1, 0, 0, 0,    0,    0,    2,
    0,    0,    0, 0, 0,    0,    0, 0, 0, 0, 0x13, 0x88, 0, 0, 0, 2,    0, 0, 0, 2, 0x11, 0x22, 0x33, 0x44};

/* CONNECT has its data after the connect id: 52 bytes in total. `sent_time` differs, and the byte at
 * `changed` is one more unless it is 0. */
static bool open_at(fed_conversation *fed, uint32_t point, bool elsewhere, unsigned endpoint,
                    uint8_t sent_time, size_t changed)
{
    uint8_t bytes[52] = {0};
    memcpy(bytes, connect, sizeof connect);
    bytes[3] = sent_time;
    bytes[changed] += changed != 0;
    fed->point = point;
    fed->elsewhere = elsewhere;
    return feed_cut(fed, endpoint, bytes, sizeof bytes, sizeof bytes) != NULL;
}

/* Other addresses at the other point: the same connection from its CONNECT on, also if only the second copy
 * was captured there, with the ends numbered in the opposite order. Not at the same or an unknown point, nor
 * if any field of the CONNECT differs. */
static void test_translated(void **state)
{
    (void)state;
    static fed_conversation fed;
    feed_begin(&fed);
    assert_true(open_at(&fed, NEAR, false, 0, 1, 0));
    assert_true(open_at(&fed, NEAR, false, 0, 2, 0));
    uint32_t sighting = fed.record->sighting;
    assert_true(open_at(&fed, FAR, true, 1, 2, 0));
    assert_true(fed.record->second);
    assert_int_equal(fed.record->sighting, sighting);
    assert_int_equal(fed.capture.connections.count, 1);
    assert_ptr_equal(fed.other.home, &fed.conversation);
    assert_true(fed.other.mirrored);
    feed_end(&fed);
    static const struct {
        uint32_t first, second; /* points */
        size_t changed;         /* 9: peer id, then MTU, window, channels, bandwidths, connect id, data */
    } others[] = {{NEAR, NEAR, 0}, {0, FAR, 0},     {NEAR, FAR, 9},  {NEAR, FAR, 15}, {NEAR, FAR, 19},
                  {NEAR, FAR, 23}, {NEAR, FAR, 27}, {NEAR, FAR, 31}, {NEAR, FAR, 47}, {NEAR, FAR, 51}};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        feed_begin(&fed);
        assert_true(open_at(&fed, others[i].first, false, 0, 1, 0));
        assert_true(open_at(&fed, others[i].second, true, 0, 1, others[i].changed));
        assert_false(fed.record->second);
        assert_null(fed.other.home);
        assert_int_equal(fed.capture.connections.count, 2);
        feed_end(&fed);
    }
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
        cmocka_unit_test(test_delivery),
        cmocka_unit_test(test_translated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
