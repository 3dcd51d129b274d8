/* multiplayer/test_packets.c
 *
 * Multiplayer packets of Godot 3 and 4: examples as engines send them, every truncation, every kind of
 * damage.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "multiplayer/wire/api_v3.h"
#include "multiplayer/wire/scene_v4.h"
#include "base/utf8.h"

static size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t length = 0;
    for (; *hex; hex++) {
        if (*hex == ' ') {
            continue;
        }
        char pair[3] = {hex[0], hex[1], 0};
        bytes[length++] = (uint8_t)strtoul(pair, NULL, 16);
        hex++;
    }
    return length;
}

static uint8_t buffer[4096];
static multiplayer_v4_packet v4;
static multiplayer_v3_packet v3;

static void parse4(const char *hex)
{
    multiplayer_v4_parse(buffer, from_hex(hex, buffer), &v4);
}

static void parse3(const char *hex)
{
    multiplayer_v3_parse(buffer, from_hex(hex, buffer), &v3);
}

static multiplayer_confidence judge4(const char *hex)
{
    return multiplayer_v4_judge(buffer, from_hex(hex, buffer));
}

static multiplayer_confidence judge3(const char *hex)
{
    return multiplayer_v3_judge(buffer, from_hex(hex, buffer));
}

static void assert_text(multiplayer_text text, const char *expected)
{
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(buffer + text.offset, expected, text.length);
}

#define SIMPLIFY_HIT_MOVE                                                                                    \
    "01 62 31 66 30 38 62 66 31 36 37 65 34 34 32 63 35 38 66 32 62 34 38 35 31 62 62 31 65 61 32 65 33 00 " \
    "01 00 00 00 50 6c 61 79 65 72 00"
#define SPAWN_ENEMY                                                                                          \
    "04 00 02 00 00 00 01 00 00 00 01 00 00 00 07 00 00 00 02 00 00 00 45 6e 65 6d 79 31 00 05 00 00 00 00 " \
    "00 40 40 00 00 80 40"
#define SPAWN_CUSTOM "04 ff 02 00 00 00 03 00 00 00 00 00 00 00 02 00 00 00 50 00 02 00 00 00 02 2a"
#define SYNC_ONE     "06 01 00 03 00 00 80 0c 00 00 00 05 00 00 00 00 00 80 3f 00 00 00 40"
#define DELTA_ONE    "16 02 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 02 64"

static void calls(void **state)
{
    (void)state;
    parse4("00 01 00 02 02 05 04 00 00 00 02 00 00 00 68 69 00 00");
    assert_int_equal(v4.findings.count, 0);
    assert_int_equal(v4.u.call.node, 1);
    assert_int_equal(v4.u.call.method, 0);
    assert_int_equal(v4.u.call.count, 2);
    assert_int_equal(v4.u.call.arguments_offset, 4);
    assert_int_equal(v4.u.call.arguments_length, 14);

    parse4("90 2c 01 02");
    assert_int_equal(v4.u.call.node, 300);
    assert_int_equal(v4.u.call.method, 2);
    assert_true(v4.u.call.raw);
    assert_int_equal(v4.u.call.count, 0);

    parse4("80 01 03 de ad");
    assert_int_equal(v4.u.call.count, 1);
    assert_int_equal(v4.u.call.arguments_length, 2);

    parse4("40 01 00 80 01 81");
    assert_int_equal(v4.u.call.method, MULTIPLAYER_V4_NODE_METHOD);
    assert_int_equal(v4.u.call.count, 1);
    assert_int_equal(v4.findings.count, 0);

    parse4("20 08 00 00 80 00 01 81 50 6c 61 79 65 72 00");
    assert_text(v4.u.call.path, "Player");
    assert_int_equal(v4.u.call.arguments_length, 1);
    assert_int_equal(v4.findings.count, 0);

    parse4("a0 01 00 00 00 00"); /* a wide id without path: another receiver has not confirmed it */
    assert_int_equal(v4.u.call.node, 1);
    assert_int_equal(v4.findings.count, 0);
}

