/* enet/test_datagram.c
 *
 * Header and commands of ENet datagrams: datagrams of the library have no findings, and for every rule there
 * is a datagram that breaks it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "enet/wire/datagram.h"
#include "enet/enet_samples.h"
#include "enet/wire/judge.h"
#include "enet/wire/numbers.h"

static uint8_t bytes[8192];
static enet_header header;
static enet_command list[64];
static size_t count;
static enet_body body;

/* Reads a whole datagram: `header`, `list`, `count` and `body`. */
static void parse_with(const char *hex, enet_dialect dialect, bool checksum, enet_body_context context)
{
    size_t length = from_hex(hex, bytes);

    assert_true(enet_header_read(&header, bytes, length, dialect, checksum));
    context.header = &header;
    enet_body_init(&body, bytes + header.length, length - header.length, length - header.length, &context);
    for (count = 0; count < 64 && enet_body_next(&body, &list[count]); count++)
        ;
}

static void parse(const char *hex)
{
    parse_with(hex, ENET_STOCK, false, (enet_body_context){0});
}

static void assert_clean(void)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(list[i].finding_count, 0);
        assert_false(list[i].skipped || list[i].refused || list[i].cut);
        assert_true(list[i].has_header && list[i].complete);
    }
    assert_int_equal(body.finding_count, 0);
}

/* --- header ---------------------------------------------------------------------------------------- */

static void header_bits(void **state)
{
    (void)state;
    parse(CONNECT_DATAGRAM);
    assert_int_equal(header.word, 0x8fff);
    assert_int_equal(header.peer_id, 0xfff);
    assert_true(header.to_nobody && header.has_sent_time && !header.compressed);
    assert_int_equal(header.session, 0);
    assert_int_equal(header.sent_time, 50062);
    assert_int_equal(header.length, 4);
    parse(SESSION_ACK);
    assert_int_equal(header.session, 1);
    assert_int_equal(header.peer_id, 0);
    assert_false(header.to_nobody || header.has_sent_time);
    assert_int_equal(header.length, 2);
    parse_with(SUM_CONNECT, ENET_STOCK, true, (enet_body_context){0});
    assert_int_equal(header.length, 8);
    assert_int_equal(header.checksum_offset, 4);
    assert_int_equal(header.checksum, 0x1a4669a8);
    parse_with(SUM_ACK, ENET_STOCK, true, (enet_body_context){0});
    assert_int_equal(header.length, 6);
    assert_int_equal(header.checksum_offset, 2);
    assert_int_equal(header.checksum, 0xcbab0539);
    assert_clean();
}

static void header_truncated(void **state)
{
    size_t length = from_hex(SUM_CONNECT, bytes);

    (void)state;
    for (size_t cut = 0; cut < 8; cut++) {
        assert_false(enet_header_read(&header, bytes, cut, ENET_STOCK, true));
        assert_int_equal(header.length, cut < 2 ? 2 : 8);
    }
    assert_true(enet_header_read(&header, bytes, 8, ENET_STOCK, true));
    assert_true(enet_header_read(&header, bytes, length, ENET_STOCK, true));
}

static void header_dialects(void **state)
{
    (void)state;
    /* ENet-CSharp: sent time is bit 14, the checksum has 8 bytes, nothing is compressed */
    parse_with("4fff c38e" CONNECT_COMMAND, ENET_CSHARP, false, (enet_body_context){0});
    assert_true(header.to_nobody && header.has_sent_time && !header.compressed);
    assert_int_equal(header.sent_time, 0xc38e);
    assert_clean();
    parse_with("4001 c38e 0123456789abcdef 85ff0002", ENET_CSHARP, true, (enet_body_context){0});
    assert_int_equal(header.length, 12);
    assert_true(header.checksum == 0x0123456789abcdef);
    assert_clean();
    /* zpl with more peers: one more byte of peer id after the sent time */
    parse_with("a7ff c38e 1f" CONNECT_COMMAND, ENET_MORE_PEERS, false, (enet_body_context){0});
    assert_int_equal(header.peer_id, 0xffff);
    assert_int_equal(header.length, 5);
    assert_true(header.to_nobody);
    assert_clean();
    parse_with("b803 c38e 02 11223344 85ff0002", ENET_MORE_PEERS, true, (enet_body_context){0});
    assert_int_equal(header.peer_id, 0x1003);
    assert_int_equal(header.session, 3);
    assert_int_equal(header.checksum_offset, 5);
    assert_int_equal(header.checksum, 0x11223344);
    assert_clean();
    /* without the extra byte 0x7ff is an ordinary peer */
    parse_with("87ff c38e 85ff0002", ENET_MORE_PEERS, false, (enet_body_context){0});
    assert_false(header.to_nobody);
    for (int i = 0; i < ENET_DIALECT_COUNT; i++) {
        assert_string_not_equal(enet_dialects[i].name, "?");
    }
}

/* --- commands -------------------------------------------------------------------------------------- */

