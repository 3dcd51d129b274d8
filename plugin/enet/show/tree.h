/* tree.h
 *
 * The details of an ENet datagram: fields, subtrees, where expert infos hang.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_TREE_H
#define ENET_TREE_H

#include "enet/state/view.h"

void enet_tree_register(int proto);

/* One command without its data. Returns its subtree; `record` is NULL if the command was not analysed. */
proto_tree *enet_tree_command(const enet_view *view, const enet_command *command,
                              const enet_command_record *record);

/* Findings about the datagram as a whole. */
void enet_tree_findings(const enet_view *view);

/* The fragments of a completed message; returns the whole message, or NULL if it was completed in another
 * frame or never. */
tvbuff_t *enet_tree_reassembled(const enet_view *view, const enet_message *message, proto_tree *tree);

/* The data of a command, if no dissector takes it. */
void enet_tree_data(const enet_view *view, proto_tree *tree, const enet_command *command);

/* A whole message that no dissector takes. */
void enet_tree_message(proto_tree *tree, tvbuff_t *message);

#endif
