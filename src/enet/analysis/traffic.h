/* traffic.h
 *
 * Follows the numbers of a connection: which acknowledgement answers which transmission, what was sent
 * again, what is missing, what came in the wrong order, what the rules of the protocol forbid at this moment.
 *
 * Source: protocol.c and peer.c of ENet 1.3.18, compared with libenet in the tests.
 *
 * Limitations: an unreliable number that is missing was either lost or dropped by the sender's throttle; only
 * two capture points show which (points.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_TRAFFIC_H
#define ENET_TRAFFIC_H

#include "enet/connection/record.h"

/* A command that a receiver would execute, with its datagram. */
typedef struct {
    const enet_arrival *arrival;
    const enet_header *header; /* of its datagram */
    const enet_command *command;
    const uint8_t *bytes; /* of the command, command->length */
    const uint8_t *data;  /* fragments: command->data_length bytes; NULL: messages are not put together */
    uint32_t share;       /* of the frame's bytes */
    uint32_t sighting;    /* points.h; 0: none */
} enet_occurrence;

/* Updates the connection for the command and fills `record`, which must be all zeroes. */
void enet_analyse(enet_capture *capture, enet_sender *sender, const enet_occurrence *occurrence,
                  enet_command_record *record);

#endif
