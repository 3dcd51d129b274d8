/* session.h
 *
 * State of a Godot multiplayer connection that is needed to dissect its later packets: the generation of the
 * engine and the peer ids of both ends. The path cache is in paths.h, spawned nodes are in nodes.h.
 *
 * Time inside a session is the number of the message, which is the same on every pass: over ENet that of
 * enet_payload_info; otherwise every message gets the next number on the first pass. Every fact is stored
 * with the number of the message that it comes from, and every lookup is "as of" a message. So later passes,
 * in any order, get the same results as the first one.
 *
 * There is one exception. A message that ENet holds until an earlier one has been sent again is captured
 * before the message that it refers to. If there is no entry as of a message, a lookup returns the first
 * later one (its `number` is greater): on later passes, and on the first one as soon as it is captured.
 *
 * Ids belong to the party that assigned them: one of the connection's two ends, or another client, whose
 * packets the server relays.
 *
 * Everything is in file scope. Functions called godot_session_learn_… are for the first pass only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SESSION_H
#define GODOT_SESSION_H

#include "base/frame.h"
#include "enet/connection/connection.h"
#include "enet/state/payload.h"
#include "multiplayer/wire/api_v3.h"
#include "multiplayer/wire/scene_v4.h"
#include "multiplayer/state/history.h"
#include "recorder/record.h"

typedef enum {
    GODOT_OVER_ENET,
    GODOT_OVER_WEBSOCKET,
    GODOT_OVER_SCTP,
    GODOT_OVER_ANYTHING,
    GODOT_RECORDED, /* by the add-on inside of the game, over any transport */
} godot_transport;

/* Limit on the entries that are kept of a file. One of variable size counts as one, and one more for every
 * GODOT_RECORD_BYTES bytes. */
#define GODOT_MAX_RECORDS  1000000u
#define GODOT_RECORD_BYTES 64u

typedef struct godot_session godot_session;
typedef struct godot_responses godot_responses; /* see multiplayer/packet/response.c */
typedef struct godot_match godot_match;         /* see multiplayer/packet/recordings.c */

/* Keys of the frame's data of `godot` (p_add_proto_data). */
enum {
    GODOT_FRAME_MESSAGES, /* file scope: the list of the frame's godot_message */
    GODOT_FRAME_PASS,     /* pinfo->pool: a godot_frame */
};

/* A message, the same on every pass. */
typedef struct godot_message {
    godot_session *session;
    struct godot_message *next; /* in the list of the frame; NULL: none */
    godot_match *match;         /* if recorded: the search for the other end's record; else NULL */
    uint32_t number;            /* time in the session, from 1 */
    uint32_t frame;             /* frame_order() of its frame, as in all members of this name */
    uint32_t place;             /* in the frame: transport << 28 | position */
    /* The following members are set on the first pass and valid if `api` is not 0 or `assigns_id` is set. */
    uint32_t wire_length;           /* its share of the frames' bytes; valid if `api` is not 0 */
    multiplayer_v3_carrier carrier; /* valid if `api` is 3 */
    uint8_t api;                    /* 3 or 4; 0: not (yet) recognised */
    bool assigns_id : 1;            /* Godot 4 over WebSocket: the server's first message */
    bool other_api : 1;             /* the session was recognised as the other generation */
    bool from_initiator : 1;        /* else from the acceptor; see history.h */
    bool repeated : 1;              /* a retransmission: the receiver has received it before */
} godot_message;

void godot_session_init(int proto);

/* Fills in `message`; on the first pass without `api`. False: on later passes, the message was not recognised
 * as Godot's; on the first one, there are too many sessions. `ordinal`: position among the messages of the
 * frame. `recorded`: for GODOT_RECORDED, else NULL; what the dissector "godot.recorded" gets as its `data`.
 * `*kept`: the latest element of the frame's list that this function or godot_session_keep() has set in this
 * pass, NULL: none. */
bool godot_session_message(packet_info *pinfo, godot_transport transport, const enet_payload_info *enet,
                           const recorder_record *recorded, uint32_t ordinal, godot_message **kept,
                           godot_message *message);

/* First pass, when `message` is complete: adds a copy to the frame's list, unless later passes can restore it
 * from its session (Godot 4 over ENet). */
void godot_session_keep(packet_info *pinfo, const enet_payload_info *enet, const godot_message *message,
                        godot_message **kept);

