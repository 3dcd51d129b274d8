/* handshake.h
 *
 * Handshake and end of a connection, from the commands that are part of them.
 *
 * Source: the handlers of CONNECT, VERIFY_CONNECT and DISCONNECT in ENet's protocol.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_HANDSHAKE_H
#define ENET_HANDSHAKE_H

#include "enet/connection/record.h"

/* Update the connection for a command of this type; return ENET_NOTE()s. */
void enet_handshake_connect(enet_connection *connection, const enet_arrival *arrival,
                            const enet_command *command);

uint32_t enet_handshake_verify(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival,
                               const enet_command *command, enet_command_detail *detail);

void enet_handshake_disconnect(enet_sender *sender, const enet_arrival *arrival, const enet_header *header,
                               const enet_command *command);

/* Concludes from a command that the handshake was completed in frames that were not captured: before its
 * VERIFY_CONNECT is acknowledged, an acceptor neither sends nor acknowledges anything else, and an initiator
 * acknowledges VERIFY_CONNECT first. */
void enet_handshake_conclude(enet_sender *sender, const enet_arrival *arrival, const enet_command *command);

/* The handshake is complete. */
void enet_handshake_open(enet_connection *connection, const enet_arrival *arrival);

/* Notes of commands that need an open connection. */
uint32_t enet_handshake_notes(const enet_sender *sender, const enet_arrival *arrival,
                              const enet_header *header, const enet_command *command);

#endif
