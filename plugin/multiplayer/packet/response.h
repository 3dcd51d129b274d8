/* response.h
 *
 * Requests and what answers them, for response times: remote calls whose names say that one answers the other
 * (rpc_replies.h), and credentials with the "authentication complete" of the other end. Announced paths and
 * their confirmations are in multiplayer/state/session.h; their times go to the same tap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_RESPONSE_H
#define GODOT_RESPONSE_H

#include "multiplayer/packet/items.h"

#include <epan/prefs.h>

/* Requests that wait for the same reply at the same node; of more, the oldest are forgotten. */
#define GODOT_RESPONSE_MAX_WAITING 64u

/* A call to a method whose name is known, at a node whose path is. `length` bytes at `offset` are its
 * arguments; the first one, by which several replies on their way are told apart, is a value by `options` or,
 * without options, all of the bytes. Adds the links to the tree. */
void godot_response_call(godot_packet *packet, const char *path, const char *method, uint32_t offset,
                         uint32_t length, const variant_options *options);

/* A message of the authentication; `complete`: the sender admits the other end. */
void godot_response_authentication(godot_packet *packet, bool complete);

/* A path is confirmed that was announced at this time. */
void godot_response_confirmation(const godot_packet *packet, const nstime_t *announced);

void godot_response_register(module_t *preferences);

#endif