static void connect_fields(void **state)
{
    (void)state;
    parse(CONNECT_DATAGRAM);
    assert_clean();
    assert_int_equal(count, 1);
    assert_int_equal(list[0].type, ENET_CONNECT);
    assert_int_equal(list[0].byte, 0x82);
    assert_int_equal(list[0].channel, 255);
    assert_int_equal(list[0].sequence, 1);
    assert_int_equal(list[0].length, 48);
    assert_true(list[0].acknowledge && !list[0].unsequenced);
    assert_int_equal(list[0].fields.connect.peer_id, 0);
    assert_int_equal(list[0].fields.connect.incoming_session, 255);
    assert_int_equal(list[0].fields.connect.outgoing_session, 255);
    assert_int_equal(list[0].fields.connect.mtu, 1400);
    assert_int_equal(list[0].fields.connect.window_size, 65536);
    assert_int_equal(list[0].fields.connect.channel_count, 3);
    assert_int_equal(list[0].fields.connect.throttle_interval, 5000);
    assert_int_equal(list[0].fields.connect.throttle_acceleration, 2);
    assert_int_equal(list[0].fields.connect.throttle_deceleration, 2);
    assert_int_equal(list[0].fields.connect.connect_id, 0x0c1598b2);
    assert_int_equal(list[0].fields.connect.data, 0xdeadbeef);
    parse(REVERIFY_DATAGRAM);
    assert_clean();
    assert_int_equal(list[0].type, ENET_VERIFY_CONNECT);
    assert_int_equal(list[0].length, 44);
    assert_int_equal(list[0].fields.connect.peer_id, 1);
    assert_int_equal(list[0].fields.connect.incoming_session, 1);
    assert_int_equal(list[0].fields.connect.channel_count, 255);
    assert_int_equal(list[0].fields.connect.connect_id, 0x0d1598b2);
    assert_int_equal(list[0].fields.connect.data, 0);
}

static void small_commands(void **state)
{
    (void)state;
    parse(ACK_AND_PING_DATAGRAM);
    assert_clean();
    assert_int_equal(count, 2);
    assert_int_equal(list[0].type, ENET_ACKNOWLEDGE);
    assert_int_equal(list[0].fields.acknowledgement.sequence, 1);
    assert_int_equal(list[0].fields.acknowledgement.sent_time, 0xc38f);
    assert_int_equal(list[1].type, ENET_PING);
    assert_int_equal(list[1].offset, 8);
    assert_int_equal(list[1].index, 1);
    assert_int_equal(list[1].sequence, 2);
    parse(THROTTLE_DATAGRAM);
    assert_clean();
    assert_int_equal(list[0].fields.throttle.interval, 4000);
    assert_int_equal(list[0].fields.throttle.acceleration, 3);
    assert_int_equal(list[0].fields.throttle.deceleration, 1);
    parse("8001 0001 8aff0003 00010000 00020000");
    assert_clean();
    assert_int_equal(list[0].fields.bandwidth.incoming, 65536);
    assert_int_equal(list[0].fields.bandwidth.outgoing, 131072);
    parse(DISCONNECT_DATAGRAM);
    assert_clean();
    assert_int_equal(list[0].fields.disconnect.data, 0x11223344);
    parse(DISCONNECT_44_DATAGRAM);
    assert_clean();
    assert_int_equal(list[0].fields.disconnect.data, 9);
    assert_true(list[0].unsequenced && !list[0].acknowledge);
}

static void data_commands(void **state)
{
    static const uint32_t lengths[] = {5, 6, 7, 8, 9, 20, 6};
    uint32_t position = 0;

    (void)state;
    parse(SEVEN_DATAGRAM);
    assert_clean();
    assert_int_equal(count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(list[i].offset, position);
        assert_int_equal(list[i].data_length, lengths[i]);
        assert_int_equal(list[i].announced_length, lengths[i]);
        assert_int_equal(list[i].data_offset, position + list[i].fixed_length);
        assert_int_equal(list[i].length, list[i].fixed_length + lengths[i]);
        position += list[i].length;
    }
    assert_int_equal(list[2].fields.unreliable.sequence, 2);
    assert_int_equal(list[4].fields.unsequenced.group, 2);
    assert_int_equal(list[4].channel, 2);
    assert_int_equal(list[5].sequence, 2);
}

/* A datagram with one fragment; the data are zeros. */
static void parse_fragment(const char *command, uint32_t length)
{
    size_t head = from_hex(command, bytes);

    memset(bytes + head, 0, length);
    assert_true(enet_header_read(&header, bytes, head + length, ENET_STOCK, false));
    enet_body_init(&body, bytes + header.length, head + length - header.length, head + length - header.length,
                   &(enet_body_context){.header = &header});
    assert_true(enet_body_next(&body, &list[0]));
    assert_false(enet_body_next(&body, &list[1]));
    count = 1;
}

