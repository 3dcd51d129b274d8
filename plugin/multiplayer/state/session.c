/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/state/session.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/proto_data.h>
#include "base/bytes.h"
#include "base/allocators.h"
#include "multiplayer/peers/names.h"

static int proto_godot;
static uint32_t session_count, record_count;
static wmem_tree_t *sessions;                                        /* index -> session */
static paged_list enet_sessions = {.size = sizeof(godot_session *)}; /* by stream */
static uint64_t
    full_since; /* frame and place of the first message by which not all could be remembered, 0: none */
static wmem_map_t *recorded_sessions; /* godot_key -> session */
static wmem_map_t *texts;             /* those that are kept -> themselves */

static godot_totals totals;

static void forget(void)
{
    memset(&totals, 0, sizeof totals);
    session_count = record_count = 0;
    full_since = 0;
    enet_sessions = (paged_list){.size = sizeof(godot_session *)}; /* was in file scope */
}

void godot_session_init(int proto)
{
    proto_godot = proto;
    godot_history_init();
    sessions = wmem_tree_new_autoreset(wmem_epan_scope(), wmem_file_scope());
    recorded_sessions = file_map(godot_key_hash, godot_key_equal);
    texts = file_map(wmem_str_hash, g_str_equal);
    register_cleanup_routine(forget);
}

/* Gives the session the number `wanted` if it is not in use. */
static godot_session *new_session(godot_transport transport, uint32_t wanted)
{
    godot_session *session = wmem_new0(wmem_file_scope(), godot_session);
    session->index = wmem_tree_lookup32(sessions, wanted) ? session_count : wanted;
    session_count = MAX(session_count, session->index + 1);
    wmem_tree_insert32(sessions, session->index, session);
    session->partners = wmem_tree_new(wmem_file_scope());
    session->transport = transport;
    session->pending = wmem_map_new(wmem_file_scope(), godot_key_hash, godot_key_equal);
    session->by_owner = wmem_map_new(wmem_file_scope(), godot_path_key_hash, godot_path_key_equal);
    session->by_name = wmem_map_new(wmem_file_scope(), wmem_str_hash, g_str_equal);
    session->despawned = wmem_map_new(wmem_file_scope(), wmem_str_hash, g_str_equal);
    session->scenes = wmem_map_new(wmem_file_scope(), wmem_str_hash, g_str_equal);
    return session;
}

void godot_session_learn_partner(const godot_message *message, int32_t peer)
{
    godot_session *session = message->session;
    wmem_tree_t *partners = session->partners;
    for (unsigned i = 0; i < array_length(session->latest_partners); i++) {
        if (session->latest_partners[i] == peer) {
            return;
        }
    }
    session->latest_partners[session->next_partner++ % array_length(session->latest_partners)] = peer;
    bool own = peer == godot_session_peer_id(message, GODOT_INITIATOR);
    if (peer > 0 && !own && !wmem_tree_lookup32(partners, (uint32_t)peer) && godot_session_may_remember(0)) {
        wmem_tree_insert32(partners, (uint32_t)peer, message->session);
    }
}

/* The session of a peer next to the one that is searched. */
typedef struct {
    uint32_t peer;
    bool lower, found;
    uint32_t next;
} neighbour;

static compat_bool take_neighbour(const void *key, void *value _U_, void *data)
{
    neighbour *wanted = data;
    uint32_t peer = GPOINTER_TO_UINT(key);
    if (wanted->lower ? peer <= wanted->peer : peer >= wanted->peer) {
        wanted->next = peer; /* keys come in their order: of the lower ones the last is taken */
        wanted->found = true;
    }
    return wanted->found && !wanted->lower;
}

bool godot_session_next_partner(uint32_t index, uint32_t peer, bool lower, uint32_t *next)
{
    const godot_session *session = wmem_tree_lookup32(sessions, index);
    neighbour wanted = {.peer = peer, .lower = lower};
    if (session) {
        wmem_tree_foreach(session->partners, take_neighbour, &wanted);
        *next = wanted.next;
    }
    return wanted.found;
}

uint32_t godot_session_number(void)
{
    return session_count;
}

/* --- limits -------------------------------------------------------------------------------------- */

static bool charge(size_t records)
{
    size_t left = GODOT_MAX_RECORDS + 1 - record_count;
    record_count += (uint32_t)MIN(records, left);
    return record_count <= GODOT_MAX_RECORDS;
}

bool godot_session_may_remember(size_t bytes)
{
    return charge(1 + bytes / GODOT_RECORD_BYTES);
}

const char *godot_session_keep_text(const char *text)
{
    char *kept = wmem_map_lookup(texts, text);
    if (!kept && charge(strlen(text) / GODOT_RECORD_BYTES)) {
        kept = wmem_strdup(wmem_file_scope(), text);
        wmem_map_insert(texts, kept, kept);
    }
    return kept;
}

