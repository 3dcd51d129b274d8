/* enet/test_traffic.c
 *
 * Analysis of the commands of a connection: acknowledgements, repetitions, gaps, order, fragments, phases.
 * Each rule is tested separately; test_enet_receivers.py compares captures with the logs of receivers.
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
#include "enet/enet_samples.h"
#include "enet/connection/recognise.h"
#include "enet/analysis/timeout.h"
#include "enet/wire/judge.h"

enum { INITIATOR, ACCEPTOR }; /* sockets */

static fed_conversation fed;
static uint8_t bytes[4096];

/* A datagram in hexadecimal digits; none is refused here. */
static const enet_datagram_record *feed(unsigned endpoint, const char *hex)
{
    size_t length = from_hex(hex, bytes);

    assert_non_null(feed_cut(&fed, endpoint, bytes, length, length));
    return fed.record;
}

/* Notes of the datagram's first command. */
static uint32_t notes_after(unsigned endpoint, const char *hex)
{
    return feed(endpoint, hex)->commands[0].notes;
}

static enet_command_detail detail_of(unsigned command)
{
    return enet_detail_of(&fed.capture, &fed.record->commands[command], fed.datagram.commands[command].type);
}

static const enet_transmission *sent(unsigned command)
{
    return enet_transmission_at(&fed.capture, detail_of(command).transmission);
}

/* Frames 1 to 3. */
static void open_connection(void)
{
    feed_begin(&fed);
    assert_int_equal(notes_after(INITIATOR, CONNECT_DATAGRAM), 0);
    assert_int_equal(notes_after(ACCEPTOR, VERIFY_DATAGRAM), 0);
    assert_int_equal(notes_after(INITIATOR, "8001c390 01ff0001 0001c38f"), 0);
    assert_int_equal(fed.capture.connections.count, 1);
    assert_int_equal(fed.record->sender->connection->state, ENET_ESTABLISHED);
}

static void handshake(void **state)
{
    (void)state;
    open_connection();
    const enet_connection *connection = enet_connection_at(&fed.capture, 1);
    assert_int_equal(connection->connect_frame, 1);
    assert_int_equal(connection->verify_frame, 2);
    assert_int_equal(connection->channel_count, 3);
    assert_int_equal(connection->mtu, 1400);
    assert_int_equal(connection->connect.data, 0xdeadbeef);
    assert_int_equal(detail_of(0).about, 2); /* the second transmission in the file */
    feed_end(&fed);
}

/* The smaller of the MTUs that both ends request. */
static void mtu_of_both(void **state)
{
    enum {
        MTU_AT = 14
    }; /* low half of the MTU in CONNECT: header 4, command header 4, peer id and sessions 4, high half */

    (void)state;
    feed_begin(&fed);
    size_t length = from_hex(CONNECT_DATAGRAM, bytes);
    bytes[MTU_AT] = 1000 >> 8;
    bytes[MTU_AT + 1] = 1000 & 0xff;
    assert_non_null(feed_cut(&fed, INITIATOR, bytes, length, length));
    feed(ACCEPTOR, VERIFY_DATAGRAM);
    assert_int_equal(fed.record->sender->connection->mtu, 1000);
    feed_end(&fed);
}

/* Of three channels, the last is 2. */
static void channels_of_the_connection(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86020001 0001 61");
    assert_int_equal(fed.datagram.commands[0].finding_count, 0);
    feed(INITIATOR, "80011001 86030001 0001 61");
    assert_int_equal(fed.datagram.commands[0].finding_count, 1);
    assert_int_equal(fed.datagram.commands[0].findings[0].problem, ENET_PROBLEM_CHANNEL);
    feed_end(&fed);
}

