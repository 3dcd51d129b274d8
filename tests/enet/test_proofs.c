/* enet/test_proofs.c
 *
 * What must have been seen for a conclusion: the same bytes, the order, a clock, a capture that goes on, both
 * ends of a handshake. Each test removes or moves something of a sequence that has all of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "enet/opened_connection.h"
#include "enet/connection/recognise.h"
#include "enet/evidence/conclusions.h"
#include "enet/evidence/ending.h"
#include "enet/evidence/loss.h"

#define SECOND      INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
/* Of another process, with the same slots and session. */
#define OTHER_ID "00000002 00000002 0d1598b3"
#define CONNECT_AGAIN                                                                                        \
    "8fff 2000 82ff0001 0000ffff 00000578 00010000 00000003 00000000 00000000 00001388 " OTHER_ID " deadbee" \
    "f"
#define VERIFY_AGAIN                                                                                         \
    "8000 2001 83ff0001 00010000 00000578 00010000 00000003 00000000 00000000 00001388 " OTHER_ID

static const enet_connection *connection(unsigned stream)
{
    return enet_connection_at(&fed.capture, stream + 1);
}

static uint32_t notes_after(unsigned endpoint, const char *hex)
{
    feed(endpoint, hex);
    return fed.record->commands[0].notes;
}

static unsigned stream_of(unsigned endpoint, const char *hex)
{
    feed(endpoint, hex);
    return fed.record->sender->connection->stream;
}

/* The first bytes of a datagram. */
static const enet_datagram_record *feed_beginning(unsigned endpoint, const char *hex, size_t captured)
{
    size_t length = from_hex(hex, bytes);

    return feed_cut(&fed, endpoint, bytes, captured, length);
}

/* --- retransmissions ----------------------------------------------------------------------------- */

/* Another process in the same slot and session begins its numbers again. */
static void same_number_other_bytes(void **state)
{
    const uint32_t again = ENET_NOTE(ENET_NOTE_RETRANSMISSION);

    (void)state;
    open_connection();
    feed(CLIENT, "80011000 86000001 0003 616263");
    assert_int_equal(notes_after(CLIENT, "80011010 86000001 0003 616263"), again);
    assert_int_equal(notes_after(CLIENT, "80011020 86000001 0003 616264") & again, 0);
    assert_int_equal(notes_after(CLIENT, "80011030 86000001 0003 616264"), again);
    feed_end(&fed);
}

/* What is acknowledged before it was captured was captured too late. */
static void acknowledged_before_it_is_captured(void **state)
{
    const uint32_t again = ENET_NOTE(ENET_NOTE_RETRANSMISSION), spurious = ENET_NOTE(ENET_NOTE_SPURIOUS);

    (void)state;
    open_connection();
    reliable_at(CLIENT, 1, 0x1000);
    assert_int_equal(notes_after(SERVER, "0000 01000001 00011010"), ENET_NOTE(ENET_NOTE_UNKNOWN_TIME));
    assert_int_equal(notes_after(CLIENT, "80011010 86000001 0001 61"), again);
    assert_int_equal(notes_after(CLIENT, "80011020 86000001 0001 61"), again | spurious);
    reliable_at(CLIENT, 2, 0x1030);
    acknowledge_at(SERVER, 2, 0x1030);
    assert_int_equal(notes_after(SERVER, "0000 01000002 00021040"), ENET_NOTE(ENET_NOTE_UNKNOWN_TIME));
    assert_int_equal(notes_after(CLIENT, "80011040 86000002 0001 61"), again | spurious);
    feed_end(&fed);
}

/* Groups of unsequenced messages beyond the receiver's window, and twice. */
static void unsequenced_groups(void **state)
{
    (void)state;
    open_connection();
    assert_int_equal(notes_after(CLIENT, "80011000 49000000 0001 0001 61"), 0);
    assert_int_equal(notes_after(CLIENT, "80011000 49000000 0001 0001 61"),
                     ENET_NOTE(ENET_NOTE_GROUP_REPEATED));
    assert_int_equal(notes_after(CLIENT, "80011000 49000000 8000 0001 61"),
                     ENET_NOTE(ENET_NOTE_GROUP_TOO_FAR));
    feed_end(&fed);
}

/* Two commands with one number are of two connections: of neither is known which was acknowledged. */
static void acknowledged_of_two_connections(void **state)
{
    const uint32_t again = ENET_NOTE(ENET_NOTE_RETRANSMISSION), spurious = ENET_NOTE(ENET_NOTE_SPURIOUS);

    (void)state;
    open_connection();
    reliable_at(CLIENT, 1, 0x1000);
    acknowledge_at(SERVER, 1, 0x1000);
    assert_int_equal(notes_after(CLIENT, "80011010 86000001 0001 61"), again | spurious);
    feed(CLIENT, "80011020 86000001 0001 62");
    assert_int_equal(notes_after(CLIENT, "80011030 86000001 0001 62"), again);
    acknowledge_at(SERVER, 1, 0x1030);
    assert_int_equal(notes_after(CLIENT, "80011040 86000001 0001 62"), again);
    feed_end(&fed);
}

