/* enet-expert.h
 *
 * The expert infos of `enet`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_EXPERT_H
#define ENET_EXPERT_H

#include "enet/enet-view.h"

#include <epan/expert.h>

extern expert_field ei_enet_unacknowledged, ei_enet_checksum, ei_enet_undecoded, ei_enet_compression_useless,
    ei_enet_disconnect, ei_enet_connect, ei_enet_reassembled_length, ei_enet_not_analysed;

void enet_expert_register(int proto);

/* One expert info for each bit of `notes`. */
void enet_expert_notes(packet_info *pinfo, proto_item *item, uint32_t notes);

/* A finding of the decoder, whose sentence is `text`. */
void enet_expert_finding(packet_info *pinfo, proto_item *item, const finding *found, const char *text);

#endif