static void acknowledgements(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86000001 0001 61 86000002 0001 62");
    const enet_transmission *first = sent(0), *second = sent(1);
    assert_int_equal(first->number & 0xffff, 1);
    assert_int_equal(notes_after(ACCEPTOR, "0000 01000002 00021000"), 0);
    assert_int_equal(second->acked_in, 5);
    assert_int_equal(first->acked_in, 0);
    /* sent again with another time, and acknowledged by that */
    assert_int_equal(notes_after(INITIATOR, "80011010 86000001 0001 61"),
                     ENET_NOTE(ENET_NOTE_RETRANSMISSION));
    assert_int_equal(detail_of(0).earlier_frame, 4);
    const enet_transmission *again = sent(0);
    assert_int_equal(notes_after(ACCEPTOR, "0000 01000001 00011010"), 0);
    assert_int_equal(again->acked_in, 7);
    assert_int_equal(first->acked_in, 0);
    assert_int_equal(first->command_acked_in, 7);
    /* the same once more; a number and a time that were never used */
    assert_int_equal(notes_after(ACCEPTOR, "0000 01000001 00011010"), ENET_NOTE(ENET_NOTE_ACK_REPEATED));
    assert_int_equal(notes_after(ACCEPTOR, "0000 01000009 00091010"), ENET_NOTE(ENET_NOTE_UNKNOWN_NUMBER));
    assert_int_equal(notes_after(ACCEPTOR, "0000 01000001 00011011"), ENET_NOTE(ENET_NOTE_UNKNOWN_TIME));
    /* sent again although it was acknowledged; the same datagram twice */
    assert_int_equal(notes_after(INITIATOR, "80011020 86000001 0001 61"),
                     ENET_NOTE(ENET_NOTE_RETRANSMISSION) | ENET_NOTE(ENET_NOTE_SPURIOUS));
    assert_int_equal(notes_after(INITIATOR, "80011020 86000001 0001 61"), ENET_NOTE(ENET_NOTE_DUPLICATE));
    /* the clock has wrapped: a lower time, that of no other copy */
    assert_int_equal(notes_after(INITIATOR, "80010990 86000001 0001 61"),
                     ENET_NOTE(ENET_NOTE_RETRANSMISSION) | ENET_NOTE(ENET_NOTE_SPURIOUS));
    feed_end(&fed);
}

static void gaps_and_order(void **state)
{
    (void)state;
    open_connection();
    assert_int_equal(notes_after(INITIATOR, "80011000 86000003 0001 61"), ENET_NOTE(ENET_NOTE_GAP));
    assert_int_equal(detail_of(0).number, 2);
    assert_int_equal(notes_after(INITIATOR, "80011001 86000001 0001 61"), ENET_NOTE(ENET_NOTE_OUT_OF_ORDER));
    assert_int_equal(notes_after(INITIATOR, "80011001 86010001 0001 61"), 0); /* another channel */
    assert_int_equal(notes_after(INITIATOR, "80011001 86020001 0001 61"), 0);
    feed_end(&fed);
}

/* A receiver of `2` waits for `1`; one that acknowledges 2 has not received 1. */
static void unreliable_order(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86000002 0001 61");
    feed(ACCEPTOR, "0000 01000002 00021000");
    assert_int_equal(notes_after(INITIATOR, "0001 07000000 0001 0001 61"), 0);
    feed(INITIATOR, "80011001 86000001 0001 61"); /* now both are delivered */
    assert_int_equal(notes_after(INITIATOR, "0001 07000001 0001 0001 61"),
                     ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE));
    assert_int_equal(notes_after(INITIATOR, "0001 07000002 0002 0001 61"),
                     ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP));
    assert_int_equal(notes_after(INITIATOR, "0001 07000002 0001 0001 61"),
                     ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE));
    assert_int_equal(notes_after(INITIATOR, "0001 07000002 0001 0001 61"),
                     ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED));
    feed_end(&fed);
}

/* Number 1 was acknowledged but not captured: it is delivered, and so is 2. */
static void acknowledged_unseen(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86000002 0001 61");
    feed(ACCEPTOR, "0000 01000001 00010fff");
    assert_int_equal(notes_after(INITIATOR, "0001 07000001 0001 0001 61"),
                     ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE));
    feed_end(&fed);
}

