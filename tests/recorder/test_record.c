/* recorder/test_record.c
 *
 * Headers of records: every field, every error in a header, and headers of other classes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "recorder/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* All fields differ, so that none can be confused with another. */
static const uint8_t sample[] = {'G',  'D',  'R',  'C',  1,    0,    0x07, 0,    0x44,
                                 0x33, 0x22, 0x11, 0x78, 0x56, 0x34, 0x12, 0xfe, 0xff,
                                 0xff, 0xff, 0x02, 0x01, 24,   0,    0xaa, 0xbb};

static void test_fields(void **state)
{
    (void)state;
    recorder_record record = recorder_parse(sample, sizeof sample);
    assert_int_equal(record.status, RECORDER_WHOLE);
    assert_int_equal(record.version, 1);
    assert_int_equal(record.kind, RECORDER_PACKET);
    assert_true(record.received);
    assert_true(record.own_is_server);
    assert_int_equal(record.mode, 1);
    assert_int_equal(record.recording, 0x11223344);
    assert_int_equal(record.own_id, 0x12345678);
    assert_int_equal(record.other_id, -2);
    assert_int_equal(record.channel, 0x0102);
    assert_int_equal(record.head_length, 24);
    assert_int_equal(record.payload_offset, 24);
    assert_int_equal(record.payload_length, 2);
}

/* A longer header by a later version: the payload begins at its offset. */
static void test_longer_head(void **state)
{
    (void)state;
    uint8_t bytes[sizeof sample];
    memcpy(bytes, sample, sizeof sample);
    bytes[RECORDER_AT_HEAD_LENGTH] = 25;
    recorder_record record = recorder_parse(bytes, sizeof bytes);
    assert_int_equal(record.status, RECORDER_WHOLE);
    assert_int_equal(record.payload_offset, 25);
    assert_int_equal(record.payload_length, 1);
    bytes[RECORDER_AT_HEAD_LENGTH] = 26;
    assert_int_equal(recorder_parse(bytes, sizeof bytes).status, RECORDER_WHOLE);
    bytes[RECORDER_AT_HEAD_LENGTH] = 27;
    assert_int_equal(recorder_parse(bytes, sizeof bytes).status, RECORDER_BAD_HEAD_LENGTH);
    bytes[RECORDER_AT_HEAD_LENGTH] = 23;
    assert_int_equal(recorder_parse(bytes, sizeof bytes).status, RECORDER_BAD_HEAD_LENGTH);
}

/* Only packets have a number, and only in a longer header. */
static void test_number(void **state)
{
    (void)state;
    uint8_t bytes[32] = {0};
    memcpy(bytes, sample, sizeof sample);
    memcpy(bytes + RECORDER_AT_NUMBER, "\x04\x03\x02\x01", 4);
    for (uint8_t kind = 0; kind < RECORDER_KIND_COUNT; kind++) {
        bool packet = kind == RECORDER_PACKET || kind == RECORDER_RAW_PACKET || kind == RECORDER_STREAM;
        bytes[RECORDER_AT_KIND] = kind;
        bytes[RECORDER_AT_HEAD_LENGTH] = RECORDER_NUMBERED_LENGTH;
        assert_int_equal(recorder_parse(bytes, sizeof bytes).number, packet ? 0x01020304 : 0);
        assert_int_equal(recorder_parse(bytes, sizeof bytes).payload_length, 4);
        bytes[RECORDER_AT_HEAD_LENGTH] = RECORDER_NUMBERED_LENGTH - 1;
        assert_int_equal(recorder_parse(bytes, sizeof bytes).number, 0);
    }
}

static void test_every_cut(void **state)
{
    (void)state;
    for (uint32_t length = 0; length <= sizeof sample; length++) {
        recorder_status expected = length < 5    ? RECORDER_NO_MAGIC
                                   : length < 24 ? RECORDER_CUT_HEAD
                                                 : RECORDER_WHOLE;
        assert_int_equal(recorder_parse(sample, length).status, expected);
    }
}