static void fragments(void **state)
{
    (void)state;
    parse_fragment("0000 0c020000 0001055c 00000003 00000000 00000bb8 00000000", 1372);
    assert_clean();
    assert_int_equal(list[0].type, ENET_SEND_UNRELIABLE_FRAGMENT);
    assert_int_equal(list[0].fields.fragment.start_sequence, 1);
    assert_int_equal(list[0].fields.fragment.count, 3);
    assert_int_equal(list[0].fields.fragment.total_length, 3000);
    assert_int_equal(list[0].data_length, 1372);
    parse_fragment("8001c3e9 88010002 0001055c 00000003 00000001 00000fa0 0000055c", 1372);
    assert_clean();
    assert_int_equal(list[0].fields.fragment.number, 1);
    assert_int_equal(list[0].fields.fragment.offset, 1372);
    /* the last one is shorter; numbers wrap */
    parse_fragment("8001c3e9 88010001 ffff04e0 00000003 00000002 00000f98 00000ab8", 1248);
    assert_clean();
}

static void command_facts(void **state)
{
    static const char *const names[] = {"None",
                                        "Acknowledge",
                                        "Connect",
                                        "Verify Connect",
                                        "Disconnect",
                                        "Ping",
                                        "Send Reliable",
                                        "Send Unreliable",
                                        "Send Fragment",
                                        "Send Unsequenced",
                                        "Bandwidth Limit",
                                        "Throttle Configure",
                                        "Send Unreliable Fragment"};

    (void)state;
    for (unsigned i = 0; i < ENET_COMMAND_COUNT; i++) {
        assert_string_equal(enet_commands[i].name, names[i]);
    }
    for (unsigned i = ENET_COMMAND_COUNT; i <= ENET_COMMAND_TYPE_MASK; i++) {
        assert_string_equal(enet_commands[i].name, "Unknown");
        assert_int_equal(enet_commands[i].fixed_length, 0);
    }
}

/* --- findings -------------------------------------------------------------------------------------- */

static const finding *finding_in(const finding *findings, uint32_t number, enet_problem problem)
{
    for (uint32_t i = 0; i < number; i++) {
        if (findings[i].problem == problem) {
            return &findings[i];
        }
    }
    return NULL;
}

/* The result for a datagram: exactly one problem, in the first command that has any. */
typedef struct {
    const char *hex;
    enet_problem problem;
    enet_effect effect;
    uint32_t offset, length; /* in the body */
} damage;

#define PADDING_ZEROS "0000000000000000"