/* Message 2 is in two fragments, and delivered with the second one. */
static void unreliable_fragments(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "0001 0c000000 0002 0002 00000002 00000000 00000004 00000000 6162");
    assert_int_equal(notes_after(INITIATOR, "0001 07000000 0001 0001 61"), 0);
    assert_int_equal(
        notes_after(INITIATOR, "0001 0c000000 0002 0002 00000002 00000001 00000004 00000002 6364"), 0);
    assert_true(fed.record->commands[0].completes);
    const enet_message *message = enet_message_at(&fed.capture, detail_of(0).about);
    assert_int_equal(message->completed_frame, fed.frame);
    assert_memory_equal(message->bytes, "abcd", 4);
    assert_int_equal(
        notes_after(INITIATOR, "0001 0c000000 0002 0002 00000002 00000001 00000004 00000002 6364"),
        ENET_NOTE(ENET_NOTE_FRAGMENT_LATE));
    assert_int_equal(
        notes_after(INITIATOR, "0001 0c000000 0002 0002 00000003 00000001 00000006 00000002 6364"),
        ENET_NOTE(ENET_NOTE_FRAGMENT_CONFLICT));
    feed_end(&fed);
}

/* Both fit into the message, but together they are longer than it. */
static void fragments_that_overlap(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "0001 0c000000 0002 0003 00000002 00000000 00000004 00000000 616263");
    feed(INITIATOR, "0001 0c000000 0002 0003 00000002 00000001 00000004 00000001 646566");
    assert_false(fed.record->commands[0].completes);
    assert_null(enet_message_at(&fed.capture, detail_of(0).about)->bytes);
    feed_end(&fed);
}

/* A Disconnect that requests no acknowledgement. */
static void never_acknowledged(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86000001 0001 61");
    assert_false(sent(0)->unanswerable);
    feed(INITIATOR, "80011001 44ff0000 00000007");
    assert_true(sent(0)->unanswerable);
    feed_end(&fed);
}

/* 200 bytes each, in frames of 72 to 77 bytes: the memory allowed beyond that is enough for two of three. */
static void fragments_beyond_the_budget(void **state)
{
    static const char *const datagrams[] = {
        "c001100078daeb60606004c2130c0c0ccc0c60c014c1308c00006dc201b0",
        "c001100178daeb60606062606438c1c0c0c00cc48c406e049006f1870500000c87027a",
        "c001100278daeb60606066606438c100a219189880288281817102c3300100e2f80245"};

    (void)state;
    open_connection();
    fed.capture.excess_budget = 300;
    assert_int_equal(notes_after(INITIATOR, datagrams[0]), 0);
    assert_int_equal(fed.capture.excess_budget, 300 - (200 - fed.record->shared_bytes));
    assert_int_equal(notes_after(INITIATOR, datagrams[1]), 0);
    uint64_t left = fed.capture.excess_budget;
    assert_in_range(left, 1, 99);
    assert_int_equal(notes_after(INITIATOR, datagrams[2]), ENET_NOTE(ENET_NOTE_NOT_KEPT));
    assert_int_equal(fed.capture.excess_budget, left);
    assert_false(fed.record->commands[0].completes);
    feed_end(&fed);
}

static void refused_before_the_handshake(void **state)
{
    (void)state;
    feed_begin(&fed);
    feed(INITIATOR, CONNECT_DATAGRAM);
    feed(ACCEPTOR, VERIFY_DATAGRAM);
    assert_int_equal(notes_after(INITIATOR, "80011000 86000001 0001 61"),
                     ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE));
    feed(INITIATOR, "8001c390 01ff0001 0001c38f");
    assert_int_equal(notes_after(INITIATOR, "80011010 86000001 0001 61"),
                     ENET_NOTE(ENET_NOTE_RETRANSMISSION) | ENET_NOTE(ENET_NOTE_REFUSED_BEFORE));
    assert_int_equal(notes_after(INITIATOR, "80011020 86000001 0001 61"),
                     ENET_NOTE(ENET_NOTE_RETRANSMISSION));
    feed(INITIATOR, DISCONNECT_DATAGRAM);
    assert_int_equal(notes_after(INITIATOR, "80011030 85ff000a"), ENET_NOTE(ENET_NOTE_AFTER_DISCONNECT));
    feed_end(&fed);
}

