/* payload.h
 *
 * What the ENet dissector hands to the dissector of a message it has delivered: the `data` argument of
 * dissectors in the table "enet.channel" (FT_UINT8, the channel), of the Decode As entry "enet.payload" and
 * of the heuristic list "enet". The tvb is exactly one ENet message, reassembled if it came in fragments.
 *
 * The rule for `wire_length`: a frame's bytes (all of them, with Ethernet, IP and UDP headers, ENet header
 * and acknowledgements, after compression) are distributed among the commands with data in it in proportion
 * to the length of these commands. Frames of nothing but acknowledgements of data are added to the next frame
 * with data of the same connection, in either direction. A message in fragments has the sum of its fragments.
 * Frames that keep up the connection (handshake, pings, bandwidth) belong to no message. So the shares of all
 * messages, the protocol overhead, and what the last messages have not claimed add up to the bytes of the
 * capture; `-z enet,tree` shows the three.
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
    bool direction_known;   /* the handshake (or other evidence) told who is who */
    bool from_initiator;    /* sent by the end that sent CONNECT; arbitrary but stable if not known */
    bool has_connect_data;  /* CONNECT was captured: */
    uint32_t connect_data;  /* its `data`: in Godot the multiplayer peer id of the initiator */
    uint32_t channel_count; /* negotiated, 0 if not known */
    uint32_t mtu;           /* negotiated, 0 if not known */
    bool retransmission;    /* this capture has had this message before */
    bool acknowledged;      /* the receiver's ENet has it; reliable messages, on later passes only */
    uint32_t acked_in;      /* frame of the first acknowledgement, 0 if not `acknowledged` */
    uint32_t
        /* in this capture; likewise, else 0. Of a message in fragments: of the one that completes it */
        transmissions;
    /* Likewise, if enet_state_keep_round_trips() was called: seconds until the first acknowledgement, from
     * the transmission that it answers; below 0: not known. */
    double round_trip;
    bool second_point; /* another capture point has had it before */
    bool sent_here;    /* here it leaves its sender for the first time, as far as it is known */
    bool points_known; /* later passes: there are two capture points, and it is known which is near whom: */
    uint32_t received_in; /* frame near the receiver (frames here: base/frame.h, frame_order()); 0: none */
    uint32_t
        delivered_in; /* near the receiver: frame in which its ENet delivers the message; 0: it does not */
    nstime_t wait;    /* if delivered_in: time until then */
    bool held;    /* near the receiver: its ENet still waits for an earlier message when the capture ends */
    bool arrived; /* later passes: acknowledged, or captured at the receiver's point, too */
    bool lost;    /* later passes: left its sender and was not captured at the receiver's point */
    bool has_transit;         /* later passes: two capture points, and this is the receiver's: */
    nstime_t transit;         /* time on the way */
    bool ignored;             /* a receiver will not deliver it: late or repeated */
    uint32_t closed_in;       /* frame of the connection's first DISCONNECT; on later passes only, else 0 */
    bool closed_by_initiator; /* if closed_in */
    /* A key for per-frame data: different for each message of this frame, the same on every pass. The lower
     * bits are the position in the datagram; a frame may have several datagrams (records of DTLS). */
#define ENET_MESSAGES_OF_DATAGRAM 0xffffu
    uint32_t message_index;
    /* Of the message among those of the file, from 1: the same on every pass, and another one for each. They
     * are given out in the order of the file without larger gaps, so that an array by number can keep what is
     * known of messages (base/memory.h). */
    uint32_t number;
    uint32_t wire_length; /* this message's share of the bytes of the frames that carried it */
    uint32_t first_frame; /* the connection's first frame: with `stream`, a key for session state */
} enet_payload_info;

#endif