/* True if GODOT_MAX_RECORDS was reached before or in this message. On the first pass to be called once for
 * each message, when it is dissected. */
bool godot_session_has_forgotten(packet_info *pinfo, const godot_message *message);

/* Sets what a record proves: Godot 4, the ids of both ends. First pass. */
void godot_session_learn_recorded(godot_message *message, const recorder_record *recorded);

/* First pass: decides whether the message is Godot's and of which generation, from its bytes and the earlier
 * messages of the session. `cut`: the end was not captured, so bytes that cannot be read do not prove that it
 * is not. `forced`: selected by the user (Decode As). */
void godot_session_learn_api(packet_info *pinfo, godot_message *message, const enet_payload_info *enet,
                             const uint8_t *bytes, uint32_t length, bool cut, bool forced);

/* First pass: packets of the session come from this peer or go to it. The client's own id is ignored. */
void godot_session_learn_partner(const godot_message *message, int32_t peer);
/* Sets `*next` to the lowest of these ids that is not below `peer`, or (`lower`) the highest that is not
 * above it; false: there is none. `index`: of the session. */
bool godot_session_next_partner(uint32_t index, uint32_t peer, bool lower, uint32_t *next);
/* One more than the highest index of a session so far. Over ENet the index of a session is that of the
 * connection, enet.stream, unless another session already has it. */
uint32_t godot_session_number(void);
/* Peer id of the client of this ENet connection, as far as it has become known; 0: not known, or no
 * session. */
int32_t godot_session_client_of_stream(uint32_t stream);
/* The side of the sender's connection that is the client: the one that opened it or, if that was not
 * captured, the one that is not the server. */
enet_side godot_session_client_side(const packet_info *pinfo, const enet_sender *sender);
/* The session over WebSocket of this frame's TCP connection; NULL: there is none, or it is recognised only in
 * a later frame. */
const godot_session *godot_session_over_tcp(packet_info *pinfo);
/* Peer id of the client, as far as it has become known; 0: not known. */
int32_t godot_session_client(const godot_session *session);
/* For expert infos that are given once per session and subject: true if this message is the first one with
 * this topic, party and id. On the first pass the message becomes the first one if there is none. */
typedef enum {
    GODOT_TOPIC_PATH_UNDEFINED,   /* a path id of `party` */
    GODOT_TOPIC_NET_ID_UNKNOWN,   /* a net id of `party` */
    GODOT_TOPIC_PATH_UNCONFIRMED, /* a path id of `party` */
    GODOT_TOPIC_NO_PROJECT,
    GODOT_TOPIC_NO_SCRIPT, /* a path id of `party` */
    GODOT_TOPIC_DIRECTION,
    GODOT_TOPIC_ABSENT,        /* `party` is the peer */
    GODOT_TOPIC_SCENE_ASSUMED, /* path id of `party`'s spawner */
    GODOT_TOPIC_UNREAD,        /* a part of the project could not be read */
    GODOT_TOPICS
} godot_topic;
bool godot_session_first(packet_info *pinfo, const godot_message *message, godot_topic topic,
                         godot_party party, uint32_t id);
/* Counts an entry with `bytes` bytes of variable size; false: GODOT_MAX_RECORDS is reached, and the entry
 * must not be kept. */
bool godot_session_may_remember(size_t bytes);
/* Returns a copy in file scope, shared by equal texts; a long one counts as several entries. NULL: the limit
 * is reached. */
const char *godot_session_keep_text(const char *text);
/* Whether the limit is reached. */
bool godot_session_is_full(void);

/* All messages of the file so far. */
typedef struct {
    uint64_t wire_bytes;
    bool wire_known;      /* at least one was captured over ENet or WebSocket, so `wire_bytes` is known */
    bool any;             /* there is a message */
    nstime_t first, last; /* relative capture times; valid if `any` */
} godot_totals;

/* First pass. `second_record`: the other end's record of the message came earlier and was counted. */
void godot_session_count(const packet_info *pinfo, const godot_message *message, bool second_record);
const godot_totals *godot_session_totals(void);
/* Mean number of concurrent sessions from the first message of the file to the last; 0: not known. */
double godot_session_concurrent(void);

