/* expert.h
 *
 * The expert infos of `enet`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_EXPERT_H
#define ENET_EXPERT_H

#include "enet/state/view.h"

#include <epan/expert.h>

extern expert_field ei_enet_problem[ENET_PROBLEM_COUNT]; /* findings of the decoder */
extern expert_field ei_enet_unacknowledged, ei_enet_checksum, ei_enet_undecoded, ei_enet_over_budget,
    ei_enet_compression_useless, ei_enet_disconnect, ei_enet_connect, ei_enet_reassembled_length,
    ei_enet_not_analysed, ei_enet_timeout, ei_enet_unanswered, ei_enet_second_point, ei_enet_lost,
    ei_enet_throttled, ei_enet_paused;

void enet_expert_register(int proto);

/* One expert info for each bit of `notes`. */
void enet_expert_notes(packet_info *pinfo, proto_item *item, uint32_t notes);

/* Later passes: an expert info at the last transmission of a command, if the sender then gives up the
 * connection, or if a CONNECT is never answered. `index`: of this transmission. */
void enet_expert_timeout(const enet_view *view, proto_item *item, uint32_t index);

/* An expert info if this datagram is the first one after a pause of its sender's process. */
void enet_expert_pause(const enet_view *view, proto_item *item);

#endif
