/* session.h
 *
 * What is known of a Godot multiplayer session: the generation of the engine, the peer ids of both ends,
 * which peers have joined and left. The path cache is in paths.h, spawned nodes are in nodes.h, what the
 * capture lacks of an end is in evidence.h. Nothing here depends on Wireshark.
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
 * Functions called godot_session_learn_… are for the first pass only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SESSION_H
#define GODOT_SESSION_H

#include "multiplayer/session/evidence.h"
#include "multiplayer/session/history.h"
#include "multiplayer/wire/api_v3.h"

typedef enum {
    GODOT_OVER_ENET,
    GODOT_OVER_WEBSOCKET,
    GODOT_OVER_SCTP,
    GODOT_OVER_ANYTHING,
    GODOT_RECORDED, /* by the add-on inside of the game, over any transport */
} godot_transport;

typedef struct godot_session godot_session;
typedef struct godot_responses godot_responses; /* the caller's: requests that wait for a reply */
typedef struct godot_match godot_match;         /* the caller's: the search for the other end's record */

/* A message, the same on every pass. */
typedef struct godot_message {
    godot_session *session;
    struct godot_message *next; /* in the caller's list of a frame; NULL: none */
    godot_match *match;         /* if recorded; else NULL */
    uint32_t number;            /* time in the session, from 1 */
    uint32_t frame;             /* increasing number of its frame, as in all members of this name */
    int64_t time;               /* when it was captured, in nanoseconds, as in all members of this name */
    uint32_t place;             /* in the frame: transport << 28 | position */
    uint32_t sent;              /* the caller's, for transport_delivered; 0: nothing shows the delivery */
    uint8_t channel;            /* likewise */
    /* The following members are set on the first pass and valid if `api` is not 0 or `assigns_id` is set. */
    uint32_t wire_length;           /* its share of the frames' bytes; valid if `api` is not 0 */
    multiplayer_v3_carrier carrier; /* valid if `api` is 3 */
    uint8_t api;                    /* 3 or 4; 0: not (yet) recognised */
    bool cut : 1;                   /* the snap length has cut it */
    bool assigns_id : 1;            /* Godot 4 over WebSocket: the server's first message */
    bool other_api : 1;             /* the session was recognised as the other generation */
    bool from_initiator : 1;        /* else from the acceptor; see history.h */
    bool repeated : 1;              /* a retransmission: the receiver has received it before */
} godot_message;

/* For expert infos that are given once per session and subject: true if this message is the first one with
 * this topic, party and id. On the first pass the message becomes the first one if there is none. */
typedef enum {
    GODOT_TOPIC_PATH_UNDEFINED,   /* a path id of `party` */
    GODOT_TOPIC_NET_ID_UNKNOWN,   /* a net id of `party` */
    GODOT_TOPIC_PATH_UNCONFIRMED, /* a path id of `party` */
    GODOT_TOPIC_PATH_CONFIRMED,   /* likewise: its announcement was not captured before */
    GODOT_TOPIC_NO_PROJECT,
    GODOT_TOPIC_NO_SCRIPT, /* a path id of `party` */
    GODOT_TOPIC_DIRECTION,
    GODOT_TOPIC_ABSENT,        /* `party` is the peer */
    GODOT_TOPIC_SCENE_ASSUMED, /* path id of `party`'s spawner */
    GODOT_TOPIC_AUTHENTICATION,
    GODOT_TOPIC_UNREAD, /* a part of the project could not be read */
    GODOT_TOPICS
} godot_topic;
bool godot_session_first(const godot_message *message, bool first_pass, godot_topic topic, godot_party party,
                         uint32_t id);
/* Whether there was such a message before this one. */
bool godot_session_said(const godot_message *message, godot_topic topic, godot_party party, uint32_t id);

/* Sets what is known of a new session; the other members are zeroes. */
void godot_session_begin(godot_session *session, godot_store *store, godot_transport transport,
                         uint32_t index);

/* Counts a message of the session. Each one once, in the order of the capture. */
void godot_session_learn_message(const godot_message *message);

/* --- ends and peers ------------------------------------------------------------------------------ */

static inline unsigned godot_end_index(godot_party end)
{
    return end == GODOT_INITIATOR ? 0 : 1;
}

static inline godot_party godot_other_end(godot_party end)
{
    return end == GODOT_INITIATOR ? GODOT_ACCEPTOR : GODOT_INITIATOR;
}

/* The end of the connection that has sent the message, or the one that gets it. */
static inline godot_party godot_sending_end(const godot_message *message)
{
    return message->from_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR;
}
static inline godot_party godot_receiving_end(const godot_message *message)
{
    return message->from_initiator ? GODOT_ACCEPTOR : GODOT_INITIATOR;
}

void godot_session_learn_peer_id(const godot_message *message, godot_party end, int32_t id);
int32_t godot_session_peer_id(const godot_message *message, godot_party party); /* 0: not known */
/* Whether it is known that `end` is the server. */
bool godot_session_is_server(const godot_message *message, godot_party end);
/* The session of the client with this peer id with its server, anywhere in the capture; NULL: none. */
const godot_session *godot_session_of_client(const godot_message *message, int32_t peer_id);
/* The end that is the client, as far as it has become known. */
godot_party godot_session_client_end(const godot_session *session);
/* Peer id of the client, likewise; 0: not known. */
int32_t godot_session_client(const godot_session *session);
/* Whether the end that was assumed to be the initiator is the server. `session` may be NULL. */
bool godot_session_opened_by_server(const godot_session *session);

