/* enet_samples.h
 *
 * Datagrams sent by the ENet library (1.3.17; MTU 1392: the tree after 1.3.18), and helpers to build others.
 * For the unit tests of the ENet decoders; include after cmocka.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_SAMPLES_H
#define ENET_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* No checksum, no compression; client in slot 0, server in slot 1. */
#define CONNECT_COMMAND                                                                                      \
    "82ff0001 0000ffff 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 0c1598b2 "    \
    "deadbeef"
#define VERIFY_COMMAND                                                                                       \
    "83ff0001 00010000 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 0c1598b2"
#define SEVEN_COMMANDS                                                                                       \
    "86000001 0005 000d1a0714"                                                                               \
    "07000001 0001 0006 000d1a071401"                                                                        \
    "07000001 0002 0007 000d1a0714010e"                                                                      \
    "49010000 0001 0008 000d1a0714010e00"                                                                    \
    "49020000 0002 0009 000d1a0714010e0008"                                                                  \
    "86000002 0014 000d1a0714010e000815020f1c090103101d0a17"                                                 \
    "07000002 0001 0006 000d1a071401"

#define CONNECT_DATAGRAM      "8fff c38e" CONNECT_COMMAND
#define VERIFY_DATAGRAM       "8000 c38f" VERIFY_COMMAND
#define ACK_AND_PING_DATAGRAM "8001 c38f 01ff0001 0001c38f 85ff0002"
#define ACK_DATAGRAM          "0000 01ff0002 0002c38f"
#define SEVEN_DATAGRAM        "8001 c3ca" SEVEN_COMMANDS
#define TWO_ACKS_DATAGRAM     "0000 01000001 0001c3ca 01000002 0002c3ca"
#define GAVE_UP_DATAGRAM      "0fff44ff000200000005"
#define THROTTLE_DATAGRAM     "8001c48a8bff000300000fa00000000300000001"
#define DISCONNECT_DATAGRAM   "8001ce6584ff000911223344"
#define RECONNECT_DATAGRAM                                                                                   \
    "8fffceb582ff0001000000000000057800010000000000ff00000000000000000000138800000002000000020d1598b2010203" \
    "04"
#define REVERIFY_DATAGRAM                                                                                    \
    "9000ceb683ff0001000101010000057800010000000000ff00000000000000000000138800000002000000020d1598b2"
#define SESSION_ACK_AND_PING   "9001ceb701ff00010001ceb685ff0002"
#define SESSION_ACK            "100001ff00020002ceb7"
#define DISCONNECT_44_DATAGRAM "100044ff000200000009"

/* Checksum, no compression; connect id 857006d6. */
#define SUM_CONNECT_ID 0x857006d6
#define SUM_CONNECT                                                                                          \
    "8ffff2001a4669a882ff00010000ffff0000057000010000000000030000000000000000000013880000000200000002"       \
    "857006d6deadbeef"
#define SUM_VERIFY                                                                                           \
    "8000f201f1b4ab5b83ff0001000100000000057000010000000000030000000000000000000013880000000200000002857006" \
    "d6"
#define SUM_ACK_AND_PING "8001f2015831a7eb01ff00010001f20185ff0002"
#define SUM_ACK          "0000cbab053901ff00020002f201"

/* Checksum and range coder; connect id da954d1b. */
#define BOTH_CONNECT_ID   0xda954d1b
#define BOTH_CONNECT      "cfff2ff6234b5142837b88b1fdf1df576b939eeefcbd22fb8a54df98ab2be75a8d9cfae9ecd04e9fbaa0"
#define BOTH_VERIFY       "c0002ff79141b948847a89b1011abb0e46559429c1a0e44adc3df93535e56ad02ada80"
#define BOTH_ACK_AND_PING "80012ff7acc0063501ff000100012ff785ff0002"
#define BOTH_ACK          "00009cbc3b9201ff000200022ff7"
#define BOTH_SEVEN                                                                                           \
    "c00130335dd0bb2b867a82966873395375e363ab3dc234d2ed7be54140357b2cb6a8176a515c0195848cf9913d81a2f1fd35b4" \
    "ff"                                                                                                     \
    "59f61b4aab286856204da4fb7e39d11c8e"
#define BOTH_TWO_ACKS "4000cfde1c8401fefe24c248d6f91d542562b2"

/* Range coder, no checksum. */
#define RANGE_CONNECT "cfff10fb837b88b1fdf1df576b939eeefcbd22fb8a54df98ab2be716b43d13f460b0c8463120"
#define RANGE_VERIFY  "c00010fc847a89b1011abb0e46559429c1a0e44adc3df93534b086234a2926"

/* Spaces may stand anywhere. Returns the number of bytes. */
static inline size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t digits = 0;

    for (; *hex; hex++) {
        char digit[2] = {*hex, 0};
        uint8_t value = (uint8_t)strtoul(digit, NULL, 16);

        if (*hex == ' ') {
            continue;
        }
        bytes[digits / 2] = digits % 2 ? (uint8_t)(bytes[digits / 2] << 4 | value) : value;
        digits++;
    }
    return digits / 2;
}

/* Reproducible pseudo-random numbers (splitmix64), the same on every machine. */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(next_random(state) >> 32) % limit;
}

#endif
