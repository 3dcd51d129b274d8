/* enet/test_endings.c
 *
 * How connections end, what was lost between two peers, and processes that pause, driven with datagrams.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "enet/opened_connection.h"
#include "enet/analysis/timeout.h"
#include "enet/evidence/ending.h"
#include "enet/evidence/loss.h"

#define SECOND INT64_C(1000000000)

static const enet_connection *connection(void)
{
    return enet_connection_at(&fed.capture, 1);
}

static const enet_sender *sender(unsigned endpoint)
{
    return &connection()->senders[endpoint == CLIENT ? ENET_INITIATOR : ENET_ACCEPTOR];
}

static enet_ending ending(void)
{
    return enet_ending_of(&fed.capture, connection());
}

/* Sent again `count` times, each time after twice the time before, at first `wait`. */
static void repeat(unsigned endpoint, unsigned number, unsigned count, int64_t wait)
{
    for (unsigned i = 0; i < count; i++, wait *= 2) {
        fed.clock += wait;
        reliable_at(endpoint, number, 0x2000 + 0x100 * number + i);
    }
}

/* --- ends ---------------------------------------------------------------------------------------- */

static void still_there(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1);
    acknowledge(SERVER, 1);
    assert_int_equal(ending().kind, ENET_NO_END);
    feed_end(&fed);
}

static void disconnected(void **state)
{
    (void)state;
    open_connection();
    feed(CLIENT, "80014000 84ff0002 00000000"); /* frame 4, to be acknowledged */
    assert_int_equal(ending().kind, ENET_DISCONNECTED);
    assert_int_equal(ending().side, ENET_INITIATOR);
    assert_int_equal(ending().shown_in, 4);
    assert_true(connection()->ended_gracefully);
    feed_end(&fed);
}

static void unreachable(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1); /* frame 4 */
    reliable(SERVER, 1);
    memory_allocator scratch = {counted_resize, &fed.scratch};
    const enet_receive_options options = feed_options(&fed, &scratch);
    const enet_wire wire = {.bytes = bytes, .captured = 15, .length = 15}; /* the same datagram */
    const enet_arrival arrival = {.frame = ++fed.frame, .endpoint = SERVER};
    enet_receive_quoted(&fed.conversation, &options, &arrival, true, &wire, &fed.datagram, &fed.decided);
    assert_int_equal(ending().kind, ENET_UNREACHABLE);
    assert_int_equal(ending().side, ENET_INITIATOR);
    assert_int_equal(ending().frame, 4);
    assert_int_equal(ending().shown_in, 6);
    acknowledge(CLIENT, 1); /* it was another socket's, or the client has come back */
    assert_int_equal(ending().kind, ENET_NO_END);
    feed_end(&fed);
}

/* The server repeats what the client does not answer: twice is not yet a sign. */
static void silent(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1); /* frame 4: the last that is heard of it */
    acknowledge(SERVER, 1);
    reliable(SERVER, 1);
    repeat(SERVER, 1, 1, SECOND / 10);
    assert_int_equal(ending().kind, ENET_NO_END);
    repeat(SERVER, 1, 1, SECOND / 5);
    assert_int_equal(ending().kind, ENET_NO_END); /* the same transmission, captured again */
    reliable_at(SERVER, 1, 0x3000);
    assert_int_equal(ending().kind, ENET_SILENT);
    assert_int_equal(ending().side, ENET_INITIATOR);
    assert_int_equal(ending().frame, 4);
    assert_false(ending().given_up);
    acknowledge_at(CLIENT, 1, 0x3000);
    assert_int_equal(ending().kind, ENET_NO_END);
    feed_end(&fed);
}

/* The client is not heard after frame 4. The server sends six times in more than five seconds. */
static void open_and_wait(void)
{
    open_connection();
    reliable(CLIENT, 1);
    acknowledge(SERVER, 1);
    reliable(SERVER, 1);
    repeat(SERVER, 1, 5, SECOND / 5);
}

/* Nothing comes afterwards, although the capture goes on. */
static void given_up(void **state)
{
    (void)state;
    open_and_wait();
    assert_int_equal(ending().kind, ENET_SILENT);
    fed.clock += 20 * SECOND;
    fed.elsewhere = true;
    feed(CLIENT, CONNECT_DATAGRAM);
    const enet_ending end = ending();
    assert_int_equal(end.kind, ENET_GIVEN_UP);
    assert_int_equal(end.side, ENET_INITIATOR);
    assert_int_equal(end.frame, 4);
    assert_true(end.given_up && end.given_up_time > sender(SERVER)->last_time);
    assert_true(enet_loss_never_answered(
        &fed.capture, sender(SERVER),
        enet_transmission_at(&fed.capture, enet_sent_find(&sender(SERVER)->sent, 0, 1))));
    feed_end(&fed);
}

