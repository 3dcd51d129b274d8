/* transfer.h
 *
 * Transfer mode and channel that the game has set: MultiplayerPeer.transfer_mode and transfer_channel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_TRANSFER_H
#define GODOT_TRANSFER_H

#include "multiplayer/packet/dissection.h"

/* Sets both in `packet->tap`, as far as the transport shows them. `packet->tvb` is what the transport
 * carried. */
void godot_set_transfer(godot_packet *packet);

#endif
