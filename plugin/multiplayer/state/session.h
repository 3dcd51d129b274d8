/* session.h
 *
 * What has to be remembered about a Godot multiplayer connection to understand its later packets: which
 * engine generation speaks, the peer ids of both ends, the path cache, the net ids of spawned nodes.
 *
 * Time inside a session is the number of the message, which is the same on every pass: over ENet that of
 * enet_payload_info, else every message gets the next one on the first pass. Whatever is learned is filed
 * under the number of the message it was learned from, and every question is asked "as of" a message. So
 * later passes, in any order, get the answers of the first.
 *
 * There is one exception. A message that ENet holds until an earlier one has been sent again is captured
 * before what it refers to. Where nothing is known as of a message, the first thing that becomes known later
 * is the answer (its `number` is greater then): on later passes, and on the first as soon as it is captured.
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
#include "enet/state/payload.h"
#include "multiplayer/api_v3.h"
#include "multiplayer/scene_v4.h"
#include "multiplayer/state/party.h"
#include "multiplayer/state/recorded.h"
#include "project/scenes/config.h"

typedef enum {
    GODOT_OVER_ENET,
    GODOT_OVER_WEBSOCKET,
    GODOT_OVER_SCTP,
    GODOT_OVER_ANYTHING,
    GODOT_RECORDED, /* inside of the game, whatever the transport */
} godot_transport;

/* Not more than this is remembered in a file, whatever it contains. */
#define GODOT_MAX_RECORDS 1000000u

typedef struct godot_session godot_session;
typedef struct godot_responses godot_responses;         /* see multiplayer/packet/response.c */
typedef struct godot_copy godot_copy;                   /* see multiplayer/packet/recordings.h */
typedef struct godot_pending_spawn godot_pending_spawn; /* see multiplayer/show/replication.c */

/* Keys of what `godot` keeps with a frame (p_add_proto_data). */
enum {
    GODOT_FRAME_MESSAGES, /* file scope: the first godot_message that is kept of the frame */
    GODOT_FRAME_PASS,     /* pinfo->pool: what multiplayer/packet.c counts in this pass */
};

/* A message, the same on every pass. */
typedef struct godot_message {
    godot_session *session;
    struct godot_message *next; /* of those that are kept of the frame, NULL: none */
    godot_copy *copy; /* of a recorded one: what is known about the record of the other end; else NULL */
    uint32_t number;  /* time in the session, from 1 */
    uint32_t frame;   /* in which it was captured, as all members of this name: frame_order() */
    uint32_t place;   /* in the frame: transport and position */
    /* What follows is valid when `api` is not 0, or `assigns_id` is set; the first pass decides it. */
    uint32_t wire_length;           /* its share of the frames' bytes; valid if `api` is not 0 */
    multiplayer_v3_carrier carrier; /* valid if `api` is 3 */
    uint8_t api;                    /* 3 or 4; 0: not (yet) recognised */
    bool assigns_id : 1;            /* Godot 4 over WebSocket: the server's first message */
    bool other_api : 1;             /* the session was recognised as the other generation */
    bool from_initiator : 1;        /* else from the acceptor */
    bool repeated : 1;              /* the receiver has had it before */
} godot_message;

/* An entry of a path cache. */
typedef struct godot_path {
    godot_party owner;    /* who gave out the id */
    godot_party receiver; /* to whom it was announced */
    uint32_t id;
    const char *path;
    char checksum[33];            /* "" in Godot 3 */
    uint32_t number, frame;       /* of the announcement */
    nstime_t time;                /* as well */
    uint32_t shown_in;            /* frame of the first sign that `receiver` has the node since, 0: none */
    nstime_t shown_time;          /* as well; valid if `shown_in` is not 0 */
    struct godot_path *same_path; /* the one before with this path, of any party; NULL: none */
    struct godot_confirmation *confirmations; /* the latest first; NULL: none */
} godot_path;

typedef struct godot_confirmation {
    godot_party receiver;
    bool valid;                      /* the receiver has the same methods; always true in Godot 3 */
    uint32_t number, frame;          /* of the CONFIRM_PATH */
    struct godot_confirmation *next; /* the one before, NULL: none */
} godot_confirmation;

/* What a net id stands for. */
typedef struct {
    const char *path; /* of the spawned node, as far as known: see multiplayer/show/replication.c */
    /* Of a synchronizer: "res://player.tscn", or the path of a node that is recorded as a scene; NULL if not
     * certain. */
    const char *scene;
    uint32_t synchronizer; /* its number in there, from 0; valid if `scene` is not NULL, as what follows */
    scene_announcement announcement; /* that it was among */
    uint32_t number, frame;          /* SPAWN */
    bool gone;                       /* DESPAWN: nothing any more; `path` is NULL if it was not known */
} godot_node;

void godot_session_init(int proto);

