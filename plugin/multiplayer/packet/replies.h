/* replies.h
 *
 * Requests and replies, for response times: remote calls whose names form a pair (rpc_replies.h), and
 * credentials with the "authentication complete" of the other end. Announced paths and their confirmations
 * are in multiplayer/session/paths.h; their times go to the same tap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_REPLIES_H
#define GODOT_REPLIES_H

#include "multiplayer/packet/items.h"

#include <epan/prefs.h>

/* Unanswered requests that are kept for a reply at a node; if there are more, the oldest are dropped. */
#define GODOT_RESPONSE_MAX_WAITING 64u

/* A call with a known method name and node path. `length` bytes at `offset` are its arguments. The first one
 * identifies the reply if several are outstanding: it is a value encoded by `options` or, if that is NULL,
 * all of the bytes. Adds the links to the tree. */
void godot_response_call(godot_packet *packet, const char *path, const char *method, uint32_t offset,
                         uint32_t length, const variant_options *options);

/* An authentication message; `complete`: the sender accepts the other end. */
void godot_response_authentication(godot_packet *packet, bool complete);

/* A confirmation of a path that was announced at this time. */
void godot_response_confirmation(const godot_packet *packet, const nstime_t *announced);

void godot_response_register(module_t *preferences);

#endif
