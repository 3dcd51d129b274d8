/* rpc_replies.h
 *
 * Which remote procedure answers which: "pong" answers "ping", "receive_item" answers "request_item". Godot
 * has no replies; a reply is another call in the opposite direction, which only its name identifies.
 *
 * A pattern has two names; a '*' in the first stands for what a '*' in the second is replaced with.
 * Underscores at the beginning, which many put before names that are not meant to be called locally, do not
 * count.
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