/* The rest of a truncated datagram is unknown. */
static void cut_datagrams(void **state)
{
    (void)state;
    open_connection();
    size_t length = from_hex("80011000 86000001 0001 61 86000002 0001 62", bytes);
    assert_non_null(feed_cut(&fed, INITIATOR, bytes, 11, length));
    assert_int_equal(notes_after(INITIATOR, "80011001 86000003 0001 61"), 0);
    assert_int_equal(notes_after(ACCEPTOR, "0000 01000002 00021000"), 0);
    feed_end(&fed);
}

/* 0 to `count` unsequenced messages of a byte, then a ping on channel 255, which is refused. */
static void feed_messages(unsigned count)
{
    static const uint8_t start[] = {0x00, 0x01}, message[] = {0x49, 0, 0, 0, 0, 1, 0, 1, 'a'},
                         ping[] = {0x85, 0xff, 0, 1};
    uint8_t *at = bytes;

    memcpy(at, start, sizeof start);
    at += sizeof start;
    for (unsigned i = 0; i < count; i++, at += sizeof message) {
        memcpy(at, message, sizeof message);
    }
    memcpy(at, ping, sizeof ping);
    at += sizeof ping;
    assert_non_null(feed_cut(&fed, INITIATOR, bytes, (size_t)(at - bytes), (size_t)(at - bytes)));
}

/* Many datagrams of different sizes; some were captured at two points, so that more is kept of them. */
static void kept_datagrams(void **state)
{
    enum { DATAGRAMS = 3000 };
    static enet_datagram_record before[DATAGRAMS];
    uint32_t messages = 0;

    (void)state;
    open_connection();
    for (unsigned i = 0; i < DATAGRAMS; i++) {
        fed.point = i % 3;
        feed_messages(i % 61);
        before[i] = *fed.record;
        assert_int_equal(before[i].first_message, i % 61 ? messages + 1 : 0);
        assert_int_equal(before[i].command_count, i % 61 + 1);
        messages += i % 61;
        before[i].commands[i % 61].subdissector = i % 16;
    }
    for (unsigned i = 0; i < DATAGRAMS; i++) {
        enet_datagram_record kept = enet_datagram_kept(&fed.capture, before[i].index);
        assert_ptr_equal(kept.sender, before[i].sender);
        assert_ptr_equal(kept.commands, before[i].commands);
        assert_int_equal(kept.command_count, before[i].command_count);
        assert_int_equal(kept.first_message, before[i].first_message);
        assert_int_equal(kept.shared_bytes, before[i].shared_bytes);
        assert_int_equal(kept.sighting, before[i].sighting);
        assert_int_equal(kept.mtu, before[i].mtu);
        assert_int_equal(kept.commands[i % 61].subdissector, i % 16);
    }
    assert_true(before[1].sighting != 0 && before[3].sighting == 0);
    assert_true(fed.capture.terms.count < 8);
    feed_end(&fed);
}

/* Each datagram differs from the previous one; those of one connection agree. */
static void recognised_in_turns(void **state)
{
    static const char *const datagrams[] = {"0001 07000000 0001 0001 61", "0002 07000000 0001 0001 61",
                                            "0001 07000000 0002 0001 61"};
    enet_detection detection;

    (void)state;
    feed_begin(&fed);
    for (unsigned i = 0; i < 3; i++) {
        size_t length = from_hex(datagrams[i], bytes);
        assert_int_equal(enet_detect(&detection, ENET_STOCK, bytes, length, fed.plain), ENET_CONFIDENCE_WEAK);
        assert_int_equal(enet_recognise(&fed.conversation, &detection, INITIATOR), i == 2);
    }
    feed_end(&fed);
}

