/* rpc_replies.h
 *
 * Pairs of remote methods that are request and reply: "ping" and "pong", "request_item" and "receive_item".
 * Godot has no replies: a reply is a call in the opposite direction, identified by its name only.
 *
 * A pattern has two names; a '*' in the second is replaced by the text that matches the '*' in the first.
 * Underscores at the beginning of a name are ignored; they often mark methods that are not called locally.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RPC_REPLIES_H
#define RPC_REPLIES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *request, *reply;
} rpc_reply_pattern;

/* Common names in games, in GDScript's and in C#'s way. Ends with {NULL, NULL}. */
extern const rpc_reply_pattern rpc_reply_conventions[];

/* The name without the underscores it begins with. */
const char *rpc_reply_bare_name(const char *method);

/* Writes the bare name of the method that answers `method` by this pattern. False: it is no request by this
 * pattern, or the name does not fit into `room` bytes (NUL included). */
bool rpc_reply_name(const rpc_reply_pattern *pattern, const char *method, char *name, size_t room);

/* NULL if the pattern can be used, else what is wrong with it. */
const char *rpc_reply_check(const rpc_reply_pattern *pattern);

#endif
