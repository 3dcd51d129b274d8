/* linear.h
 *
 * Numbers and vectors that follow from another one with a factor and an offset, as the position of a camera
 * above a player.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_LINEAR_H
#define GODOT_SAVINGS_LINEAR_H

#include "multiplayer/statistics/savings/relations/numbers.h"

/* one = factor * other + offset. Zeros: nothing compared yet. */
typedef struct {
    bool broken;
    uint32_t turns;                /* of the other one: it moves at right angles to before, back, or rests */
    savings_numbers one, other;    /* the first ones */
    savings_numbers latest, along; /* of the other one; its change since the latest turn */
    double factor, way;            /* way: of the other one from its first value, when it was found */
} linear_fit;

/* Compares one more pair of values. */
void linear_add(linear_fit *fit, const savings_numbers *one, const savings_numbers *other);
/* Whether it fits all pairs, and these are not on one steady course. */
bool linear_holds(const linear_fit *fit);
/* "position + (0, 2, -3)", "0.5 * speed + 70"; the caller frees it. */
char *linear_text(const linear_fit *fit, const char *other);

#endif
