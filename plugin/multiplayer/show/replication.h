/* replication.h
 *
 * Spawned and synchronized nodes of Godot 4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SHOW_REPLICATION_H
#define GODOT_SHOW_REPLICATION_H

#include "multiplayer/packet/items.h"

/* The path id of a spawner has been announced: the nodes that were spawned before get their paths. First pass
 * only. */
void godot_resolve_spawns(const godot_packet *packet, uint32_t spawner);
void godot_dissect_spawn(godot_packet *packet, const multiplayer_v4_spawn *spawn, bool dropped);
void godot_dissect_despawn(godot_packet *packet, uint32_t offset, uint32_t net_id);
void godot_dissect_sync(godot_packet *packet, const multiplayer_v4_packet *parsed);

#endif
