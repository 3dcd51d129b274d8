/* enet-tree.h
 *
 * The details of an ENet datagram: fields, subtrees, expert infos.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_TREE_H
#define ENET_TREE_H

#include "enet/enet-decode.h"

void enet_tree_register(int proto);

/* Header word to compression. `tree` may be NULL. */
void enet_tree_header(const enet_datagram *datagram, const enet_datagram_record *record, packet_info *pinfo,
                      proto_tree *tree);

/* One command without its data. Returns its subtree; `record` may be NULL. */
proto_tree *enet_tree_command(const enet_datagram *datagram, const enet_datagram_record *datagram_record,
                              const enet_command_record *record, packet_info *pinfo, proto_tree *tree,
                              const enet_command *command);

/* Findings about the datagram as a whole, when its body has been walked. */
void enet_tree_findings(const enet_datagram *datagram, packet_info *pinfo, proto_tree *tree,
                        const enet_body *body);

/* The fragments of a completed message; returns the whole message, or NULL. */
tvbuff_t *enet_tree_reassembled(const enet_datagram *datagram, const enet_message *message,
                                packet_info *pinfo, proto_tree *tree);

/* The data of a command, if no dissector takes it. */
void enet_tree_data(const enet_datagram *datagram, proto_tree *tree, const enet_command *command);

/* A whole message that no dissector takes. */
void enet_tree_message(proto_tree *tree, tvbuff_t *message);

/* What the command is, for the Info column and its subtree: "Reliable ch 0 seq 7 (43 bytes)". */
void enet_command_text(const enet_command *command, const enet_command_record *record, char *text,
                       size_t size);

#endif
