/* bursts.h
 *
 * ENet datagrams whose commands could have been in the previous datagram, since the sender sent both at about
 * the same time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_BURSTS_H
#define GODOT_BURSTS_H

#include "enet/api/tap.h"

/* Datagrams within this time are assumed to be sent in one frame of a game, which has less than 200 a
 * second. */
#define GODOT_BURST_SECONDS 0.005

typedef struct {
    uint64_t datagrams;     /* with messages */
    uint64_t joined, bytes; /* of these could be part of the one before; of their headers */
    uint32_t frames[2];     /* the first such, and the one before */
    wmem_allocator_t *pool;
    wmem_map_t *latest; /* stream and side to the datagram that others could join */
} godot_bursts;

godot_bursts *godot_bursts_new(wmem_allocator_t *pool);
/* Counts a datagram. Datagrams without messages, and further records of a datagram, are ignored. */
void godot_bursts_count(godot_bursts *all, const packet_info *pinfo, const enet_tap_datagram *datagram);

#endif
