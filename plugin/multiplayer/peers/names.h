/* names.h
 *
 * What peers are called wherever a person reads of them: "server", "client 1", "client 2" in the order of
 * their connection, as far as the capture shows that, else in the order in which they first appear; or as the
 * table "Godot Peers" has it. Ids stay numbers in fields, rows and filters.
 *
 * A peer gets its name on the first pass, when it first appears, and keeps it.
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

/* A peer, or who is left out of all. */
static inline int32_t godot_peer_meant(int32_t target)
{
    return target < 0 && target > INT32_MIN ? -target : target;
}

/* By what the table may know a peer, beside its id, and what is known of it: as far as it is, else 0. */
typedef struct {
    const address *address; /* and its port */
    uint32_t port;
    const char *project; /* that the peer has recorded: its name, and the process */
    int64_t process;
    bool mesh; /* there is no server */
} godot_peer_facts;

void godot_peer_names_init(void);
void godot_peer_names_register(module_t *preferences);

/* First pass: a message is of this peer, for it or about it. `facts` may be NULL. What is no id is not taken.
 * Before it come those whose ENet connections were opened before. */
void godot_peer_appears(int32_t id, const godot_peer_facts *facts);

/* "client 2"; "peer 4711" of one that has no name, as all have none if the preference says so. */
const char *godot_peer_name(wmem_allocator_t *scope, int32_t id);

/* Whom a message is from; NULL: that is not known (0). */
const char *godot_source_name(wmem_allocator_t *scope, int32_t id);
/* Whom it is for: "all" (0), "all but client 2" (below 0). */
const char *godot_target_name(wmem_allocator_t *scope, int32_t id);
/* The same, or that the peer is not known. */
void godot_peer_append(GString *text, int32_t id);

/* An item that shows the id: its name behind it, if it has one. */
void godot_peer_name_item(proto_item *item, int32_t id);

#endif
