/* names.h
 *
 * Names of peers in labels and texts: "server", and "client 1", "client 2" in the order in which they
 * connected or, if the capture does not have that, first appeared; or the name that the preference "Godot
 * peers" assigns. Fields, rows and filters have the numeric id.
 *
 * A peer is given its name on the first pass, when it first appears, and keeps it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PEER_NAMES_H
#define GODOT_PEER_NAMES_H

#include "base/wireshark-compat.h"

#include <epan/prefs.h>

/* A number that is unlikely to be anything but a random 31-bit id. */
static inline bool godot_is_likely_peer_id(uint32_t id)
{
    return id > 0xffff && id <= INT32_MAX;
}

/* The peer in a target: itself, or the one that "all but one" (a negative number) excludes. */
static inline int32_t godot_peer_meant(int32_t target)
{
    return target < 0 && target > INT32_MIN ? -target : target;
}

/* What a line of the table can be matched with, besides the id. NULL or 0: not known. */
typedef struct {
    const address *address;
    uint32_t port;
    const char *project; /* name of the project that the peer's recorder reports */
    int64_t process;     /* process id, likewise */
    bool mesh;           /* there is no server */
} godot_peer_facts;

void godot_peer_names_init(void);
void godot_peer_names_register(module_t *preferences);

/* First pass: gives the peer a name if it has none. `facts` may be NULL. An `id` below 1 is ignored. Clients
 * whose ENet connections were opened earlier are named first. */
void godot_peer_appears(int32_t id, const godot_peer_facts *facts);

/* "client 2"; "peer 4711" if it has no name or the preference "Names of peers" is off. */
const char *godot_peer_name(wmem_allocator_t *scope, int32_t id);

/* Which of the two ends of a connection is the client; in a mesh, where neither is the server, the one with
 * the higher id. 0: not known. */
int32_t godot_peer_client_of(int32_t one, int32_t other);

/* Name of the connection of a peer and `other`: "client 2", or "peer 3 with peer 2" if neither is the
 * server. */
const char *godot_peer_connection_name(wmem_allocator_t *scope, int32_t id, int32_t other);

/* Name of the source of a message; NULL if `id` is 0 (not known). */
const char *godot_source_name(wmem_allocator_t *scope, int32_t id);
/* Name of the target of a message: "all" for 0, "all but client 2" for a negative number. */
const char *godot_target_name(wmem_allocator_t *scope, int32_t id);
/* `path` with "{client 1}" instead of each number in it that is the random id of a peer with a name: nodes of
 * players are often named after them, and the ids differ from run to run. `path` itself if there is none. */
const char *godot_peer_names_in(wmem_allocator_t *scope, const char *path);

/* Appends godot_peer_names_in(). Statistics show paths so, packets have the ids. */
void godot_peer_append_path(GString *text, const char *path);

/* Appends godot_peer_name(), or "a peer that is not known" if `id` is 0. */
void godot_peer_append(GString *text, int32_t id);

/* Appends the name, if there is one, to an item that shows the id. `item` may be NULL. */
void godot_peer_name_item(proto_item *item, int32_t id);

#endif
