/* fragments.h
 *
 * Messages in fragments. The key of a message is its sender, kind, channel and start sequence (unreliable:
 * and the reliable number of the header). Numbers wrap after 65536, and fragments are sent again after their
 * message was complete, so a message is an object of its own here, with a number that does not wrap.
 *
 * Memory: the decompressed data of fragments, and 24 bytes for each. The data of a message is limited by its
 * announced length, and that of all messages by ENET_EXCESS_BUDGET beyond their captured bytes
 * (enet/analysis/receive.h).
 *
 * Source: enet_protocol_handle_send_fragment() and its unreliable counterpart in ENet's protocol.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_FRAGMENTS_H
#define ENET_FRAGMENTS_H

#include "enet/connection/connection.h"

typedef struct {
    uint8_t *bytes;       /* until the message is complete; NULL if they were not added */
    uint32_t number;      /* of the fragment */
    uint32_t frame;       /* of its first copy */
    uint32_t length : 31; /* of `bytes`, also when they are in the message; 0 if they were not added */
    uint32_t again : 1;   /* captured at the other point, too */
} enet_fragment;

typedef struct enet_message {
    uint32_t count, total_length; /* as all its fragments say */
    uint32_t number;          /* reliable number without wrapping: of fragment 0; unreliable: of the header */
    uint32_t seen;            /* distinct fragments: entries of `fragments` */
    uint32_t completed_frame; /* 0: not complete, or fragments without their data are among them */
    uint32_t again;           /* fragments that were captured at the other point, too */
    uint32_t again_frame;     /* frame in which it was complete there; 0: not complete */
    uint32_t wire_length;     /* share of the frames' bytes of all its fragments, retransmissions included */
    uint32_t room;            /* of `fragments` */
    uint32_t added;           /* fragments with all their data */
    uint32_t length;          /* bytes of them */
    uint32_t older;           /* index of the one before with the same start sequence, 0 if none */
    enet_fragment *fragments; /* in the order of their arrival; in that of their numbers if completed_frame */
    uint8_t *bytes;           /* all data; NULL until completed_frame */
    number_map by_number;     /* fragment number to its place in `fragments` + 1; empty if completed_frame */
} enet_message;

/* NULL: there is none with this index. */
static inline enet_message *enet_message_at(const enet_capture *capture, uint32_t index)
{
    return index && index <= capture->messages.count ? paged_list_at(&capture->messages, index) : NULL;
}

/* Index of the message of a fragment that is valid by itself; makes a new one if there is none. `number`: the
 * message's (enet_message). 0: an unfinished message with the same key has another count or length. */
uint32_t enet_message_of(enet_capture *capture, enet_sender *sender, const enet_command *command,
                         uint32_t number);

/* Adds fragment `number` of the message, without its data. Returns the frame of the first copy, 0 if this is
 * it. */
uint32_t enet_message_take(const memory_allocator *memory, enet_message *message, uint32_t number,
                           uint32_t frame);

/* Number of fragments of the reliable message whose fragment 0 has this number; 0 if it is not known. */
uint32_t enet_message_count(const enet_capture *capture, const enet_sender *sender, uint8_t channel,
                            uint32_t number);

/* Adds the data of a fragment that was just taken as a first copy; true if the message is complete now. */
bool enet_message_add(enet_capture *capture, enet_message *message, const enet_arrival *arrival,
                      const uint8_t *data, uint32_t length);

/* A fragment that was added before was captured at the other point in `frame`; true if the message is now
 * complete there. */
bool enet_message_again(enet_message *message, const enet_command *command, uint32_t frame);

/* Frame in which the message was complete, at another point (`second`) or where its fragments were captured
 * first; 0: it was not. */
static inline uint32_t enet_message_frame(const enet_message *message, bool second)
{
    return second ? message->again_frame : message->completed_frame;
}

#endif
