/* delivery.h
 *
 * When the receiver's ENet gives a reliable message to the game: in the order of numbers, without a gap, so
 * that a message waits for an earlier one that is still to be sent again. The receiver's capture point shows
 * it; elsewhere acknowledgements show until when a message may have waited.
 *
 * Source: enet_peer_dispatch_incoming_reliable_commands() of ENet's peer.c.
 *
 * Limitations: a number whose acknowledgement the capture does not have counts as acknowledged ENET_SETTLED
 * after a later one was.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_DELIVERY_H
#define ENET_DELIVERY_H

#include "enet/analysis/channel.h"

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

/* Reliable numbers of a channel that waited at the receiver for the one before them. */
typedef struct enet_held {
    uint32_t first, last; /* not wrapped */
    uint32_t frame;       /* in which the number before them is acknowledged */
    int64_t time;         /* likewise */
} enet_held;

/* First pass: the number is acknowledged for the first time. */
void enet_delivery_acknowledged(enet_capture *capture, const enet_sender *sender, enet_channel *channel,
                                uint32_t number, const enet_arrival *arrival);

/* Later passes: frame of the acknowledgement after which the receiver has this command and all before it.
 * `first`: its first transmission. 0: none. */
uint32_t enet_delivery_at_latest(const enet_sender *sender, uint8_t channel, const enet_transmission *first);

/* The same as far as the capture was read, with the time: of this acknowledgement or, if nothing was missing
 * before, of the command's last transmission. False: not delivered. */
bool enet_delivery_time(const enet_capture *capture, const enet_sender *sender, uint8_t channel,
                        const enet_transmission *first, int64_t *time);

#endif
