/* header.h
 *
 * What comes before the commands of an ENet datagram, in the tree: connection, header, checksum, compression.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_HEADER_TREE_H
#define ENET_HEADER_TREE_H

#include "enet/state/view.h"

void enet_header_tree_register(int proto);

/* Of enet_side. */
extern const value_string enet_side_names[];

/* Header word to compression. */
void enet_tree_header(const enet_view *view);

#endif
