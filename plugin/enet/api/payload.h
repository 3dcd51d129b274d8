/* payload.h
 *
 * The data that the ENet dissector passes with a message: the `data` argument of
 * dissectors in the table "enet.channel" (FT_UINT8, the channel), of the Decode As entry "enet.payload" and
 * of the heuristic list "enet". The tvb is exactly one ENet message, reassembled if it came in fragments.
 *
 * The rule for `wire_length`: a frame's bytes (all of them, with Ethernet, IP and UDP headers, ENet header
 * and acknowledgements, after compression) are distributed among the commands with data in it in proportion
 * to the length of these commands. Frames with only acknowledgements of data are added to the next frame with
 * data of the same connection, in either direction. A message in fragments has the sum of its fragments.
 * Frames that maintain the connection (handshake, pings, bandwidth) belong to no message. So the shares of
 * all messages, the protocol overhead, and acknowledgements after the last message add up to the bytes of the
 * capture; `-z enet,tree` shows all three.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_PAYLOAD_H
#define ENET_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <wsutil/nstime.h>

typedef enum { ENET_DELIVERY_RELIABLE, ENET_DELIVERY_UNRELIABLE, ENET_DELIVERY_UNSEQUENCED } enet_delivery;

typedef struct {
    uint32_t stream; /* enet.stream: index of the connection in the file, 0 for the first */
    uint8_t channel; /* 0 - 254 */
    enet_delivery delivery;
    bool fragmented;        /* the message came in fragments */
    bool direction_known;   /* the handshake (or other evidence) shows which end is the initiator */
    bool from_initiator;    /* sent by the end that sent CONNECT; arbitrary but constant if not known */
    bool has_connect_data;  /* CONNECT was captured */
    uint32_t connect_data;  /* if so, its `data`: in Godot the multiplayer peer id of the client */
    uint32_t channel_count; /* negotiated, 0 if not known */
    uint32_t mtu;           /* negotiated, 0 if not known */
    bool retransmission;    /* the message was captured before */
    uint32_t sent;          /* reliable: for enet_captured_delivery(), as `channel`; else 0 */
    bool acknowledged;      /* by the receiver's ENet; reliable messages, on later passes only */
    uint32_t held_until;    /* likewise: frame of the acknowledgement, of it or of an earlier message of the
                             * channel, after which the receiver's ENet has delivered it; 0: none */
    bool unanswered; /* likewise: it is never acknowledged, and the capture would have the acknowledgement */
    uint32_t
        /* in this capture; likewise, else 0. Of a message in fragments: of the one that completes it */
        transmissions;
    /* Likewise, if enet_state_keep_round_trips() was called: seconds until the first acknowledgement, from
     * the transmission that it answers; below 0: not known. */
    double round_trip;
    bool second_point; /* another capture point captured it earlier */
    bool sent_here;    /* the first transmission, at the capture point next to the sender (if known) */
    bool points_known; /* later passes: there are two capture points with known places; if not, the following
                        * members are not valid */
    uint32_t received_in; /* frame_order() at the receiver's capture point; 0: none */
    uint32_t
        delivered_in;   /* near the receiver: frame in which its ENet delivers the message; 0: it does not */
    nstime_t wait;      /* if delivered_in: time until then */
    bool held;          /* when the capture ends, the receiver's ENet still waits for an earlier message */
    bool arrived;       /* later passes: acknowledged, or captured at the receiver's point, too */
    bool lost;          /* later passes: left its sender and was not captured at the receiver's point */
    bool has_transit;   /* later passes: this is the receiver's of two capture points */
    nstime_t transit;   /* if so, time from the sender's point to this one */
    bool ignored;       /* a receiver will not deliver it: late or repeated */
    uint32_t closed_in; /* frame of the connection's first DISCONNECT; on later passes only, else 0 */
    bool closed_by_initiator; /* if closed_in */
    /* A key for per-frame data: different for each message of this frame, the same on every pass. The lower
     * bits are the position in the datagram; a frame may have several datagrams (records of DTLS). */
#define ENET_MESSAGES_OF_DATAGRAM 0xffffu
    uint32_t message_index;
    /* Number of the message in the file, from 1: unique, and the same on every pass. Numbers are assigned in
     * the order of the file without large gaps, so they can be indices of an array (base/memory.h). */
    uint32_t number;
    uint32_t wire_length; /* this message's share of the bytes of the frames that carried it */
    uint32_t first_frame; /* the connection's first frame: with `stream`, a key for session state */
} enet_payload_info;

#endif
