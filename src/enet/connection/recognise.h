/* recognise.h
 *
 * Decides with which datagram a conversation between two sockets is recognised as ENet. A CONNECT or
 * VERIFY_CONNECT is proof; otherwise two datagrams have to match each other. Several connections may share
 * the sockets, so a few datagrams are kept until one of them is confirmed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_RECOGNISE_H
#define ENET_RECOGNISE_H

#include "enet/connection/connection.h"
#include "enet/wire/detect.h"

/* Evaluates a result of enet_detect() (confidence other than ENET_CONFIDENCE_NONE) for a datagram that
 * `endpoint` has sent; true if the conversation is now recognised. Its dialect and checksum are known
 * then. */
bool enet_recognise(enet_conversation *conversation, const enet_detection *detection, unsigned endpoint);

/* Whether the first `captured` bytes of a datagram of `length` bytes are those of a CONNECT; `header` is how
 * they are read. Nothing else is recognised in a datagram that was not captured whole. */
bool enet_recognise_cut(const uint8_t *bytes, size_t captured, size_t length, enet_dialect preferred,
                        enet_header *header);

/* The conversation is ENet, and `header` shows its dialect and checksum. `proven` by a handshake. */
void enet_bind(enet_conversation *conversation, const enet_header *header, bool proven);

#endif
