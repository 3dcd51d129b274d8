/* evidence.h
 *
 * What a capture lacks of the packets of one end of a session. A conclusion that rests on something not
 * seen (a path that is never confirmed, a net id that was not spawned) is drawn only where it would have been
 * seen: godot_session_missing() of session.h.
 *
 * Source of the rule: Wireshark's analysis of TCP, with "ACKed unseen segment" and "Previous segment not
 * captured" of what the capture lacks, from which nothing follows for the network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_EVIDENCE_H
#define GODOT_EVIDENCE_H

#include <stdbool.h>

#include "base/memory.h"

/* Why packets of an end may be missing. */
typedef enum {
    GODOT_MISSING_NOTHING,
    GODOT_MISSING_DIRECTION, /* there is none of this end */
    GODOT_MISSING_BEGINNING, /* the capture begins later than the session */
    GODOT_MISSING_SEGMENTS,  /* TCP segments are missing or in another order: what follows may be misread */
    GODOT_MISSING_BYTES,     /* the snap length has cut a packet */
    GODOT_MISSING_PACKETS,   /* numbers of ENet or of records are missing */
    GODOT_MISSING_NUMBERS,   /* a recording without numbers, in which nothing shows what is missing */
    GODOT_MISSING_ORDER,     /* the order of the capture need not be that of arrival */
    GODOT_MISSING_REASONS
} godot_missing;

/* "the capture starts late", for parentheses. */
const char *godot_missing_text(godot_missing reason);

/* Of one end. All zeroes: nothing was seen. */
typedef struct {
    bool from_start;        /* its first packet is in the capture */
    uint32_t garbled_from;  /* number of the first message after TCP segments were missing; 0: none were */
    uint32_t count, room;   /* of `gaps` */
    struct godot_gap *gaps; /* by the number of the message before which packets are missing */
} godot_evidence;

/* Packets are missing before the message with this number, which is not below that of an earlier call. */
void godot_evidence_add(const memory_allocator *memory, godot_evidence *seen, uint32_t number,
                        godot_missing reason);

/* The reason of the first gap after one message and not after another. */
godot_missing godot_evidence_between(const godot_evidence *seen, uint32_t after, uint32_t before);

#endif
