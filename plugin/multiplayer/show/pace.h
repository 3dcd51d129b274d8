/* pace.h
 *
 * Intervals at which a synchronizer sends its state (properties in replication mode Always).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PACE_H
#define GODOT_PACE_H

#include "multiplayer/packet/dissection.h"

void godot_pace_init(void);

/* Adds to `tree` the time since the same synchronizer last sent its state to the same receiver and, on later
 * passes, the difference from the median of the capture. `id`: net id or path id of the entry. */
void godot_pace_add(const godot_packet *packet, proto_tree *tree, uint32_t id);

#endif
