/* enet-connection.h
 *
 * Which ENet connection a datagram belongs to, and who sent it.
 *
 * One pair of sockets can carry several connections, and one pair of slots several connections after each
 * other. A datagram names only the receiver's slot and two session bits; the handshake tells which
 * connection that is. Of captures that begin in the middle, the two directions are paired by what the
 * acknowledgements of one say about the other.
 *
 * State is written while a file is read for the first time, only. Everything lives until it is closed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_CONNECTION_H
#define ENET_CONNECTION_H

#include "common/wireshark-compat.h"

#include "enet/compression.h"
#include "enet/datagram.h"

/* If nothing tells who is who, the end that was seen first counts as the initiator. */
typedef enum { ENET_INITIATOR, ENET_ACCEPTOR, ENET_SIDES } enet_side;

typedef enum {
    ENET_CONNECTING,  /* CONNECT was seen */
    ENET_ANSWERED,    /* VERIFY_CONNECT was seen */
    ENET_ESTABLISHED, /* VERIFY_CONNECT was acknowledged, or the capture begins later */
} enet_state;

/* One direction of a connection. */
typedef struct enet_sender {
    struct enet_connection *connection;
    enet_side side;
    unsigned endpoint; /* index in enet_conversation */
    bool has_peer_id;  /* `peer_id` stands in the header word of its datagrams */
    bool has_session;  /* and `session`; both known: it is found by them */
    bool claim_waits;  /* they are known, but another connection still has them */
    uint32_t peer_id;
    uint8_t session;
    uint32_t disconnect_frame;      /* of its first DISCONNECT, 0 if none */
    struct enet_traffic *traffic;   /* enet-analysis.c */
    struct enet_messages *messages; /* enet-reassembly.c */
} enet_sender;

typedef struct enet_connection {
    uint32_t stream; /* index in the file, from 0 */
    uint32_t first_frame;
    bool roles_known; /* which side is the initiator was seen, not guessed */
    bool from_start;  /* its first datagram was captured: numbers start at 1 */
    enet_state state;
    bool has_connect_id; /* from the handshake, or recovered from checksums */
    uint32_t connect_id;
    bool has_seed_candidate; /* one datagram's checksum asks for this connect id */
    uint32_t seed_candidate;
    uint32_t connect_frame, verify_frame, end_frame; /* 0: not seen */
    enet_side ended_by;
    bool ended_gracefully;
    enet_command connect;   /* if connect_frame */
    uint32_t channel_count; /* negotiated; 0 if not known */
    uint32_t mtu;
    enet_sender senders[ENET_SIDES];
    struct enet_connection *next_unpaired; /* list of connections with a direction that was not yet seen */
    uint32_t unclaimed_bytes;              /* of frames without messages since the last message */
} enet_connection;

/* What two sockets say to each other. Checksum and compressor are settings of an ENet host, that is, of a
 * socket, so they are the same for all connections here. */
typedef struct {
    address first_address; /* endpoint 0: the first sender */
    uint32_t first_port;
    bool to_itself;    /* both endpoints are the same socket */
    bool layout_known; /* whether there is a checksum */
    bool has_checksum;
    unsigned layout_votes; /* datagrams that agreed on it */
    enet_compression compression;
    wmem_map_t *by_address; /* endpoint, session, peer id → enet_sender, newest */
    wmem_map_t *by_connect_id;
    enet_connection *unpaired;
    enet_connection *newest;
    /* the heuristic's doubts */
    bool bound; /* is ENet from bound_frame on */
    uint32_t bound_frame;
    bool has_candidate; /* one datagram looked like ENet: */
    unsigned candidate_endpoint;
    uint32_t candidate_address; /* peer id and session */
    bool candidate_checksum;
    uint32_t candidate_seed;
    bool candidate_has_sent_time;
    uint16_t candidate_sent_time;
} enet_conversation;

void enet_connections_init(void); /* for register_init_routine() */
uint32_t enet_connections_count(void);

/* State of the packet's conversation; if there is none, NULL or, if `create`, a new one. */
enet_conversation *enet_conversation_of(packet_info *pinfo, int proto, bool create);

/* 0 or 1: which end sent this packet. */
unsigned enet_endpoint_of(const enet_conversation *conversation, const packet_info *pinfo);

/* What is known of a datagram before its connection is. */
typedef struct {
    const enet_header *header;
    const enet_command *handshake;   /* CONNECT or VERIFY_CONNECT in it, or NULL */
    const enet_command *acknowledge; /* first ACKNOWLEDGE in it, or NULL */
    bool cut_connect; /* it is a CONNECT whose end was not captured: no handshake, but who opens is known */
    bool plausible;   /* worth a connection of its own if none fits */
    bool undecodable; /* compressed by who knows what: may be the silent side of a connection */
} enet_datagram_facts;

/* The sender of a datagram; makes a new connection if none fits. NULL if none fits and the datagram is not
 * plausible. First pass only. */
enet_sender *enet_sender_of(enet_conversation *conversation, const packet_info *pinfo,
                            const enet_datagram_facts *facts);

static inline enet_sender *enet_other_sender(const enet_sender *sender)
{
    return &sender->connection->senders[sender->side == ENET_INITIATOR ? ENET_ACCEPTOR : ENET_INITIATOR];
}

#endif