/* With checksums, those with the same connect id agree: from the library, of two connections in slot 0. */
static void recognised_by_checksum(void **state)
{
    static const struct {
        const char *hex;
        bool recognised;
    } datagrams[] = {{BOTH_ACK, false}, {SUM_ACK, false}, {SUM_ACK, true}};
    enet_detection detection;

    (void)state;
    feed_begin(&fed);
    for (unsigned i = 0; i < 3; i++) {
        size_t length = from_hex(datagrams[i].hex, bytes);
        assert_int_equal(enet_detect(&detection, ENET_STOCK, bytes, length, fed.plain), ENET_CONFIDENCE_WEAK);
        assert_int_equal(enet_recognise(&fed.conversation, &detection, ACCEPTOR), datagrams[i].recognised);
    }
    feed_end(&fed);
}

/* A datagram that only a client sends when it gives up needs no second one. */
static void recognised_by_giving_up(void **state)
{
    enet_detection detection;

    (void)state;
    feed_begin(&fed);
    size_t length = from_hex(GAVE_UP_DATAGRAM, bytes);
    assert_int_equal(enet_detect(&detection, ENET_STOCK, bytes, length, fed.plain), ENET_CONFIDENCE_GAVE_UP);
    assert_true(enet_recognise(&fed.conversation, &detection, INITIATOR));
    feed_end(&fed);
}

/* Two connections whose beginnings were not captured. Both slots of the older one are in session 0, as on
 * first use; those of the newer one in session 1, as on reuse at both ends. */
static void paired_by_session(void **state)
{
    (void)state;
    feed_begin(&fed);
    enet_bind(&fed.conversation, &(enet_header){.dialect = ENET_STOCK}, true);
    const enet_connection *older = feed(INITIATOR, "80011000 85ff0002")->sender->connection;
    const enet_connection *newer = feed(INITIATOR, "90021001 85ff0002")->sender->connection;
    assert_ptr_not_equal(older, newer);
    assert_ptr_equal(feed(ACCEPTOR, "80000500 85ff0002")->sender->connection, older);
    assert_ptr_equal(feed(ACCEPTOR, "90010501 85ff0002")->sender->connection, newer);
    feed_end(&fed);
}

#define OTHER_ID "00000002 00000002 0d1598b3" /* throttle and connect id of another process */
#define CONNECT_AGAIN                                                                                        \
    "8fff 2000 82ff0001 0000ffff 00000578 00010000 00000003 00000000 00000000 00001388 " OTHER_ID " deadbee" \
    "f"
#define VERIFY_AGAIN                                                                                         \
    "8000 2001 83ff0001 00010000 00000578 00010000 00000003 00000000 00000000 00001388 " OTHER_ID

/* Both processes end without a DISCONNECT and start again with the same ports: same slots, same sessions. */
static void started_again(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86000001 0001 61");
    feed(INITIATOR, CONNECT_AGAIN);
    feed(ACCEPTOR, VERIFY_AGAIN);
    assert_int_equal(notes_after(INITIATOR, "80012002 01ff0001 00012001"), 0);
    assert_int_equal(fed.record->sender->connection->stream, 1);
    assert_int_equal(notes_after(INITIATOR, "80012003 86000001 0001 61"), 0);
    assert_int_equal(notes_after(ACCEPTOR, "0000 01000001 00012003"), 0);
    assert_int_equal(fed.record->sender->connection->stream, 1);
    const enet_connection *older = enet_connection_at(&fed.capture, 1);
    assert_int_equal(older->senders[ENET_INITIATOR].replaced_by, 2);
    assert_int_equal(older->senders[ENET_ACCEPTOR].replaced_by, 2);
    feed_end(&fed);
}

/* Only the client starts again: the server still sends to the connection before, in the same slot and
 * session, and the new client acknowledges that in its own connection. */