/* A Disconnect of an end that was given up before ends nothing. */
static void given_up_before(void **state)
{
    (void)state;
    open_and_wait();
    fed.clock += 20 * SECOND;
    feed(CLIENT, "80014000 84ff0002 00000000");
    assert_int_equal(ending().kind, ENET_GIVEN_UP);
    assert_int_equal(ending().side, ENET_INITIATOR);
    assert_false(ending().either);
    feed_end(&fed);
}

/* Without a datagram of the other end nothing is known of it. */
static void one_direction(void **state)
{
    (void)state;
    feed_begin(&fed);
    for (unsigned i = 1; i < 4; i++) {
        reliable(SERVER, i);
    }
    repeat(SERVER, 1, 5, SECOND);
    reliable_at(SERVER, 1, 0x3000);
    assert_int_equal(ending().kind, ENET_NO_END);
    feed_end(&fed);
}

/* --- losses -------------------------------------------------------------------------------------- */

static enet_loss loss_here(const enet_sender *of)
{
    return enet_loss_at(&fed.capture, of, &fed.record->commands[0], &fed.datagram.commands[0], fed.frame,
                        true);
}

/* The second transmission is acknowledged, so the first one was lost. */
static void lost(void **state)
{
    (void)state;
    open_connection();
    reliable_at(CLIENT, 1, 0x1001); /* frame 4 */
    reliable_at(CLIENT, 1, 0x1101);
    reliable_at(CLIENT, 1, 0x1201);
    acknowledge_at(SERVER, 1, 0x1101);
    const enet_loss loss = loss_here(sender(SERVER));
    assert_int_equal(loss.lost, 1);
    assert_int_equal(loss.needless, 1); /* the third one */
    assert_int_equal(loss.again, 5);
    acknowledge_at(SERVER, 1, 0x1201);
    assert_int_equal(loss_here(sender(SERVER)).lost, 0);
    feed_end(&fed);
}

/* What is sent again after the acknowledgement was captured. */
static void needless(void **state)
{
    (void)state;
    open_connection();
    reliable_at(CLIENT, 1, 0x1001);
    acknowledge_at(SERVER, 1, 0x1001);
    reliable_at(CLIENT, 1, 0x1101);
    const enet_loss loss = loss_here(sender(CLIENT));
    assert_int_equal(loss.needless, 1);
    assert_int_equal(loss.lost, 0);
    feed_end(&fed);
}

/* Number 1 is not answered; the answer to number 2 shows that the server would have. */
static void unanswered(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1); /* frame 4 */
    const enet_transmission *first =
        enet_transmission_at(&fed.capture, enet_sent_find(&sender(CLIENT)->sent, 0, 1));
    assert_false(enet_loss_unanswered(&fed.capture, sender(CLIENT), first));
    reliable(CLIENT, 2);
    acknowledge(SERVER, 2);
    acknowledge(CLIENT, 0);
    assert_true(enet_loss_unanswered(&fed.capture, sender(CLIENT), first));
    acknowledge(SERVER, 1);
    assert_false(enet_loss_unanswered(&fed.capture, sender(CLIENT), first));
    feed_end(&fed);
}

/* Number 2 of the server was not captured: the answer may have been in the same datagram. */
static void unanswered_with_a_hole(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1); /* frame 4 */
    reliable(SERVER, 1);
    reliable(SERVER, 3);
    reliable(CLIENT, 2);
    const enet_transmission *first =
        enet_transmission_at(&fed.capture, enet_sent_find(&sender(CLIENT)->sent, 0, 1));
    assert_false(enet_loss_unanswered(&fed.capture, sender(CLIENT), first));
    feed_end(&fed);
}

/* --- pauses -------------------------------------------------------------------------------------- */

/* The server is silent for two seconds; `clock`: how far its own clock says that. It answers what the client
 * has sent `early` in this time. */
static unsigned pauses_after(unsigned clock, bool early)
{
    open_connection();
    reliable_at(SERVER, 1, 0x1000); /* frame 4 */
    fed.clock += early ? SECOND / 10 : 19 * SECOND / 10;
    reliable_at(CLIENT, 1, 0x1001); /* frame 5 */
    fed.clock += early ? 19 * SECOND / 10 : SECOND / 10;
    reliable_at(SERVER, 2, 0x1000 + clock); /* frame 6 */
    acknowledge_at(SERVER, 1, 0x1001);
    unsigned count = fed.capture.pauses.count;
    const enet_pause *pause = enet_pause_before(&fed.capture, sender(SERVER), 6);
    assert_int_equal(pause != NULL, count);
    if (pause) {
        assert_int_equal(pause->last, 4);
        assert_true(pause->to_time - pause->from_time >= 2 * SECOND);
        assert_null(enet_pause_before(&fed.capture, sender(CLIENT), 6));
    }
    feed_end(&fed);
    return count;
}

