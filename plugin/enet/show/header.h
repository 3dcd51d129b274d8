/* header.h
 *
 * The tree of an ENet datagram before its commands: connection, header, checksum, compression.
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

#endif
