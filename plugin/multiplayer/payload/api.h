/* api.h
 *
 * For dissectors of a game's own bytes, in plugins and in Lua. They register in these tables, whose keys are
 * texts; the first key that has a dissector that takes the bytes is used:
 *
 *     godot.method    a PackedByteArray that is an argument of a remote call:
 *                     NODE.METHOD:ARGUMENT, NODE.METHOD, SCRIPT.METHOD:ARGUMENT, SCRIPT.METHOD,
 *                     METHOD:ARGUMENT, METHOD
 *     godot.property  a PackedByteArray that is a synchronized property, or set by rset():
 *                     NODE.PROPERTY, PROPERTY
 *     godot.auth      the data of send_auth(): server, client (the end that sends it)
 *     godot.spawn     a PackedByteArray that is the argument of a spawn function: path of the spawner
 *
 * and at last "*" in each. NODE is a path as in the field godot.path, SCRIPT the name of the file without
 * ".gd", ARGUMENT a number from 0. A method or property whose name is not known is called as the tree calls
 * it: "#3", "Property 0".
 *
 *     godot.raw       send_bytes(): a table for Decode As without keys, and a list of heuristics
 *
 * A dissector gets a tvb of exactly these bytes and a tree below their item (NULL if there is none). What it
 * writes into the Info column stands in the place of the bytes, other columns are not changed. It is called
 * on every pass; an exception in it concerns its bytes only, but after what Wireshark calls a bug of a
 * dissector, no other is called for the rest of the frame in that pass.
 *
 * A dissector in C gets the facts of this structure by
 *     p_get_proto_data(pinfo->pool, pinfo, proto_get_id_by_filter_name("godot"), GODOT_PAYLOAD_KEY)
 * as long as it runs (its `data` is NULL, as many dissectors expect), one in Lua as the texts
 * pinfo.private["godot.node"], ["godot.number"] … with the same names, nil for what is not known or false.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PAYLOAD_H
#define GODOT_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

#define GODOT_PAYLOAD_KEY 1000u

typedef struct {
    const char *table;   /* "godot.method" */
    const char *node;    /* path of the node; NULL: not known, or the packet is about none */
    const char *name;    /* of the method or property; NULL in the other tables */
    int32_t argument;    /* its number, from 0; -1: it is not one */
    const char *before;  /* the arguments before it, as the Info column shows them; "": none */
    const char *after;   /* those after it in the same way, the first 1,000 bytes; "": none */
    uint32_t session;    /* godot.session */
    int32_t source;      /* peer ID of who has sent it; 0: not known */
    int32_t target;      /* of the receiver; 0: all peers, -ID: all but that one */
    bool target_unknown; /* it is one peer, but its ID is not known: `target` is 0 */
    bool from_initiator; /* the connection's end that opened it (the client) has sent the packet */
    /* Number of the message. It grows with time within a session and is the same on every pass, so what is
     * learned should be kept with it, and be looked up as of it. */
    uint32_t number;
    bool first;    /* the first pass, and the packet came for the first time: what it says is to be learned */
    bool repeated; /* a copy of a packet that came before */
} godot_payload;

#endif