/* --- peers --------------------------------------------------------------------------------------- */
void godot_session_learn_peer_id(const godot_message *message, godot_party end, int32_t id);
void godot_session_learn_presence(const godot_message *message, int32_t peer, bool present);
int32_t godot_session_peer_id(const godot_message *message, godot_party party); /* 0: not known */
/* A sentence in pinfo->pool: why there should be no packet from or to `peer`. NULL if the peer is present, or
 * if that is not known because the capture starts late. */
const char *godot_session_absence(packet_info *pinfo, const godot_message *message, int32_t peer);
/* Whether it is known that `end` is the server. */
bool godot_session_is_server(const godot_message *message, godot_party end);

/* --- engine versions: the form of path confirmations (42: up to 4.2, 43: later) ------------------ */
void godot_session_learn_confirm_form(const godot_message *message, int form);
bool godot_session_versions_differ(const godot_message *message);

/* --- the structure ------------------------------------------------------------------------------- */

/* Limits of searches, far above what games have. */
enum {
    MAX_SAME_PATH = 64,       /* announcements of a path */
    MAX_CONFIRMATIONS = 4096, /* of a path */
    MAX_LEVELS_ABOVE = 8,     /* from a node up to the spawned node that contains it */
};

struct godot_session {
    uint32_t index; /* in the file, from 0 */
    godot_transport transport;
    uint32_t recording;     /* number of the recorder; 0: not recorded */
    uint32_t messages;      /* number of messages so far */
    uint32_t first, latest; /* numbers (godot_message) of the first and the latest one */

    int api;                /* 3 or 4, 0: not known yet */
    uint32_t recognised_in; /* frame_order() of the frame in which `api` was set; valid if `api` is not 0 */
    uint32_t recognised_number; /* number of the message in which `api` was set; likewise */

    /* Detection, first pass only. */
    multiplayer_v3_carrier carrier; /* valid if `api` is 3 */
    int evidence[5];                /* [3] and [4]: scores of these generations, while `api` is 0 */
    bool server_spoke;              /* WebSocket: the acceptor has sent a message */
    int32_t assigned_id;            /* WebSocket: what may be the client's id, 0: none */
    uint32_t assigned_number;       /* number of the message with assigned_id */

    /* Recording: created for packets to several peers; the first packet to a single peer takes it over. */
    bool unclaimed;

    /* Index 0: initiator, 1: acceptor. Numbers are those of messages. */
    uint32_t id_number[2];      /* from which on the peer id is known, 0: never */
    int32_t id[2];              /* valid if id_number is not 0 */
    uint32_t server_number[2];  /* from which on this end is known to be the server, 0: never */
    nstime_t began;             /* time of the first message; valid if an end `spoke` */
    nstime_t last[2];           /* time of the latest message; valid if the end `spoke` */
    bool spoke[2];              /* the end has sent a message */
    double slowest, quickest;   /* seconds until a path was confirmed; slowest 0: none was */
    bool admitted;              /* a message is not part of the authentication: both ends have accepted it */
    uint32_t confirm_number[2]; /* of the message that showed the form of path confirmations, 0: none */
    int confirm_form[2];        /* 42 or 43; valid if confirm_number is not 0 */

    wmem_tree_t *partners;      /* set of peer ids: godot_session_learn_partner() */
    int32_t latest_partners[4]; /* latest arguments of that function, to return early; 0: none */
    uint8_t next_partner;       /* modulo 4: index in latest_partners to be overwritten next */

    /* Histories. Key: value. */
    godot_histories paths;              /* owner and path id: godot_path */
    godot_histories nodes;              /* owner and net id: godot_node */
    godot_histories states;             /* owner and path id: GUINT_TO_POINTER(number of values) */
    godot_histories presence;           /* peer id and 0: peer_presence */
    godot_histories said[GODOT_TOPICS]; /* party and id: not NULL if there was such an expert info */
    wmem_map_t *by_owner;               /* godot_path_key: godot_path */
    wmem_map_t *by_name;                /* path: godot_path, the latest of all parties */
    wmem_map_t *scenes;                 /* path: the scene that the node was spawned from */
    wmem_map_t *despawned;              /* path: despawn_record; NULL: spawned again */

    wmem_map_t *pending;        /* godot_key, owner and path id of a spawner: godot_pending_spawn list */
    godot_responses *responses; /* NULL until first used; see multiplayer/packet/response.c */
};

#endif