static uint8_t lost_at(unsigned command)
{
    const enet_command *acknowledge = &fed.datagram.commands[command];
    return enet_loss_at(&fed.capture, fed.record->sender, &fed.record->commands[command], acknowledge,
                        fed.frame, true)
        .lost;
}

/* A transmission was lost if it is not acknowledged itself, in whatever order. */
static void lost_transmissions(void **state)
{
    (void)state;
    open_connection();
    reliable_at(CLIENT, 1, 0x1010);
    reliable_at(CLIENT, 1, 0x1000); /* captured later than it was sent */
    reliable_at(CLIENT, 1, 0x1020);
    feed(SERVER, "0000 01000001 00011020 01000001 00011010");
    assert_int_equal(lost_at(0), 1); /* 0x1000 */
    reliable_at(CLIENT, 2, 0x1030);
    reliable_at(CLIENT, 2, 0x1040);
    acknowledge_at(SERVER, 2, 0x1040);
    assert_int_equal(lost_at(0), 1);
    feed_end(&fed);
}

/* --- the order in which they were sent ----------------------------------------------------------- */

/* A message that was captured `wait` before the acknowledgement of VERIFY_CONNECT; what of its note is
 * withdrawn. */
static uint32_t withdrawn_of_early(int64_t wait, bool again)
{
    feed_begin(&fed);
    feed(CLIENT, CONNECT_DATAGRAM);
    feed(SERVER, VERIFY_DATAGRAM);
    assert_int_equal(notes_after(CLIENT, "0001 07000000 0001 0001 61"),
                     ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE));
    const enet_datagram_record early = fed.decided;
    const enet_arrival arrival = {.time = fed.clock + fed.frame * MILLISECOND, .frame = fed.frame};
    fed.clock += wait - MILLISECOND;
    if (again) {
        feed(SERVER, "8000c3a0" VERIFY_COMMAND);
    }
    feed(CLIENT, "8001c390 01ff0001 0001c38f");
    uint32_t withdrawn =
        enet_withdrawn_notes(&fed.capture, early.sender, &arrival, &early.commands[0], ENET_SEND_UNRELIABLE);
    feed_end(&fed);
    return withdrawn;
}

static void before_the_handshake(void **state)
{
    (void)state;
    assert_int_equal(withdrawn_of_early(MILLISECOND, false), 0);
    assert_int_equal(withdrawn_of_early(MILLISECOND - 1, false), ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE));
    assert_int_equal(withdrawn_of_early(0, true), 0);
    assert_int_equal(withdrawn_of_early(-MILLISECOND, true), ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE));
}

/* Of what has no sent time it is not known whether it was sent before the DISCONNECT. */
static void after_the_disconnect(void **state)
{
    (void)state;
    open_connection();
    feed(CLIENT, "80012000 84ff0002 00000000");
    assert_int_equal(notes_after(CLIENT, "0001 07000000 0001 0001 61"), 0);
    assert_int_equal(notes_after(CLIENT, "80011fff 86000001 0001 61"), 0);
    assert_int_equal(notes_after(CLIENT, "80012001 86000002 0001 61"), ENET_NOTE(ENET_NOTE_AFTER_DISCONNECT));
    feed_end(&fed);
}

/* --- ends ---------------------------------------------------------------------------------------- */

/* The server repeats what the client does not answer; the next datagram of the capture comes `later`. */
static enet_ending_kind end_after(int64_t later, bool cut)
{
    open_connection();
    reliable(CLIENT, 1);
    acknowledge(SERVER, 1);
    if (cut) {
        assert_non_null(feed_beginning(CLIENT, "80013000 86000002 0004 61626364", 12));
    }
    for (unsigned i = 0; i < 6; i++) {
        fed.clock += (SECOND / 5) << i;
        reliable_at(SERVER, 1, 0x2000 + i);
    }
    fed.clock += later;
    fed.elsewhere = true;
    feed(CLIENT, CONNECT_DATAGRAM);
    enet_ending_kind kind = enet_ending_of(&fed.capture, connection(0)).kind;
    feed_end(&fed);
    return kind;
}

