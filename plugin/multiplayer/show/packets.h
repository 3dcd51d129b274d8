/* packets.h
 *
 * One packet of SceneMultiplayer (v4.c) or MultiplayerAPI (v3.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PACKETS_H
#define GODOT_PACKETS_H

#include "multiplayer/packet/items.h"

void godot_dissect_v4(godot_packet *packet);
void godot_dissect_v3(godot_packet *packet);

#endif