static const damage damages[] = {
    /* the walk */
    {"8001 0001 85ff00", ENET_PROBLEM_TRUNCATED_HEADER, ENET_REST_SKIPPED, 0, 3},
    {"8001 0001 85ff0002 85", ENET_PROBLEM_TRUNCATED_HEADER, ENET_REST_SKIPPED, 4, 1},
    {"0001 00000000", ENET_PROBLEM_UNKNOWN_COMMAND, ENET_REST_SKIPPED, 0, 1},
    {"8001 0001 85ff0002 0d000000 00000000", ENET_PROBLEM_UNKNOWN_COMMAND, ENET_REST_SKIPPED, 4, 1},
    {"0001 0e000000", ENET_PROBLEM_UNKNOWN_COMMAND, ENET_REST_SKIPPED, 0, 1},
    {"0001 0f000000", ENET_PROBLEM_UNKNOWN_COMMAND, ENET_REST_SKIPPED, 0, 1},
    {"0001 01ff0001 0001c3", ENET_PROBLEM_TRUNCATED_COMMAND, ENET_REST_SKIPPED, 0, 7},
    {"8001 0001 84ff0009 112233", ENET_PROBLEM_TRUNCATED_COMMAND, ENET_REST_SKIPPED, 0, 7},
    {"8001 0001 86000001 00", ENET_PROBLEM_TRUNCATED_COMMAND, ENET_REST_SKIPPED, 0, 5},
    {"8001 0001 86000001 0002 11", ENET_PROBLEM_DATA_OVERRUN, ENET_REST_SKIPPED, 0, 7},
    {"0001 07000001 0001 ffff 11", ENET_PROBLEM_DATA_OVERRUN, ENET_REST_SKIPPED, 0, 9},
    {"0001 49000000 0001 0001", ENET_PROBLEM_DATA_OVERRUN, ENET_REST_SKIPPED, 0, 8},
    /* addressing */
    {"8fff 0001 85ff0002", ENET_PROBLEM_NOT_CONNECT, ENET_REST_SKIPPED, 0, 4},
    {"8fff 0001" VERIFY_COMMAND, ENET_PROBLEM_NOT_CONNECT, ENET_REST_SKIPPED, 0, 44},
    {"8fff 0001 84ff0002 00000005", ENET_PROBLEM_NOT_CONNECT, ENET_REST_SKIPPED, 0, 8},
    {GAVE_UP_DATAGRAM, ENET_PROBLEM_GAVE_UP, ENET_REST_SKIPPED, 0, 8},
    {CONNECT_DATAGRAM "85ff0002", ENET_PROBLEM_AFTER_CONNECT, ENET_REST_SKIPPED, 48, 4},
    {CONNECT_DATAGRAM CONNECT_COMMAND, ENET_PROBLEM_CONNECT_TO_PEER, ENET_REST_SKIPPED, 48, 48},
    {"8001 c38e" CONNECT_COMMAND, ENET_PROBLEM_CONNECT_TO_PEER, ENET_REST_SKIPPED, 0, 48},
    /* any command */
    {"0001 85ff0002", ENET_PROBLEM_NO_SENT_TIME, ENET_NOT_ACKNOWLEDGED, 0, 1},
    {"0001 86000001 0001 11", ENET_PROBLEM_NO_SENT_TIME, ENET_NOT_ACKNOWLEDGED, 0, 1},
    {"8001 0001 95ff0002", ENET_PROBLEM_RESERVED_BITS, ENET_TOLERATED, 0, 1},
    {"8001 0001 a5ff0002", ENET_PROBLEM_RESERVED_BITS, ENET_TOLERATED, 0, 1},
    {"8001 0001 c5ff0002", ENET_PROBLEM_UNUSUAL_FLAGS, ENET_TOLERATED, 0, 1},
    {"0001 05ff0002", ENET_PROBLEM_UNUSUAL_FLAGS, ENET_TOLERATED, 0, 1},
    {"8001 0001 87000001 0001 0000", ENET_PROBLEM_UNUSUAL_FLAGS, ENET_TOLERATED, 0, 1},
    {"0001 06000001 0000", ENET_PROBLEM_UNUSUAL_FLAGS, ENET_TOLERATED, 0, 1},
    {"0001 04ff0001 00000000", ENET_PROBLEM_UNUSUAL_FLAGS, ENET_TOLERATED, 0, 1},
    {"8001 0001 86ff0001 0000", ENET_PROBLEM_CHANNEL, ENET_REST_SKIPPED, 1, 1},
    {"0001 07ff0001 0001 0000", ENET_PROBLEM_CHANNEL, ENET_REST_SKIPPED, 1, 1},
    {"0001 49ff0000 0001 0000", ENET_PROBLEM_CHANNEL, ENET_REST_SKIPPED, 1, 1},
    {"8001 0001 85000002", ENET_PROBLEM_CONNECTION_CHANNEL, ENET_TOLERATED, 1, 1},
    {"8001 0001 8afe0003 00010000 00020000", ENET_PROBLEM_CONNECTION_CHANNEL, ENET_TOLERATED, 1, 1},
    /* acknowledgements */
    {"8001 0001 85ff0002 01ff0001 00010000", ENET_PROBLEM_LATE_ACKNOWLEDGE, ENET_TOLERATED, 4, 8},
    {"0001 01ff0002 00010000", ENET_PROBLEM_ACKNOWLEDGE_SEQUENCE, ENET_TOLERATED, 2, 4},
    /* data */
    {"0001 07000001 0000 0000", ENET_PROBLEM_UNRELIABLE_SEQUENCE, ENET_TOLERATED, 4, 2},
    {"0001 49000001 0001 0000", ENET_PROBLEM_UNSEQUENCED_SEQUENCE, ENET_TOLERATED, 2, 2},
    /* fragments: length, count, number, total, offset */
    {"8001 0001 88000001 0001 0000 00000002 00000000 00000002 00000000", ENET_PROBLEM_FRAGMENT_EMPTY,
     ENET_REST_SKIPPED, 6, 2},
    {"8001 0001 88000001 0001 0001 00100001 00000000 00100001 00000000 11", ENET_PROBLEM_FRAGMENT_COUNT,
     ENET_REST_SKIPPED, 8, 4},
    {"8001 0001 88000003 0001 0001 00000002 00000002 00000002 00000001 11", ENET_PROBLEM_FRAGMENT_NUMBER,
     ENET_REST_SKIPPED, 12, 4},
    {"0001 0c000003 0001 0001 00000000 00000000 00000002 00000001 11", ENET_PROBLEM_FRAGMENT_NUMBER,
     ENET_REST_SKIPPED, 12, 4},
    {"8001 0001 88000001 0001 0001 00000002 00000000 02000001 00000000 11", ENET_PROBLEM_TOTAL_LENGTH,
     ENET_REST_SKIPPED, 16, 4},
    {"8001 0001 88000001 0001 0001 00000003 00000000 00000002 00000000 11", ENET_PROBLEM_TOTAL_TOO_SHORT,
     ENET_REST_SKIPPED, 16, 4},
    {"8001 0001 88000001 0001 0001 00000002 00000000 00000002 00000002 11", ENET_PROBLEM_FRAGMENT_OFFSET,
     ENET_REST_SKIPPED, 20, 4},
    {"8001 0001 88000001 0001 0001 00000002 00000000 00000002 ffffffff 11", ENET_PROBLEM_FRAGMENT_OFFSET,
     ENET_REST_SKIPPED, 20, 4},
    {"8001 0001 88000002 0001 0002 00000002 00000001 00000002 00000001 1111", ENET_PROBLEM_FRAGMENT_END,
     ENET_REST_SKIPPED, 6, 2},
    {"8001 0001 88000001 0001 0001 00000001 00000000 00000001 00000000 11", ENET_PROBLEM_FRAGMENT_SINGLE,
     ENET_TOLERATED, 8, 4},
    {"8001 0001 88000003 0001 0001 00000002 00000001 00000002 00000001 11", ENET_PROBLEM_FRAGMENT_SEQUENCE,
     ENET_TOLERATED, 2, 2},
    {"8001 0001 88000001 0001 0001 00000002 00000000 00000003 00000001 11", ENET_PROBLEM_FRAGMENT_TILING,
     ENET_TOLERATED, 20, 4},
    {"8001 0001 88000002 0001 0001 00000002 00000001 00000003 00000001 11", ENET_PROBLEM_FRAGMENT_TILING,
     ENET_TOLERATED, 20, 4}, /* the last one does not end the message */
    {"8001 0001 88000002 0001 0002 00000002 00000001 00000003 00000001 1111", ENET_PROBLEM_FRAGMENT_TILING,
     ENET_TOLERATED, 20, 4}, /* the last one is longer than the others */
    {"8001 0001 88000003 0001 0001 00000003 00000002 00000006 00000005 11", ENET_PROBLEM_FRAGMENT_TILING,
     ENET_TOLERATED, 20, 4}, /* the others cannot be of equal length */
};

