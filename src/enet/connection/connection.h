/* connection.h
 *
 * Which ENet connection a datagram belongs to, and who sent it.
 *
 * One pair of sockets can carry several connections, and one pair of slots several connections after each
 * other. A datagram contains only the receiver's slot and two session bits; the handshake shows to which
 * connection these belong. If it was not captured, the two directions are paired by matching the
 * acknowledgements of one with the commands of the other.
 *
 * The state is updated with datagrams in the order in which they were captured; the caller passes each of
 * them once, on the first pass.
 *
 * The caller says which of a conversation's two sockets has sent a datagram.
 *
 * Limitations: datagrams that begin in the middle of two connections with the same slots and sessions may be
 * taken for one connection.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ENET_CONNECTION_H
#define ENET_CONNECTION_H

#include "base/memory.h"
#include "enet/connection/sent.h"
#include "enet/wire/budget.h"
#include "enet/wire/compression.h"
#include "enet/wire/datagram.h"

/* If the handshake was not captured, the end that was seen first counts as the initiator. The initiator is
 * the client to users, the acceptor the server. */
typedef enum { ENET_INITIATOR, ENET_ACCEPTOR, ENET_SIDES } enet_side;

typedef enum {
    ENET_CONNECTING,  /* CONNECT was seen */
    ENET_ANSWERED,    /* VERIFY_CONNECT was seen */
    ENET_ESTABLISHED, /* VERIFY_CONNECT was acknowledged, or the capture begins later */
} enet_state;

/* All ENet connections of a capture file; see enet_capture_init() in enet/analysis/receive.h. */
typedef struct {
    memory_allocator memory;
    paged_list connections;    /* enet_connection; the index is its stream + 1 */
    paged_list transmissions;  /* enet_transmission */
    paged_list details;        /* enet_command_detail, enet/analysis/traffic.h */
    paged_list messages;       /* enet_message, fragments.h */
    paged_list terms;          /* enet_datagram_terms, record.h */
    uint32_t terms_of_unknown; /* index: of the latest datagram without a sender; 0: none */
    memory_arena records;      /* enet_kept_datagram */
    paged_list pauses;         /* enet_pause, enet/analysis/timeout.h */
    paged_list breaks;         /* enet_break, likewise */
    paged_list jumps;          /* frames before which the clock was set back, see enet_clock_runs() */
    paged_list lives;          /* enet_life, likewise */
    number_map life_of_socket; /* number of a socket to the index of its latest one */
    paged_list sightings;      /* enet/analysis/points.c */
    uint32_t second_sightings; /* times that a datagram was captured again at another point */
    uint32_t delivered;        /* messages that datagrams may have delivered so far */
    uint32_t waiting_claims;   /* senders with claim_waits */
    int64_t last_time;         /* latest one of datagrams since the last jump; at first earlier than all */
    uint64_t excess_budget;   /* bytes of fragments that may still be kept beyond their share of the frames */
    uint32_t commands_budget; /* commands that may still be recorded beyond ENET_UNBUDGETED_COMMANDS */
    enet_budget unpacking;    /* of the file */
    uint32_t points_budget;   /* datagrams that may still be kept while one point is known, points.h */
    uint32_t holes_budget;    /* holes that may still be kept, holes.h */
    uint32_t lost;            /* reliable commands that the capture lost, of connections of which it … */
    uint32_t kept_of_lossy;   /* … has this many (holes.h) */
    /* Connect id to the index of the newest connection: a CONNECT to a broadcast address is answered from
     * another one, so between other sockets. */
    number_map by_connect_id;
} enet_capture;