static void paths(void **state)
{
    (void)state;
    parse4(SIMPLIFY_HIT_MOVE);
    assert_int_equal(v4.u.simplify.id, 1);
    assert_text(v4.u.simplify.path, "Player");
    assert_memory_equal(buffer + v4.u.simplify.checksum_offset, "b1f08bf167e442c58f2b4851bb1ea2e3", 32);
    parse4("02 01 01 00 00 00");
    assert_int_equal(v4.u.confirm.id_offset, 2);
    assert_int_equal(v4.u.confirm.id, 1);
    parse4("02 01 50 6c 61 79 65 72 00");
    assert_int_equal(v4.u.confirm.id_offset, 0);
    assert_text(v4.u.confirm.path, "Player");
    parse4("02 00 61 62 63 00"); /* six bytes, yet a path of 4.0 - 4.2 */
    assert_text(v4.u.confirm.path, "abc");
    parse4("02 01 2c 01 00 00");
    assert_int_equal(v4.u.confirm.id, 300);
    parse4("02 02 01 00 00 00");
    assert_int_equal(v4.findings.list[0].problem, MULTIPLAYER_PROBLEM_UNUSED_BITS);
    parse4(
        "04 00 01 00 00 00 05 00 00 00 02 00 00 00 00 00 00 00 06 00 00 00 61 62 63"); /* one id and a part of one */
    assert_int_equal(v4.findings.list[0].problem, MULTIPLAYER_PROBLEM_SIZE_FIELD);
    assert_int_equal(v4.findings.list[0].offset, 10); /* the number of ids */
    assert_int_equal(v4.u.spawn.sync_ids_length, 4);
}

/* A node, a mask of Delta, a size, the data: one after the other, with nothing between them. */
static void assert_places(const multiplayer_v4_entry *entry, uint32_t begin, uint32_t end)
{
    uint32_t mask_length = v4.u.sync.delta ? 8 : 0;
    assert_int_equal(entry->offset, begin);
    assert_int_equal(entry->mask_offset, mask_length ? begin + 4 : 0);
    assert_int_equal(entry->size_offset, begin + 4 + mask_length);
    assert_int_equal(entry->data_offset, begin + 8 + mask_length);
    assert_int_equal(entry->data_offset + entry->data_length, end);
    assert_int_equal(entry->offset + entry->length, end);
}

static void replication(void **state)
{
    (void)state;
    parse4(SPAWN_ENEMY);
    assert_int_equal(v4.findings.count, 0);
    assert_int_equal(v4.u.spawn.spawner, 2);
    assert_int_equal(v4.u.spawn.net_id, 1);
    assert_int_equal(v4.u.spawn.sync_ids_length, 4);
    assert_text(v4.u.spawn.name, "Enemy1");
    assert_int_equal(v4.u.spawn.state_length, 12);
    assert_int_equal(v4.u.spawn.argument_size_offset, 0);

    parse4(SPAWN_CUSTOM);
    assert_int_equal(v4.findings.count, 0);
    assert_text(v4.u.spawn.name, "P");
    assert_int_equal(v4.u.spawn.argument_length, 2);
    assert_int_equal(v4.u.spawn.state_length, 0);

    parse4("05 01 00 00 00");
    assert_int_equal(v4.u.despawn.net_id, 1);

    multiplayer_v4_entry entry;
    parse4(SYNC_ONE);
    uint32_t position = v4.u.sync.entries_offset;
    assert_int_equal(v4.u.sync.time, 1);
    assert_true(multiplayer_v4_next_entry(&v4, &position, &entry));
    assert_int_equal(entry.id, 3 | MULTIPLAYER_V4_PATH_FLAG);
    assert_int_equal(entry.data_length, 12);
    assert_places(&entry, v4.u.sync.entries_offset, v4.length);
    assert_false(multiplayer_v4_next_entry(&v4, &position, &entry));

    parse4(DELTA_ONE);
    position = v4.u.sync.entries_offset;
    assert_true(v4.u.sync.delta);
    assert_true(multiplayer_v4_next_entry(&v4, &position, &entry));
    assert_int_equal(entry.id, 2);
    assert_int_equal(entry.mask, 1);
    assert_int_equal(entry.data_length, 2);
    assert_places(&entry, v4.u.sync.entries_offset, v4.length);
    assert_int_equal(position, v4.length);

    parse4(SYNC_ONE " 02 00 00 00 02 00 00 00 02 64"); /* two of them */
    position = v4.u.sync.entries_offset;
    assert_true(multiplayer_v4_next_entry(&v4, &position, &entry));
    assert_places(&entry, v4.u.sync.entries_offset, v4.length - 10);
    assert_true(multiplayer_v4_next_entry(&v4, &position, &entry));
    assert_int_equal(entry.id, 2);
    assert_places(&entry, v4.length - 10, v4.length);
    assert_int_equal(entry.data_length, 2);
}

