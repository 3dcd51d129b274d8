/* calls.h
 *
 * How often scripts called a method: rpc() is one call, and a message to each receiver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_CALLS_H
#define GODOT_CALLS_H

#include "multiplayer/api/tap.h"

typedef struct godot_calls godot_calls;
/* In `pool`, with what it keeps. */
godot_calls *godot_calls_new(wmem_allocator_t *pool);
/* Whether a message is a call, or the first one of a call with several receivers: the same author calls the
 * same method of the same node with the same arguments, each receiver once, one right after the other
 * (SceneRPCInterface::_send_rpc() of Godot 4, MultiplayerAPI::_send_rpc() of Godot 3). What the server passes
 * on is a call only if its author's messages to the server were not captured. To be asked once for each
 * message, in their order. */
bool godot_calls_begin(godot_calls *calls, const godot_tap *tap, double time);

#endif
