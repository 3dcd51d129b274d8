/* spawn.h
 *
 * Nodes that a MultiplayerSpawner of Godot 4 makes and removes: SPAWN, DESPAWN.
 *
 * Not here: reading the packets (src/multiplayer/wire/scene_v4.h), names of scenes and properties
 * (multiplayer/packet/names.c), what net ids stand for at a message (multiplayer/session/nodes.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SHOW_SPAWN_H
#define GODOT_SHOW_SPAWN_H

#include "multiplayer/packet/items.h"

/* First pass only, when the path id of a spawner has been announced: sets the paths of the nodes that it
 * spawned earlier. */
void godot_resolve_spawns(const godot_packet *packet, uint32_t spawner);
void godot_dissect_spawn(godot_packet *packet, const multiplayer_v4_spawn *spawn, bool dropped);
void godot_dissect_despawn(godot_packet *packet, uint32_t offset, uint32_t net_id);

/* Number of values that can be read from these bytes of the packet. */
uint32_t godot_count_values(const godot_packet *packet, uint32_t offset, uint32_t length);

#endif
