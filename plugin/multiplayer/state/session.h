/* session.h
 *
 * State of a Godot multiplayer connection that is needed to understand its later packets: the generation of
 * the engine and the peer ids of both ends. The path cache is in paths.h, spawned nodes are in nodes.h.
 *
 * Time inside a session is the number of the message, which is the same on every pass: over ENet that of
 * enet_payload_info; otherwise every message gets the next number on the first pass. Every fact is stored
 * with the number of the message that it comes from, and every question is asked "as of" a message. So later
 * passes, in any order, get the same answers as the first one.
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
#include "enet/connection/connection.h"
#include "enet/state/payload.h"
#include "multiplayer/api_v3.h"
#include "multiplayer/scene_v4.h"
#include "multiplayer/state/party.h"
#include "multiplayer/state/recorded.h"

typedef enum {
    GODOT_OVER_ENET,
    GODOT_OVER_WEBSOCKET,
    GODOT_OVER_SCTP,
    GODOT_OVER_ANYTHING,
    GODOT_RECORDED, /* inside of the game, whatever the transport */
} godot_transport;

/* Limit on what is remembered of a file. Things of variable size count once more for every so many bytes. */
#define GODOT_MAX_RECORDS  1000000u
#define GODOT_RECORD_BYTES 64u

typedef struct godot_session godot_session;
typedef struct godot_responses godot_responses; /* see multiplayer/packet/response.c */
typedef struct godot_match godot_match;         /* see multiplayer/packet/recordings.h */

/* Keys of what `godot` keeps with a frame (p_add_proto_data). */
enum {
    GODOT_FRAME_MESSAGES, /* file scope: the first godot_message that is kept of the frame */
    GODOT_FRAME_PASS,     /* pinfo->pool: what multiplayer/packet.c counts in this pass */
};

/* A message, the same on every pass. */
typedef struct godot_message {
    godot_session *session;
    struct godot_message *next; /* of those that are kept of the frame, NULL: none */
    godot_match *match; /* of a recorded one: what is known about the record of the other end; else NULL */
    uint32_t number;    /* time in the session, from 1 */
    uint32_t frame;     /* in which it was captured, as all members of this name: frame_order() */
    uint32_t place;     /* in the frame: transport and position */
    /* What follows is valid when `api` is not 0, or `assigns_id` is set; the first pass decides it. */
    uint32_t wire_length;           /* its share of the frames' bytes; valid if `api` is not 0 */
    multiplayer_v3_carrier carrier; /* valid if `api` is 3 */
    uint8_t api;                    /* 3 or 4; 0: not (yet) recognised */
    bool assigns_id : 1;            /* Godot 4 over WebSocket: the server's first message */
    bool other_api : 1;             /* the session was recognised as the other generation */
    bool from_initiator : 1;        /* else from the acceptor */
    bool repeated : 1;              /* the receiver has had it before */
} godot_message;

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
/* Peer id of the client of this ENet connection, as far as it has become known; 0: not known, or no
 * session. */
int32_t godot_session_client_of_stream(uint32_t stream);
/* Which side of its sender's connection is the client: who opened it; where the capture does not have that,
 * the end that did not turn out to be the server. */
enet_side godot_session_client_side(const packet_info *pinfo, const enet_sender *sender);
/* The session over WebSocket that this frame's TCP connection carries, from the frame on in which it was
 * recognised; NULL: there is none. */
const godot_session *godot_session_over_tcp(packet_info *pinfo);
/* Peer id of the client, as far as it has become known; 0: not known. */
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
/* Counts one thing more to be remembered, of a fixed size and so many bytes; false: that is too much. */
bool godot_session_may_remember(size_t bytes);
/* A copy in file scope, the same one of equal texts; long ones count as well. NULL: that is too much. */
const char *godot_session_keep_text(const char *text);
/* Whether it has been too much. */
bool godot_session_is_full(void);

/* All messages of the file, as far as it has been read. */
typedef struct {
    uint64_t wire_bytes;
    bool wire_known; /* of some it is known what they took on the wire: they are not recorded in the game */
    bool any;
    nstime_t first, last; /* when they were captured; if any */
} godot_totals;

/* First pass. `second_record`: the file has had the other end's record of the message, whose bytes count. */
void godot_session_count(const packet_info *pinfo, const godot_message *message, bool second_record);
const godot_totals *godot_session_totals(void);
/* Sessions at a time, the mean from the first message of the file to the last; 0: not known. */
double godot_session_concurrent(void);

/* --- peers --------------------------------------------------------------------------------------- */
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

/* --- engine versions: the form of path confirmations (42: up to 4.2, 43: later) ------------------ */
void godot_session_learn_confirm_form(const godot_message *message, int form);
bool godot_session_versions_differ(const godot_message *message);

#endif