/* A message of the server about another peer. */
typedef struct {
    bool present;
    uint32_t number, frame;
} godot_presence;

void godot_session_learn_presence(const godot_message *message, int32_t peer, bool present);
/* The latest one about `peer` as of the message, or else the first later one. NULL: none. */
const godot_presence *godot_session_presence(const godot_message *message, int32_t peer);

/* --- what the capture lacks ---------------------------------------------------------------------- */

/* A message: its number and frame. */
typedef struct {
    uint32_t number, frame;
} godot_moment;

/* First pass: packets of this end may be missing between the message before and this one. */
void godot_session_learn_gap(const godot_message *message, godot_party end, godot_missing reason);

/* Whether reliable packets of `party` may be missing that were sent after one message (0: since the session
 * began) and before another (UINT32_MAX: up to the end of the capture). */
godot_missing godot_session_missing(const godot_message *message, godot_party party, godot_moment after,
                                    godot_moment before);

/* Whether a fact of `party` that was found for a message is the one that holds there. In a recording, which
 * has the order in which the game got the packets, a later one does not if packets are missing before it:
 * there may be an earlier one among them. */
bool godot_session_excludes_earlier(const godot_message *message, godot_party party, godot_moment found);

/* Whether this message may have been misread, because TCP segments before it are missing. */
bool godot_session_is_garbled(const godot_message *message);

/* What the transport's own numbers say of the reliable messages that an end has sent from one frame to the
 * other (0: as long as both ends were captured): GODOT_MISSING_NOTHING, or why some may be missing. */
typedef godot_missing (*godot_transport_missing)(const godot_session *session, godot_party end, uint32_t from,
                                                 uint32_t to);

/* Whether the receiver's transport has delivered an announcement, as far as the capture was read: then the
 * time at which it had it, at the earliest. Reliable packets behind a lost one are acknowledged, but wait. */
struct godot_path;
typedef bool (*godot_transport_delivered)(const godot_session *session, const struct godot_path *path,
                                          int64_t *time);

/* When the transport was heard last of an end, which also acknowledges; as far as the capture was read. */
typedef int64_t (*godot_transport_heard)(const godot_session *session, godot_party end);

/* --- engine versions: the form of path confirmations (42: up to 4.2, 43: later) ------------------ */

void godot_session_learn_confirm_form(const godot_message *message, int form);
bool godot_session_versions_differ(const godot_message *message);

/* --- the structure ------------------------------------------------------------------------------- */

/* Limits of searches, far above what games have. */
enum {
    MAX_SAME_PATH = 64,       /* announcements of a path */
    MAX_CONFIRMATIONS = 4096, /* of a path, and announcements to as many peers: ENet has 4095 */
    MAX_LEVELS_ABOVE = 8,     /* from a node up to the spawned node that contains it */
    GODOT_MAX_PATH = 4200,    /* bytes of a path; longer ones are not looked up above */
};

struct godot_session {
    godot_store *store; /* never NULL */
    uint32_t index;     /* in the file, from 0 */
    godot_transport transport;
    uint32_t recording;     /* number of the recorder; 0: not recorded */
    uint32_t messages;      /* number of messages so far */
    uint32_t first, latest; /* numbers (godot_message) of the first and the latest one */

    int api;                    /* 3 or 4, 0: not known yet */
    uint32_t recognised_in;     /* frame in which `api` was set; valid if `api` is not 0 */
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
    int64_t began;              /* time of the first message; valid if an end `spoke` */
    int64_t last[2];            /* time of the latest message; valid if the end `spoke` */
    bool spoke[2];              /* the end has sent a message */
    int64_t slowest, quickest;  /* nanoseconds until a path was confirmed; slowest 0: none was */
    bool admitted;              /* a message is not part of the authentication: both ends have accepted it */
    uint32_t confirm_number[2]; /* of the message that showed the form of path confirmations, 0: none */
    int confirm_form[2];        /* 42 or 43; valid if confirm_number is not 0 */
    godot_evidence seen[2];
    godot_transport_missing transport_missing;     /* NULL: the transport has no numbers */
    godot_transport_delivered transport_delivered; /* NULL: likewise */
    godot_transport_heard transport_heard;         /* NULL: likewise */
    uint32_t stream;       /* the caller's, for transport_missing: of the connection */
    uint32_t connected_in; /* likewise: frame of the record that says so; 0: none */
    bool swapped_ends;     /* likewise: its initiator is the acceptor here */

    /* Histories. Key: value. */
    godot_histories paths;              /* owner and path id: godot_path */
    godot_histories by_owner;           /* owner and path: godot_path */
    godot_histories by_name;            /* path: godot_path, the latest of all parties */
    godot_histories nodes;              /* owner and net id: godot_node */
    godot_histories states;             /* owner and path id: number of values, in a pointer */
    godot_histories presence;           /* peer id: godot_presence */
    godot_histories scenes;             /* path: text, the scene that the node was spawned from; NULL: none */
    godot_histories despawned;          /* path: despawn_record; NULL: spawned again */
    godot_histories pending;            /* owner and path id of a spawner: godot_pending_spawn list */
    godot_histories said[GODOT_TOPICS]; /* party and id: not NULL if there was such an expert info */

    /* The caller's; NULL at first. */
    struct godot_partners *partners;
    godot_responses *responses;
};

#endif
