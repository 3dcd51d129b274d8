/* enet/test_detect.c
 *
 * Recognition of ENet datagrams: those of the library in every layout, but not other protocols and random
 * bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "enet/wire/detect.h"
#include "enet/enet_samples.h"
#include "enet/wire/judge.h"

static uint8_t datagram[4200], scratch[ENET_MAX_DATAGRAM];
static enet_detection found;

static enet_confidence detect(const char *hex)
{
    return enet_detect(&found, ENET_STOCK, datagram, from_hex(hex, datagram), scratch);
}

static void plain_datagrams(void **state)
{
    static const struct {
        const char *hex;
        enet_confidence confidence;
    } cases[] = {
        {CONNECT_DATAGRAM, ENET_CONFIDENCE_CONNECT},
        {RECONNECT_DATAGRAM, ENET_CONFIDENCE_CONNECT},
        {VERIFY_DATAGRAM, ENET_CONFIDENCE_VERIFY},
        {REVERIFY_DATAGRAM, ENET_CONFIDENCE_VERIFY},
        {"8000 c38f 83ff0001 00010000 05780000 00010000 00000003 00000000 00000000 00001388 00000002 "
         "00000002 0c1598b2",
         ENET_CONFIDENCE_VERIFY}, /* of ENet before 1.3.6 */
        {SEVEN_DATAGRAM, ENET_CONFIDENCE_PLAUSIBLE},
        {"8001 c38f 01ff0001 0001c38f 01ff0001 0001c38f 85ff0002", ENET_CONFIDENCE_PLAUSIBLE},
        {ACK_AND_PING_DATAGRAM, ENET_CONFIDENCE_WEAK},
        {ACK_DATAGRAM, ENET_CONFIDENCE_WEAK},
        {TWO_ACKS_DATAGRAM, ENET_CONFIDENCE_WEAK},
        {GAVE_UP_DATAGRAM, ENET_CONFIDENCE_GAVE_UP},
        {THROTTLE_DATAGRAM, ENET_CONFIDENCE_WEAK},
        {DISCONNECT_DATAGRAM, ENET_CONFIDENCE_WEAK},
        {SESSION_ACK_AND_PING, ENET_CONFIDENCE_WEAK},
        {SESSION_ACK, ENET_CONFIDENCE_WEAK},
        {DISCONNECT_44_DATAGRAM, ENET_CONFIDENCE_WEAK},
        {"8001 c38f 85ff0002", ENET_CONFIDENCE_WEAK}, /* 8 bytes, the shortest */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (detect(cases[i].hex) != cases[i].confidence) {
            fail_msg("%s: %d", cases[i].hex, (int)found.confidence);
        }
        assert_int_equal(found.compression, ENET_COMPRESSION_NONE);
        assert_int_equal(found.header.dialect, ENET_STOCK);
        assert_false(found.header.has_checksum || found.has_seed);
        assert_ptr_equal(found.body, datagram + found.header.length);
    }
}