static void system_messages(void **state)
{
    (void)state;
    parse4("07 00");
    assert_int_equal(v4.u.sys.data_length, 0);
    assert_int_equal(v4.findings.count, 0);
    parse4("07 01 78 56 34 12");
    assert_int_equal(v4.u.sys.peer, 0x12345678);
    parse4("07 02 78 56 34 12");
    assert_int_equal(v4.u.sys.subcommand, MULTIPLAYER_V4_DEL_PEER);
    parse4("07 03 fe ff ff ff 03 78"); /* to everybody but peer 2 */
    assert_int_equal(v4.u.sys.peer, -2);
    assert_int_equal(v4.u.sys.data_offset, 6);
    assert_int_equal(v4.findings.count, 0);
}

/* Damaged packets, their findings, and the reaction of the engine. */
static void damaged(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        multiplayer_problem problem;
        multiplayer_verdict verdict;
    } cases[] = {
        {"", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"30 01 00", MULTIPLAYER_PROBLEM_ID_SIZE, MULTIPLAYER_DROPPED},
        {"08 01 00 01 81", MULTIPLAYER_PROBLEM_UNUSED_BITS, MULTIPLAYER_IGNORED},
        {"13 41", MULTIPLAYER_PROBLEM_UNUSED_BITS, MULTIPLAYER_IGNORED},
        {"00 01", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"00 01 00", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"00 00 00 01 81", MULTIPLAYER_PROBLEM_ID_ZERO, MULTIPLAYER_DROPPED},
        {"00 01 00 00", MULTIPLAYER_PROBLEM_EMPTY_CALL, MULTIPLAYER_TOLERATED},
        {"90 01 00 00", MULTIPLAYER_PROBLEM_NOT_MINIMAL, MULTIPLAYER_TOLERATED},
        {"c0 01 01 00", MULTIPLAYER_PROBLEM_NOT_MINIMAL, MULTIPLAYER_TOLERATED},
        {"20 ff 00 00 80 00 01 81", MULTIPLAYER_PROBLEM_PATH_OFFSET, MULTIPLAYER_DROPPED},
        {"20 03 00 00 80 00 01 81", MULTIPLAYER_PROBLEM_PATH_OFFSET, MULTIPLAYER_DROPPED},
        {"20 08 00 00 80 00 01 81 50", MULTIPLAYER_PROBLEM_UNTERMINATED, MULTIPLAYER_TOLERATED},
        {"20 08 00 00 80 00 01 81 50 00 01", MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED},
        {"02 01", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"03", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"04 00 02 00 00 00 01 00 00 00 ff ff ff 7f 02 00 00 00 50 00", MULTIPLAYER_PROBLEM_SIZE_FIELD,
         MULTIPLAYER_DROPPED},
        {"04 00 02 00 00 00 01 00 00 00 00 00 00 00 ff ff ff ff 50 00", MULTIPLAYER_PROBLEM_SIZE_FIELD,
         MULTIPLAYER_DROPPED},
        {"04 00 02 00 00 00 01 00 00 00 00 00 00 00 03 00 00 00 40 41 00", MULTIPLAYER_PROBLEM_NODE_NAME,
         MULTIPLAYER_DROPPED},
        {"04 ff 02 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 50 00 09 00 00 00 02",
         MULTIPLAYER_PROBLEM_SIZE_FIELD, MULTIPLAYER_DROPPED},
        {"05 01 00 00", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"06 01 00 01 00 00 00 00 00 00", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"06 01 00 01 00 00 00 01 00 00 00 81 07", MULTIPLAYER_PROBLEM_TRAILING, MULTIPLAYER_IGNORED},
        {"07", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"07 01 01 00 00 00", MULTIPLAYER_PROBLEM_PEER_ID, MULTIPLAYER_TOLERATED},
        {"07 03 02 00 00 00", MULTIPLAYER_PROBLEM_TOO_SHORT, MULTIPLAYER_DROPPED},
        {"07 03 02 00 00 00 07 00", MULTIPLAYER_PROBLEM_RELAYED_SYSTEM, MULTIPLAYER_DROPPED},
        {"07 09 01", MULTIPLAYER_PROBLEM_SUBCOMMAND, MULTIPLAYER_DROPPED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse4(cases[i].hex);
        if (v4.findings.count == 0 || v4.findings.list[0].problem != cases[i].problem ||
            v4.findings.list[0].verdict != cases[i].verdict) {
            fail_msg("%s: %s, %s", cases[i].hex,
                     v4.findings.count ? multiplayer_problems[v4.findings.list[0].problem].name : "nothing",
                     v4.findings.count ? multiplayer_verdict_text(v4.findings.list[0].verdict) : "");
        }
        assert_int_equal(judge4(cases[i].hex), MULTIPLAYER_IMPOSSIBLE);
    }
    /* Where: the node's number, not what comes after it. */
    parse4("20 ff 00 00 80 00 01 81");
    assert_int_equal(v4.findings.list[0].offset, 1);
    assert_int_equal(v4.findings.list[0].length, 4);
    /* The iterator reports an entry that is longer than the packet. */
    multiplayer_v4_entry entry;
    parse4("06 01 00 01 00 00 00 ff ff ff 7f 81 81");
    uint32_t position = v4.u.sync.entries_offset;
    assert_true(multiplayer_v4_next_entry(&v4, &position, &entry));
    assert_int_equal(entry.findings.list[0].problem, MULTIPLAYER_PROBLEM_SIZE_FIELD);
    assert_int_equal(entry.data_length, 2);
    assert_false(multiplayer_v4_next_entry(&v4, &position, &entry));
    parse4("06 01 00 01 00 00 00 03 00 00 00 81 81"); /* by one byte */
    position = v4.u.sync.entries_offset;
    assert_true(multiplayer_v4_next_entry(&v4, &position, &entry));
    assert_int_equal(entry.findings.list[0].problem, MULTIPLAYER_PROBLEM_SIZE_FIELD);
    /* If there are more findings than space for them, the verdict still includes the rest. */
    multiplayer_findings many = {0};
    for (int i = 0; i < 20; i++) {
        multiplayer_report(&many, MULTIPLAYER_PROBLEM_TRAILING,
                           i == 19 ? MULTIPLAYER_DROPPED : MULTIPLAYER_IGNORED, 0, 0);
    }
    assert_int_equal(many.count, MULTIPLAYER_MAX_FINDINGS);
    assert_true(many.dropped);
}

