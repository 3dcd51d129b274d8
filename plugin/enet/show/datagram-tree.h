/* datagram-tree.h
 *
 * The tree of an ENet datagram: fields, subtrees, expert infos.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_DATAGRAM_TREE_H
#define ENET_DATAGRAM_TREE_H

#include "enet/state/view.h"

void enet_tree_register(int proto);

/* Adds a command without its data. Returns its subtree; `record`: NULL if the command was not analysed. */
proto_tree *enet_tree_command(const enet_view *view, const enet_command *command,
                              const enet_command_record *record);

/* Adds the findings about the datagram as a whole. */
void enet_tree_findings(const enet_view *view);

/* Adds the fragments of a message; returns the whole message, or NULL if it was not completed in this
 * frame. */
tvbuff_t *enet_tree_reassembled(const enet_view *view, const enet_message *message, proto_tree *tree);

/* Adds the data of a command that no dissector accepts. */
void enet_tree_data(const enet_view *view, proto_tree *tree, const enet_command *command);

/* Adds a reassembled message that no dissector accepts. */
void enet_tree_message(proto_tree *tree, tvbuff_t *message);

#endif