static void each_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const damage *d = &damages[i];
        size_t first = 0, total = 0;

        parse(d->hex);
        while (first < count && list[first].finding_count == 0) {
            first++;
        }
        for (size_t c = 0; c < count; c++) {
            total += list[c].finding_count;
        }
        if (total != 1 || body.finding_count != 0 || list[first].findings[0].problem != d->problem) {
            fail_msg("%s: %zu findings, the first is %s", d->hex, total + body.finding_count,
                     total ? enet_problems[list[first].findings[0].problem].name : "none");
        }
        if (list[first].findings[0].verdict != d->effect || list[first].findings[0].offset != d->offset ||
            list[first].findings[0].length != d->length) {
            fail_msg("%s: effect %d at %u, %u bytes", d->hex, (int)list[first].findings[0].verdict,
                     list[first].findings[0].offset, list[first].findings[0].length);
        }
        assert_int_equal(list[first].refused, d->effect >= ENET_REST_SKIPPED);
    }
}

/* CONNECT and VERIFY_CONNECT with four bytes replaced. */
static void parse_patched(const char *hex, uint32_t offset, const char *patch)
{
    size_t length = from_hex(hex, bytes);

    from_hex(patch, bytes + offset);
    assert_true(enet_header_read(&header, bytes, length, ENET_STOCK, false));
    enet_body_init(&body, bytes + 4, length - 4, length - 4, &(enet_body_context){.header = &header});
    assert_true(enet_body_next(&body, &list[0]));
    assert_false(enet_body_next(&body, &list[1]));
    assert_int_equal(list[0].finding_count, 1);
}