static void confidence(void **state)
{
    (void)state;
    assert_int_equal(judge4(SIMPLIFY_HIT_MOVE), MULTIPLAYER_CONCLUSIVE);
    assert_int_equal(judge4(SPAWN_ENEMY), MULTIPLAYER_STRONG);
    assert_int_equal(judge4(SPAWN_CUSTOM), MULTIPLAYER_STRONG);
    assert_int_equal(judge4(SYNC_ONE), MULTIPLAYER_STRONG);
    assert_int_equal(judge4(DELTA_ONE), MULTIPLAYER_STRONG);
    assert_int_equal(judge4("07 01 78 56 34 12"), MULTIPLAYER_STRONG);
    assert_int_equal(judge4("07 03 78 56 34 12 " SIMPLIFY_HIT_MOVE), MULTIPLAYER_CONCLUSIVE);
    assert_int_equal(judge4("20 08 00 00 80 00 01 81 50 6c 61 79 65 72 00"), MULTIPLAYER_STRONG);
    assert_int_equal(judge4("00 01 00 01 81"), MULTIPLAYER_WEAK);
    assert_int_equal(judge4("80 01 03 de ad"), MULTIPLAYER_WEAK);
    assert_int_equal(judge4("a0 08 00 00 80 03 de ad 50 6c 61 79 65 72 00"),
                     MULTIPLAYER_MEDIUM); /* to a path */
    assert_int_equal(judge4("05 01 00 00 00"), MULTIPLAYER_WEAK);
    assert_int_equal(judge4("03 78"), MULTIPLAYER_WEAK);
    assert_int_equal(judge4("00 01 00 01 18 00 00 00"), MULTIPLAYER_WEAK); /* null of the type Object */
    /* never written by an engine */
    assert_int_equal(judge4("00 01 00 02 02 05"), MULTIPLAYER_IMPOSSIBLE); /* one value of two */
    assert_int_equal(judge4("00 01 00 01 42 05 00"),
                     MULTIPLAYER_IMPOSSIBLE); /* int not in its smallest size */
    assert_int_equal(judge4("00 01 00 01 02 05 00"), MULTIPLAYER_IMPOSSIBLE); /* a byte left over */
    assert_int_equal(judge4("16 02 00 00 00 03 00 00 00 00 00 00 00 02 00 00 00 02 64"),
                     MULTIPLAYER_IMPOSSIBLE); /* two values announced */
    assert_int_equal(judge4("02 01 00 00 00 00"), MULTIPLAYER_IMPOSSIBLE);
    assert_int_equal(judge4("06 01 00 01 00 00 00 03 00 00 00 81 81"), MULTIPLAYER_IMPOSSIBLE); /* size */
    assert_int_equal(judge4("06 01 00 00 00 00 70 02 00 00 00 02 64"), MULTIPLAYER_IMPOSSIBLE); /* id */

    assert_int_equal(judge3("00 01 00 00 00 66 69 72 65 00 01 02 00 00 00 01 00 00 00"), MULTIPLAYER_STRONG);
    assert_int_equal(judge3("01 01 00 00 00 68 70 00 02 00 00 00 0a 00 00 00"), MULTIPLAYER_STRONG);
    assert_int_equal(judge3("02 01 00 00 00 50 6c 61 79 65 72 00"), MULTIPLAYER_STRONG);
    assert_int_equal(judge3("03 50 6c 61 79 65 72 00"), MULTIPLAYER_MEDIUM);
    assert_int_equal(judge3("04 50"), MULTIPLAYER_WEAK);
    assert_int_equal(judge3("05 50"), MULTIPLAYER_IMPOSSIBLE);
    assert_int_equal(judge3("00 01 00 00 00 66 2e 65 00 00"), MULTIPLAYER_IMPOSSIBLE);
    assert_int_equal(judge3(SIMPLIFY_HIT_MOVE), MULTIPLAYER_IMPOSSIBLE);
}