/* One direction of a connection. */
typedef struct enet_sender {
    struct enet_connection *connection; /* never NULL */
    uint32_t peer_id;                   /* stands in the header word of its datagrams; if has_peer_id */
    uint8_t session;                    /* stands there, too; if has_session */
    uint8_t side;                       /* enet_side */
    uint8_t endpoint;                   /* 0 or 1 */
    bool has_peer_id;                   /* from the handshake or seen in a datagram */
    bool has_session;                   /* both known: the sender is found by them */
    bool claim_waits;                   /* both known, but another connection is still found by them */
    bool has_spoken;                    /* it has sent something that is no part of the handshake */
    bool was_cut;                       /* a datagram was not captured whole, so commands may be missing */
    bool mixed; /* two commands with one number: of connections that the capture does not tell apart */
    uint32_t disconnect_frame; /* of its first DISCONNECT, 0 if none */
    uint16_t disconnect_sent;  /* sent time of that; if has_disconnect_sent */
    bool has_disconnect_sent;
    number_map sent;              /* sent.c: its reliable commands; empty at first */
    struct enet_traffic *traffic; /* enet/analysis/channel.c; NULL until its first command */
    int64_t last_time;            /* of its latest datagram, in nanoseconds; if last_frame */
    int64_t heard_time; /* of the other end's latest datagram at its last retransmission; if heard_frame */
    uint32_t last_frame, heard_frame; /* 0: there was none */
    uint32_t terms;                   /* index: of its latest datagram, record.h; 0: none */
    uint32_t repeated;    /* index: first transmission of the oldest command that it repeats; 0: none */
    uint32_t first_frame; /* of its first datagram; 0: none was captured */
    uint32_t replaced_by; /* index: of the connection that this end has put into the slot; 0: none */
    uint32_t replaces;    /* index: of the connection whose slot this end has used again; 0: none */
    uint16_t early_time;  /* of a datagram that was acknowledged before it was captured, if it ever is; … */
    uint32_t early_ack;   /* … frame of the latest such acknowledgement; 0: none */
    bool has_sent_time;
    uint16_t sent_time;    /* in its latest datagram that has one, captured at sent_at; if has_sent_time */
    bool silence_agrees;   /* its clock has run on in the silence before `heard_again` as the capture's */
    bool silence_answered; /* and it has answered what was sent to it early in this silence */
    uint32_t silent_frame; /* its last datagram before the silence; 0: none, or it is noted as a pause */
    uint32_t heard_again;  /* frame: its first one after it */
    int64_t sent_at, silent_since, silent_until; /* in nanoseconds */
    uint32_t point;                              /* where its latest datagram was captured; 0: not known */
    uint32_t unreachable_frame;         /* ICMP: its socket is closed, since it was last heard; 0: not so */
    struct enet_holes *holes;           /* holes.h; NULL: none so far */
    struct enet_deliveries *deliveries; /* enet/analysis/delivery.c; NULL: not captured at two points */
    number_map messages;                /* fragments.c: the newest one by the common part of its fragments */
} enet_sender;

typedef struct enet_connection {
    uint32_t stream;         /* index in the file, from 0 */
    uint32_t first_frame;    /* of any datagram of it */
    int64_t first_time;      /* of that, in nanoseconds */
    int64_t end_time;        /* likewise of end_frame, if there is one */
    uint8_t state;           /* enet_state */
    uint8_t ended_by;        /* enet_side; if end_frame */
    bool roles_known;        /* which side is the initiator was seen, not guessed */
    bool from_start;         /* its first datagram was captured: numbers start at 1 */
    bool is_lossy;           /* the capture lost reliable commands of it: holes.h */
    bool opened_by_ack;      /* by the acknowledgement of VERIFY_CONNECT, not by what comes after it */
    bool opened_unseen;      /* what seemed to come before the end of the handshake was acknowledged */
    bool clocks_differ;      /* something is acknowledged at one capture point before it is sent at another */
    bool ended_gracefully;   /* if end_frame: the DISCONNECT asks for an acknowledgement */
    bool has_connect_id;     /* from the handshake, or recovered from checksums */
    bool has_seed_candidate; /* valid while has_connect_id is not set */
    uint8_t channel_count;   /* negotiated; 0 until VERIFY_CONNECT */
    uint16_t mtu;            /* negotiated; 0 until VERIFY_CONNECT */
    uint32_t connect_id;     /* if has_connect_id */
    uint32_t seed_candidate; /* if has_seed_candidate: connect id for which a datagram's checksum is right */
    uint32_t connect_frame;  /* 0: not seen */
    uint32_t verify_frame;   /* 0: not seen */
    int64_t verify_time;     /* in nanoseconds, if verify_frame */
    int64_t opened_time;     /* of the first datagram after the handshake, or that completes it */
    uint32_t end_frame;      /* of the first DISCONNECT of either side; 0: not seen */
    uint32_t reliable;       /* commands that were captured, of both ends */
    uint32_t unclaimed_bytes;    /* of frames with acknowledgements only, since the last message */
    uint32_t next_unpaired;      /* index; list of connections with one direction unknown; 0: the end */
    enet_connect_fields connect; /* if connect_frame */
    struct enet_conversation *conversation; /* never NULL */
    enet_sender senders[ENET_SIDES];
} enet_connection;

