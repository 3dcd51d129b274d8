/* derived.h
 *
 * Values that always follow from others of the same state or call: the same value, its length, its direction,
 * its angle; with a factor and an offset.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_DERIVED_H
#define GODOT_SAVINGS_DERIVED_H

#include "multiplayer/statistics/savings/relations/numbers.h"

/* Values that are compared: a bit each. */
enum { DERIVED_MOST = 64 };
enum { DERIVED_LENGTH, DERIVED_DIRECTION, DERIVED_ANGLE, DERIVED_OF_ANGLE, DERIVED_LINEAR, DERIVED_KINDS };
/* The first values, from which others follow with a factor and an offset. */
enum { DERIVED_SOURCES = 8 };

/* one = factor * other + offset. Zeros: nothing compared yet. */
typedef struct {
    bool broken;
    uint32_t turns;                /* of the other one: it moves at right angles to before, or back */
    savings_numbers one, other;    /* the first ones */
    savings_numbers latest, along; /* of the other one; its change since the latest turn */
    double factor, way;            /* way: of the other one from its first value, when it was found */
} linear_fit;

/* Of one value: bits of those before it */
typedef struct {
    bool compared;
    uint64_t twins;                   /* that always had the same value, */
    uint64_t derived[DERIVED_LINEAR]; /* from which it could always be computed, */
    uint64_t derives[DERIVED_LINEAR]; /* which could always be computed from it */
    linear_fit linear[DERIVED_SOURCES];
} derived_value;

/* Those of the `index` values before it that still have to be compared. */
uint64_t derived_candidates(const derived_value *of, uint32_t index);
/* Compares a value with those before it. `known`: bits of those that are what they were before; `changed`:
 * of those that have changed since they were there, also of the value. What they begin with need not fit
 * yet. */
void derived_compare(derived_value *of, const godot_tap_variant *value, uint32_t index, uint64_t known,
                     uint64_t changed);
/* How one follows from `other`; DERIVED_KINDS: it does not. `before`: `other` is before it, at this place;
 * else it is at this place before `other`. */
int derived_kind(const derived_value *one, const derived_value *other, unsigned place, bool before);
/* "velocity.length()"; of DERIVED_LINEAR, the value that follows from the one at this place before it. */
char *derived_text(int kind, const derived_value *one, unsigned place, const char *other);

#endif