static void handshake_damage(void **state)
{
    static const struct {
        uint32_t offset;
        const char *patch;
        enet_problem problem;
        enet_effect connect, verify;
    } patches[] = {
        {2, "0002", ENET_PROBLEM_FIRST_SEQUENCE, ENET_TOLERATED, ENET_TOLERATED},
        {4, "0fff", ENET_PROBLEM_PEER_ID, ENET_TOLERATED, ENET_TOLERATED},
        {6, "0400", ENET_PROBLEM_SESSION_BYTES, ENET_TOLERATED, ENET_TOLERATED},
        {6, "ff00", ENET_PROBLEM_SESSION_BYTES, ENET_TOLERATED, ENET_TOLERATED},
        {8, "0000023f", ENET_PROBLEM_MTU, ENET_CLAMPED, ENET_CLAMPED},
        {8, "00001001", ENET_PROBLEM_MTU, ENET_CLAMPED, ENET_CLAMPED},
        {12, "00000fff", ENET_PROBLEM_WINDOW_SIZE, ENET_CLAMPED, ENET_CLAMPED},
        {12, "00010001", ENET_PROBLEM_WINDOW_SIZE, ENET_CLAMPED, ENET_CLAMPED},
        {16, "00000000", ENET_PROBLEM_CHANNEL_COUNT, ENET_REST_SKIPPED, ENET_CONNECTION_DIES},
        {16, "00000100", ENET_PROBLEM_CHANNEL_COUNT, ENET_REST_SKIPPED, ENET_CONNECTION_DIES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++) {
        parse_patched(CONNECT_DATAGRAM, 4 + patches[i].offset, patches[i].patch);
        assert_int_equal(list[0].findings[0].problem, patches[i].problem);
        assert_int_equal(list[0].findings[0].verdict, patches[i].connect);
        parse_patched(VERIFY_DATAGRAM, 4 + patches[i].offset, patches[i].patch);
        assert_int_equal(list[0].findings[0].problem, patches[i].problem);
        assert_int_equal(list[0].findings[0].verdict, patches[i].verify);
    }
    parse_patched(VERIFY_DATAGRAM, 10, "0100");
    assert_int_equal(list[0].findings[0].problem, ENET_PROBLEM_SESSION_MISMATCH);
    parse_patched(VERIFY_DATAGRAM, 10, "ffff"); /* `fresh` is for CONNECT */
    assert_int_equal(list[0].findings[0].problem, ENET_PROBLEM_SESSION_BYTES);
    parse_patched(VERIFY_DATAGRAM, 12, "05780000"); /* ENet before 1.3.6 on a little-endian machine */
    assert_int_equal(list[0].findings[0].problem, ENET_PROBLEM_MTU_16);
    assert_int_equal(list[0].findings[0].verdict, ENET_CLAMPED);
    parse_patched(VERIFY_DATAGRAM, 12, "00780000");
    assert_int_equal(list[0].findings[0].problem, ENET_PROBLEM_MTU);
}

static void whole_datagram(void **state)
{
    char hex[4200 * 2 + 1] = "8001c38e";

    (void)state;
    parse("0001");
    assert_int_equal(count, 0);
    assert_non_null(finding_in(body.findings, body.finding_count, ENET_PROBLEM_EMPTY_BODY));
    parse("8001 0001 01ff0001 00010000");
    assert_int_equal(body.finding_count, 1);
    assert_int_equal(body.findings[0].problem, ENET_PROBLEM_UNUSED_SENT_TIME);
    parse("8001 0001 01ff0001 00010000 0d"); /* not if unreadable bytes follow */
    assert_null(finding_in(body.findings, body.finding_count, ENET_PROBLEM_UNUSED_SENT_TIME));
    parse("9fff c38e" CONNECT_COMMAND);
    assert_int_equal(body.finding_count, 1);
    assert_int_equal(body.findings[0].problem, ENET_PROBLEM_SESSION_OF_NOBODY);
    for (int i = 0; i < 33; i++) {
        strcat(hex, "85ff0002");
    }
    parse(hex);
    assert_int_equal(count, 33);
    assert_int_equal(body.finding_count, 1);
    assert_int_equal(body.findings[0].problem, ENET_PROBLEM_TOO_MANY_COMMANDS);
    hex[strlen(hex) - 8] = 0;
    parse(hex);
    assert_clean();
    parse_with(hex, ENET_STOCK, false, (enet_body_context){.mtu = 132});
    assert_clean();
    parse_with(hex, ENET_STOCK, false, (enet_body_context){.mtu = 131});
    assert_int_equal(body.finding_count, 1);
    assert_int_equal(body.findings[0].problem, ENET_PROBLEM_OVER_MTU);
}

static void longest_datagram(void **state)
{
    (void)state;
    for (uint32_t length = 4086; length <= 4087; length++) { /* 2 + 8 + length */
        char command[] = "0001 49000000 0001 0ff6";

        command[strlen(command) - 1] = length == 4086 ? '6' : '7';
        parse_fragment(command, length);
        assert_int_equal(list[0].finding_count, 0);
        assert_int_equal(list[0].data_length, length);
        assert_int_equal(body.finding_count, length - 4086);
    }
    assert_int_equal(body.findings[0].problem, ENET_PROBLEM_DATAGRAM_TOO_LONG);
    assert_int_equal(body.findings[0].verdict, ENET_DATAGRAM_DROPPED);
}

static void channels_of_the_connection(void **state)
{
    enet_body_context three = {.channel_count = 3};

    (void)state;
    parse_with("8001 0001 86020001 0000", ENET_STOCK, false, three);
    assert_clean();
    parse_with("8001 0001 86030001 0000", ENET_STOCK, false, three);
    assert_int_equal(list[0].findings[0].problem, ENET_PROBLEM_CHANNEL);
    parse("8001 0001 86fe0001 0000");
    assert_clean();
}

/* Commands after a refused one are shown, but the receiver does not process them. */
static void rest_is_skipped(void **state)
{
    (void)state;
    parse("8001 0001 85ff0002 86ff0001 0000 86ff0002 0000 95ff0003");
    assert_int_equal(count, 4);
    assert_false(list[0].skipped || list[0].refused);
    assert_true(!list[1].skipped && list[1].refused);
    assert_true(list[2].skipped && list[3].skipped);
    assert_int_equal(list[2].finding_count, 0);
    assert_int_equal(list[3].finding_count, 0);
    parse("0001 85ff0002 85ff0003"); /* executed, but nothing after it */
    assert_false(list[0].skipped || list[0].refused);
    assert_true(list[1].skipped);
    parse("0001 85ff0002 0f"); /* unreadable bytes are also reported there */
    assert_int_equal(list[1].findings[0].problem, ENET_PROBLEM_TRUNCATED_HEADER);
}

static void fastlz_padding(void **state)
{
    enet_body_context fastlz = {.fastlz = true};

    (void)state;
    parse_with("0000 01ff0002 0002c38f" PADDING_ZEROS, ENET_STOCK, false, fastlz);
    assert_int_equal(count, 2);
    assert_false(list[1].has_header);
    assert_int_equal(list[1].length, 8);
    assert_int_equal(list[1].findings[0].problem, ENET_PROBLEM_PADDING);
    assert_int_equal(body.finding_count, 0);
    assert_int_equal(body.index, 1);
    parse("0000 01ff0002 0002c38f" PADDING_ZEROS);
    assert_int_equal(list[1].findings[0].problem, ENET_PROBLEM_UNKNOWN_COMMAND);
    parse_with("0000 01ff0002 0002c38f 0000000000000001", ENET_STOCK, false, fastlz);
    assert_int_equal(list[1].findings[0].problem, ENET_PROBLEM_UNKNOWN_COMMAND);
    parse_with("0000 01ff0002 0002c38f 00000000000000", ENET_STOCK, false, fastlz);
    assert_int_equal(list[1].findings[0].problem, ENET_PROBLEM_UNKNOWN_COMMAND);
    parse_with("8000 0000 86000001 0008 1111111111111111 0000", ENET_STOCK, false, fastlz);
    assert_int_equal(list[1].findings[0].problem, ENET_PROBLEM_PADDING);
}

/* The snap length of a capture is not an error of the sender. */
static void cut_capture(void **state)
{
    size_t length = from_hex(SEVEN_DATAGRAM, bytes) - 4;

    (void)state;
    assert_true(enet_header_read(&header, bytes, length + 4, ENET_STOCK, false));
    for (size_t captured = 0; captured < length; captured++) {
        size_t seen = 0;

        enet_body_init(&body, bytes + 4, captured, length, &(enet_body_context){.header = &header});
        while (enet_body_next(&body, &list[0])) {
            assert_int_equal(list[0].finding_count, 0);
            assert_false(list[0].skipped);
            seen += list[0].length;
        }
        assert_int_equal(seen, captured);
        assert_int_equal(body.finding_count, 0);
        assert_true(body.cut);
    }
}

/* A datagram with every possible problem does not overflow the list of findings. */
static void most_findings(void **state)
{
    uint64_t seed = 1;
    uint32_t most = 0;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        size_t length = 24 + random_below(&seed, 8);
        size_t total = 0;

        for (size_t i = 0; i < length; i++) {
            bytes[i] = (uint8_t)next_random(&seed);
        }
        bytes[2] = (uint8_t)((bytes[2] & 0xf0) |
                             (bytes[2] & 1 ? ENET_SEND_FRAGMENT : ENET_SEND_UNRELIABLE_FRAGMENT));
        bytes[2 + 8] |= 0x80; /* many fragments */
        bytes[0] = bytes[3] & 1 ? 0x0f : 0x00;
        bytes[1] = 0xff;
        enet_header_read(&header, bytes, length, ENET_STOCK, false);
        enet_body_init(&body, bytes + 2, length - 2, length - 2,
                       &(enet_body_context){.header = &header, .channel_count = 1});
        while (enet_body_next(&body, &list[0])) {
            total += list[0].length;
            if (list[0].finding_count > most) {
                most = list[0].finding_count;
            }
            for (uint32_t i = 0; i < list[0].finding_count; i++) {
                assert_true(list[0].findings[i].offset + list[0].findings[i].length <= length - 2);
                assert_true(list[0].findings[i].problem < ENET_PROBLEM_COUNT);
            }
        }
        assert_true(total <= length - 2);
    }
    assert_in_range(most, 10, ENET_MAX_FINDINGS - 1);
}