bool godot_session_is_full(void)
{
    return record_count > GODOT_MAX_RECORDS;
}

bool godot_session_first(packet_info *pinfo, const godot_message *message, godot_topic topic,
                         godot_party party, uint32_t id)
{
    godot_histories *said = &message->session->said[topic];
    const godot_history *past = godot_find_history(said, party, id);
    if (past) {
        return past->first == message->number;
    }
    if (godot_session_is_full() || frame_visited(pinfo)) {
        return godot_session_is_full(); /* beyond the limit it is reported each time, on every pass */
    }
    if (godot_session_may_remember(0)) {
        godot_history_add(godot_history_of(said, party, id), message->number, message->session);
    }
    return true;
}

/* --- messages ------------------------------------------------------------------------------------ */

/* Of a session with its maps. */
enum { SESSION_BYTES = 2048 };

/* A recorder has one session with each other peer. A packet to several peers belongs to all of these sessions
 * and is shown in the first one. If there is none yet, it creates one, which the first packet to a single
 * peer takes over. NULL: there are too many. */
static godot_session *recorded_session(const recorder_record *recorded)
{
    enum { ANYBODY = 0 };
    const godot_key any = {ANYBODY, recorded->recording};
    godot_key key = {recorded->other_id > 0 ? recorded->other_id : ANYBODY, recorded->recording};
    godot_session *session = wmem_map_lookup(recorded_sessions, &key);
    if (session) {
        return session;
    }
    godot_session *first = wmem_map_lookup(recorded_sessions, &any);
    if (!godot_session_may_remember(SESSION_BYTES)) {
        return NULL;
    }
    session = first && first->unclaimed ? first : new_session(GODOT_RECORDED, session_count);
    session->recording = recorded->recording;
    session->unclaimed = key.party == ANYBODY;
    if (!first) {
        wmem_map_insert(recorded_sessions, wmem_memdup(wmem_file_scope(), &any, sizeof any), session);
    }
    if (key.party != ANYBODY) {
        wmem_map_insert(recorded_sessions, wmem_memdup(wmem_file_scope(), &key, sizeof key), session);
    }
    return session;
}

/* NULL: there is none. */
static godot_session *session_of_stream(uint32_t stream)
{
    godot_session **place = paged_list_find(&enet_sessions, stream);
    return place ? *place : NULL;
}

static godot_session *session_of(packet_info *pinfo, godot_transport transport, const enet_payload_info *enet,
                                 const recorder_record *recorded)
{
    godot_session *session;
    if (recorded) {
        return recorded_session(recorded);
    }
    if (enet) {
        const memory_allocator memory = file_memory();
        godot_session **place = paged_list_make(&memory, &enet_sessions, enet->stream);
        if (!*place) {
            *place = new_session(transport, enet->stream); /* the same number for both, if possible */
        }
        return *place;
    }
    conversation_t *conversation = find_or_create_conversation(pinfo);
    session = conversation_get_proto_data(conversation, proto_godot);
    if (!session) {
        session = new_session(transport, session_count);
        conversation_add_proto_data(conversation, proto_godot, session);
    }
    return session;
}

/* An assumption, but the same for the whole session: servers usually have the lower port. */
static bool seems_from_initiator(const packet_info *pinfo)
{
    if (pinfo->srcport != pinfo->destport) {
        return pinfo->srcport > pinfo->destport;
    }
    return cmp_address(&pinfo->src, &pinfo->dst) > 0;
}

/* Which end sent this. Over WebSocket the client is the one that opened the TCP connection. */
static bool is_from_initiator(packet_info *pinfo, const enet_payload_info *enet)
{
    if (enet && (enet->direction_known || pinfo->srcport == pinfo->destport)) {
        return enet->from_initiator;
    }
    if (pinfo->ptype == PT_TCP) {
        struct tcp_analysis *tcp = get_tcp_conversation_data(find_or_create_conversation(pinfo), pinfo);
        if (tcp && tcp->server_port) {
            return pinfo->destport == tcp->server_port;
        }
    }
    return seems_from_initiator(pinfo);
}

/* Which of the two is the client; in a mesh, where neither is the server, the one with the higher id. */
static bool is_recorded_from_initiator(const recorder_record *recorded)
{
    bool own_is_initiator =
        !recorded->own_is_server && (recorded->other_id <= 1 || recorded->own_id > recorded->other_id);
    return own_is_initiator != recorded->received;
}

void godot_session_learn_recorded(godot_message *message, const recorder_record *recorded)
{
    bool own_is_initiator = message->from_initiator != recorded->received;
    godot_party own = own_is_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR;
    godot_party other = own_is_initiator ? GODOT_ACCEPTOR : GODOT_INITIATOR;
    message->api = message->session->api = 4;
    if (recorded->own_id > 0) {
        godot_session_learn_peer_id(message, own, recorded->own_id);
    }
    if (recorded->other_id > 0) {
        godot_session_learn_peer_id(message, other, recorded->other_id);
    }
}

