/* points.h
 *
 * The results of two capture points (enet/analysis/points.h, enet/analysis/delivery.h) in the tree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_POINTS_TREE_H
#define ENET_POINTS_TREE_H

#include "enet/state/view.h"

void enet_points_tree_register(int proto);

/* Adds the items of a datagram; on the first pass only the frame of the first capture, at the second one. */
void enet_points_tree(const enet_view *view);

/* Adds to a command that waits at the receiver the frame in which it is delivered; at the receiver's capture
 * point only. */
void enet_points_tree_command(const enet_view *view, proto_tree *tree, const enet_command *command);

#endif