static void checksums(void **state)
{
    static const struct {
        const char *hex;
        uint32_t seed;
        bool compressed, proven;
    } cases[] = {
        {SUM_CONNECT, 0, false, true},
        {SUM_VERIFY, SUM_CONNECT_ID, false, true},
        {SUM_ACK_AND_PING, SUM_CONNECT_ID, false, false},
        {SUM_ACK, SUM_CONNECT_ID, false, false},
        {BOTH_CONNECT, 0, true, true},
        {BOTH_VERIFY, BOTH_CONNECT_ID, true, true},
        {BOTH_SEVEN, BOTH_CONNECT_ID, true, false},
        {BOTH_TWO_ACKS, BOTH_CONNECT_ID, true, false},
        {BOTH_ACK_AND_PING, BOTH_CONNECT_ID, false, false},
        {BOTH_ACK, BOTH_CONNECT_ID, false, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(detect(cases[i].hex) > ENET_CONFIDENCE_NONE);
        assert_true(found.header.has_checksum && found.has_seed);
        assert_int_equal(found.seed, cases[i].seed);
        assert_int_equal(found.checksum_proven, cases[i].proven);
        assert_int_equal(found.compression,
                         cases[i].compressed ? ENET_COMPRESSION_RANGE_CODER : ENET_COMPRESSION_NONE);
    }
    /* a checksum of the application's own: a CONNECT is accepted, but is no proof */
    assert_int_equal(detect("8fff c38e 01020304" CONNECT_COMMAND), ENET_CONFIDENCE_CONNECT);
    assert_true(found.header.has_checksum && !found.checksum_proven);
    /* a Disconnect needs the right one */
    assert_int_equal(detect("0fff 01020304 44ff0002 00000005"), ENET_CONFIDENCE_NONE);
}

static void compressed_datagrams(void **state)
{
    (void)state;
    assert_int_equal(detect(RANGE_CONNECT), ENET_CONFIDENCE_CONNECT);
    assert_int_equal(found.compression, ENET_COMPRESSION_RANGE_CODER);
    assert_int_equal(found.body_length, 48);
    assert_int_equal(detect(RANGE_VERIFY), ENET_CONFIDENCE_VERIFY);
    assert_int_equal(
        detect("cfff 1234 0b82ff00010000ffff00000570400920002 00bc0000113882009 0c0200000002a1b2c3"
               "d412345678"),
        ENET_CONFIDENCE_CONNECT);
    assert_int_equal(found.compression, ENET_COMPRESSION_FASTLZ);
    assert_int_equal(
        detect("cfff 1234 789c6bfacfc0c8c0f0ff3f03036b01880504ff19e040b803483081f0c24d87af08998455"
               "0000e75d0993"),
        ENET_CONFIDENCE_CONNECT);
    assert_int_equal(found.compression, ENET_COMPRESSION_ZLIB);
    assert_int_equal(found.body_length, 48);
}

static void other_headers(void **state)
{
    (void)state;
    assert_int_equal(detect("4fff c38e" CONNECT_COMMAND), ENET_CONFIDENCE_CONNECT);
    assert_int_equal(found.header.dialect, ENET_CSHARP);
    assert_int_equal(detect("4fff c38e 0102030405060708" CONNECT_COMMAND), ENET_CONFIDENCE_CONNECT);
    assert_int_equal(found.header.dialect, ENET_CSHARP);
    assert_true(found.header.has_checksum && !found.has_seed);
    assert_int_equal(detect("a7ff c38e 1f" CONNECT_COMMAND), ENET_CONFIDENCE_CONNECT);
    assert_int_equal(found.header.dialect, ENET_MORE_PEERS);
    assert_int_equal(found.header.length, 5);
    assert_int_equal(detect("4001 c38e 85ff0002 85ff0003 85ff0004 85ff0005"), ENET_CONFIDENCE_NONE);
}

/* Four bytes before a valid body may always be a checksum, so one datagram is no proof. */
static bool only_a_checksum(void)
{
    return found.confidence == ENET_CONFIDENCE_WEAK && found.has_seed && !found.checksum_proven;
}

/* For every rule, a datagram that breaks only this one. */
static void rules(void **state)
{
    static const char *const broken[] = {
        "",
        "80",
        "8001",
        "8001 c38f",
        "8001 c38f 85ff00",
        "0001 01ff00", /* too short */
        "0001 85ff0002 00",
        "8001 c38f 95ff0002", /* command byte */
        "8001 c38f 05ff0002 85ff0003",
        "8001 c38f 85000002", /* channel */
        "8001 c38f 86ff0001 0000",
        "8001 c38f 85ff0002 00", /* consumed exactly */
        "8001 c38f 86000001 0001",
        "8001 c38f 01ff0001 0001c38f",          /* sent time although not needed */
        "0001 85ff0002 85ff0003",               /* sent time needed but missing */
        "8001 c38f 85ff0002 01ff0001 0001c38f", /* ACKs first */
        "0001 01ff0002 0001c38f",               /* their two numbers */
        "8fff c38f 85ff0002",                   /* to peer id 0xfff */
        "0fff 01ff0001 0001c38f",
        "1fff 44ff0002 00000005",
        "0fff 44ff0002 00000005 44ff0003 00000005",
        "8fff c38f 84ff0002 00000005",
        CONNECT_DATAGRAM "85ff0002",
        "8001 c38e" CONNECT_COMMAND,
        "0001 49000001 0001 0000", /* numbers */
        "0001 07000001 0000 0000",
        "8001 c38f 85ff0000",
        "8001 c38f 88000001 0001 0001 00000001 00000000 00000001 00000000 11", /* fragments */
        "8001 c38f 88000002 0001 0001 00000002 00000000 00000002 00000000 11",
        "0001 0c000002 0001 0001 00000002 00000001 00000003 00000001 11",
        "8000 c38f 83ff0001 00010100 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 "
        "0c1598b2", /* session differs from that of the header */
    };

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        if (detect(broken[i]) != ENET_CONFIDENCE_NONE && !only_a_checksum()) {
            fail_msg("%s: %d", broken[i], (int)found.confidence);
        }
    }
}

