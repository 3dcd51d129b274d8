/* numbers.h
 *
 * What a capture lacks of a recording, as far as the numbers of its records show it: a reader that connects
 * late or reads too slowly does not get all of them. Frames are increasing numbers, from 1.
 *
 * Limitations: records of an add-on that does not number packets show nothing. What is missing after the last
 * record leaves no trace.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RECORDER_NUMBERS_H
#define RECORDER_NUMBERS_H

#include <stdbool.h>

#include "base/memory.h"

/* Records that are missing, or were so until a later one was captured. */
typedef struct {
    uint32_t first, count;  /* numbers */
    uint32_t after, before; /* frames between which they belong; `before`: of the latest that came late */
} recorder_hole;

#define RECORDER_MAX_HOLES 256u /* of a recording; beyond that all that follows is taken for missing */

/* Of one recorder. All zeroes: it has no record so far. */
typedef struct {
    bool unnumbered;      /* a packet has no number */
    uint32_t newest;      /* the highest number so far; 0: none */
    uint32_t last_frame;  /* of the latest packet */
    uint32_t count, room; /* of `holes` */
    recorder_hole *holes; /* by `after` */
    uint32_t full_from;   /* frame from which on holes are not kept; 0: all are */
    number_map connected; /* peer id: frame of the record that says so, the latest */
} recorder_numbers;

/* A packet's record with this number (0: it has none). True: it is there for the second time. */
bool recorder_numbers_learn(const memory_allocator *memory, recorder_numbers *numbers, uint32_t number,
                            uint32_t frame);

/* Whether no packet is missing that was recorded after the frame `from` (0: since the recording began) and
 * before the frame `to` (0: the end). */
bool recorder_numbers_whole(const recorder_numbers *numbers, uint32_t from, uint32_t to);

#endif
