/* evidence.h
 *
 * What the capture has of a direction of an ENet connection: see enet/evidence/evidence.h. `stream` and
 * `from_initiator` are those of enet_payload_info, frames are frame_order().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_STATE_EVIDENCE_H
#define ENET_STATE_EVIDENCE_H

#include "enet/evidence/evidence.h"

/* Whether the capture has all of the span. */
enet_answer enet_captured_whole(const enet_span *span);

/* Reliable commands of the span that the capture does not have; *proven: the capture lost one of them. */
uint32_t enet_captured_not(const enet_span *span, bool *proven);

/* What it has of a direction; all zeroes if there is no such connection. */
enet_direction enet_captured_of(uint32_t stream, bool from_initiator);

#endif
