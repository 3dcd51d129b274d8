/* holes.h
 *
 * What one end of a connection has sent and the capture does not have, as far as the numbers of its commands
 * and the other end's acknowledgements show it. An acknowledgement of a command that was not captured proves
 * that the capture lost it, and not the network.
 *
 * A hole is noted when it is noticed, with the frames between which the missing commands were sent. It is
 * filled if they are captured after all, because they were late or sent again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_HOLES_H
#define ENET_HOLES_H

#include "enet/connection/connection.h"

typedef enum {
    ENET_HOLE_RELIABLE,   /* reliable numbers */
    ENET_HOLE_UNRELIABLE, /* unreliable numbers: dropped by the sender's throttle, lost, or not captured */
    ENET_HOLE_GROUPS,     /* likewise groups of unsequenced messages, of any channel */
    ENET_HOLE_CUT,        /* datagrams that were not captured whole, or that cannot be read */
    ENET_HOLE_KINDS
} enet_hole_kind;

typedef struct {
    uint8_t kind, channel; /* enet_hole_kind; the channel of numbers */
    bool acknowledged;     /* one of the reliable numbers was acknowledged: the capture lost it */
    uint32_t number;       /* the first number; reliable ones are not wrapped */
    uint32_t count;        /* numbers in the hole, or datagrams */
    uint32_t missing;      /* of these, still missing */
    uint32_t after;        /* frame after which they were sent: that of the last command before them */
    uint32_t before;       /* frame before which they were sent; a datagram that was cut: its frame */
    int64_t time;          /* of the capture when it was noticed, in nanoseconds */
} enet_hole;

/* After this time, in nanoseconds, a sender has given up the connection (enet/analysis/timeout.h), or a
 * command that it sent has arrived. */
#define ENET_SETTLED INT64_C(30000000000)

/* Holes that are kept of a file. From then on it is not known what else is missing. */
#define ENET_MAX_HOLES 100000u

struct enet_holes {
    enet_hole *list; /* in the order of `before` */
    uint32_t count, room;
    uint32_t missing[ENET_HOLE_KINDS]; /* sum of all holes of the kind */
    uint32_t full_from;                /* frame from which on holes were not kept; 0: all are kept */
    /* Reliable commands that have arrived by now without being captured, of the first `settled` holes. */
    uint32_t lost, settled;
    uint32_t acknowledged; /* commands that were acknowledged and not captured before that */
};

/* Adds a hole, or adds it to the newest one that it continues. `hole` has all members but
 * `missing` and `time`. */
void enet_holes_add(enet_capture *capture, enet_sender *sender, const enet_hole *hole);

/* To be called for each datagram of a sender. */
void enet_holes_settle(enet_capture *capture, const enet_sender *sender);

/* A reliable command was captured for the first time. */
void enet_holes_captured(enet_capture *capture, const enet_sender *sender);

/* Whether the capture may have lost datagrams of the connection. It may have, too, if it lost some of others
 * and this one has so few reliable commands that as many losses among them may have left no trace: the chance
 * is more than one in a thousand, if each command is lost as often as those of the lossy connections. */
bool enet_holes_may_lack(const enet_capture *capture, const enet_connection *connection);

/* A datagram that was not captured whole. */
void enet_holes_cut(enet_capture *capture, enet_sender *sender, uint32_t frame);

/* A command with a number that may be in a hole was captured after all; true if it is in one. */
bool enet_holes_fill(const enet_sender *sender, enet_hole_kind kind, uint8_t channel, uint32_t number);

/* The hole before the unreliable number or group `next`, which was captured in `frame`; NULL: none. */
const enet_hole *enet_holes_at(const enet_sender *sender, enet_hole_kind kind, uint8_t channel, uint16_t next,
                               uint32_t frame);

/* The first hole that ends in this frame or later: its place in the list. */
uint32_t enet_holes_from(const struct enet_holes *holes, uint32_t frame);

/* A reliable command that was not captured so far is acknowledged for the first time. */
void enet_holes_acknowledge(enet_capture *capture, enet_sender *sender, uint8_t channel, uint32_t number);

#endif
