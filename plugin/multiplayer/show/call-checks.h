/* call-checks.h
 *
 * Checks why the receiver does not execute a call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_CALL_CHECKS_H
#define GODOT_CALL_CHECKS_H

#include "multiplayer/packet/items.h"
#include "multiplayer/state/paths.h"

/* Godot 4: by the number of the method and `count` arguments. */
void godot_check_call(const godot_packet *packet, const godot_path *path, uint16_t method, uint32_t count);
/* Godot 3: by its name; or a property that is set, where there is nothing to count. */
void godot_check_v3_call(const godot_packet *packet, const char *node, const char *name, bool call,
                         uint32_t count);

#endif