static void command_counts(void **state)
{
    (void)state;
    from_hex("8001c38f", datagram);
    for (int i = 0; i < 34; i++) {
        from_hex("85ff0002", datagram + 4 + 4 * i);
    }
    assert_int_equal(enet_detect(&found, ENET_STOCK, datagram, 4 + 4 * 32, scratch),
                     ENET_CONFIDENCE_PLAUSIBLE);
    assert_int_equal(enet_detect(&found, ENET_STOCK, datagram, 4 + 4 * 33, scratch), ENET_CONFIDENCE_WEAK);
    assert_true(only_a_checksum());
    assert_int_equal(enet_detect(&found, ENET_STOCK, datagram, 4 + 4 * 34, scratch), ENET_CONFIDENCE_NONE);
}

/* The length of one data command fills the datagram to its limit and beyond. */
static void longest(void **state)
{
    (void)state;
    memset(datagram, 0, sizeof datagram);
    from_hex("0001 49000000 0001 0ff6", datagram);
    assert_int_equal(enet_detect(&found, ENET_STOCK, datagram, 4096, scratch), ENET_CONFIDENCE_PLAUSIBLE);
    from_hex("0001 49000000 0001 0ff7", datagram);
    assert_int_equal(enet_detect(&found, ENET_STOCK, datagram, 4097, scratch), ENET_CONFIDENCE_NONE);
}

static void neighbours(void **state)
{
    static const char *const others[] = {
        /* DNS query and answer */
        "1a2b 0100 0001 0000 0000 0000 0377777707 6578616d706c6503636f6d00 0001 0001",
        "0001 8180 0001 0001 0000 0000 03777777076578616d706c6503636f6d0000010001 "
        "c00c000100010000003c00045db8d822",
        /* RTP, RTCP */
        "8060 1234 00015f90 deadbeef 55555555555555555555555555555555",
        "80c8 0006 deadbeef e6c8a000 00000000 00015f90 00000010 00000100",
        /* STUN binding request */
        "0001 0000 2112a442 0123456789abcdef01234567",
        "0101 000c 2112a442 0123456789abcdef01234567 00200008 0001a147e112a643",
        /* NTP */
        "e30003fa 00010000 00010000 00000000 0000000000000000 0000000000000000 0000000000000000 "
        "c50204ecec42ee92",
        /* WireGuard handshake, DTLS ClientHello, QUIC long and short header */
        "01000000 11223344 0011223344556677889900112233445566778899",
        "16fefd 0000 000000000000 002c 01000020 0000 000000000020 fefd 00112233445566778899aabbccddeeff",
        "c300000001 08 8394c8f03e515708 00 00 449e "
        "7b9aec34d1b1c98dd7689fb8ec11d242b123dc9bd8bab936b47d92ec356c0b",
        "4cfe4189655e5cd55c41f69080575d7999c25a5bfb",
        /* RakNet, mDNS, SSDP, syslog, TFTP */
        "0500ffff00fefefefefdfdfdfd12345678 06",
        "0000 8400 0000 0001 0000 0000 055f68747470045f746370056c6f63616c00 000c 0001 00001194 0002 c00c",
        "4d2d534541524348202a20485454502f312e310d0a484f53543a203233392e3235352e3235352e3235303a313930300d0a",
        "3c33343e4f63742031312032323a31343a3135206d796d616368696e652073753a",
        "0001 66696c652e747874 00 6f63746574 00",
    };

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (detect(others[i]) != ENET_CONFIDENCE_NONE) {
            fail_msg("%s: %d", others[i], (int)found.confidence);
        }
    }
}

/* Rate of random bytes that are accepted. */
static void random_bytes(void **state)
{
    static const size_t lengths[] = {6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 100, 200, 500};
    uint64_t seed = 11;
    unsigned accepted_short = 0, accepted_long = 0, with_checksum = 0;

    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        for (int round = 0; round < 100000; round++) {
            for (size_t i = 0; i < lengths[l]; i += 8) {
                uint64_t eight = next_random(&seed);
                memcpy(datagram + i, &eight, 8);
            }
            if (enet_detect(&found, ENET_STOCK, datagram, lengths[l], scratch) == ENET_CONFIDENCE_NONE) {
                continue;
            }
            accepted_short += !only_a_checksum() && lengths[l] < 24;
            accepted_long += !only_a_checksum() && lengths[l] >= 24;
            with_checksum += only_a_checksum();
        }
    }
    /* Expected are 4 per million with exactly one small command, and as many with a checksum before it. The
     * numbers are the same in every run; the bounds allow for changed rules. */
    assert_in_range(accepted_short, 0, 10);
    assert_in_range(with_checksum, 0, 10);
    assert_int_equal(accepted_long, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_datagrams),
        cmocka_unit_test(checksums),
        cmocka_unit_test(compressed_datagrams),
        cmocka_unit_test(other_headers),
        cmocka_unit_test(rules),
        cmocka_unit_test(command_counts),
        cmocka_unit_test(longest),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(random_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
