/* points.h
 *
 * Two capture points: a file that contains the datagrams of a connection twice, because captures of both ends
 * were merged, or because two interfaces were captured. Finds the same datagram at both points, the
 * difference of their clocks, the time that each datagram took, and the datagrams that never arrived.
 *
 * The difference of the clocks is estimated as NTP does it: the fastest datagram of one direction and the
 * fastest of the other took equally long.
 *
 * Source: RFC 5905 for the clocks; the rest is arithmetic on frames.
 *
 * Limitations: copies at further points are only marked, since times and losses are those of the first two
 * points in the file.
 *
 * Behind a NAT, addresses and ports differ at the two points, so there are two conversations. A CONNECT
 * contains a random number of 32 bits and is the same at both points: from then on, the second conversation
 * counts as the first. Without a CONNECT nothing is certain: a server sends the same bytes to several
 * clients, because the peer id in them is the client's, which is always 0.
 *
 * Not here: how points are distinguished (the caller gives each arrival the number of its interface).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_POINTS_H
#define ENET_POINTS_H

#include "enet/connection/layout.h"
#include "enet/connection/record.h"

/* Datagrams of a conversation, and of a file, that are kept while only one point is known. */
#define ENET_POINTS_PATIENCE 1024u
#define ENET_POINTS_BUDGET   65536u
/* Datagrams that are kept of a conversation with two points. */
#define ENET_MAX_SIGHTINGS 1000000u

/* First pass, for each datagram of a conversation in the order of the file. Returns the number of its
 * sighting, for enet_datagram_record.sighting; 0: none is kept. *before becomes the index of the record of
 * the same datagram if another point captured it earlier, else 0. */
uint32_t enet_points_see(enet_conversation *conversation, const enet_arrival *arrival, const enet_wire *wire,
                         uint32_t *before);

/* Stores the index of the record in its sighting. */
void enet_points_keep(enet_capture *capture, const enet_datagram_record *record);

/* Later passes: the clock of the point that comes second in the file minus that of the first, in nanoseconds,
 * for the conversation of this sighting. False if only datagrams of one direction were captured at both. */
bool enet_points_clock(const enet_capture *capture, uint32_t sighting, int64_t *difference);

typedef struct {
    uint32_t frame, other_frame; /* of the first capture, and at the other point; 0: not captured */
    uint32_t record;             /* index of the record of `frame`; 0: not recognised as ENet */
    bool placed;                 /* it is known which point is near which end; else the rest is not valid */
    uint32_t sender_frame, receiver_frame; /* at the point near its sender, its receiver; 0: not captured */
    int64_t receiver_time;                 /* nanoseconds; if receiver_frame is not 0 */
    bool has_transit;                      /* captured at both points, and the clocks can be compared */
    int64_t transit;                       /* nanoseconds from the sender's point to the receiver's */
    bool lost; /* captured near its sender only, though the other point captured earlier and later ones */
} enet_sighting_facts;

/* Later passes. All zeroes if there is no such number. */
enet_sighting_facts enet_points_facts(const enet_capture *capture, uint32_t sighting);

/* The corresponding conversation at the other point, if addresses differ there; `arrival->endpoint` is then
 * converted. Else the conversation itself. */
enet_conversation *enet_points_home(enet_conversation *conversation, enet_arrival *arrival);

/* First pass: whether this CONNECT, the first of a conversation, was captured with other addresses at another
 * point. If so, enet_points_home() returns that conversation from now on. */
bool enet_points_translated(enet_conversation *conversation, const enet_arrival *arrival,
                            const enet_command *connect);

#endif
