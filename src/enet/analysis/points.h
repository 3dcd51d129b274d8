/* points.h
 *
 * Two capture points: a file that has the datagrams of a connection twice, because captures of both ends were
 * merged, or because one was made on two interfaces. Says which datagram is the same at both points, how far
 * their clocks are apart, how long each was on its way, and which never arrived.
 *
 * The difference of the clocks is estimated as NTP does it: the fastest datagram of one direction and the
 * fastest of the other took equally long.
 *
 * Further points have copies, and nothing more is said of them: the first two in the file count.
 *
 * Behind a NAT addresses and ports differ at the two points, so that they are two conversations. A CONNECT
 * has a random number of 32 bits and is otherwise the same at both: from it on the second conversation is
 * taken for the first. Without a CONNECT nothing tells certainly: a server sends its clients the same bytes,
 * as the peer id is the client's, always 0.
 *
 * Not here: how the points are told apart (the caller gives each arrival the number of its interface).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_POINTS_H
#define ENET_POINTS_H

#include "enet/connection/layout.h"
#include "enet/connection/record.h"

/* As long as only one point is known, so many datagrams of a conversation are remembered, and so many of a
 * file. */
#define ENET_POINTS_PATIENCE 1024u
#define ENET_POINTS_BUDGET   65536u
/* Of a conversation with two points so many. */
#define ENET_MAX_SIGHTINGS 1000000u

/* First pass, for each datagram of a conversation in the order of the file. Returns the number of what is
 * remembered of it, for enet_datagram_record.sighting; 0: nothing. *before is the index of the record of the
 * same datagram at another point if that was captured before, else 0. */
uint32_t enet_points_see(enet_conversation *conversation, const enet_arrival *arrival, const enet_wire *wire,
                         uint32_t *before);

/* The record that was made for it. */
void enet_points_keep(enet_capture *capture, const enet_datagram_record *record);

/* Whether there are two; true from the first datagram on that was captured twice. */
bool enet_points_known(const enet_conversation *conversation);

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
