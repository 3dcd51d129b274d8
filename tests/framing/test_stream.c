/* framing/test_stream.c
 *
 * Packets in byte streams: the bytes that Godot sent for each of StreamPeer's calls, complete and truncated
 * anywhere, in both byte orders; every limit, just below and above it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "framing/stream.h"
#include "variant/variant_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* --- bytes --------------------------------------------------------------------------------------------- */

/* A block that grows. */
typedef struct {
    uint8_t *bytes;
    size_t length;
} stream;

static void append(stream *s, const void *bytes, size_t length)
{
    s->bytes = realloc(s->bytes, s->length + length);
    assert_non_null(s->bytes);
    memcpy(s->bytes + s->length, bytes, length);
    s->length += length;
}

static void append_hex(stream *s, const char *hex)
{
    test_bytes b = bytes_from_hex(hex);
    append(s, b.bytes, b.length);
    bytes_free(&b);
}

static void append_word(stream *s, uint32_t word, stream_order order)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> (order == STREAM_BIG_ENDIAN ? 24 - 8 * i : 8 * i));
    }
    append(s, bytes, sizeof bytes);
}

static void append_fill(stream *s, uint8_t byte, size_t count)
{
    s->bytes = realloc(s->bytes, s->length + count);
    assert_non_null(s->bytes);
    memset(s->bytes + s->length, byte, count);
    s->length += count;
}

static void clear(stream *s)
{
    free(s->bytes);
    *s = (stream){0};
}

/* The piece at the beginning of the first `length` bytes, read from a block of exactly that size. */
static stream_piece piece_of(const uint8_t *bytes, size_t length, stream_order order)
{
    test_bytes b = bytes_copy(bytes, length);
    stream_piece piece = stream_next(b.bytes, b.length, order);
    bytes_free(&b);
    return piece;
}

/* --- what the engine sent ------------------------------------------------------------------------------ */

typedef struct {
    const char *call;
    stream_kind kind;
    const char *wire;
} sent_piece;

/* Godot 4.6.3, StreamPeerTCP, in this order on one connection: test-captures/variant/godot-4.6-mixed.pcap,
 * without its two longest pieces. */
static const sent_piece mixed[] = {
    {"put_var", STREAM_VALUE, "200000001b00000001000000040000000500000068656c6c6f0000000200000001000000"},
    {"put_32", STREAM_STRAY, "07000000"},
    {"put_var", STREAM_VALUE, "10000000090000000000803f0000004000004040"},
    {"put_utf8_string", STREAM_DATA, "0a0000005a61c5bcc3b3c582c487"},
    {"put_var", STREAM_VALUE, "0c000000040000000400000074657874"},
    {"put_string", STREAM_DATA, "0a0000006173636969206f6e6c79"},
    {"put_var", STREAM_VALUE, "200000001c00000003000000020000000100000002000000020000000200000003000000"},
    /* Between bare numbers, small values are no evidence. */
    {"put_u8, put_var(42), put_16, put_var(null), put_u64, put_var(1.5), put_float, put_var(true), "
     "put_double",
     STREAM_STRAY,
     "ff08000000020000002a000000feff040000000000000000f2052a0100000008000000030000000000c03f0000003f080000000"
     "1"
     "000000010000009a9999999999b93f"},
    {"put_var", STREAM_VALUE,
     "2c0000001b000000010000000400000001000000610000001c0000000200000002000000010000001b00000000000000"},
    {"put_utf8_string", STREAM_DATA, "00000000"},
    {"put_var", STREAM_VALUE, "18000000220000000200000002000000610000000200000062000000"},
    {"put_half", STREAM_STRAY, "003e"},
    {"put_var", STREAM_VALUE, "14000000140000000000803f00000000000000000000803f"},
    /* byte for byte what put_var(5) sends */
    {"put_32 of 8, 2 and 5", STREAM_VALUE, "080000000200000005000000"},
    {"put_var", STREAM_VALUE, "1c00000004000000130000006166746572206261726520696e74656765727300"},
    {"put_data", STREAM_STRAY, "ffffffff00000000ffffffff"},
    {"put_var", STREAM_VALUE, "1c0000001b0000000100000004000000040000006c6173740100000001000000"},
};

