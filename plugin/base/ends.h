/* ends.h
 *
 * Whom a row of the packet list comes from and goes to, for its columns: godot.from and godot.to. A transport
 * adds what it knows, then the packet inside of it does; the last ones of a frame are shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENDS_H
#define ENDS_H

#include "base/wireshark-compat.h"

/* The fields, for the protocol "godot". Without them (enet.so) nothing is added. */
void ends_register(int proto);

/* Whether a column, a filter or a statistic uses one of the fields: only then anything has to be found out. */
bool ends_wanted(proto_tree *tree);

/* Adds them, hidden. NULL: not known. */
void ends_add(proto_tree *tree, tvbuff_t *tvb, const char *from, const char *to);

/* As ends_add() if they are wanted, with the sockets of the packet for a name that is NULL:
 * "127.0.0.1:50000". */
void ends_add_sockets(const packet_info *pinfo, proto_tree *tree, tvbuff_t *tvb, const char *from,
                      const char *to);

#endif
