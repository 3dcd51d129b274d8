/* heading.h
 *
 * Values that tell which way something moves, or how fast: receivers see that in the positions beside them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_HEADING_H
#define GODOT_SAVINGS_HEADING_H

#include "multiplayer/statistics/savings/relations/numbers.h"

/* An angle and so many right angles, of x and y, or from the axis z; a vector of length 1; a velocity. */
enum { HEADING_ANGLE, HEADING_WAY = 4, HEADING_VELOCITY, HEADINGS };
enum { HEADING_EIGHTHS = 8 /* of a circle */ };

/* Of a property, or an argument: how often it fitted the way from the position before to the latest one. */
typedef struct {
    bool broken; /* there is no position, or it is neither */
    bool solid;  /* the position is a Vector3 */
    uint32_t judged, hits[HEADINGS];
    double tick;                       /* by so much a velocity of 1 moves in one */
    uint32_t turns;                    /* the way is between the value before and the latest one */
    uint32_t eighths[HEADING_EIGHTHS]; /* hits by the direction of the way */
} heading_count;

/* What it was before, of one node at one receiver. */
typedef struct {
    savings_numbers position, value;
    double time;
} heading_before;

/* Place of the position among the values of a state or call: by its name, else the first vector; `count`:
 * there is none. */
uint32_t heading_position(const godot_tap_variant *values, uint32_t count);
void heading_add(heading_count *of, heading_before *before, const godot_tap_variant *position,
                 const godot_tap_variant *value, double now);
/* What it nearly always is; HEADINGS: nothing, or it is the same most of the time. */
int heading_kind(const heading_count *of);
/* "way.angle() + PI / 2" */
const char *heading_text(const heading_count *of, int kind);

#endif