/* Says of the message that is being dissected what is known of it, `api` not yet on the first pass. False:
 * the first pass has not found it to be Godot's. `ordinal`: position among the messages of the frame.
 * `recorded`: for GODOT_RECORDED, else NULL. `kept`: the one of this frame that godot_session_keep() has kept
 * or this has found before in this pass, NULL: none; set if there is another one. */
bool godot_session_message(packet_info *pinfo, godot_transport transport, const enet_payload_info *enet,
                           const godot_recorded_info *recorded, uint32_t ordinal, godot_message **kept,
                           godot_message *message);

/* First pass, when everything about a message of Godot's is decided: keeps it, unless later passes can tell
 * it by its session, as of all messages over ENet but those of Godot 3. */
void godot_session_keep(packet_info *pinfo, const enet_payload_info *enet, const godot_message *message,
                        godot_message **kept);

/* Whether not everything up to here could be remembered; on the first pass to be asked once, when the message
 * is dissected. */
bool godot_session_has_forgotten(packet_info *pinfo, const godot_message *message);

/* What is certain about recorded messages: Godot 4, the ids of both ends. First pass. */
void godot_session_learn_recorded(godot_message *message, const godot_recorded_info *recorded);

/* Decides on the first pass whether the message is Godot's and of which generation, from its bytes and what
 * the session has shown so far. `cut`: the end was not captured, so that it proves nothing if it makes no
 * sense. `forced`: the user says it is. */
void godot_session_learn_api(packet_info *pinfo, godot_message *message, const enet_payload_info *enet,
                             const uint8_t *bytes, uint32_t length, bool cut, bool forced);

/* Number of the recorder, 0 if the session was not recorded. */
uint32_t godot_session_recording(const godot_session *session);
uint32_t godot_session_index(const godot_session *session);
/* Packets of the session come from this peer or go to it. What is its client's own id is not taken. First
 * pass. */
void godot_session_learn_partner(const godot_message *message, int32_t peer);
/* Of these peers the one with the next higher id (or the same), or lower one; false: there is none. */
bool godot_session_next_partner(uint32_t index, uint32_t peer, bool lower, uint32_t *next);
/* One more than the highest index of a session so far. Over ENet the index is that of the connection,
 * enet.stream, unless a session over something else has it already. */
uint32_t godot_session_number(void);
/* Peer id of who opened this ENet connection, as far as it has become known; 0: not known, or no session. */
int32_t godot_session_client_of_stream(uint32_t stream);
/* The session over WebSocket that this frame's TCP connection carries, from the frame on in which it was
 * recognised; NULL: there is none. */
const godot_session *godot_session_over_tcp(packet_info *pinfo);
/* Peer id of who opened the connection, as far as it has become known; 0: not known. */
int32_t godot_session_client(const godot_session *session);
godot_transport godot_session_transport(const godot_session *session);
/* Where the session keeps its requests and replies. */
godot_responses **godot_session_responses(godot_session *session);
/* Whether the message is the first of its session to say this: for notes that are given once per thing.
 * `topic` and `id` are the caller's; on the first pass the message becomes the first one if there is none. */
typedef enum {
    GODOT_TOPIC_PATH_UNDEFINED,   /* a path id of `party` */
    GODOT_TOPIC_NET_ID_UNKNOWN,   /* a net id of `party` */
    GODOT_TOPIC_PATH_UNCONFIRMED, /* a path id of `party` */
    GODOT_TOPIC_NO_PROJECT,
    GODOT_TOPIC_NO_SCRIPT, /* a path id of `party` */
    GODOT_TOPIC_DIRECTION,
    GODOT_TOPIC_ABSENT,        /* `party` is the peer */
    GODOT_TOPIC_SCENE_ASSUMED, /* path id of `party`'s spawner */
    GODOT_TOPIC_UNREAD,        /* a part of the project */
    GODOT_TOPICS
} godot_topic;
bool godot_session_first(packet_info *pinfo, const godot_message *message, godot_topic topic,
                         godot_party party, uint32_t id);
/* Counts one thing more to be remembered; false: that is too much. */
bool godot_session_may_remember(void);
/* Whether it has been too much. */
bool godot_session_is_full(void);

/* All messages of the file, as far as it has been read. */
typedef struct {
    uint64_t wire_bytes;
    bool any;
    nstime_t first, last; /* when they were captured; if any */
} godot_totals;

void godot_session_count(const packet_info *pinfo, const godot_message *message);
const godot_totals *godot_session_totals(void);