static void godot3(void **state)
{
    (void)state;
    parse3("00 01 00 00 00 66 69 72 65 00 01 02 00 00 00 01 00 00 00");
    assert_text(v3.name, "fire");
    assert_int_equal(v3.target, 1);
    assert_int_equal(v3.count, 1);
    assert_int_equal(v3.values_length, 8);
    parse3("00 13 00 00 80 66 69 72 65 00 01 02 00 00 00 01 00 00 00 50 6c 61 79 65 72 00");
    assert_text(v3.path, "Player");
    assert_int_equal(v3.values_length, 8);
    assert_int_equal(v3.findings.count, 0);
    parse3("00 01 00 00 00 66 69 72 65 00 00");
    assert_int_equal(v3.count, 0);
    assert_int_equal(v3.findings.count, 0);
    parse3("01 01 00 00 00 68 70 00 02 00 00 00 0a 00 00 00");
    assert_text(v3.name, "hp");
    assert_int_equal(v3.values_length, 8);
    parse3("02 01 00 00 00 50 6c 61 79 65 72 00");
    assert_int_equal(v3.target, 1);
    assert_text(v3.path, "Player");
    parse3("03 50 6c 61 79 65 72 00");
    assert_text(v3.path, "Player");
    parse3("04 72 61 77");
    assert_int_equal(v3.values_length, 3);
    parse3("09 00");
    assert_int_equal(v3.findings.list[0].problem, MULTIPLAYER_PROBLEM_UNKNOWN_COMMAND);
    assert_int_equal(v3.findings.list[0].verdict, MULTIPLAYER_IGNORED);
    parse3("00 ff ff 00 80 66 00 00");
    assert_int_equal(v3.findings.list[0].problem, MULTIPLAYER_PROBLEM_PATH_OFFSET);
    parse3("00 01 00 00 00 66");
    assert_int_equal(v3.findings.list[0].problem, MULTIPLAYER_PROBLEM_UNTERMINATED);
    parse3("00 03 00 00 80 66 69 72 65 00 00 50 00"); /* a path inside of the header */
    assert_int_equal(v3.findings.list[0].problem, MULTIPLAYER_PROBLEM_PATH_OFFSET);
    assert_int_equal(v3.findings.list[0].verdict, MULTIPLAYER_TOLERATED);
    parse3("03 50 6c 00 ff");
    assert_int_equal(v3.findings.list[0].problem, MULTIPLAYER_PROBLEM_TRAILING);
    assert_int_equal(v3.findings.list[0].length, 1);
}

