/* sent.h
 *
 * The reliable commands that one end of a connection has sent, each with all its transmissions, found by
 * channel and sequence number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_SENT_H
#define ENET_SENT_H

#include "base/memory.h"
#include "enet/wire/datagram.h"

/* One transmission of a reliable command. The first one also has the members of the command. */
typedef struct {
    int64_t time;      /* when it was captured, in nanoseconds */
    uint32_t frame;    /* 0: it was not captured, but its acknowledgement was (first transmission only) */
    uint32_t acked_in; /* frame of the ACKNOWLEDGE that echoes its sent time, 0 if none */
    uint32_t next;     /* index of the next transmission of this command, 0 if none yet */
    union {
        uint32_t number; /* first one: sequence number without wrapping */
        uint32_t first;  /* others: index of the first one */
    };
    uint32_t command_acked_in; /* first one: frame of the first ACKNOWLEDGE of any transmission, 0 if none */
    uint32_t last;             /* first one: index of the last one */
    uint16_t sent_time;        /* if has_sent_time */
    uint16_t length;           /* bytes of the command that are present */
    uint16_t hash;             /* first one: of these bytes */
    uint8_t type : 4;          /* enet_command_type */
    uint8_t has_sent_time : 1;
    uint8_t unanswerable : 1; /* first one: this command is never acknowledged */
    uint8_t is_first : 1;     /* first one of its command: `number` is valid, else `first` */
    uint8_t refused : 1; /* first one: no copy was accepted so far: too early, or the number too far ahead */
    uint8_t count;       /* first one: transmissions that are kept */
} enet_transmission;

#define ENET_MAX_TRANSMISSIONS 100u /* kept of one command; senders give up long before */

/* 145 years: half of what 64 bits can count, so that any two times can be subtracted. */
#define ENET_MAX_TIME INT64_C(4600000000000000000)

/* When and where a datagram was captured. */
typedef struct {
    int64_t time;      /* nanoseconds, from any origin; at most ENET_MAX_TIME, at least -ENET_MAX_TIME */
    uint32_t frame;    /* from 1 */
    uint32_t bytes;    /* of the frame */
    unsigned endpoint; /* which of two sockets sent it: 0 or 1 */
    uint32_t point;    /* number of the interface it was captured on, from 1; 0: not known */
} enet_arrival;

/* `sent`: of one sender, channel and sequence number to the first transmission of the newest command;
 * `transmissions`: the list of all senders (of enet_transmission). */

/* Index of the first transmission of the newest command with this number, 0 if none was captured. */
uint32_t enet_sent_find(const number_map *sent, uint8_t channel, uint16_t sequence);

/* Index of a command's transmission with this sent time, 0 if there is none. `first`: of its first one. */
uint32_t enet_sent_find_time(const paged_list *transmissions, uint32_t first, uint16_t sent_time);

/* Adds a new command; returns its first transmission, whose index is its `last`. It was not captured, unless
 * enet_sent_captured() sets its members. */
enet_transmission *enet_sent_add(const memory_allocator *memory, paged_list *transmissions, number_map *sent,
                                 uint8_t channel, uint32_t number);
void enet_sent_captured(enet_transmission *first, const enet_arrival *arrival, const enet_header *header,
                        const enet_command *command);

/* Adds another transmission of a command. Returns its index, 0 if there are too many. */
uint32_t enet_sent_repeat(const memory_allocator *memory, paged_list *transmissions, uint32_t first,
                          const enet_arrival *arrival, const enet_header *header);

#endif