/* --- peers --------------------------------------------------------------------------------------- */
/* A number that is unlikely to be anything but a random 31-bit id. */
bool godot_is_likely_peer_id(uint32_t id);
void godot_session_learn_peer_id(const godot_message *message, godot_party end, int32_t id);
void godot_session_learn_presence(const godot_message *message, int32_t peer, bool present);
int32_t godot_session_peer_id(const godot_message *message, godot_party party); /* 0: not known */
/* Why a packet for or from `peer` is not expected, as a sentence in pinfo->pool; NULL if it is not, or if
 * that cannot be known because the capture starts late. */
const char *godot_session_absence(packet_info *pinfo, const godot_message *message, int32_t peer);
/* Something else than authentication was said: the ends have admitted each other. */
void godot_session_learn_admission(const godot_message *message);
/* Whether that never happens in the capture. For later passes. */
bool godot_session_never_admits(const godot_message *message);
/* Whether it is known that `end` is the server. */
bool godot_session_is_server(const godot_message *message, godot_party end);

/* --- path cache ---------------------------------------------------------------------------------- */
void godot_session_learn_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              godot_party receiver, uint32_t id, const char *path, const char *checksum);
/* Before a path id of a relayed packet is looked up: takes over what `owner`, a client, has announced on
 * another connection, if nothing is known of it on this one. First pass. */
void godot_session_adopt_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              uint32_t id);
void godot_session_adopt_path_by_name(packet_info *pinfo, const godot_message *message, godot_party owner,
                                      const char *path);
void godot_session_learn_confirmation(const godot_message *message, godot_path *path, godot_party receiver,
                                      bool valid);
godot_path *godot_session_path(const godot_message *message, godot_party owner, uint32_t id);
godot_path *godot_session_path_by_name(const godot_message *message, godot_party owner, const char *path);
const godot_confirmation *godot_session_confirmation(const godot_message *message, const godot_path *path,
                                                     godot_party receiver);
/* Whether `receiver` does not confirm the path up to the end of the capture although there was time for it:
 * four times as long as for the slowest confirmation, at least 0.1 s; without confirmations 1 s. Until then
 * its end of the connection has to go on sending, or either end if it has `arrived`. For later passes. */
bool godot_session_never_confirmed(const godot_message *message, const godot_path *path, godot_party receiver,
                                   bool arrived);
/* Whether the announcement may be a repetition of one that was sent before the capture began. */
bool godot_session_may_be_repeated(const godot_message *message, const enet_payload_info *enet,
                                   const godot_path *path);
/* `party` has a node at `path`, hence those above it: it has announced or confirmed it. First pass. */
void godot_session_learn_has_node(const packet_info *pinfo, const godot_message *message, godot_party party,
                                  const char *path);
/* Whether the receiver of an announcement had shown that it has the node when the message reached it, which
 * was captured at `time` and acknowledged in frame `acked_in`; 0: not known. */
bool godot_session_had_node(const godot_message *message, const godot_path *path, const nstime_t *time,
                            uint32_t acked_in);
/* What another party announced for the same path, with another checksum. NULL: nothing. */
const godot_path *godot_session_disagreement(const godot_message *message, const godot_path *path);

/* --- net ids ------------------------------------------------------------------------------------- */
void godot_session_learn_node(const godot_message *message, godot_party owner, uint32_t net_id,
                              godot_node node);
/* `gone`: what it stood for before the DESPAWN. */
const godot_node *godot_session_node(const godot_message *message, godot_party owner, uint32_t net_id,
                                     bool gone);
/* How many values the full states of the synchronizer with this path id have; 0: none is known. */
void godot_session_learn_state(const godot_message *message, godot_party owner, uint32_t id, uint32_t values);
uint32_t godot_session_state(const godot_message *message, godot_party owner, uint32_t id);
/* Spawned nodes whose spawner's path is not known yet, kept by multiplayer/show/replication.c: where the list
 * of those of this spawner begins. NULL: there are none, and (with `create`) there cannot be any more. */
godot_pending_spawn **godot_session_pending_spawns(const godot_message *message, godot_party owner,
                                                   uint32_t spawner, bool create);
/* A node at `path` was spawned from `scene`, NULL if that is not known; both are copied. */
void godot_session_learn_scene(const godot_message *message, const char *path, const char *scene);
/* The node at `path` was despawned by `owner` (`gone`), or is there again. */
void godot_session_learn_despawn(const godot_message *message, godot_party owner, const char *path,
                                 bool gone);
/* The frame in which `owner` despawned the node at `path` or one above it, 0: it did not. */
uint32_t godot_session_despawned(const godot_message *message, godot_party owner, const char *path);
/* The scene of the spawned node that the node at `path` is below of; `*inside` is set to the rest of the
 * path. NULL: not known. */
const char *godot_session_scene_above(const godot_message *message, const char *path, const char **inside);

/* --- engine versions: the form of path confirmations (42: up to 4.2, 43: later) ------------------ */
void godot_session_learn_confirm_form(const godot_message *message, int form);
bool godot_session_versions_differ(const godot_message *message);

#endif
