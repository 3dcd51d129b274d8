/* enet/points.h
 *
 * Two capture points: a file that has the datagrams of a connection twice, because captures of both ends were merged, or
 * because one was made on two interfaces. Says which datagram is the same at both points, how far their clocks are apart,
 * how long each was on its way, and which never arrived.
 *
 * The difference of the clocks is estimated as NTP does it: the fastest datagram of one direction and the fastest of the
 * other took equally long.
 *
 * Not here: how the points are told apart (the caller gives each arrival the number of its interface), more than two points,
 * points between which addresses change.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_POINTS_H
#define ENET_POINTS_H

#include "enet/layout.h"
#include "enet/record.h"

/* As long as only one point is known, so many datagrams of a conversation are remembered, and so many of a file. */
#define ENET_POINTS_PATIENCE 1024u
#define ENET_POINTS_BUDGET   65536u
/* Of a conversation with two points so many. */
#define ENET_MAX_CROSSINGS 1000000u

/* First pass, for each datagram of a conversation in the order of the file. Returns the number of what is remembered of it,
 * for enet_datagram_record.crossing; 0: nothing. *before is the index of the record of the same datagram at the other point if that was
 * captured before, else 0. */
uint32_t enet_points_see(enet_conversation *conversation, const enet_arrival *arrival, const enet_wire *wire,
                         uint32_t *before);

/* The record that was made for it. */
void enet_points_keep(enet_conversation *conversation, const enet_datagram_record *record);

/* Whether there are two; true from the first datagram on that was captured twice. */
bool enet_points_known(const enet_conversation *conversation);

/* Later passes: the clock of the point that was seen second minus that of the first, in nanoseconds. False: datagrams of one
 * direction alone were captured at both points. */
bool enet_points_clock(const enet_conversation *conversation, int64_t *difference);

typedef struct {
    uint32_t frame, other_frame; /* where it was captured first, and at the other point; 0: not there */
    bool at_sender; /* `frame` is from the point near its sender; valid if the clocks' difference is known */
    bool has_transit; /* captured at both, and the clocks' difference is known: */
    int64_t transit;  /* nanoseconds from the sender's point to the receiver's */
    bool
        lost; /* captured near its sender, and not at the other point, which was capturing before and after */
} enet_crossing_facts;

/* Later passes. All zeroes if the conversation has no such number. */
enet_crossing_facts enet_points_facts(const enet_conversation *conversation, uint32_t crossing);

#endif
