/* path-cache.h
 *
 * Shows ids of node paths, their announcements and confirmations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PATH_CACHE_H
#define GODOT_PATH_CACHE_H

#include "multiplayer/packet/items.h"
#include "multiplayer/session/paths.h"

/* Adds the expert info that no script of the project has these RPC methods and, once per session and sender,
 * that about the part of the project that could not be read. */
void godot_add_no_script(const godot_packet *packet, proto_item *item);
/* Adds an expert info, once per session and sender, if a part of the project could not be read: a name may be
 * missing for that reason. */
void godot_add_unread(const godot_packet *packet, proto_item *item);
/* Adds an id of the sender's path cache: its path to `tree`, the id and the frame of its announcement to
 * `encoding`. Returns the entry, NULL if it was not captured. */
const godot_path *godot_add_path_id(const godot_packet *packet, proto_tree *tree, proto_tree *encoding,
                                    int hf, uint32_t offset, uint32_t length, uint32_t id);
/* Godot 3: whether the receiver does not know the id of `path`, or not yet: its owner, another client, has
 * announced it to others only. Adds an expert info that says so. */
bool godot_check_announced_v3(const godot_packet *packet, proto_item *item, const godot_path *path);
/* On later passes: adds to an announcement the link to its confirmation, if that was captured later. */
void godot_add_confirmed_in(godot_packet *packet, const godot_path *entry);
/* Later passes: adds an expert info if the receiver never confirms the path, to the announcement or a call.
 * Returns whether a call is lost. */
bool godot_check_confirmed(const godot_packet *packet, proto_item *item, const godot_path *path,
                           bool announcement);
/* Later passes: whether nothing in the capture shows that the receiver of a call with the path has the node.
 * `path` may be NULL, which says nothing. */
bool godot_is_node_unknown(const godot_packet *packet, const godot_path *path);
/* First pass, then all: a confirmation. `entry`: the announcement, NULL if it was not captured. `what`: text
 * for the path. */
void godot_learn_confirmation(const godot_packet *packet, godot_path *entry, bool valid);
void godot_show_confirmation(godot_packet *packet, const godot_path *entry, const char *what, bool valid,
                             proto_item *valid_item);
void godot_dissect_simplify(godot_packet *packet, const multiplayer_v4_simplify *simplify, bool dropped);
void godot_dissect_confirm(godot_packet *packet, const multiplayer_v4_confirm *confirm, bool dropped);

#endif
