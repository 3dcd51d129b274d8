/* pace.h
 *
 * Intervals at which a synchronizer sends its state (properties in replication mode Always).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PACE_H
#define GODOT_PACE_H

#include "multiplayer/packet/packet.h"

void godot_pace_init(void);

/* Adds to an entry's `tree` how long ago the same synchronizer sent its state to the same receiver before,
 * and, on later passes, how much that differs from the median of the capture. `id`: of the entry. */
void godot_pace_add(const godot_packet *packet, proto_tree *tree, uint32_t id);

#endif
