/* path-cache.h
 *
 * Ids of nodes, their announcements and confirmations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PATH_CACHE_H
#define GODOT_PATH_CACHE_H

#include "multiplayer/packet/items.h"
#include "multiplayer/state/paths.h"

/* No script of the project has these RPC methods, or the project could not be read. */
void godot_add_no_script(const godot_packet *packet, proto_item *item);
/* Names of what is replicated are missing, or a statement: if not all of the project could be read, says so,
 * once. */
void godot_add_unread(const godot_packet *packet, proto_item *item);
/* An id of the sender's path cache: what it stands for goes to `tree`, the id and where it was announced to
 * `encoding`. */
const godot_path *godot_add_path_id(const godot_packet *packet, proto_tree *tree, proto_tree *encoding,
                                    int hf, uint32_t offset, uint32_t length, uint32_t id);
/* At an announcement: the link to its confirmation. It points forward only, so that every pass shows the
 * same. */
void godot_add_confirmed_in(godot_packet *packet, const godot_path *entry);
/* Notes that the receiver never confirms the path, at its announcement and at calls. On the first pass
 * only at calls, and only what is known by then; that is what the list says on every pass. */
void godot_check_confirmed(const godot_packet *packet, proto_item *item, godot_path *path, bool announcement);
/* The receiver of an announcement answers. `entry`: what it answers to, NULL if that was not captured. */
void godot_show_confirmation(godot_packet *packet, godot_path *entry, const char *what, bool valid,
                             proto_item *valid_item, bool learn);
void godot_dissect_simplify(godot_packet *packet, const multiplayer_v4_simplify *simplify, bool dropped);
void godot_dissect_confirm(godot_packet *packet, const multiplayer_v4_confirm *confirm, bool dropped);

#endif
