/* spawn.h
 *
 * Nodes that a MultiplayerSpawner of Godot 4 makes and removes: SPAWN, DESPAWN.
 *
 * Not here: reading the packets (src/multiplayer/scene_v4.h), names of scenes and properties
 * (multiplayer/packet/names.c), what net ids stand for at a message (multiplayer/state/nodes.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SHOW_SPAWN_H
#define GODOT_SHOW_SPAWN_H

#include "multiplayer/packet/items.h"

/* The path id of a spawner has been announced: the nodes that were spawned before get their paths. First pass
 * only. */
void godot_resolve_spawns(const godot_packet *packet, uint32_t spawner);
void godot_dissect_spawn(godot_packet *packet, const multiplayer_v4_spawn *spawn, bool dropped);
void godot_dissect_despawn(godot_packet *packet, uint32_t offset, uint32_t net_id);

/* The number of values in these bytes of the packet. */
uint32_t godot_count_values(const godot_packet *packet, uint32_t offset, uint32_t length);

#endif
