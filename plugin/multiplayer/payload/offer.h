/* offer.h
 *
 * Passes a game's own bytes to dissectors of others: see api.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_OFFER_H
#define GODOT_OFFER_H

#include "base/wireshark-compat.h"
#include "multiplayer/payload/api.h"

typedef enum { GODOT_RAW, GODOT_METHOD, GODOT_PROPERTY, GODOT_AUTH, GODOT_SPAWN } godot_payload_table;

void godot_payload_register(int proto);
void godot_payload_handoff(void);

/* Whether a dissector may take bytes of this table. If not, and there is no tree, godot_payload_offer() has
 * nothing to do. */
bool godot_payload_wanted(godot_payload_table table);

/* A game's own bytes. */
typedef struct {
    godot_payload_table table;
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_tree *tree;
    godot_payload *facts;       /* without `table`, which is set */
    const char *const *scripts; /* paths of those that may contain the method, up to a NULL; may be NULL */
} godot_offered;

/* Returns what the dissector wrote into the Info column, in pinfo->pool, one line, at most `size` bytes; ""
 * if that is nothing, NULL if no dissector took the bytes. */
const char *godot_payload_offer(godot_offered *bytes, size_t size);

#endif
