/* flow.h
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_FLOW_H
#define GODOT_FLOW_H

#include "multiplayer/state/tap.h"

/* True if the flow graph and Follow show the message: a call, a spawn, a system message or bytes of the game;
 * not synchronized properties, the path cache or retransmissions. */
bool godot_tap_is_event(const godot_tap *message);

#endif