/* The datagrams between two sockets. Dialect, checksum and compressor are settings of an ENet host, that is,
 * of a socket, so they are the same for all connections here. */
typedef struct enet_conversation {
    enet_capture *capture; /* never NULL */
    uint32_t sockets[2];   /* the caller's numbers of the two sockets; 0: not known */
    bool to_itself;        /* both sockets are the same one */
    bool bound;            /* it was recognised: all of it is ENet (recognise.h) */
    bool dialect_known;    /* from a handshake; until then `dialect` is the caller's preference */
    bool layout_known;     /* whether there is a checksum */
    bool has_checksum;     /* a guess until layout_known */
    uint8_t dialect;       /* enet_dialect */
    uint8_t compression; /* enet_compression of the last compressed datagram, else ENET_COMPRESSION_UNKNOWN */
    enet_budget unpacking; /* of this conversation */
    uint32_t layout_votes; /* datagrams that agreed on has_checksum */
    uint32_t unpaired;     /* index of the newest connection in the list of those, 0 if none */
    uint32_t newest;       /* index of the newest connection, 0 if none */
    number_map by_address; /* socket, session and peer id to the newest sender: twice its index, plus side */
    number_map by_connect_id;   /* connect id to the index of the newest connection */
    struct enet_points *points; /* enet/analysis/points.c; NULL until an arrival has an interface number */
    struct enet_conversation *home;     /* this conversation at another capture point, with other addresses */
    bool mirrored;                      /* if `home` is not NULL: socket 0 is socket 1 there */
    struct enet_candidates *candidates; /* recognise.c; NULL until a datagram looks like ENet */
} enet_conversation;

/* `dialect` is the one to assume until a handshake shows another. */
void enet_conversation_init(enet_conversation *conversation, enet_capture *capture, bool to_itself,
                            enet_dialect dialect);

/* Facts about a datagram whose connection is not known yet. */
typedef struct {
    const enet_header *header;
    const enet_command *handshake;   /* CONNECT or VERIFY_CONNECT in it, or NULL */
    const enet_command *acknowledge; /* first ACKNOWLEDGE in it, or NULL */
    const enet_command *commands;    /* all of it, `count` */
    uint32_t count;
    bool cut_connect; /* a CONNECT whose end was not captured: shows only which side opens */
    bool cut_verify;  /* a VERIFY_CONNECT whose end was not captured */
    bool plausible;   /* a new connection is created if none fits */
    bool undecodable; /* compressed by an unknown algorithm: perhaps from a side not seen so far */
} enet_datagram_facts;

/* The sender of a datagram; makes a new connection if none fits. NULL if none fits and the datagram is not
 * plausible. */
enet_sender *enet_sender_of(enet_conversation *conversation, const enet_arrival *arrival,
                            const enet_datagram_facts *facts);

/* The sender of a datagram that was captured before, by its header; NULL: not known. */
enet_sender *enet_sender_known(const enet_conversation *conversation, unsigned endpoint,
                               const enet_header *header);

static inline enet_sender *enet_other_sender(const enet_sender *sender)
{
    return &sender->connection->senders[sender->side == ENET_INITIATOR ? ENET_ACCEPTOR : ENET_INITIATOR];
}

static inline enet_connection *enet_connection_at(const enet_capture *capture, uint32_t index)
{
    return paged_list_at(&capture->connections, index);
}

#endif
