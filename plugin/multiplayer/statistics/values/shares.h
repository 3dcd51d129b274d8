/* shares.h
 *
 * How statistics divide a message about several nodes among them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SHARES_H
#define GODOT_SHARES_H

#include "multiplayer/api/tap.h"

/* The name under which a message is counted: "move()", "spawn"; "#3()" if the method's name is not known. In
 * `pool`. */
const char *godot_counted_name(wmem_allocator_t *pool, const godot_tap *tap);
/* The node under which a message is counted: its path if only the method's number is known, which differs
 * between nodes, else `all`. */
const char *godot_counted_node(const godot_tap *tap, const char *all);

/* 0 if there is no whole. */
static inline double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* Heading of a column: if all messages are recorded, "Packet bytes" instead of "Bytes on the wire". */
const char *godot_heading(const char *name);

/* A message about several nodes is divided among them, in proportion to what is about each, in whole bytes
 * whose sum is the message. What is rounded up differs from message to message, so that sums over messages
 * are in proportion, too. */
typedef struct {
    const godot_tap *tap;
    uint64_t phase;      /* of the rounding: below `all` */
    uint32_t next;       /* number of the next part */
    uint64_t all, begin; /* lengths of all parts, and of the parts before the next */
} godot_shares;

typedef struct {
    const godot_tap_part *part; /* NULL: about the message's node alone */
    const char *node;           /* "(no node)" if it is about none */
    uint32_t messages;          /* 1; 0 for a retransmission, of which only the bytes on the wire count */
    uint64_t bytes, wire;
} godot_share;

/* The properties of a node share its bytes in proportion to their own. */
typedef struct {
    const godot_share *of;
    uint64_t phase;      /* of the rounding: below `all` */
    uint32_t next;       /* number of the next property */
    uint64_t all, begin; /* lengths of all properties, and of those before the next */
} godot_property_shares;

typedef struct {
    const char
        *name; /* of the property, or "Property 0"; NULL: not known, what is about the node is not divided */
    uint64_t bytes, wire;
} godot_property_share;

godot_shares godot_shares_of(const godot_tap *tap);
/* False: there are no more. A message about one node or none has one share. */
bool godot_next_share(godot_shares *shares, godot_share *share);
godot_property_shares godot_property_shares_of(const godot_shares *shares, const godot_share *share);
/* False: there are no more. There is at least one. */
bool godot_next_property_share(godot_property_shares *shares, godot_property_share *property);
#endif
