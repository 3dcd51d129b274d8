/* call-checks.h
 *
 * Checks whether the receiver executes a call; adds expert infos if it does not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_CALL_CHECKS_H
#define GODOT_CALL_CHECKS_H

#include "multiplayer/packet/items.h"
#include "multiplayer/session/paths.h"

/* Godot 4: the call of the method with number `method`, with `count` arguments. */
void godot_check_call(const godot_packet *packet, const godot_path *path, uint16_t method, uint32_t count);
/* Godot 3: the call of a method by its name, with `count` arguments; if not `call`, RSET of a property. */
void godot_check_v3_call(const godot_packet *packet, const char *node, const char *name, bool call,
                         uint32_t count);

#endif