/* Of a list, NULL: there is no such message in it. */
static godot_message *message_at(godot_message *list, uint32_t place)
{
    while (list && list->place != place) {
        list = list->next;
    }
    return list;
}

/* Later passes. `before` is in the frame's list, usually before the one that is looked for; or NULL. */
static bool find_kept(packet_info *pinfo, godot_message *before, godot_message **kept, godot_message *message)
{
    godot_message *found = message_at(before, message->place);
    if (!found) {
        found = message_at(p_get_proto_data(wmem_file_scope(), pinfo, proto_godot, GODOT_FRAME_MESSAGES),
                           message->place);
    }
    if (found) {
        *message = *found;
        *kept = found;
    }
    return found != NULL;
}

/* Messages over ENet of which nothing is kept. */
static bool is_known_by_session(const enet_payload_info *enet, const godot_session *session)
{
    return enet && session->api == 4;
}

bool godot_session_message(packet_info *pinfo, godot_transport transport, const enet_payload_info *enet,
                           const recorder_record *recorded, uint32_t ordinal, godot_message **kept,
                           godot_message *message)
{
    *message =
        (godot_message){.frame = frame_order(pinfo), .place = transport << 28 | (ordinal & 0x0fffffff)};
    if (frame_visited(pinfo) && find_kept(pinfo, *kept, kept, message)) {
        return true;
    }
    if (frame_visited(pinfo) && !(enet && session_of_stream(enet->stream))) {
        return false;
    }
    godot_session *session = message->session = session_of(pinfo, transport, enet, recorded);
    if (!session) {
        return false;
    }
    message->number = enet ? enet->number : session->latest + 1;
    if (!frame_visited(pinfo) &&
        message->number != session->latest) { /* else it was counted when the heuristic was called */
        session->messages++;
        session->latest = message->number;
        session->first = session->first ? session->first : message->number;
    }
    message->from_initiator =
        recorded ? is_recorded_from_initiator(recorded) : is_from_initiator(pinfo, enet);
    message->repeated = enet && enet->retransmission;
    if (frame_visited(pinfo)) {
        message->wire_length = enet->wire_length;
        message->api = 4;
        return is_known_by_session(enet, session) && message->number >= session->recognised_number;
    }
    return true;
}

void godot_session_keep(packet_info *pinfo, const enet_payload_info *enet, const godot_message *message,
                        godot_message **kept)
{
    if (is_known_by_session(enet, message->session) && !message->other_api) {
        return;
    }
    godot_message *copy = wmem_memdup(wmem_file_scope(), message, sizeof *message);
    if (*kept) {
        (*kept)->next = copy;
    } else {
        p_add_proto_data(wmem_file_scope(), pinfo, proto_godot, GODOT_FRAME_MESSAGES, copy);
    }
    *kept = copy;
}

bool godot_session_has_forgotten(packet_info *pinfo, const godot_message *message)
{
    const uint64_t now = (uint64_t)message->frame << 32 | message->place;
    if (!frame_visited(pinfo) && godot_session_is_full() && full_since == 0) {
        full_since = now;
    }
    return full_since > 0 && now >= full_since;
}

void godot_session_count(const packet_info *pinfo, const godot_message *message, bool second_record)
{
    godot_session *session = message->session;
    if (!totals.any) {
        totals.any = true;
        totals.first = pinfo->rel_ts;
    }
    totals.last = pinfo->rel_ts;
    totals.wire_bytes += second_record ? 0 : message->wire_length;
    totals.wire_known |= session->transport == GODOT_OVER_ENET || session->transport == GODOT_OVER_WEBSOCKET;
    unsigned end = message->from_initiator ? 0 : 1;
    if (!session->spoke[0] && !session->spoke[1]) {
        session->began = pinfo->abs_ts;
    }
    session->last[end] = pinfo->abs_ts;
    session->spoke[end] = true;
}

double godot_session_concurrent(void)
{
    nstime_t all, one;
    double seconds = 0;
    nstime_delta(&all, &totals.last, &totals.first);
    for (uint32_t i = 0; i < session_count; i++) {
        const godot_session *session = wmem_tree_lookup32(sessions, i);
        if (session && (session->spoke[0] || session->spoke[1])) {
            bool second = !session->spoke[0] ||
                          (session->spoke[1] && nstime_cmp(&session->last[1], &session->last[0]) > 0);
            nstime_delta(&one, &session->last[second], &session->began);
            seconds += nstime_to_sec(&one);
        }
    }
    return nstime_to_sec(&all) > 0 ? seconds / nstime_to_sec(&all) : 0;
}

