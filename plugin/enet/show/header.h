/* header.h
 *
 * The tree of an ENet datagram before its commands: connection, capture points, header, checksum,
 * compression.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_HEADER_TREE_H
#define ENET_HEADER_TREE_H

#include "enet/state/view.h"

void enet_header_tree_register(int proto);

/* Names of enet_side for users. */
extern const value_string enet_side_names[];

/* Adds these items. */
void enet_tree_header(const enet_view *view);

/* Adds to a command that waits at the receiver the frame in which it is delivered; at the receiver's capture
 * point only. */
void enet_tree_delivery(const enet_view *view, proto_tree *tree, const enet_command *command);

#endif