/* The same with big_endian: godot-4.6-big-endian.pcap. */
static const sent_piece big[] = {
    {"put_var", STREAM_VALUE, "0000000400000000"},
    {"put_var", STREAM_VALUE, "000000080100000001000000"},
    {"put_var", STREAM_VALUE, "0000000802000000ffffffff"},
    {"put_var", STREAM_VALUE, "0000000c020001000000008000000000"},
    {"put_var", STREAM_VALUE, "0000000c030001009a9999999999b93f"},
    {"put_var", STREAM_VALUE, "0000000c040000000400000061626364"},
    {"put_var", STREAM_VALUE, "00000014040000000c00000073617920226869225c6e6f77"},
};

/* Godot 3.6, PacketPeerStream: godot-3.6-packet-stream.pcap. */
static const sent_piece packets[] = {
    {"put_var", STREAM_VALUE, "0400000000000000"},
    {"put_var", STREAM_VALUE, "08000000020000007f000000"},
    {"put_var", STREAM_VALUE, "0c0000000200010000f2052a01000000"},
    {"put_var", STREAM_VALUE, "14000000040000000c00000073617920226869225c6e6f77"},
};

static const struct {
    const sent_piece *pieces;
    size_t count;
    stream_order order;
} streams[] = {
    {mixed, sizeof mixed / sizeof mixed[0], STREAM_LITTLE_ENDIAN},
    {big, sizeof big / sizeof big[0], STREAM_BIG_ENDIAN},
    {packets, sizeof packets / sizeof packets[0], STREAM_LITTLE_ENDIAN},
};
#define STREAMS (sizeof streams / sizeof streams[0])

static stream join(size_t which)
{
    stream s = {0};
    for (size_t i = 0; i < streams[which].count; i++) {
        append_hex(&s, streams[which].pieces[i].wire);
    }
    return s;
}

static void test_pieces_that_the_engine_sent(void **state)
{
    (void)state;
    for (size_t which = 0; which < STREAMS; which++) {
        stream s = join(which);
        size_t offset = 0;
        assert_int_equal(stream_guess_order(s.bytes, s.length), streams[which].order);
        for (size_t i = 0; i < streams[which].count; i++) {
            const sent_piece *sent = &streams[which].pieces[i];
            size_t length = strlen(sent->wire) / 2;
            stream_piece piece = piece_of(s.bytes + offset, s.length - offset, streams[which].order);
            if (piece.kind != sent->kind || piece.length != length) {
                fail_msg("%s, piece %zu: kind %d, %u bytes", sent->call, i, piece.kind, piece.length);
            }
            assert_int_equal(piece.evidence,
                             sent->kind == STREAM_VALUE ? STREAM_CONTENT_EXACT : STREAM_NO_EVIDENCE);
            if (sent->kind != STREAM_STRAY) {
                assert_int_equal(piece.prefix, length - 4);
            }
            offset += length;
        }
        assert_int_equal(offset, s.length);
        clear(&s);
    }
}

/* `bytes` are one packet with a value: if it is truncated anywhere, the decoder waits for the rest. */
static void check_cuts(const uint8_t *bytes, size_t length, stream_order order)
{
    stream_piece whole = piece_of(bytes, length, order);
    assert_int_equal(whole.kind, STREAM_VALUE);
    assert_int_equal(whole.evidence, STREAM_CONTENT_EXACT);
    assert_int_equal(whole.length, length);
    assert_int_equal(whole.prefix, length - 4);

    size_t step = length < 400 ? 1 : length / 97;
    for (size_t cut = 1; cut < length; cut += cut < 64 ? 1 : step) {
        stream_piece part = piece_of(bytes, cut, order);
        assert_int_equal(part.kind, STREAM_INCOMPLETE);
        assert_int_equal(part.length, cut < 4 ? 4 : length);
        assert_int_equal(part.evidence, cut < 4   ? STREAM_NO_EVIDENCE
                                        : cut < 8 ? STREAM_LENGTH_FITS
                                                  : STREAM_CONTENT_FITS);
    }
}

