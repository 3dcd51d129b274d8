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

/* Datagrams of a conversation, and of a file, that are remembered while only one point is known. */
#define ENET_POINTS_PATIENCE 1024u
#define ENET_POINTS_BUDGET   65536u
/* Datagrams that are remembered of a conversation with two points. */
#define ENET_MAX_SIGHTINGS 1000000u

/* First pass, for each datagram of a conversation in the order of the file. Returns the number of what is
 * remembered of it, for enet_datagram_record.sighting; 0: nothing. *before is the index of the record of the
 * same datagram at another point if that was captured before, else 0. */
uint32_t enet_points_see(enet_conversation *conversation, const enet_arrival *arrival, const enet_wire *wire,
                         uint32_t *before);

/* The record that was made for it. */
void enet_points_keep(enet_capture *capture, const enet_datagram_record *record);

/* Later passes: the clock of the point that was seen second minus that of the first, in nanoseconds, where
 * this datagram was captured. False: datagrams of one direction alone were captured at both points. */
bool enet_points_clock(const enet_capture *capture, uint32_t sighting, int64_t *difference);

typedef struct {
    uint32_t frame, other_frame; /* where it was captured first, and at another point; 0: not there */
    uint32_t record;             /* index: of `frame`; 0: it was refused */
    bool placed;                 /* it is known which point is near which end: */
    uint32_t sender_frame,
        receiver_frame;    /* where it was captured near its sender and receiver; 0: not there */
    int64_t receiver_time; /* nanoseconds; if receiver_frame */
    bool has_transit;      /* if both: */
    int64_t transit;       /* nanoseconds from the sender's point to the receiver's */
    bool
        lost; /* captured near its sender, and not at the other point, which was capturing before and after */
} enet_sighting_facts;

/* Later passes. All zeroes if there is no such number. */
enet_sighting_facts enet_points_facts(const enet_capture *capture, uint32_t sighting);

/* The conversation that this one is at the other point, and itself if none; of the former it sets the
 * arrival's endpoint. */
enet_conversation *enet_points_home(enet_conversation *conversation, enet_arrival *arrival);

/* First pass: whether this CONNECT, the first of a conversation, was captured between other addresses at
 * another point. enet_points_home() is that conversation from now on. */
bool enet_points_translated(enet_conversation *conversation, const enet_arrival *arrival,
                            const enet_command *connect);

#endif