const godot_totals *godot_session_totals(void)
{
    return &totals;
}

/* --- peers --------------------------------------------------------------------------------------- */

static unsigned end_index(godot_party end)
{
    return end == GODOT_INITIATOR ? 0 : 1;
}

void godot_session_learn_peer_id(const godot_message *message, godot_party end, int32_t id)
{
    godot_session *session = message->session;
    unsigned index = end_index(end);
    if (session->id_number[index] == 0) {
        session->id[index] = id;
        session->id_number[index] = message->number;
    }
    if (id == 1 && session->server_number[index] == 0) {
        session->server_number[index] = message->number;
    }
}

const godot_session *godot_session_over_tcp(packet_info *pinfo)
{
    conversation_t *conversation = pinfo->ptype == PT_TCP ? find_conversation_pinfo(pinfo, 0) : NULL;
    const godot_session *session =
        conversation ? conversation_get_proto_data(conversation, proto_godot) : NULL;
    return session && session->api && session->recognised_in <= frame_order(pinfo) ? session : NULL;
}

/* Whether the end that was assumed to be the initiator is the server. */
static bool opened_by_server(const godot_session *session)
{
    return session && session->id[end_index(GODOT_INITIATOR)] == 1;
}

int32_t godot_session_client(const godot_session *session)
{
    return session->id[end_index(opened_by_server(session) ? GODOT_ACCEPTOR : GODOT_INITIATOR)];
}

enet_side godot_session_client_side(const packet_info *pinfo, const enet_sender *sender)
{
    const enet_connection *connection = sender->connection;
    enet_side side = (enet_side)sender->side;
    enet_side other = side == ENET_INITIATOR ? ENET_ACCEPTOR : ENET_INITIATOR;
    bool known = connection->roles_known || pinfo->srcport == pinfo->destport;
    bool from_client = known ? side == ENET_INITIATOR : seems_from_initiator(pinfo);
    return from_client != opened_by_server(session_of_stream(connection->stream)) ? side : other;
}

int32_t godot_session_client_of_stream(uint32_t stream)
{
    const godot_session *session = session_of_stream(stream);
    return session ? godot_session_client(session) : 0;
}

int32_t godot_session_peer_id(const godot_message *message, godot_party party)
{
    const godot_session *session = message->session;
    if (party > 0) {
        return party;
    }
    unsigned index = end_index(party);
    bool known = session->id_number[index] && session->id_number[index] <= message->number;
    return known ? session->id[index] : 0;
}

bool godot_session_is_server(const godot_message *message, godot_party end)
{
    uint32_t number = message->session->server_number[end_index(end)];
    return number && number <= message->number;
}

typedef struct {
    bool present;
    uint32_t number, frame;
} peer_presence;

void godot_session_learn_presence(const godot_message *message, int32_t peer, bool present)
{
    if (!godot_session_may_remember(0)) {
        return;
    }
    peer_presence *entry = wmem_new(wmem_file_scope(), peer_presence);
    *entry = (peer_presence){present, message->number, message->frame};
    godot_history_add(godot_history_of(&message->session->presence, peer, 0), message->number, entry);
}

const char *godot_session_absence(packet_info *pinfo, const godot_message *message, int32_t peer)
{
    const godot_session *session = message->session;
    const godot_history *past = godot_find_history(&session->presence, peer, 0);
    const peer_presence *state = godot_history_around(past, message->number);
    const char *name = godot_peer_name(pinfo->pool, peer);
    if (state && state->number > message->number && state->present) {
        return wmem_strdup_printf(pinfo->pool, "%s is announced later, in %s", name,
                                  frame_text(pinfo->pool, state->frame));
    }
    if (state && state->number <= message->number) {
        return state->present ? NULL
                              : wmem_strdup_printf(pinfo->pool, "%s has left, in %s", name,
                                                   frame_text(pinfo->pool, state->frame));
    }
    /* Only from a session's beginning on are all announcements known. */
    return session->id_number[0] == session->first
               ? wmem_strdup_printf(pinfo->pool, "%s was not announced before", name)
               : NULL;
}

/* --- engine versions ----------------------------------------------------------------------------- */

void godot_session_learn_confirm_form(const godot_message *message, int form)
{
    unsigned index = message->from_initiator ? 0 : 1;
    if (!message->session->confirm_number[index]) {
        message->session->confirm_number[index] = message->number;
        message->session->confirm_form[index] = form;
    }
}

bool godot_session_versions_differ(const godot_message *message)
{
    const godot_session *session = message->session;
    for (unsigned i = 0; i < 2; i++) {
        if (session->confirm_number[i] == 0 || session->confirm_number[i] > message->number) {
            return false;
        }
    }
    return session->confirm_form[0] != session->confirm_form[1];
}