/* All recorded encodings of two engines, with either byte order of the length. */
static void test_every_value_in_either_order(void **state)
{
    (void)state;
    static const char *const tables[] = {"godot-4.6-values.jsonl", "godot-3.6-values.jsonl"};
    unsigned values = 0;
    for (size_t i = 0; i < 2; i++) {
        test_table table = table_open(tables[i]);
        while (table_next(&table)) {
            char *hex = json_string(table.line, "hex");
            uint32_t length = hex ? (uint32_t)strlen(hex) / 2 : 0;
            for (stream_order order = STREAM_LITTLE_ENDIAN; length && order <= STREAM_BIG_ENDIAN; order++) {
                stream s = {0};
                append_word(&s, length, order);
                append_hex(&s, hex);
                check_cuts(s.bytes, s.length, order);
                assert_int_equal(stream_guess_order(s.bytes, s.length), order);
                clear(&s);
                values++;
            }
            free(hex);
        }
        table_close(&table);
    }
    assert_true(values > 300);
}

/* A value with a text is found between bytes that are not packets. */
static void test_value_among_other_bytes(void **state)
{
    (void)state;
    stream s = {0};
    for (int i = 0; i < 3; i++) {
        append_fill(&s, 0xff, 1);                           /* put_u8 */
        append_hex(&s, "0c000000040000000400000074657874"); /* put_var */
    }
    append_fill(&s, 0xff, 20);
    for (size_t i = 0; i < 3; i++) {
        stream_piece stray = piece_of(s.bytes + 17 * i, s.length - 17 * i, STREAM_LITTLE_ENDIAN);
        assert_int_equal(stray.kind, STREAM_STRAY);
        assert_int_equal(stray.length, 1);
        stream_piece value = piece_of(s.bytes + 17 * i + 1, s.length - 17 * i - 1, STREAM_LITTLE_ENDIAN);
        assert_int_equal(value.kind, STREAM_VALUE);
        assert_int_equal(value.length, 16);
    }
    clear(&s);
}

/* An invalid value with its length between valid ones: the length keeps the stream in sync. */
static void test_broken_value(void **state)
{
    (void)state;
    stream s = {0};
    append_hex(&s, "100000001c000000020000000200000005000000"); /* an Array of two with one element */
    append_hex(&s, "08000000020000002a000000");
    stream_piece piece = piece_of(s.bytes, s.length, STREAM_LITTLE_ENDIAN);
    assert_int_equal(piece.kind, STREAM_VALUE);
    assert_int_equal(piece.evidence, STREAM_NO_EVIDENCE);
    assert_int_equal(piece.length, 20);
    clear(&s);
}

static void test_order_not_known(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "04",                         /* fewer bytes than a length */
        "0000000000000000",           /* two empty packets in either order */
        "ffffffffffffffff",           /* no packet in either */
        "474554202f20485454502f312e", /* text */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_bytes b = bytes_from_hex(cases[i]);
        assert_int_equal(stream_guess_order(b.bytes, b.length), STREAM_UNKNOWN_ORDER);
        bytes_free(&b);
    }
}

/* --- limits -------------------------------------------------------------------------------------------- */

/* A long String that begins: more than 16 MiB are not accepted as put_var(). */
static void test_longest_packet(void **state)
{
    (void)state;
    for (stream_order order = STREAM_LITTLE_ENDIAN; order <= STREAM_BIG_ENDIAN; order++) {
        for (uint32_t over = 0; over <= 4; over += 4) {
            stream s = {0};
            append_word(&s, STREAM_MAX_PACKET + over, order);
            append_word(&s, 4, STREAM_LITTLE_ENDIAN);
            append_word(&s, STREAM_MAX_PACKET + over - 8, STREAM_LITTLE_ENDIAN);
            append_fill(&s, 'x', 100);
            stream_piece piece = piece_of(s.bytes, s.length, order);
            assert_int_equal(piece.prefix, STREAM_MAX_PACKET + over);
            assert_int_equal(piece.kind, over ? STREAM_STRAY : STREAM_INCOMPLETE);
            if (!over) {
                assert_int_equal(piece.evidence, STREAM_CONTENT_FITS);
                assert_int_equal(piece.length, STREAM_MAX_PACKET + 4);
            }
            clear(&s);
        }
    }
}

/* The same after bytes of the game's own with their length before them. */
static void test_longest_follower(void **state)
{
    (void)state;
    for (uint32_t over = 0; over <= 4; over += 4) {
        stream s = {0};
        append_hex(&s, "0a0000006173636969206f6e6c79"); /* put_string */
        append_word(&s, STREAM_MAX_PACKET + over, STREAM_LITTLE_ENDIAN);
        append_word(&s, 4, STREAM_LITTLE_ENDIAN);
        append_word(&s, STREAM_MAX_PACKET + over - 8, STREAM_LITTLE_ENDIAN);
        append_fill(&s, 'x', 100);
        stream_piece piece = piece_of(s.bytes, s.length, STREAM_LITTLE_ENDIAN);
        assert_int_equal(piece.kind, over ? STREAM_STRAY : STREAM_DATA);
        if (!over) {
            assert_int_equal(piece.length, 14);
        }
        clear(&s);
    }
}