/* Each byte of the header changed: it is another header or none. */
static void test_every_byte(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RECORDER_HEAD_LENGTH; i++) {
        for (unsigned value = 0; value < 256; value++) {
            uint8_t bytes[sizeof sample];
            memcpy(bytes, sample, sizeof sample);
            bytes[i] = (uint8_t)value;
            recorder_record record = recorder_parse(bytes, sizeof bytes);
            if (value != sample[i] && i < RECORDER_AT_KIND) {
                assert_int_equal(record.status,
                                 i < RECORDER_AT_VERSION ? RECORDER_NO_MAGIC : RECORDER_OTHER_VERSION);
            }
            if (record.status == RECORDER_WHOLE) {
                assert_int_equal(record.payload_offset + record.payload_length, sizeof bytes);
            }
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(recorder_kind_name(RECORDER_PACKET), "Packet");
    assert_string_equal(recorder_kind_name(RECORDER_STREAM), "Bytes of a StreamPeer");
    assert_string_equal(recorder_kind_name(RECORDER_KIND_COUNT), "Unknown");
}

static void test_steam(void **state)
{
    (void)state;
    static const uint8_t hello[] = {0x78, 0x56, 0x34, 0x12};
    const char *steam = "SteamMultiplayerPeer";
    recorder_head head = recorder_parse_head(steam, hello, 4, 0x12345678, true);
    assert_int_equal(head.kind, RECORDER_STEAM_HELLO);
    assert_int_equal(head.length, 4);
    assert_int_equal(head.peer_id, 0x12345678);
    /* Another class, a later message, another sender, other lengths: a normal packet. */
    assert_int_equal(recorder_parse_head("ENetMultiplayerPeer", hello, 4, 0x12345678, true).kind, 0);
    assert_int_equal(recorder_parse_head(NULL, hello, 4, 0x12345678, true).kind, 0);
    assert_int_equal(recorder_parse_head(steam, hello, 4, 0x12345678, false).kind, 0);
    assert_int_equal(recorder_parse_head(steam, hello, 4, 7, true).kind, 0);
    assert_int_equal(recorder_parse_head(steam, hello, 3, 0x12345678, true).kind, 0);
}

static void test_epic(void **state)
{
    (void)state;
    static const uint8_t packet[] = {0, 2, 7, 0, 0, 0, 0x02}, confirm[] = {2, 1, 1, 0, 0, 0};
    const char *epic = "EOSGMultiplayerPeer";
    recorder_head head = recorder_parse_head(epic, packet, 7, 7, false);
    assert_int_equal(head.kind, RECORDER_EPIC_PACKET);
    assert_int_equal(head.length, 6);
    assert_int_equal(head.reliability, 2);
    assert_int_equal(recorder_parse_head(epic, packet, 6, 7, false).kind, RECORDER_NO_HEAD);
    assert_int_equal(recorder_parse_head(epic, packet, 7, 8, false).kind, RECORDER_NO_HEAD);
    for (uint32_t length = 0; length < 6; length++) {
        assert_int_equal(recorder_parse_head(epic, packet, length, 7, false).kind, RECORDER_NO_HEAD);
    }
    uint8_t other[6] = {1, 0, 7, 0, 0, 0};
    assert_int_equal(recorder_parse_head(epic, other, 6, 7, false).kind, RECORDER_EPIC_PEER_ID);
    other[0] = 2;
    assert_int_equal(recorder_parse_head(epic, other, 6, 7, false).kind, RECORDER_EPIC_MESH);
    other[0] = 3;
    assert_int_equal(recorder_parse_head(epic, other, 6, 7, false).kind, RECORDER_NO_HEAD);
    other[0] = 1;
    other[1] = 3;
    assert_int_equal(recorder_parse_head(epic, other, 6, 7, false).kind, RECORDER_NO_HEAD);
    /* The server's CONFIRM_PATH for path id 1. */
    assert_int_equal(recorder_parse_head(epic, confirm, 6, 1, false).kind, RECORDER_NO_HEAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),    cmocka_unit_test(test_longer_head), cmocka_unit_test(test_number),
        cmocka_unit_test(test_every_cut), cmocka_unit_test(test_every_byte),  cmocka_unit_test(test_names),
        cmocka_unit_test(test_steam),     cmocka_unit_test(test_epic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
