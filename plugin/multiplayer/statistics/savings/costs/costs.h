/* costs.h
 *
 * Bytes on the wire that a change of a game saves: counted frame by frame, with the acknowledgements of what
 * would not be sent, and the pings that ENet sends instead of these.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_COSTS_H
#define GODOT_SAVINGS_COSTS_H

#include <glib.h>

#include "enet/api/tap.h"

enum { SAVINGS_FRAMES = 3 /* listed as evidence */ };
enum { ACKNOWLEDGEMENT = 8 /* bytes, in a datagram */ };

/* Savings by one change. */
typedef struct {
    double bytes;                    /* in the frames that were finished */
    uint64_t messages;               /* that would not be sent at all */
    uint64_t acknowledgements;       /* likewise, of reliable ones */
    uint64_t expected;               /* of these: up to the frame before */
    uint64_t pings;                  /* that ENet would send, as it gets no acknowledgements */
    uint32_t frames[SAVINGS_FRAMES]; /* the first ones; 0: there are fewer */
    uint32_t here, whole;            /* in the current frame: bytes; messages that would not be sent, */
    uint32_t answers;                /* and acknowledgements; */
    uint32_t kept;                   /* bytes that would be sent in another datagram */
    bool touched;                    /* it is in saved_costs.touched */
    bool shown;                      /* the current frame has messages of it */
} saved_bytes;

/* If only one of so many states of a node were sent: nodes need not be in the same messages. */
enum { EVERY_MOST = 16 };
typedef struct {
    uint64_t messages, part_bytes;
    uint64_t due[EVERY_MOST + 1]; /* of the messages: that would be sent */
} slower_states;

typedef struct {
    GPtrArray *touched;     /* saved_bytes of the frame under way */
    GHashTable *unanswered; /* order of a frame, to what its acknowledgements are saved by */
    GHashTable *answered;   /* ENet's sender, to its answered_sender */
} saved_costs;

/* ENet's part of a frame: all of its datagrams, of which there is one but with DTLS. */
typedef struct {
    uint32_t frame_bytes, datagram_bytes, body_bytes, commands, acknowledgements, pings;
} frame_facts;

void costs_begin(saved_costs *costs, wmem_allocator_t *pool);
frame_facts costs_facts_of(packet_info *pinfo);
/* Adds bytes of the current frame. `whole`: they are a whole message. */
void costs_add(saved_costs *costs, saved_bytes *of, uint32_t bytes, bool whole);
/* Adds the acknowledgements in the frame. */
void costs_add_answers(saved_costs *costs, packet_info *pinfo, double now);
/* After everything in the frame was added. */
void costs_finish_frame(saved_costs *costs, packet_info *pinfo, const frame_facts *facts);

#endif
