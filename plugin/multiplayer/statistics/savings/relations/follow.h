/* follow.h
 *
 * Positions and rotations that PathFollow2D and PathFollow3D set by the progress along their path: nodes
 * below the same one that are as far have the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_FOLLOW_H
#define GODOT_SAVINGS_FOLLOW_H

#include "multiplayer/statistics/savings/relations/numbers.h"

/* Where the first node of a path was. */
typedef struct followed_path followed_path;

/* A property of all nodes. */
typedef struct {
    const char *progress; /* name of what it is compared with; NULL: nothing yet */
    followed_path *paths;
    uint32_t count; /* of paths */
    uint32_t hits, misses;
} follow_count;

/* Place of the progress of the same node, if the value `index` is a position or rotation; `count`: there is
 * none. */
uint32_t follow_progress(const godot_tap_variant *values, uint32_t count, uint32_t index);
/* Compares the value `index` of a node with where the first node of the path was. */
void follow_add(wmem_allocator_t *pool, follow_count *of, const char *node, const godot_tap_variant *values,
                uint32_t progress, uint32_t index);
/* Whether it follows from the progress. */
bool follow_holds(const follow_count *of);

#endif
