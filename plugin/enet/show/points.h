/* points.h
 *
 * What capture points say (enet/analysis/points.h, enet/analysis/delivery.h), in the tree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_POINTS_TREE_H
#define ENET_POINTS_TREE_H

#include "enet/state/view.h"

void enet_points_tree_register(int proto);

/* At a datagram: the second one where it was seen first, later passes the rest. */
void enet_points_tree(const enet_view *view);

/* At a command, at the receiver's capture point: where it gets what it has to wait for. */
void enet_points_tree_command(const enet_view *view, proto_tree *tree, const enet_command *command);

#endif
