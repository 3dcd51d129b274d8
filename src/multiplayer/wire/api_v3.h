/* api_v3.h
 *
 * Packets of Godot 3's MultiplayerAPI (3.0 - 3.6) and the headers that its peers put before them. Godot
 * 2.1 has no high-level multiplayer. One packet is one message of the transport.
 *
 * Source of the facts: the engine's core/io/multiplayer_api.cpp, modules/enet/networked_multiplayer_enet.cpp
 * and modules/websocket/websocket_multiplayer_peer.cpp, checked against captures of 3.2.3 and 3.6.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MULTIPLAYER_V3_H
#define MULTIPLAYER_V3_H

#include "multiplayer/wire/packet.h"

typedef enum {
    MULTIPLAYER_V3_REMOTE_CALL,
    MULTIPLAYER_V3_REMOTE_SET,
    MULTIPLAYER_V3_SIMPLIFY_PATH,
    MULTIPLAYER_V3_CONFIRM_PATH,
    MULTIPLAYER_V3_RAW, /* 3.1 and later */
    MULTIPLAYER_V3_COMMAND_COUNT
} multiplayer_v3_command;

/* The header before the MultiplayerAPI packet, by transport. */
typedef enum {
    MULTIPLAYER_V3_BARE,        /* WebRTC: nothing */
    MULTIPLAYER_V3_ENET,        /* 3.2 - 3.6: source, target */
    MULTIPLAYER_V3_ENET_FLAGS,  /* 3.0, 3.1: source, target, ENet packet flags */
    MULTIPLAYER_V3_ENET_SYSTEM, /* ENet channel 0: no packet follows */
    MULTIPLAYER_V3_WEBSOCKET,   /* type, source, target */
} multiplayer_v3_carrier;

/* Messages of the peer itself. */
typedef enum {
    MULTIPLAYER_V3_DATA, /* none: a MultiplayerAPI packet follows */
    MULTIPLAYER_V3_ADD_PEER,
    MULTIPLAYER_V3_REMOVE_PEER,
    MULTIPLAYER_V3_ASSIGN_ID, /* WebSocket only */
    MULTIPLAYER_V3_UNKNOWN_MESSAGE,
} multiplayer_v3_message;

typedef struct {
    multiplayer_v3_carrier carrier;
    multiplayer_v3_message message;
    uint32_t length;                                        /* of the header */
    uint32_t message_offset, message_length, message_value; /* message_length 0: no such field */
    bool has_source;                                        /* else source and target are not in the header */
    uint32_t source_offset;                                 /* this and the next three: if has_source */
    int32_t source;                                         /* 1: the server */
    uint32_t target_offset;
    int32_t target;        /* 0 everybody, 1 the server, > 1 that client, < 0 everybody but -target */
    uint32_t flags_offset; /* 3.0, 3.1 */
    uint32_t flags;        /* 0 ordered, 1 reliable, 2 unsequenced */
    uint32_t peer_offset;  /* 0: none */
    int32_t peer;          /* subject of ADD_PEER, REMOVE_PEER, ASSIGN_ID */
    multiplayer_findings findings;
} multiplayer_v3_header;

#define MULTIPLAYER_V3_PATH_FLAG 0x80000000u /* target word: offset of a path */

typedef struct {
    const uint8_t *bytes; /* the MultiplayerAPI packet; all offsets count from here */
    uint32_t length;
    uint8_t command;        /* the whole first byte */
    uint32_t target_offset; /* 0: none, as for the other offsets */
    uint32_t target;       /* REMOTE_CALL, REMOTE_SET: with MULTIPLAYER_V3_PATH_FLAG. SIMPLIFY_PATH: the id */
    multiplayer_text path; /* of the node */
    multiplayer_text name; /* of the method or property */
    uint32_t count_offset; /* REMOTE_CALL */
    uint8_t count;         /* of the arguments, as announced */
    uint32_t values_offset, values_length; /* REMOTE_CALL: arguments; REMOTE_SET: value; RAW: data */
    multiplayer_findings findings;
} multiplayer_v3_packet;

/* Reads the header of a message over the given carrier. */
void multiplayer_v3_parse_header(multiplayer_v3_carrier carrier, const uint8_t *bytes, size_t length,
                                 multiplayer_v3_header *header);

/* Reads a MultiplayerAPI packet. Values are left to the Variant decoder, Godot 3 dialect. */
void multiplayer_v3_parse(const uint8_t *bytes, size_t length, multiplayer_v3_packet *packet);

/* Judges whether bytes are a MultiplayerAPI packet as an engine writes it (without header). */
multiplayer_confidence multiplayer_v3_judge(const uint8_t *bytes, size_t length);

/* The same for a message with its header; finds out which header an ENet message has. */
multiplayer_confidence multiplayer_v3_judge_enet(const uint8_t *bytes, size_t length, uint8_t channel,
                                                 multiplayer_v3_carrier *carrier);
multiplayer_confidence multiplayer_v3_judge_websocket(const uint8_t *bytes, size_t length);

const char *multiplayer_v3_command_name(uint8_t command);                /* NULL if unknown */
const char *multiplayer_v3_message_name(multiplayer_v3_message message); /* "Add Peer" */

#endif
