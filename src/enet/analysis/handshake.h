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

/* Each of them: what the command means for the connection; notes as of enet_command_record. */
void enet_handshake_connect(enet_connection *connection, const enet_arrival *arrival,
                            const enet_command *command);

uint32_t enet_handshake_verify(enet_capture *capture, enet_sender *sender, const enet_arrival *arrival,
                               const enet_command *command, enet_command_detail *detail);

void enet_handshake_disconnect(enet_sender *sender, const enet_arrival *arrival, const enet_command *command);

/* The handshake was completed in frames that were not captured: an acceptor neither sends nor acknowledges
 * anything else before its VERIFY_CONNECT was acknowledged, and VERIFY_CONNECT is the first thing that an
 * initiator acknowledges. */
void enet_handshake_conclude(const enet_sender *sender, const enet_command *command);

/* Notes of commands that need an open connection. */
uint32_t enet_handshake_notes(const enet_sender *sender, const enet_arrival *arrival,
                              const enet_command *command);

#endif
