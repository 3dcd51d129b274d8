/* evidence.h
 *
 * What the capture has of a direction of an ENet connection: see enet/evidence/evidence.h. `stream` and
 * `from_initiator` are those of enet_payload_info, frames are frame_order().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_STATE_EVIDENCE_H
#define ENET_STATE_EVIDENCE_H

#include "base/wireshark-compat.h"

#include "enet/evidence/ending.h"
#include "enet/evidence/evidence.h"

/* Whether the capture has all of the span. */
enet_answer enet_captured_whole(const enet_span *span);

/* Reliable commands of the span that the capture does not have; *proven: the capture lost one of them. */
uint32_t enet_captured_not(const enet_span *span, bool *proven);

/* Whether the receiver has this message (enet_payload_info) and all reliable ones before it; and since when.
 * As far as the file was read. */
bool enet_captured_delivery(uint32_t stream, bool from_initiator, uint8_t channel, uint32_t sent,
                            int64_t *time);

/* What it has of a direction; all zeroes if there is no such connection. */
enet_direction enet_captured_of(uint32_t stream, bool from_initiator);

/* Whether losses of the connection are judged: see enet_loss_is_judged(). */
bool enet_losses_judged(const enet_connection *connection);

/* How a connection ends. */
enet_ending enet_ending_in_file(const enet_connection *connection);

/* The connection with this number; NULL: there is none. */
const enet_connection *enet_connection_in_file(uint32_t stream);

/* "one direction, not from the start". `any`, `all`: bits of either direction, of both. */
const char *enet_captured_text(wmem_allocator_t *pool, unsigned any, unsigned all);

#endif
