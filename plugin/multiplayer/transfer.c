/* transfer.c
 *
 * Transfer mode and channel from ENet's delivery and channel, from the stream of a WebRTC data channel, or
 * from a record.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/transfer.h"

#include "base/bytes.h"

/* MultiplayerPeer.TransferMode. */
static godot_transfer_mode transfer_mode_of(uint8_t mode)
{
    static const godot_transfer_mode modes[] = {GODOT_TRANSFER_UNRELIABLE, GODOT_TRANSFER_UNRELIABLE_ORDERED,
                                                GODOT_TRANSFER_RELIABLE};
    return mode < array_length(modes) ? modes[mode] : GODOT_TRANSFER_UNKNOWN;
}

/* Godot 4: channel 0 is ENet's channel 0 for reliable and 1 for unreliable messages, channel n is n + 1
 * (enet_multiplayer_peer.cpp). Godot 3: 1 and 2 in the same way, unless the game selects channel 1 or 2; from
 * 3 on it was selected. Up to 3.4, fragments of unreliable messages are reliable, on channel 2. */
static void set_from_enet(godot_packet *packet)
{
    const enet_payload_info *enet = packet->enet;
    godot_tap *tap = packet->tap;
    bool reliable = enet->delivery == ENET_DELIVERY_RELIABLE;
    bool ordered = enet->delivery == ENET_DELIVERY_UNRELIABLE && !enet->fragmented;
    tap->transfer_mode = reliable  ? GODOT_TRANSFER_RELIABLE
                         : ordered ? GODOT_TRANSFER_UNRELIABLE_ORDERED
                                   : GODOT_TRANSFER_UNRELIABLE;
    if (packet->message->api == 3 && reliable && enet->fragmented && enet->channel == 2) {
        tap->transfer_mode = GODOT_TRANSFER_UNKNOWN;
    }
    if (packet->message->api == 4) {
        tap->channel = enet->channel > 1 ? enet->channel - 1 : 0;
    } else if (enet->channel > 2) {
        tap->channel = enet->channel;
    }
}

enum { DATA_HEAD = 16 };

/* The header of a DATA chunk (RFC 9260, section 3.3.1) right before the payload, NULL: there is none.
 * Wireshark's SCTP dissector does not provide the stream of a payload. A message that came in several chunks
 * has no header before it. */
static const uint8_t *data_chunk_before(tvbuff_t *payload)
{
    enum { DATA = 0, WHOLE_MESSAGE = 3, TYPE = 0, FLAGS = 1, LENGTH = 2 };
    tvbuff_t *source = tvb_get_ds_tvb(payload);
    int offset = tvb_raw_offset(payload) - DATA_HEAD;
    if (offset < 0) {
        return NULL;
    }
    const uint8_t *head = tvb_get_ptr(source, offset, DATA_HEAD);
    bool fits = head[TYPE] == DATA && (head[FLAGS] & WHOLE_MESSAGE) == WHOLE_MESSAGE &&
                be16(head + LENGTH) == tvb_reported_length(payload) + DATA_HEAD;
    return fits ? head : NULL;
}

/* webrtc_multiplayer_peer.cpp: streams 1 to 3 are channel 0, 3 + n is channel n, in the mode that the game
 * has configured it with; of modes, only the unreliable one has no order. */
static void set_from_sctp(godot_packet *packet)
{
    static const godot_transfer_mode modes[] = {GODOT_TRANSFER_UNKNOWN, GODOT_TRANSFER_RELIABLE,
                                                GODOT_TRANSFER_UNRELIABLE_ORDERED, GODOT_TRANSFER_UNRELIABLE};
    enum { FLAGS = 1, UNORDERED = 4, STREAM = 8 };
    const uint8_t *head = data_chunk_before(packet->tvb);
    uint16_t stream = head ? be16(head + STREAM) : 0;
    if (stream == 0) {
        return;
    }
    if (stream < array_length(modes)) {
        packet->tap->channel = 0;
        packet->tap->transfer_mode = modes[stream];
        return;
    }
    packet->tap->channel = stream - (int)array_length(modes) + 1;
    packet->tap->transfer_mode = head[FLAGS] & UNORDERED ? GODOT_TRANSFER_UNRELIABLE : GODOT_TRANSFER_UNKNOWN;
}

void godot_set_transfer(godot_packet *packet)
{
    packet->tap->channel = -1;
    if (packet->recorded) {
        packet->tap->transfer_mode = transfer_mode_of(packet->recorded->mode);
        packet->tap->channel = packet->recorded->channel;
    } else if (packet->enet) {
        set_from_enet(packet);
    } else if (packet->message->session->transport == GODOT_OVER_SCTP) {
        set_from_sctp(packet);
    }
}
