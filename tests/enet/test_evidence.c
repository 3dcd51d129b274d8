/* enet/test_evidence.c
 *
 * What is known to be missing in a capture: holes in numbers, acknowledgements of what was not captured,
 * datagrams that were cut, directions that were not captured.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "enet/opened_connection.h"
#include "enet/analysis/delivery.h"
#include "enet/connection/holes.h"
#include "enet/evidence/evidence.h"
#include "enet/evidence/loss.h"

static enet_answer whole(bool from_initiator, uint32_t from, uint32_t to)
{
    const enet_span span = {
        .from_initiator = from_initiator, .reliable = true, .channel = 0, .from = from, .to = to};
    return enet_evidence_whole(&fed.capture, &span);
}

static enet_direction of(bool from_initiator)
{
    return enet_evidence_of(enet_evidence_sender(&fed.capture, 0, from_initiator));
}

static void without_holes(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1); /* frame 4 */
    acknowledge(SERVER, 1);
    reliable(CLIENT, 2); /* frame 6 */
    acknowledge(SERVER, 2);
    assert_int_equal(whole(true, 1, 6), ENET_YES);
    assert_int_equal(whole(true, 4, 0), ENET_YES);
    assert_int_equal(whole(false, 1, 7), ENET_NOT_KNOWN); /* what frame 7 acknowledges may come later */
    assert_int_equal(whole(false, 1, 6), ENET_YES);       /* the server has sent nothing reliable */
    assert_int_equal(whole(true, 1, 8), ENET_NOT_KNOWN);
    assert_int_equal(of(true).bits, ENET_COMPLETE_START | ENET_COMPLETE_OTHER);
    assert_int_equal(of(false).bits, ENET_COMPLETE_START | ENET_COMPLETE_OTHER);
    assert_int_equal(of(false).first, 2);
    assert_int_equal(of(false).last, 7);
    feed_end(&fed);
}

/* Number 2 is not captured, 3 is; then number 2 is sent again. */
static void numbers(void **state)
{
    bool proven;

    (void)state;
    open_connection();
    reliable(CLIENT, 1); /* frame 4 */
    reliable(CLIENT, 3);
    reliable(CLIENT, 4); /* frame 6 */
    assert_int_equal(whole(true, 4, 5), ENET_NO);
    assert_int_equal(whole(true, 1, 4), ENET_YES);
    assert_int_equal(whole(true, 5, 6), ENET_NO); /* it may have been sent just before number 3 */
    assert_int_equal(whole(true, 6, 6), ENET_YES);
    const enet_span span = {.from_initiator = true, .channel = 0, .from = 1};
    assert_int_equal(enet_evidence_missing(&fed.capture, &span, &proven), 1);
    assert_false(proven);
    assert_int_equal(of(true).bits, ENET_COMPLETE_START | ENET_COMPLETE_OTHER | ENET_LACKS_RELIABLE);
    acknowledge(SERVER, 2);
    assert_int_equal(enet_evidence_missing(&fed.capture, &span, &proven), 1);
    assert_true(proven);
    assert_int_equal(of(true).acknowledged, 1);
    reliable(CLIENT, 2); /* frame 8 */
    assert_int_equal(whole(true, 4, 6), ENET_YES);
    assert_int_equal(enet_evidence_missing(&fed.capture, &span, &proven), 0);
    assert_int_equal(of(true).missing, 0);
    feed_end(&fed);
}

/* Numbers 1 to 3 of the server were not captured; only their acknowledgements show it. */
static void acknowledged_only(void **state)
{
    bool proven;

    (void)state;
    open_connection();
    acknowledge(CLIENT, 1); /* frame 4 */
    acknowledge(CLIENT, 2);
    acknowledge(CLIENT, 3);
    acknowledge(CLIENT, 3); /* frame 7: the same once more */
    feed(SERVER, "8000 3000 85ff0002");
    const enet_span span = {.channel = 0, .from = 1};
    assert_int_equal(whole(false, 1, 8), ENET_NO);
    assert_int_equal(enet_evidence_missing(&fed.capture, &span, &proven), 3);
    assert_true(proven);
    assert_int_equal(of(false).acknowledged, 3);
    assert_int_equal(enet_evidence_sender(&fed.capture, 0, false)->holes->count, 1);
    reliable(SERVER, 4);
    assert_int_equal(of(false).missing, 3);
    feed_end(&fed);
}

/* Only what the client sends was captured. */
static void one_direction(void **state)
{
    (void)state;
    feed_begin(&fed);
    feed(CLIENT, CONNECT_DATAGRAM);
    assert_int_equal(whole(false, 1, 0), ENET_NOT_KNOWN); /* there may be no server */
    feed(CLIENT, "8001c390 01ff0001 0001c38f");
    reliable(CLIENT, 1);
    assert_int_equal(whole(false, 1, 0), ENET_NO);
    assert_int_equal(of(true).bits, ENET_COMPLETE_START);
    assert_int_equal(of(false).first, 0);
    feed_end(&fed);
}

