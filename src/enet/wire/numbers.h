/* numbers.h
 *
 * The arithmetic of ENet: sequence numbers, sessions, windows, lengths (protocol.c and peer.c of ENet 1.3).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_NUMBERS_H
#define ENET_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "enet/wire/limits.h"

/* Whether a is older than b, in the serial arithmetic of 16-bit sequence numbers. */
bool enet_serial_before(uint16_t a, uint16_t b);

typedef enum {
    ENET_NUMBER_ACCEPTED,  /* in the current window or one of the 6 ahead; acknowledged */
    ENET_NUMBER_TOO_FAR,   /* 7 or 8 windows ahead: neither accepted nor acknowledged */
    ENET_NUMBER_DELIVERED, /* delivered before: acknowledged, otherwise ignored */
} enet_number_verdict;

/* What a receiver that has delivered all reliable numbers up to `current` does with `sequence`. */
enet_number_verdict enet_judge_number(uint16_t current, uint16_t sequence);

/* A receiver's window of unsequenced groups; all zeroes for a new connection. */
typedef struct {
    uint16_t base;                                /* first group of the window */
    uint32_t seen[ENET_UNSEQUENCED_WINDOW / 32u]; /* bit n: group base + n was received */
} enet_unsequenced_window;

typedef enum { ENET_GROUP_NEW, ENET_GROUP_DUPLICATE, ENET_GROUP_TOO_FAR } enet_group_verdict;

/* What the receiver does with `group`; updates the window. */
enet_group_verdict enet_receive_group(enet_unsequenced_window *window, uint16_t group);

uint32_t enet_clamp_mtu(uint32_t mtu);
uint32_t enet_clamp_window(uint32_t window_size);

#endif
