/* sync.h
 *
 * What a MultiplayerSynchronizer of Godot 4 sends: SYNC.
 *
 * Not here: reading the packets (src/multiplayer/wire/scene_v4.h), names of scenes and properties
 * (multiplayer/packet/names.c), what net ids stand for at a message (multiplayer/session/nodes.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SHOW_SYNC_H
#define GODOT_SHOW_SYNC_H

#include "multiplayer/packet/items.h"

void godot_dissect_sync(godot_packet *packet, const multiplayer_v4_packet *parsed);

#endif