/* A first byte is refused for the problem that the walk reports, and for no other reason. */
static void first_bytes(void **state)
{
    static const enet_problem refused_for[] = {ENET_PROBLEM_UNKNOWN_COMMAND, ENET_PROBLEM_RESERVED_BITS,
                                               ENET_PROBLEM_UNUSUAL_FLAGS,   ENET_PROBLEM_NO_SENT_TIME,
                                               ENET_PROBLEM_CONNECT_TO_PEER, ENET_PROBLEM_NOT_CONNECT};
    unsigned accepted = 0;

    for (unsigned i = 0; i < 4 * 256; i++) {
        const enet_header to = {.length = 4, .to_nobody = (i & 256) != 0, .has_sent_time = (i & 512) != 0};
        const enet_body_context context = {.header = &to};
        uint8_t first[48] = {(uint8_t)i};
        enet_command command;
        enet_body walk;
        bool refused = false;

        enet_body_init(&walk, first, sizeof first, sizeof first, &context);
        assert_true(enet_body_next(&walk, &command));
        for (uint32_t k = 0; k < command.finding_count; k++) {
            for (size_t m = 0; m < sizeof refused_for / sizeof refused_for[0]; m++) {
                refused |= command.findings[k].problem == refused_for[m];
            }
        }
        assert_int_equal(enet_may_begin_with(&to, i & 255), !refused);
        accepted += !refused;
    }
    assert_in_range(accepted, 4, 60);
    assert_false(enet_may_begin_with(&(enet_header){.has_sent_time = true}, 0x100 | 0x86));
    (void)state;
}

