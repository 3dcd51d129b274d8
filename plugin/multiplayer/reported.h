/* reported.h
 *
 * What the receiver's engine has said about the packet that is being dissected.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_REPORTED_H
#define GODOT_REPORTED_H

#include "multiplayer/packet/dissection.h"

/* Before the packet is read: sets packet->answered; on the first pass of a recorded packet, learns its
 * number. */
void godot_reported_begin(godot_packet *packet);

/* When the packet was read: adds what was reported about it to tree and tap. On the first pass, remembers the
 * packet for the reports that follow. */
void godot_reported_add(const godot_packet *packet);

#endif