/* A time-out is what the capture would have shown otherwise. */
static void given_up(void **state)
{
    (void)state;
    assert_int_equal(end_after(20 * SECOND, false), ENET_GIVEN_UP);
    assert_int_equal(end_after(ENET_LONGEST_QUIET - SECOND, false), ENET_GIVEN_UP);
    assert_int_equal(end_after(ENET_LONGEST_QUIET + SECOND, false), ENET_SILENT); /* files were appended */
    assert_int_equal(end_after(20 * SECOND, true), ENET_SILENT); /* the answer may be in what was cut */
}

/* Of more breaks than are kept it is not known when they are. */
static void limit_of_breaks(void **state)
{
    (void)state;
    open_connection();
    for (unsigned i = 0; i <= ENET_MAX_BREAKS; i++) {
        fed.clock += ENET_LONGEST_QUIET;
        reliable(CLIENT, 1 + i);
        acknowledge(SERVER, 1 + i);
    }
    assert_int_equal(fed.capture.breaks.count, ENET_MAX_BREAKS);
    reliable(CLIENT, 5000);
    for (unsigned i = 0; i < 6; i++) {
        fed.clock += (SECOND / 5) << i;
        reliable_at(SERVER, 1, 0x2000 + i);
    }
    fed.clock += 20 * SECOND;
    fed.elsewhere = true;
    feed(CLIENT, CONNECT_DATAGRAM);
    assert_int_equal(enet_ending_of(&fed.capture, connection(0)).kind, ENET_SILENT);
    feed_end(&fed);
}

/* The capture begins when both ends repeat what the other one does not answer: which one has given up
 * first is not known. */
static void given_up_by_both(void **state)
{
    (void)state;
    feed_begin(&fed);
    enet_bind(&fed.conversation, &(enet_header){.dialect = ENET_STOCK}, true);
    reliable_at(CLIENT, 8, 0x1000);
    reliable_at(CLIENT, 8, 0x1100);
    for (unsigned i = 0; i < 7; i++) {
        fed.clock += (SECOND / 5) << i;
        reliable_at(SERVER, 1, 0x2000 + i);
    }
    fed.clock += 60 * SECOND;
    fed.elsewhere = true;
    feed(CLIENT, CONNECT_DATAGRAM);
    const enet_ending end = enet_ending_of(&fed.capture, connection(0));
    assert_int_equal(end.kind, ENET_GIVEN_UP); /* by one end, as is said at the transmission */
    assert_true(end.either);
    feed_end(&fed);
}

/* A socket's first datagram in a connection: not known before, unless another connection goes on meanwhile. */
static void other_connection(unsigned number)
{
    char hex[2 * ENET_MAX_DATAGRAM];

    fed.elsewhere = true;
    snprintf(hex, sizeof hex,
             "8fff%04x 82ff0001 0000ffff 00000578 00010000 00000003 00000000 00000000 "
             "00001388 00000002 00000002 %08x deadbeef",
             0x4000 + number, number);
    feed(SERVER, hex);
}

/* What the server sends later from its socket in another connection: that began before its last transmission,
 * or after. Then so many processes have the socket, one after the other. */
static enet_ending when_heard_again(bool before, unsigned processes)
{
    open_connection();
    fed.conversation.sockets[SERVER] = fed.other.sockets[SERVER] = 4711;
    for (unsigned i = 0; i < 6; i++) {
        fed.clock += (SECOND / 5) << i;
        reliable_at(SERVER, 1, 0x2000 + i);
        fed.elsewhere = before && i == 3;
        if (fed.elsewhere) {
            feed(SERVER, "8001c391 85ff0001");
        }
        fed.elsewhere = false;
    }
    fed.clock += 20 * SECOND;
    fed.elsewhere = true;
    feed(SERVER, "8001c491 85ff0002");
    for (unsigned i = 0; i < processes; i++) {
        other_connection(i + 1);
    }
    const enet_ending end = enet_ending_of(&fed.capture, connection(0));
    feed_end(&fed);
    return end;
}

/* Who is killed gives nobody up: only a process that is heard later has. */
static void given_up_or_killed(void **state)
{
    (void)state;
    assert_int_equal(when_heard_again(true, 0).kind, ENET_GIVEN_UP);
    assert_true(when_heard_again(true, 0).lives_on);
    assert_int_equal(when_heard_again(false, 0).kind, ENET_GIVEN_UP);
    assert_false(when_heard_again(false, 0).lives_on);
}

/* Of too many processes it is not looked for the one that had the socket: it may have ended before. */
static void too_many_lives(void **state)
{
    (void)state;
    assert_true(when_heard_again(true, ENET_MAX_LIVES_TRIED - 1).lives_on);
    assert_int_equal(when_heard_again(true, ENET_MAX_LIVES_TRIED).kind, ENET_GIVEN_UP);
    assert_false(when_heard_again(true, ENET_MAX_LIVES_TRIED).lives_on);
}

