/* authority.h
 *
 * The authority of a node, which is not in packets: from the project, or from who sends the states of a
 * synchronizer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_AUTHORITY_H
#define GODOT_AUTHORITY_H

#include "multiplayer/packet/items.h"

void godot_authority_init(void);

/* First pass: the packet has a state of the synchronizer at `path`, whose authority is the sender. */
void godot_authority_learn(const godot_packet *packet, const char *path);

/* The peer that is the authority of the called node, which is added to the tree; 0: not known, then an expert
 * info says why. `checksum`: of the node's RPC methods; Godot 3: NULL, and `name` is that of the method or
 * property. If only packets show it, it is known on later passes. */
int32_t godot_authority_show(const godot_packet *packet, const char *node, const char *checksum,
                             const char *name);

/* Says that it is not known whether the receiver allows the call. */
void godot_authority_not_known(const godot_packet *packet, const char *reason);

#endif