static void texts(void **state)
{
    (void)state;
    for (int i = 0; i < ENET_PROBLEM_COUNT; i++) {
        const problem_facts *info = &enet_problems[i];

        assert_non_null(info->name);
        assert_non_null(info->text);
        assert_string_not_equal(info->name, "unknown");
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(info->name, enet_problems[j].name);
        }
    }
    for (int i = ENET_TOLERATED; i <= ENET_DATAGRAM_DROPPED; i++) {
        assert_string_not_equal(enet_effect_text((enet_effect)i), "?");
    }
}

/* --- arithmetic ------------------------------------------------------------------------------------ */

static void serial_numbers(void **state)
{
    (void)state;
    assert_true(enet_serial_before(1, 2));
    assert_false(enet_serial_before(2, 2));
    assert_false(enet_serial_before(2, 1));
    assert_true(enet_serial_before(0xffff, 0));
    assert_true(enet_serial_before(0, 0x8000)); /* and in the opposite direction: ENet does not distinguish
                                                 * them */
    assert_true(enet_serial_before(0xfff0, 0x0010));
    assert_false(enet_serial_before(0x0010, 0xfff0));
}

static void accepted_numbers(void **state)
{
    (void)state;
    assert_int_equal(enet_judge_number(5, 5), ENET_NUMBER_DELIVERED);
    assert_int_equal(enet_judge_number(5, 6), ENET_NUMBER_ACCEPTED);
    assert_int_equal(enet_judge_number(5, 4), ENET_NUMBER_DELIVERED);
    assert_int_equal(enet_judge_number(5, 7 * 4096 - 1), ENET_NUMBER_ACCEPTED);
    assert_int_equal(enet_judge_number(5, 7 * 4096), ENET_NUMBER_TOO_FAR);
    assert_int_equal(enet_judge_number(5, 9 * 4096 - 1), ENET_NUMBER_TOO_FAR);
    assert_int_equal(enet_judge_number(5, 9 * 4096), ENET_NUMBER_DELIVERED);
    assert_int_equal(enet_judge_number(5, 65535), ENET_NUMBER_DELIVERED);
    assert_int_equal(enet_judge_number(65535, 0), ENET_NUMBER_ACCEPTED);
    assert_int_equal(enet_judge_number(65535, 6 * 4096 - 1), ENET_NUMBER_ACCEPTED);
    assert_int_equal(enet_judge_number(65535, 6 * 4096), ENET_NUMBER_TOO_FAR);
    assert_int_equal(enet_judge_number(4096, 4095), ENET_NUMBER_DELIVERED);
}

static void unsequenced_groups(void **state)
{
    enet_unsequenced_window window = {0};

    (void)state;
    for (uint32_t group = 1; group < 200000; group++) {
        assert_int_equal(enet_receive_group(&window, (uint16_t)group), ENET_GROUP_NEW);
        assert_int_equal(enet_receive_group(&window, (uint16_t)group), ENET_GROUP_DUPLICATE);
    }
    window = (enet_unsequenced_window){0};
    assert_int_equal(enet_receive_group(&window, 1000), ENET_GROUP_NEW);
    assert_int_equal(enet_receive_group(&window, 3), ENET_GROUP_NEW); /* any order in a window */
    assert_int_equal(enet_receive_group(&window, 32768), ENET_GROUP_TOO_FAR);
    assert_int_equal(enet_receive_group(&window, 32767), ENET_GROUP_NEW);
    assert_int_equal(enet_receive_group(&window, 1000), ENET_GROUP_TOO_FAR); /* of an earlier window */
}

static void clamped_numbers(void **state)
{
    (void)state;
    assert_int_equal(enet_clamp_mtu(0), 576);
    assert_int_equal(enet_clamp_mtu(5000), 4096);
    assert_int_equal(enet_clamp_window(70000), 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_bits),
        cmocka_unit_test(header_truncated),
        cmocka_unit_test(header_dialects),
        cmocka_unit_test(connect_fields),
        cmocka_unit_test(small_commands),
        cmocka_unit_test(data_commands),
        cmocka_unit_test(fragments),
        cmocka_unit_test(command_facts),
        cmocka_unit_test(each_damage),
        cmocka_unit_test(handshake_damage),
        cmocka_unit_test(whole_datagram),
        cmocka_unit_test(longest_datagram),
        cmocka_unit_test(channels_of_the_connection),
        cmocka_unit_test(rest_is_skipped),
        cmocka_unit_test(fastlz_padding),
        cmocka_unit_test(cut_capture),
        cmocka_unit_test(most_findings),
        cmocka_unit_test(first_bytes),
        cmocka_unit_test(texts),
        cmocka_unit_test(serial_numbers),
        cmocka_unit_test(accepted_numbers),
        cmocka_unit_test(unsequenced_groups),
        cmocka_unit_test(clamped_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