static void godot3_headers(void **state)
{
    (void)state;
    multiplayer_v3_header header;
    multiplayer_v3_carrier carrier;
    static const char fire[] =
        "78 56 34 12 01 00 00 00 00 01 00 00 00 66 69 72 65 00 01 02 00 00 00 01 00 00 00";
    size_t length = from_hex(fire, buffer);
    multiplayer_v3_parse_header(MULTIPLAYER_V3_ENET, buffer, length, &header);
    assert_int_equal(header.source, 0x12345678);
    assert_int_equal(header.target, 1);
    assert_int_equal(header.length, 8);
    assert_int_equal(multiplayer_v3_judge_enet(buffer, length, 1, &carrier), MULTIPLAYER_STRONG);
    assert_int_equal(carrier, MULTIPLAYER_V3_ENET);
    memset(buffer, 0, 4); /* no peer has the id 0 */
    multiplayer_v3_parse_header(MULTIPLAYER_V3_ENET, buffer, length, &header);
    assert_int_equal(header.findings.list[0].problem, MULTIPLAYER_PROBLEM_PEER_ID);

    /* 3.0 and 3.1: a third word with the flags of the ENet packet */
    static const char old[] = "78 56 34 12 fe ff ff ff 01 00 00 00 02 01 00 00 00 2f 72 6f 6f 74 2f 4d 00";
    length = from_hex(old, buffer);
    assert_int_equal(multiplayer_v3_judge_enet(buffer, length, 1, &carrier), MULTIPLAYER_STRONG);
    assert_int_equal(carrier, MULTIPLAYER_V3_ENET_FLAGS);
    multiplayer_v3_parse_header(carrier, buffer, length, &header);
    assert_int_equal(header.flags, 1);
    assert_int_equal(header.target, -2);
    assert_int_equal(header.length, 12);

    length = from_hex("00 00 00 00 78 56 34 12", buffer);
    multiplayer_v3_parse_header(MULTIPLAYER_V3_ENET_SYSTEM, buffer, length, &header);
    assert_int_equal(header.message, MULTIPLAYER_V3_ADD_PEER);
    assert_int_equal(header.peer, 0x12345678);

    length = from_hex("03 01 00 00 00 00 00 00 00 78 56 34 12", buffer);
    multiplayer_v3_parse_header(MULTIPLAYER_V3_WEBSOCKET, buffer, length, &header);
    assert_int_equal(header.message, MULTIPLAYER_V3_ASSIGN_ID);
    assert_int_equal(header.peer, 0x12345678);
    assert_int_equal(multiplayer_v3_judge_websocket(buffer, length), MULTIPLAYER_STRONG);
    length = from_hex("00 78 56 34 12 00 00 00 00 00 01 00 00 00 66 69 72 65 00 00", buffer);
    assert_int_equal(multiplayer_v3_judge_websocket(buffer, length), MULTIPLAYER_STRONG);
    multiplayer_v3_parse_header(MULTIPLAYER_V3_WEBSOCKET, buffer, length, &header);
    assert_int_equal(header.source, 0x12345678);
    assert_int_equal(header.target, 0);
    assert_int_equal(header.length, 9);
    length = from_hex("07 78 56 34 12 00 00 00 00", buffer);
    multiplayer_v3_parse_header(MULTIPLAYER_V3_WEBSOCKET, buffer, length, &header);
    assert_int_equal(header.findings.list[0].problem, MULTIPLAYER_PROBLEM_UNKNOWN_COMMAND);
    multiplayer_v3_parse_header(MULTIPLAYER_V3_WEBSOCKET, buffer, 5, &header);
    assert_int_equal(header.findings.list[0].problem, MULTIPLAYER_PROBLEM_TOO_SHORT);
}

