/* text.h
 *
 * ENet commands as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_TEXT_H
#define ENET_TEXT_H

#include "enet/connection/record.h"

/* Writes a text for the Info column and the subtree of a command: "Reliable ch 0 seq 7 (43 bytes)". `notes`:
 * of its record, or 0. A text that does not fit into `size` bytes is cut. */
void enet_command_text(const enet_command *command, const enet_datagram_record *datagram, uint32_t notes,
                       char *text, size_t size);

#endif
