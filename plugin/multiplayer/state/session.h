/* session.h
 *
 * Where the sessions of src/multiplayer/session are kept, and which message belongs to which: over ENet by
 * connection, in recordings by recorder and peer, otherwise by conversation.
 *
 * Everything is in file scope. Functions called godot_session_learn_… are for the first pass only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_STATE_SESSION_H
#define GODOT_STATE_SESSION_H

#include "base/frame.h"
#include "enet/api/tap.h"
#include "enet/api/payload.h"
#include "multiplayer/session/paths.h"
#include "multiplayer/session/session.h"
#include "multiplayer/wire/scene_v4.h"
#include "recorder/record.h"

/* Keys of the frame's data of `godot` (p_add_proto_data). */
enum {
    GODOT_FRAME_MESSAGES, /* file scope: the list of the frame's godot_message */
    GODOT_FRAME_PASS,     /* pinfo->pool: a godot_frame */
};

void godot_state_init(int proto);
void godot_evidence_init(void); /* by godot_state_init() */

/* What all sessions of the file have in common. */
godot_store *godot_state_store(void);

/* Later passes: fills in the message with this `place`, if godot_session_keep() has kept it. `*kept`: the
 * latest element of the frame's list that these two have set in this pass, NULL: none. */
bool godot_session_restore(packet_info *pinfo, godot_message **kept, godot_message *message);

/* Fills in another `message`, with `frame`, `time` and `place` set; on the first pass without `api`. False:
 * on later passes, the message was not recognised as Godot's; on the first one, there are too many sessions.
 * `recorded`: for GODOT_RECORDED, else NULL; what the dissector "godot.recorded" gets as its `data`. */
bool godot_session_message(packet_info *pinfo, godot_transport transport, const enet_payload_info *enet,
                           const recorder_record *recorded, godot_message *message);

/* First pass, when `message` is complete: adds a copy to the frame's list, unless later passes can restore it
 * from its session (Godot 4 over ENet). */
void godot_session_keep(packet_info *pinfo, const enet_payload_info *enet, const godot_message *message,
                        godot_message **kept);

/* First pass: what the capture shows it has of the session, and lacks before this message. */
void godot_session_learn_evidence(packet_info *pinfo, const godot_message *message,
                                  const enet_payload_info *enet, const recorder_record *recorded);

/* Whether the capture has all that an end of the session (its index) has sent from one of its messages to
 * another of the same kind, unreliable ones too, as far as it was read. */
bool godot_session_has_all(uint32_t index, bool from_initiator, godot_moment from, godot_moment to);

/* The session with this index; NULL: there is none. */
godot_session *godot_session_at(uint32_t index);

/* First pass, once for each record in the order of the file. True: a packet's record that came before. */
bool godot_session_learn_record(const packet_info *pinfo, const recorder_record *record);

/* The data of HTTP about this frame's TCP connection, which a WebSocket begins with; NULL: it was not
 * captured. */
const void *godot_session_http(packet_info *pinfo);

/* Later passes: whether the capture has anything of the receiving end after this message; over another
 * transport than ENet that is assumed. Without it the receiver may have been gone. */
bool godot_session_is_heard_later(const godot_message *message);

/* True if GODOT_MAX_RECORDS was reached before or in this message. On the first pass to be called once for
 * each message, when it is dissected. */
bool godot_session_has_forgotten(packet_info *pinfo, const godot_message *message);

/* Sets what a record proves: Godot 4, the ids of both ends. First pass. */
void godot_session_learn_recorded(godot_message *message, const recorder_record *recorded);

/* First pass: decides whether the message is Godot's and of which generation, from its bytes and the earlier
 * messages of the session. If message->cut, bytes that cannot be read do not prove that it is not. `forced`:
 * selected by the user (Decode As). */
void godot_session_learn_api(packet_info *pinfo, godot_message *message, const enet_payload_info *enet,
                             tvbuff_t *tvb, bool forced);

/* First pass: packets of the session come from this peer or go to it. The client's own id is ignored. */
void godot_session_learn_partner(const godot_message *message, int32_t peer);
/* Sets `*next` to the lowest of these ids that is not below `peer`, or (`lower`) the highest that is not
 * above it; false: there is none. `index`: of the session. */
bool godot_session_next_partner(uint32_t index, uint32_t peer, bool lower, uint32_t *next);
/* One more than the highest index of a session so far. Over ENet the index of a session is that of the
 * connection, enet.stream, unless another session already has it. */
uint32_t godot_session_number(void);
/* Peer id of the client of this ENet connection, by its messages or its CONNECT; 0: not known. */
int32_t godot_session_client_of_stream(uint32_t stream);
/* Whether the capture has a session of this client, as far as it was read: then what the server relays for it
 * is there twice. */
bool godot_session_has_client(int32_t peer);
/* The session over WebSocket of this frame's TCP connection; NULL: there is none, or it is recognised only in
 * a later frame. */
const godot_session *godot_session_over_tcp(packet_info *pinfo);

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

#endif