/* Without a value, the decoder waits for as much as the buffer of a PacketPeerStream holds, and no more. */
static void test_longest_wait_without_evidence(void **state)
{
    (void)state;
    for (uint32_t length = 65532; length <= 65533; length++) {
        stream s = {0};
        append_word(&s, length, STREAM_LITTLE_ENDIAN);
        append_fill(&s, 'x', 100);
        stream_piece piece = piece_of(s.bytes, s.length, STREAM_LITTLE_ENDIAN);
        assert_int_equal(piece.kind, length == 65532 ? STREAM_INCOMPLETE : STREAM_STRAY);
        assert_int_equal(piece.length, length == 65532 ? 65536 : 104);
        assert_int_equal(piece.evidence, STREAM_NO_EVIDENCE);
        clear(&s);
    }
}

/* The next packet is found if its first eight bytes are within 64 KiB. */
static void test_longest_search(void **state)
{
    (void)state;
    for (size_t junk = 65527; junk <= 65530; junk++) {
        stream s = {0};
        append_fill(&s, 0xff, junk);
        append_hex(&s, "0c000000040000000400000074657874");
        append_fill(&s, 0xff, 16);
        stream_piece piece = piece_of(s.bytes, s.length, STREAM_LITTLE_ENDIAN);
        assert_int_equal(piece.kind, STREAM_STRAY);
        assert_int_equal(piece.length, junk <= 65528 ? junk : s.length);
        clear(&s);
    }
}

/* Candidates are read up to a total of 1 MiB: 16 of these, not 17. */
static void test_longest_reading(void **state)
{
    (void)state;
    for (size_t candidates = 16; candidates <= 19; candidates++) {
        stream s = {0};
        append_fill(&s, 0xff, 1);
        for (size_t i = 0; i < candidates; i++) {
            append_hex(&s, "f0ff00001c000000"); /* an Array of 65520, and no such */
        }
        append_fill(&s, 0xff, 4);
        size_t packet = s.length;
        append_hex(&s, "0c000000040000000400000074657874");
        append_hex(&s, "0c000000040000000400000074657874");
        append_fill(&s, 0xff, 200000);
        stream_piece piece = piece_of(s.bytes, s.length, STREAM_LITTLE_ENDIAN);
        assert_int_equal(piece.kind, STREAM_STRAY);
        /* 17 × 65520 is more than 1 MiB: the ones after them are not read */
        assert_int_equal(piece.length, candidates <= 16 ? packet : s.length);
        clear(&s);
    }
}

/* A packet of any content is accepted if eight more follow it, or fewer up to the end. */
static void test_most_followers(void **state)
{
    (void)state;
    for (int followers = 6; followers <= 9; followers++) {
        stream s = {0};
        for (int i = 0; i <= followers; i++) {
            append_hex(&s, "03000000616263");
        }
        stream_piece piece = piece_of(s.bytes, s.length, STREAM_LITTLE_ENDIAN);
        assert_int_equal(piece.kind, STREAM_DATA);
        assert_int_equal(piece.length, 7);
        append_fill(&s, 0xff, 100);
        piece = piece_of(s.bytes, s.length, STREAM_LITTLE_ENDIAN);
        assert_int_equal(piece.kind, followers >= 8 ? STREAM_DATA : STREAM_STRAY);
        assert_int_equal(piece.length, followers >= 8 ? 7 : s.length);
        clear(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_that_the_engine_sent),
        cmocka_unit_test(test_every_value_in_either_order),
        cmocka_unit_test(test_value_among_other_bytes),
        cmocka_unit_test(test_broken_value),
        cmocka_unit_test(test_order_not_known),
        cmocka_unit_test(test_longest_packet),
        cmocka_unit_test(test_longest_follower),
        cmocka_unit_test(test_longest_wait_without_evidence),
        cmocka_unit_test(test_longest_search),
        cmocka_unit_test(test_longest_reading),
        cmocka_unit_test(test_most_followers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