static void later_start(void **state)
{
    (void)state;
    feed_begin(&fed);
    reliable(SERVER, 7);
    reliable(CLIENT, 5); /* frame 2 */
    acknowledge(SERVER, 5);
    reliable(CLIENT, 6); /* frame 4 */
    assert_int_equal(fed.capture.connections.count, 1);
    bool initiator = fed.record->sender->side == ENET_INITIATOR;
    assert_int_equal(whole(initiator, 2, 4), ENET_YES);
    assert_int_equal(whole(initiator, 1, 4), ENET_NOT_KNOWN);
    assert_int_equal(of(initiator).bits, ENET_COMPLETE_OTHER);
    acknowledge(SERVER, 4); /* was sent before the capture began */
    assert_int_equal(of(initiator).acknowledged, 0);
    feed_end(&fed);
}

/* The first acknowledgement of a channel is captured before its command, in a capture that begins later. */
static void acknowledged_before(void **state)
{
    (void)state;
    feed_begin(&fed);
    acknowledge(SERVER, 5);
    reliable(CLIENT, 5);
    const enet_sender *client = enet_other_sender(enet_connection_at(&fed.capture, 1)->senders);
    client = client->sent.count ? client : enet_other_sender(client);
    uint32_t first = enet_sent_find(&client->sent, 0, 5);
    assert_int_equal(enet_transmission_at(&fed.capture, first)->frame, 2);
    assert_int_equal(enet_transmission_at(&fed.capture, first)->command_acked_in, 1);
    feed_end(&fed);
}

static void cut(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1);
    size_t length = from_hex("80011002 86000002 0008 6162636465666768", bytes);
    assert_non_null(feed_cut(&fed, CLIENT, bytes, length - 4, length)); /* frame 5 */
    reliable(CLIENT, 3);
    assert_int_equal(whole(true, 4, 6), ENET_NO);
    assert_int_equal(whole(true, 1, 4), ENET_YES);
    assert_int_equal(whole(true, 6, 6), ENET_YES);
    assert_true(of(true).bits & ENET_LACKS_BYTES);
    feed_end(&fed);
}

/* Unreliable number 2 is skipped and comes later; number 4 never comes. */
static void unreliable(void **state)
{
    static const char *const sent[] = {"0001 07000000 0001 0001 61", "0001 07000000 0003 0001 61",
                                       "0001 07000000 0002 0001 61", "0001 07000000 0005 0001 61"};

    (void)state;
    open_connection();
    for (unsigned i = 0; i < 3; i++) {
        feed(CLIENT, sent[i]); /* frames 4 to 6 */
    }
    assert_int_equal(of(true).bits & ENET_LACKS_UNRELIABLE, 0);
    const enet_command_record *late = &fed.record->commands[0];
    assert_int_equal(late->notes, ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE));
    assert_int_equal(enet_detail_of(&fed.capture, late, ENET_SEND_UNRELIABLE).number, 1);
    feed(CLIENT, sent[3]);
    assert_int_equal(of(true).bits & ENET_LACKS_UNRELIABLE, ENET_LACKS_UNRELIABLE);
    assert_int_equal(whole(true, 1, 2), ENET_YES); /* nothing reliable is missing */
    const enet_span span = {.from_initiator = true, .channel = 0, .from = 4, .to = 7};
    assert_int_equal(enet_evidence_whole(&fed.capture, &span), ENET_NO);
    feed_end(&fed);
}

/* More holes than are kept: from then on nothing is said to be whole. */
static void limit(void **state)
{
    (void)state;
    open_connection();
    fed.capture.holes_budget = 1;
    reliable(CLIENT, 2);
    reliable(CLIENT, 4); /* frame 5 */
    reliable(CLIENT, 5);
    acknowledge(SERVER, 5);
    assert_int_equal(enet_evidence_sender(&fed.capture, 0, true)->holes->full_from, 5);
    assert_int_equal(whole(true, 1, 3), ENET_NO);
    assert_int_equal(of(true).missing, 2);
    feed_end(&fed);
}