static void client_started_again(void **state)
{
    (void)state;
    open_connection();
    feed(ACCEPTOR, "80001000 86000001 0001 61");
    feed(INITIATOR, "8001 1001 01000001 00011000 85ff0002");
    feed(ACCEPTOR, "80001002 86000002 0001 61");
    feed(ACCEPTOR, "80001003 86000003 0001 61");
    feed(INITIATOR, CONNECT_AGAIN);
    feed(ACCEPTOR,
         "8000 2001 83ff0001 00020000 00000578 00010000 00000003 00000000 00000000 00001388 " OTHER_ID);
    assert_int_equal(notes_after(INITIATOR, "80022002 01ff0001 00012001"), 0);
    assert_int_equal(fed.record->sender->connection->stream, 1);
    assert_int_equal(notes_after(ACCEPTOR, "80002003 86000002 0001 61"), ENET_NOTE(ENET_NOTE_RETRANSMISSION));
    assert_int_equal(fed.record->sender->connection->stream, 0);
    assert_int_equal(notes_after(INITIATOR, "0002 01000002 00022003"), 0);
    assert_int_equal(fed.record->sender->connection->stream, 1);
    assert_int_equal(feed(ACCEPTOR, "80002004 86000004 0001 61")->sender->connection->stream, 0);
    /* sent again with it: the very first message, which the new connection may begin with as well */
    assert_int_equal(feed(ACCEPTOR, "80002004 86000001 0001 61 86000004 0001 61")->sender->connection->stream,
                     0);
    assert_int_equal(notes_after(ACCEPTOR, "80002005 86000001 0002 6162"), 0);
    assert_int_equal(fed.record->sender->connection->stream, 1);
    assert_int_equal(feed(ACCEPTOR, "80002006 86000002 0002 6162")->sender->connection->stream, 1);
    assert_false(enet_connection_at(&fed.capture, 1)->is_lossy);
    feed_end(&fed);
}

/* The same without the new CONNECT in the capture: the acknowledgement of VERIFY_CONNECT shows it. */
static void started_again_unseen(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86000001 0001 61");
    feed(ACCEPTOR, VERIFY_AGAIN);
    assert_int_equal(feed(INITIATOR, "80011001 85ff0002")->sender->connection->stream, 0);
    assert_int_equal(feed(INITIATOR, "80012002 01ff0001 00012001")->sender->connection->stream, 1);
    assert_int_equal(feed(INITIATOR, "80012003 86000001 0001 61")->sender->connection->stream, 1);
    assert_int_equal(feed(ACCEPTOR, "0000 01000001 00012003")->sender->connection->stream, 1);
    feed_end(&fed);
}

/* The same connect id once more, as Godot 3 has it for each client, and the DISCONNECT was not captured. */
static void same_connect_id(void **state)
{
    (void)state;
    open_connection();
    feed(INITIATOR, "80011000 86000001 0001 61");
    feed(INITIATOR, CONNECT_DATAGRAM); /* the network has doubled it */
    assert_int_equal(fed.record->sender->connection->stream, 0);
    feed(INITIATOR, "8fff 4000" CONNECT_COMMAND);
    assert_int_equal(fed.record->sender->connection->stream, 1);
    feed(ACCEPTOR, "8000 4001" VERIFY_COMMAND);
    feed(INITIATOR, "80014002 01ff0001 00014001");
    feed(ACCEPTOR, "80004003 86000001 0001 61");
    assert_int_equal(fed.record->sender->connection->stream, 1);
    feed_end(&fed);
}

/* Only the acceptor's datagrams were captured. */
static void same_connect_id_of_acceptor(void **state)
{
    (void)state;
    feed_begin(&fed);
    feed(ACCEPTOR, VERIFY_DATAGRAM);
    feed(ACCEPTOR, "8000 c3a0" VERIFY_COMMAND); /* not acknowledged in time */
    feed(ACCEPTOR, "8000c3b0 86000001 0001 61");
    assert_int_equal(fed.record->sender->connection->stream, 0);
    feed(ACCEPTOR, "8000 d001" VERIFY_COMMAND);
    assert_int_equal(fed.record->sender->connection->stream, 1);
    feed(ACCEPTOR, "8000d003 86000001 0001 61");
    assert_int_equal(fed.record->sender->connection->stream, 1);
    assert_int_equal(fed.record->commands[0].notes, 0);
    feed_end(&fed);
}