/* Both slots are used again: the end that opens the new connection has left the one before. */
static void replaced(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1);
    reliable(SERVER, 1);
    feed(CLIENT, CONNECT_AGAIN);
    feed(SERVER, VERIFY_AGAIN);
    assert_int_equal(stream_of(CLIENT, "80012002 01ff0001 00012001"), 1);
    assert_int_equal(enet_ending_of(&fed.capture, connection(0)).kind, ENET_REPLACED);
    assert_int_equal(enet_ending_of(&fed.capture, connection(0)).side, ENET_INITIATOR);
    feed_end(&fed);
    feed_begin(&fed); /* only what the server sends */
    feed(SERVER, VERIFY_DATAGRAM);
    reliable(SERVER, 1);
    feed(SERVER, VERIFY_AGAIN);
    assert_int_equal(connection(0)->senders[ENET_ACCEPTOR].replaced_by, 2);
    assert_int_equal(enet_ending_of(&fed.capture, connection(0)).kind, ENET_NO_END);
    feed_end(&fed);
}

/* Both processes are killed and others use the same sockets: the connection before is no longer there. */
static void followed(void **state)
{
    (void)state;
    open_connection();
    reliable(CLIENT, 1);
    assert_false(enet_is_followed(connection(0)));
    feed(CLIENT, CONNECT_AGAIN);
    assert_true(enet_is_followed(connection(0)));
    assert_false(enet_is_followed(connection(1)));
    acknowledge(SERVER, 1);
    assert_false(enet_is_followed(connection(0)));
    feed_end(&fed);
}

/* --- handshakes of which a part is missing ------------------------------------------------------- */

/* The snap length leaves 14 bytes of the commands. */
static void cut_handshake(void **state)
{
    enum { CAPTURED = 4 + 14 };

    (void)state;
    open_connection();
    fed.conversation.bound = true;
    reliable(CLIENT, 1);
    assert_int_equal(feed_beginning(CLIENT, CONNECT_AGAIN, CAPTURED)->sender->connection->stream, 1);
    assert_int_equal(feed_beginning(SERVER, VERIFY_AGAIN, CAPTURED)->sender->connection->stream, 1);
    assert_int_equal(stream_of(CLIENT, "80012002 01ff0001 00012001 85ff0002"), 1);
    assert_int_equal(stream_of(CLIENT, "80012003 86000001 0001 61"), 1);
    assert_int_equal(fed.record->commands[0].notes, 0);
    assert_int_equal(stream_of(SERVER, "0000 01000001 00012003"), 1);
    /* once it is open, the reply to an attempt that was given up may still come */
    assert_int_equal(feed_beginning(SERVER, VERIFY_AGAIN, CAPTURED)->sender->connection->stream, 1);
    assert_int_equal(fed.capture.connections.count, 2);
    feed_end(&fed);
    feed_begin(&fed); /* so few bytes are no proof where nothing is known to be ENet */
    assert_null(feed_beginning(CLIENT, CONNECT_AGAIN, CAPTURED));
    feed_end(&fed);
}

/* The VERIFY_CONNECT was not captured: its acknowledgement shows which address the new connection has. */
static void verify_not_captured(void **state)
{
    (void)state;
    open_connection();
    feed(CLIENT, "80011000 86000001 0001 61");
    feed(SERVER, "8000 1001 01000001 00011000 86000001 0001 62");
    feed(CLIENT, CONNECT_AGAIN);
    assert_int_equal(stream_of(CLIENT, "80011002 01000001 00011001"), 0); /* still of the one before */
    assert_int_equal(stream_of(CLIENT, "80012002 01ff0001 00012001 85ff0002"), 1);
    assert_int_equal(stream_of(CLIENT, "80012003 86000001 0001 61"), 1);
    assert_int_equal(fed.record->commands[0].notes, 0);
    assert_int_equal(stream_of(SERVER, "0000 01000001 00012003"), 1);
    assert_int_equal(stream_of(SERVER, "80002004 86000001 0001 62"), 1);
    feed_end(&fed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_number_other_bytes),
        cmocka_unit_test(unsequenced_groups),
        cmocka_unit_test(acknowledged_of_two_connections),
        cmocka_unit_test(acknowledged_before_it_is_captured),
        cmocka_unit_test(lost_transmissions),
        cmocka_unit_test(before_the_handshake),
        cmocka_unit_test(after_the_disconnect),
        cmocka_unit_test(given_up),
        cmocka_unit_test(limit_of_breaks),
        cmocka_unit_test(given_up_by_both),
        cmocka_unit_test(given_up_or_killed),
        cmocka_unit_test(too_many_lives),
        cmocka_unit_test(replaced),
        cmocka_unit_test(followed),
        cmocka_unit_test(cut_handshake),
        cmocka_unit_test(verify_not_captured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
