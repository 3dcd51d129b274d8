/* claims.h
 *
 * Which of several heuristic dissectors gets a WebSocket message. Wireshark calls the dissectors of a
 * heuristic list in an order that changes while it runs, and a message of the remote debugger is also a valid
 * Variant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "base/wireshark-compat.h"

/* Registers a function that returns true for messages of the caller's protocol; it has precedence over
 * heuristics with weaker evidence. For handoff functions. */
void claim_websocket(bool (*claims)(tvbuff_t *tvb, packet_info *pinfo));

/* True if a message is claimed: the heuristics of others return false then. */
bool websocket_is_claimed(tvbuff_t *tvb, packet_info *pinfo);

#endif