/* A CONNECT of an ENet variant sets the dialect of everything after it. */
static void dialect_of_the_handshake(void **state)
{
    enet_detection detection;

    (void)state;
    feed_begin(&fed);
    size_t length = from_hex("4fff c38e" CONNECT_COMMAND, bytes);
    assert_int_equal(enet_detect(&detection, ENET_STOCK, bytes, length, fed.plain), ENET_CONFIDENCE_CONNECT);
    assert_true(enet_recognise(&fed.conversation, &detection, INITIATOR));
    feed(INITIATOR, "4fff c38e" CONNECT_COMMAND);
    feed(ACCEPTOR, "4000 c38f" VERIFY_COMMAND);
    assert_int_equal(fed.datagram.opened.header.dialect, ENET_CSHARP);
    assert_int_equal(notes_after(INITIATOR, "4001 c390 01ff0001 0001c38f"), 0);
    feed_end(&fed);
}

/* A message is sent six times, and its sender continues for 16 s after the last one; `timeout`: time of the
 * time-out. */
static enet_timeout_kind timeout_until(int64_t timeout)
{
    static const int64_t waits[] = {15500, 15000, 14000, 12000, 8000, 0}; /* to the last one, in ms */
    const int64_t milliseconds = 1000000, last = timeout - 16011 * milliseconds;

    feed_begin(&fed);
    fed.clock = last - 20000 * milliseconds;
    feed(INITIATOR, CONNECT_DATAGRAM);
    feed(ACCEPTOR, VERIFY_DATAGRAM);
    feed(INITIATOR, "8001c390 01ff0001 0001c38f");
    for (unsigned i = 0; i < 6; i++) {
        char datagram[64];
        fed.clock = last - waits[i] * milliseconds;
        snprintf(datagram, sizeof datagram, "8001c3a%u 86000001 0002 0700", i);
        feed(INITIATOR, datagram);
    }
    const enet_sender *sender = fed.record->sender;
    uint32_t index = detail_of(0).transmission;
    fed.clock = last + 90000 * milliseconds;
    feed(ACCEPTOR, "0000 07000000 0001 0000");
    enet_timeout found = enet_timeout_at(&fed.capture, sender, index);
    assert_true(found.kind == ENET_NO_TIMEOUT || found.transmissions == 6);
    feed_end(&fed);
    return found.kind;
}

/* With a clock that started in 1970, and before that. */
static void times_around_zero(void **state)
{
    const int64_t hour = INT64_C(3600000000000);

    (void)state;
    assert_int_equal(timeout_until(hour), ENET_TIMED_OUT);
    assert_int_equal(timeout_until(1), ENET_TIMED_OUT);
    assert_int_equal(timeout_until(0), ENET_TIMED_OUT);
    assert_int_equal(timeout_until(-hour), ENET_TIMED_OUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handshake),
        cmocka_unit_test(mtu_of_both),
        cmocka_unit_test(channels_of_the_connection),
        cmocka_unit_test(acknowledgements),
        cmocka_unit_test(gaps_and_order),
        cmocka_unit_test(unreliable_order),
        cmocka_unit_test(acknowledged_unseen),
        cmocka_unit_test(unreliable_fragments),
        cmocka_unit_test(fragments_that_overlap),
        cmocka_unit_test(never_acknowledged),
        cmocka_unit_test(fragments_beyond_the_budget),
        cmocka_unit_test(refused_before_the_handshake),
        cmocka_unit_test(cut_datagrams),
        cmocka_unit_test(kept_datagrams),
        cmocka_unit_test(recognised_in_turns),
        cmocka_unit_test(recognised_by_checksum),
        cmocka_unit_test(recognised_by_giving_up),
        cmocka_unit_test(paired_by_session),
        cmocka_unit_test(started_again),
        cmocka_unit_test(started_again_unseen),
        cmocka_unit_test(client_started_again),
        cmocka_unit_test(same_connect_id),
        cmocka_unit_test(same_connect_id_of_acceptor),
        cmocka_unit_test(dialect_of_the_handshake),
        cmocka_unit_test(times_around_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
