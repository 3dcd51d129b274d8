/* channel.h
 *
 * Sequence numbers of one channel in one direction: reliable ones, and the unreliable ones between two
 * reliable ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_CHANNEL_H
#define ENET_CHANNEL_H

#include "enet/connection/record.h"
#include "enet/wire/numbers.h"

#define ENET_FIRST_CYCLE 0x10000u                    /* reliable number 0, not wrapped */
#define ENET_MAX_AHEAD   (8u * ENET_SEQUENCE_WINDOW) /* a sender waits for the acknowledgement before that */

/* Unreliable messages between two reliable ones. */
typedef struct enet_run enet_run;

/* Numbers of one channel in one direction. */
typedef struct {
    uint8_t number;
    bool known;          /* the members below are valid; else they have their initial values */
    bool has_reliable;   /* SEND_RELIABLE was seen */
    bool has_unreliable; /* an unreliable or unsequenced message was seen */
    uint8_t run_count;   /* entries of `runs` */
    uint32_t highest;    /* reliable number, not wrapped */
    uint32_t base;       /* numbers up to this one were sent before the capture began */
    uint32_t noted;      /* numbers after the base and up to this one were seen or are in a hole (holes.h) */
    uint32_t newest;     /* frame in which `highest` was first seen; 0: not yet */
    uint32_t acked;      /* highest number that was acknowledged, 0: none was */
    uint32_t too_far;    /* highest number that was too far ahead of that, 0: none was */
    uint32_t delivered;  /* all numbers up to this one were seen or acknowledged: the receiver has them */
    uint32_t answered;   /* all numbers up to this one were acknowledged */
    bool waits;          /* a later one was, since `waits_since` (in nanoseconds); delivery.h */
    int64_t waits_since;
    struct enet_held *held; /* `held_count`, by number */
    uint32_t held_count, held_room;
    enet_run *runs; /* MAX_RUNS; NULL until the first unreliable message */
} enet_channel;

/* Finds or creates the sender's channel; the pointer is valid until the next call. */
enet_channel *enet_channel_of(const memory_allocator *memory, enet_sender *sender, uint8_t number);

/* The number without wrapping: the one next to the highest seen so far. */
static inline uint32_t enet_channel_unwrap(const enet_channel *channel, uint16_t sequence)
{
    int32_t distance = (int16_t)(sequence - (uint16_t)channel->highest);

    return channel->highest + (uint32_t)distance;
}

/* The sender's channel; NULL: nothing of it was seen. Valid until the next call of enet_channel_of(). */
const enet_channel *enet_channel_find(const enet_sender *sender, uint8_t number);

/* The first transmission of a command, NULL if it was not captured. *index is its index, also if only an
 * acknowledgement was captured. */
enet_transmission *enet_channel_find_sent(const enet_capture *capture, const enet_sender *sender,
                                          uint8_t channel, uint16_t sequence, uint32_t *index);

/* The reliable messages after `from` up to `to` are delivered at once: unreliable messages that wait for one
 * of them, except for `to`, are dropped. */
void enet_channel_overtake(enet_channel *channel, uint32_t from, uint32_t to);

/* Keeps an unreliable command that waits at the receiver for the reliable message before it. */
void enet_channel_await(const memory_allocator *memory, enet_channel *channel, const enet_command *command,
                        enet_command_record *record);

/* An unreliable message or the first fragment of one, in `frame`. Returns ENET_NOTE()s; detail->number:
 * numbers skipped, or 1 if this one was. */
uint32_t enet_channel_unreliable(enet_capture *capture, enet_sender *sender, const enet_command *command,
                                 uint32_t frame, enet_command_detail *detail);

/* A reliable number after the highest one, in `frame`: it is the highest now; those between are a hole. */
void enet_channel_reach(enet_capture *capture, enet_sender *sender, enet_channel *channel, uint32_t number,
                        uint32_t frame);

/* A reliable number of which only the acknowledgement in `frame` was captured. */
void enet_channel_acknowledge_unseen(enet_capture *capture, enet_sender *sender, enet_channel *channel,
                                     uint32_t number, uint32_t frame);

/* An unreliable message that this command completed. */
void enet_channel_deliver(const memory_allocator *memory, enet_sender *sender, const enet_command *command);

/* An unsequenced message, whose group is a number of the whole connection, in `frame`. Returns ENET_NOTE()s;
 * detail->number as above. */
uint32_t enet_channel_unsequenced(enet_capture *capture, enet_sender *sender, const enet_command *command,
                                  uint32_t frame, enet_command_detail *detail);

/* Whether a receiver has already delivered something after this unreliable message. */
bool enet_channel_is_late(const memory_allocator *memory, enet_sender *sender, const enet_command *command);

#endif
