/* enet/test_checksum.c
 *
 * Checksums of datagrams sent by the ENet library, and the connect id computed back from them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "enet/wire/checksum.h"
#include "enet/wire/compression.h"
#include "enet/enet_samples.h"

static uint8_t datagram[4200], plain[4200];

static const struct {
    const char *hex;
    uint32_t seed;
    size_t plain_length;
} samples[] = {
    {SUM_CONNECT, 0, 48},
    {SUM_VERIFY, SUM_CONNECT_ID, 44},
    {SUM_ACK_AND_PING, SUM_CONNECT_ID, 12},
    {SUM_ACK, SUM_CONNECT_ID, 8},
    {BOTH_CONNECT, 0, 48},
    {BOTH_VERIFY, BOTH_CONNECT_ID, 44},
    {BOTH_ACK, BOTH_CONNECT_ID, 8},
    {BOTH_ACK_AND_PING, BOTH_CONNECT_ID, 12},
    {BOTH_SEVEN, BOTH_CONNECT_ID, 113},
    {BOTH_TWO_ACKS, BOTH_CONNECT_ID, 16},
};

/* Header and plain body of a sample. */
static size_t open_sample(size_t i, enet_header *header, const uint8_t **body)
{
    size_t length = from_hex(samples[i].hex, datagram), plain_length;

    assert_true(enet_header_read(header, datagram, length, ENET_STOCK, true));
    *body = datagram + header->length;
    plain_length = length - header->length;
    if (header->compressed) {
        assert_int_equal(enet_decompress(ENET_COMPRESSION_RANGE_CODER, *body, plain_length, plain,
                                         sizeof plain, &plain_length),
                         DECOMPRESSED);
        *body = plain;
    }
    assert_int_equal(plain_length, samples[i].plain_length);
    return plain_length;
}

static bool matches(const enet_header *header, const uint8_t *bytes, uint32_t seed, const uint8_t *body,
                    size_t length)
{
    return header->checksum == enet_checksum(header, bytes, seed, body, length);
}

static void library_checksums(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        enet_header header;
        const uint8_t *body;
        size_t length = open_sample(i, &header, &body);

        assert_int_equal(enet_checksum(&header, datagram, samples[i].seed, body, length), header.checksum);
        assert_true(matches(&header, datagram, samples[i].seed, body, length));
        assert_false(matches(&header, datagram, samples[i].seed ^ 1, body, length));
        assert_int_equal(enet_checksum_recover_seed(&header, datagram, body, length), samples[i].seed);
    }
}

static void damage_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        enet_header header;
        const uint8_t *body;
        size_t length = open_sample(i, &header, &body);

        for (size_t bit = 0; bit < 8 * length; bit++) {
            uint8_t *byte = (body == plain ? plain : datagram + header.length) + bit / 8;

            *byte ^= (uint8_t)(1u << bit % 8);
            assert_false(matches(&header, datagram, samples[i].seed, body, length));
            *byte ^= (uint8_t)(1u << bit % 8);
        }
        datagram[0] ^= 0x40; /* the compressed bit is covered, too */
        assert_false(matches(&header, datagram, samples[i].seed, body, length));
    }
}

/* The seed is found from the checksum, for any length. */
static void seeds_come_back(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (size_t length = 0; length < 4000; length += 1 + length / 8) {
        enet_header header;
        uint32_t seed = (uint32_t)next_random(&random), sum;

        for (size_t i = 0; i < 8 + length; i++) {
            datagram[i] = (uint8_t)next_random(&random);
        }
        datagram[0] |= 0x80;
        enet_header_read(&header, datagram, 8 + length, ENET_STOCK, true);
        sum = enet_checksum(&header, datagram, seed, datagram + 8, length);
        for (int i = 0; i < 4; i++) {
            datagram[4 + i] = (uint8_t)(sum >> (24 - 8 * i));
        }
        enet_header_read(&header, datagram, 8 + length, ENET_STOCK, true);
        assert_int_equal(enet_checksum_recover_seed(&header, datagram, datagram + 8, length), seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(library_checksums),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(seeds_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
