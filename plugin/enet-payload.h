/* enet-payload.h
 *
 * What the ENet dissector hands to the dissector of a message it has delivered: the `data` argument of
 * dissectors in the table "enet.channel" (FT_UINT8, the channel), of the Decode As entry "enet.payload" and
 * of the heuristic list "enet". The tvb is exactly one ENet message, reassembled if it came in fragments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_PAYLOAD_H
#define ENET_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { ENET_DELIVERY_RELIABLE, ENET_DELIVERY_UNRELIABLE, ENET_DELIVERY_UNSEQUENCED } enet_delivery;

typedef struct {
    uint32_t stream; /* enet.stream: index of the connection in the file, 0 for the first */
    uint8_t channel; /* 0 - 254 */
    enet_delivery delivery;
    bool fragmented;        /* the message came in fragments */
    bool direction_known;   /* the handshake (or other evidence) told who is who */
    bool from_initiator;    /* sent by the end that sent CONNECT; arbitrary but stable if not known */
    bool has_connect_data;  /* CONNECT was captured: */
    uint32_t connect_data;  /* its `data`: in Godot the multiplayer peer id of the initiator */
    uint32_t channel_count; /* negotiated, 0 if not known */
    uint32_t mtu;           /* negotiated, 0 if not known */
    bool retransmission;    /* the receiver has had this message before */
    uint32_t
        message_index;    /* position among the messages delivered in this frame: a key for per-frame data */
    uint32_t wire_length; /* this message's share of the bytes of the frames that carried it, with UDP/IP,
                           * ENet headers, acknowledgements in them and after compression */
    uint32_t first_frame; /* the connection's first frame: with `stream`, a key for session state */
} enet_payload_info;

#endif
