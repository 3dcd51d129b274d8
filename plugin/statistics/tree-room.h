/* tree-room.h
 *
 * Wireshark's stats trees count in an int, 31 bits. When a root of a tree would exceed that, counting stops,
 * and the tree has a node that says so.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_TREE_ROOM_H
#define STAT_TREE_ROOM_H

#include "base/wireshark-compat.h"

#include <epan/stats_tree.h>

enum { STAT_TREE_ROOTS = 8 };

/* All zeroes at first. */
typedef struct {
    uint64_t sums[STAT_TREE_ROOTS];
    bool full;
} stat_tree_room;

/* Whether a packet may be counted. `amounts`: added to each of STAT_TREE_ROOTS roots, 0 if there is no such
 * root. */
static inline bool stat_tree_has_room(stats_tree *tree, stat_tree_room *room, const uint64_t *amounts)
{
    for (int i = 0; i < STAT_TREE_ROOTS; i++) {
        room->sums[i] += amounts[i];
        room->full |= room->sums[i] > INT_MAX;
    }
    if (room->full) {
        increase_stat_node(tree, "Not counted, beyond 2 GiB (packets)", 0, TRUE, 1);
    }
    return !room->full;
}

#endif