static void pause_of_a_process(void **state)
{
    (void)state;
    assert_int_equal(pauses_after(2000, true), 1);
    assert_int_equal(pauses_after(2200, true), 1);  /* within the error of the clocks */
    assert_int_equal(pauses_after(300, true), 0);   /* sent in the silence: the network was slow */
    assert_int_equal(pauses_after(2000, false), 0); /* the network may have lost what came before */
}

/* The clock is set back between two datagrams: their times say nothing about each other. */
static void clock_set_back(void **state)
{
    (void)state;
    open_connection();
    reliable_at(SERVER, 1, 0x1000); /* frame 4 */
    fed.clock += SECOND / 10;
    reliable_at(CLIENT, 1, 0x1001); /* frame 5 */
    reliable(CLIENT, 2);
    fed.clock -= 4 * SECOND; /* the server is silent for 6 s, of which 2 are left */
    reliable(CLIENT, 3);     /* frame 7 */
    fed.clock += 6 * SECOND;
    reliable_at(SERVER, 2, 0x1000 + 2000); /* frame 8 */
    acknowledge_at(SERVER, 1, 0x1001);
    assert_int_equal(fed.capture.pauses.count, 0);
    assert_int_equal(fed.capture.jumps.count, 1);
    assert_true(enet_clock_runs(&fed.capture, 4, 6) && enet_clock_runs(&fed.capture, 7, 9));
    assert_false(enet_clock_runs(&fed.capture, 6, 7));
    const enet_command_detail detail = {.about = enet_sent_find(&sender(CLIENT)->sent, 0, 1)};
    assert_null(enet_round_trip(&fed.capture, &detail, ENET_ACKNOWLEDGE, 9));
    assert_non_null(enet_round_trip(&fed.capture, &detail, ENET_ACKNOWLEDGE, 6));
    feed_end(&fed);
}

/* The capture ends while the server repeats, after the clock was set back: it has not gone on. */
static void ends_after_a_jump(void **state)
{
    (void)state;
    open_connection();
    fed.clock += 60 * SECOND;
    reliable(CLIENT, 1);
    acknowledge(SERVER, 1);
    fed.clock -= 59 * SECOND;
    reliable(SERVER, 1);
    repeat(SERVER, 1, 5, SECOND / 5);
    assert_int_equal(ending().kind, ENET_SILENT);
    feed_end(&fed);
}

/* After the last time that is kept nothing is known. */
static void limit_of_jumps(void **state)
{
    (void)state;
    open_connection();
    for (unsigned i = 1; i <= ENET_MAX_JUMPS + 10; i++) {
        fed.clock += 2 * SECOND;
        reliable_at(CLIENT, i, 0x1001);
        fed.clock -= SECOND;
        reliable_at(SERVER, i, 0x1001);
    }
    assert_int_equal(fed.capture.jumps.count, ENET_MAX_JUMPS);
    assert_false(enet_clock_runs(&fed.capture, fed.frame - 1, fed.frame));
    assert_true(enet_clock_runs(&fed.capture, 5, 6) && !enet_clock_runs(&fed.capture, 5, 7));
    feed_end(&fed);
}

static void limit_of_pauses(void **state)
{
    (void)state;
    open_connection();
    for (unsigned i = 1; i <= ENET_MAX_PAUSES + 10; i++) {
        reliable_at(CLIENT, i, 0x1001);
        fed.clock += 2 * SECOND;
        reliable_at(SERVER, i, (uint16_t)(2003 * i));
        acknowledge_at(SERVER, i, 0x1001);
    }
    assert_int_equal(fed.capture.pauses.count, ENET_MAX_PAUSES);
    feed_end(&fed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_there),
        cmocka_unit_test(disconnected),
        cmocka_unit_test(unreachable),
        cmocka_unit_test(silent),
        cmocka_unit_test(given_up),
        cmocka_unit_test(given_up_before),
        cmocka_unit_test(one_direction),
        cmocka_unit_test(lost),
        cmocka_unit_test(needless),
        cmocka_unit_test(unanswered),
        cmocka_unit_test(unanswered_with_a_hole),
        cmocka_unit_test(pause_of_a_process),
        cmocka_unit_test(clock_set_back),
        cmocka_unit_test(ends_after_a_jump),
        cmocka_unit_test(limit_of_jumps),
        cmocka_unit_test(limit_of_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
