/* enet-reassembly.h
 *
 * Messages in fragments. The key of a message is connection, direction, kind, channel and start sequence
 * (unreliable: and the reliable number of the header). Numbers come back after 65536 of them, and fragments
 * are sent again after their message was complete, so a message is an object of its own here, with a number
 * that is unique in the file; libwireshark's reassembly knows it by that number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_REASSEMBLY_H
#define ENET_REASSEMBLY_H

#include "enet-connection.h"

#include <epan/reassemble.h>

typedef struct enet_message {
    uint32_t id; /* unique in the file */
    uint32_t count, total_length;
    uint32_t number;          /* reliable number without wrapping: of fragment 0; unreliable: of the header */
    uint32_t seen;            /* distinct fragments */
    uint32_t completed_frame; /* 0: not complete */
    uint32_t wire_length;     /* share of the frames' bytes of all its fragments, repetitions included */
    wmem_tree_t *fragments;   /* fragment number → frame of its first copy */
    struct enet_message *older; /* with the same start sequence */
} enet_message;

void enet_reassembly_register(void);
void enet_reassembly_init(void); /* for register_init_routine() */

/* Takes a fragment that a receiver would not refuse by itself. `number` is its message's (enet_message),
 * `share` its share of the frame's bytes. Returns the message, or NULL if an unfinished message with the same
 * key has another count or length. *earlier_frame is the frame of the first copy, 0 if this is it. First pass
 * only. */
enet_message *enet_message_take(enet_sender *sender, const packet_info *pinfo, const enet_command *command,
                                uint32_t number, uint32_t share, uint32_t *earlier_frame);

/* Adds the data of a fragment that was just taken; true if the message is complete now. */
bool enet_message_add(enet_message *message, packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                      const enet_command *command);

/* The fragments of a message that this frame completed, NULL if there are none. */
fragment_head *enet_message_parts(const enet_message *message, packet_info *pinfo);

#endif