/* A hole of channel 1 behind more of channel 0 than are looked at: it is not known that nothing is missing. */
static void behind_many_holes(void **state)
{
    enum { OTHERS = 300 };

    (void)state;
    open_connection();
    feed(CLIENT, "80011001 86010001 0001 61"); /* frame 4 */
    for (unsigned i = 1; i <= OTHERS; i++) {
        reliable(CLIENT, 2 * i);
        acknowledge(SERVER, 2 * i);
    }
    feed(CLIENT, "80011002 86010003 0001 61");
    const enet_span span = {
        .from_initiator = true, .reliable = true, .channel = 1, .from = 4, .to = fed.frame};
    assert_int_equal(enet_evidence_whole(&fed.capture, &span), ENET_NOT_KNOWN);
    const enet_span late = {
        .from_initiator = true, .reliable = true, .channel = 1, .from = fed.frame - 1, .to = fed.frame};
    assert_int_equal(enet_evidence_whole(&fed.capture, &late), ENET_NO);
    feed_end(&fed);
}

/* The frame after which the server has delivered this number of the client. */
static uint32_t held_until(uint32_t number)
{
    const enet_sender *client = enet_evidence_sender(&fed.capture, 0, true);
    uint32_t index = enet_sent_find(&client->sent, 0, (uint16_t)number);

    return enet_delivery_at_latest(client, 0, enet_transmission_at(&fed.capture, index));
}

/* Numbers 1 to 5 are sent; the acknowledgement of number 2 comes last. */
static void held(void **state)
{
    (void)state;
    open_connection();
    for (unsigned i = 1; i <= 5; i++) {
        reliable(CLIENT, i); /* frames 4 to 8 */
    }
    acknowledge(SERVER, 1);
    acknowledge(SERVER, 3); /* frame 10 */
    acknowledge(SERVER, 4);
    assert_int_equal(held_until(1), 9);
    assert_int_equal(held_until(3), 0);
    acknowledge(SERVER, 2); /* frame 12 */
    acknowledge(SERVER, 5);
    assert_int_equal(held_until(2), 12);
    assert_int_equal(held_until(3), 12);
    assert_int_equal(held_until(4), 12);
    assert_int_equal(held_until(5), 13);
    feed_end(&fed);
}

/* The acknowledgement of number 1 is not captured: after ENET_SETTLED it is not waited for any more. */
static void held_no_longer(void **state)
{
    (void)state;
    open_connection();
    for (unsigned i = 1; i <= 4; i++) {
        reliable(CLIENT, i); /* frames 4 to 7 */
    }
    acknowledge(SERVER, 2);
    assert_int_equal(held_until(2), 0);
    fed.clock += ENET_SETTLED;
    acknowledge(SERVER, 3); /* frame 9 */
    assert_int_equal(held_until(2), 8);
    assert_int_equal(held_until(3), 9);
    assert_int_equal(held_until(4), 0);
    feed_end(&fed);
}

/* Two connections. The capture loses one in ten commands of the first; how many of the second one show that it has
 * lost none of these? */
static void losses_of_another_connection(void **state)
{
    (void)state;
    open_connection();
    for (unsigned i = 1; i <= 100; i++) {
        if (i % 10) {
            reliable(CLIENT, i);
        }
        acknowledge(SERVER, i);
    }
    const enet_connection *lossy = enet_connection_at(&fed.capture, 1);
    assert_false(enet_loss_is_judged(lossy));
    fed.elsewhere = true;
    feed(CLIENT, CONNECT_DATAGRAM);
    feed(SERVER, VERIFY_DATAGRAM);
    feed(CLIENT, "8001c390 01ff0001 0001c38f");
    const enet_connection *other = enet_connection_at(&fed.capture, 2);
    for (unsigned i = 1; i <= 60; i++) {
        reliable(CLIENT, i);
        acknowledge(SERVER, i);
    }
    assert_false(enet_loss_is_judged(other));
    for (unsigned i = 61; i <= 80; i++) {
        reliable(CLIENT, i);
        acknowledge(SERVER, i);
    }
    assert_true(enet_loss_is_judged(other));
    assert_false(enet_loss_is_judged(enet_connection_at(&fed.capture, 1)));
    feed_end(&fed);
}

static void no_connection(void **state)
{
    (void)state;
    open_connection();
    assert_null(enet_evidence_sender(&fed.capture, 1, true));
    const enet_span span = {.stream = 1, .channel = 0};
    assert_int_equal(enet_evidence_whole(&fed.capture, &span), ENET_NOT_KNOWN);
    feed_end(&fed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_holes),
        cmocka_unit_test(numbers),
        cmocka_unit_test(acknowledged_only),
        cmocka_unit_test(one_direction),
        cmocka_unit_test(later_start),
        cmocka_unit_test(acknowledged_before),
        cmocka_unit_test(cut),
        cmocka_unit_test(unreliable),
        cmocka_unit_test(limit),
        cmocka_unit_test(behind_many_holes),
        cmocka_unit_test(no_connection),
        cmocka_unit_test(held),
        cmocka_unit_test(held_no_longer),
        cmocka_unit_test(losses_of_another_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
