/* enet-reassembly.h
 *
 * Messages in fragments. The key of a message is connection, direction, kind, channel and start sequence
 * (unreliable: and the reliable number of the header). Numbers come back after 65536 of them, and fragments
 * are sent again after their message was complete, so a message is an object of its own here, with a number
 * that does not wrap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_REASSEMBLY_H
#define ENET_REASSEMBLY_H

#include "enet/enet-connection.h"

#include <epan/reassemble.h>

typedef struct enet_message {
    uint32_t count, total_length;
    uint32_t number;          /* reliable number without wrapping: of fragment 0; unreliable: of the header */
    uint32_t seen;            /* distinct fragments */
    uint32_t completed_frame; /* 0: not complete */
    uint32_t wire_length;     /* share of the frames' bytes of all its fragments, repetitions included */
    wmem_tree_t *fragments;   /* by number */
    uint32_t added, added_bytes; /* of fragments with all their data */
    fragment_item *first, *last; /* once complete: in the order of their numbers, */
    uint8_t *bytes;              /* and all their data */
    uint32_t length;
    struct enet_message *older; /* with the same start sequence */
} enet_message;

/* Takes a fragment that a receiver would not refuse by itself. `number` is its message's (enet_message),
 * `share` its share of the frame's bytes. Returns the message, or NULL if an unfinished message with the same
 * key has another count or length. *earlier_frame is the frame of the first copy, 0 if this is it. First pass
 * only. */
enet_message *enet_message_take(enet_sender *sender, const packet_info *pinfo, const enet_command *command,
                                uint32_t number, uint32_t share, uint32_t *earlier_frame);

/* Adds the data of a fragment that was just taken; true if the message is complete now. First pass only. */
bool enet_message_add(enet_message *message, const packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                      const enet_command *command);

/* The message as a child of `last`, the buffer that its last fragment is in. NULL if it is not complete. */
tvbuff_t *enet_message_whole(const enet_message *message, tvbuff_t *last);

/* The fragments of a complete message for show_fragment_seq_tree(). */
fragment_head *enet_message_parts(const enet_message *message, packet_info *pinfo, tvbuff_t *whole);

#endif
