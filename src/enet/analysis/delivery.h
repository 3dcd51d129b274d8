/* delivery.h
 *
 * When the receiver's ENet gives a reliable message to the game, if the capture has the receiver's point: in
 * the order of numbers, without a gap, so that a message waits for an earlier one that is still to be sent
 * again.
 *
 * Source: enet_peer_dispatch_incoming_reliable_commands() of ENet's peer.c.
 *
 * Limitations: with one capture point it is not known what arrived, so nothing is said.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_DELIVERY_H
#define ENET_DELIVERY_H

#include "enet/connection/record.h"

/* First pass: a copy of the reliable command whose first transmission has the index `first` is in this
 * sighting. */
void enet_delivery_note(enet_capture *capture, enet_sender *sender, uint8_t channel, uint32_t first,
                        uint32_t sighting);

typedef struct {
    bool known; /* the command is reliable and was captured near its receiver; else the rest is not valid */
    bool copy;  /* the receiver has received it before */
    uint32_t frame; /* of the datagram after which the receiver delivers it; 0: none in this capture */
    int64_t wait;   /* nanoseconds until then; if `frame` is not 0 */
} enet_delivery_facts;

/* Later passes: the delivery of a command of the datagram in `frame`. */
enet_delivery_facts enet_delivery_of(const enet_capture *capture, const enet_datagram_record *record,
                                     const enet_command *command, uint32_t frame);

#endif