/* No byte after the end of a truncated packet is read (the sanitizers check a copy of exactly that size), and
 * it is reported unless it is a valid shorter packet. */
static void truncated(void **state)
{
    (void)state;
    static const char *const packets[] = {
        SIMPLIFY_HIT_MOVE,
        SPAWN_ENEMY,
        SPAWN_CUSTOM,
        SYNC_ONE,
        DELTA_ONE,
        "07 03 78 56 34 12 03 78",
        "20 08 00 00 80 00 01 81 50 6c 61 79 65 72 00",
        "00 13 00 00 80 66 69 72 65 00 01 02 00 00 00 01 00 00 00 50 6c 61 79 65 72 00"};
    for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
        size_t length = from_hex(packets[i], buffer);
        for (size_t cut = 0; cut < length; cut++) {
            uint8_t *copy = malloc(cut ? cut : 1);
            multiplayer_v3_header header;
            multiplayer_v3_carrier carrier;
            memcpy(copy, buffer, cut);
            multiplayer_v4_parse(copy, cut, &v4);
            multiplayer_v4_judge(copy, cut);
            multiplayer_v3_parse(copy, cut, &v3);
            multiplayer_v3_judge_enet(copy, cut, 1, &carrier);
            multiplayer_v3_judge_websocket(copy, cut);
            for (int c = MULTIPLAYER_V3_BARE; c <= MULTIPLAYER_V3_WEBSOCKET; c++) {
                multiplayer_v3_parse_header((multiplayer_v3_carrier)c, copy, cut, &header);
            }
            free(copy);
        }
    }
}

static void names(void **state)
{
    (void)state;
    for (int i = 0; i < MULTIPLAYER_PROBLEM_COUNT; i++) {
        assert_non_null(multiplayer_problems[i].name);
        assert_true(strlen(multiplayer_problems[i].text) > 10);
    }
    assert_string_equal(multiplayer_v4_command_name(0x16), "Delta Sync");
    assert_string_equal(multiplayer_v4_command_name(0xe0), "Remote Call");
    assert_null(multiplayer_v4_subcommand_name(4));
    assert_null(multiplayer_v3_command_name(5));
    static const uint8_t latin[] = {'a', 0xe9}, control[] = {'a', 7};
    assert_false(utf8_is_printable(latin, 2));
    assert_false(utf8_is_printable(control, 2));
    assert_true(utf8_is_printable((const uint8_t *)"Spieler\xc3\xa4", 9));
    assert_false(is_identifier((const uint8_t *)"9a", 2, IDENTIFIER_UNICODE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls),           cmocka_unit_test(paths),          cmocka_unit_test(replication),
        cmocka_unit_test(system_messages), cmocka_unit_test(damaged),        cmocka_unit_test(confidence),
        cmocka_unit_test(godot3),          cmocka_unit_test(godot3_headers), cmocka_unit_test(truncated),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
