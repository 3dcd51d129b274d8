/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/state/session.h"

#include <epan/conversation.h>
#include <epan/proto_data.h>
#include "base/bytes.h"
#include "base/allocators.h"
#include "base/tcp.h"
#include "enet/api/tap.h"
#include "multiplayer/peers/names.h"

static int proto_godot;
static godot_store store;
static uint32_t session_count;
static wmem_tree_t *sessions;                                        /* index -> session */
static paged_list enet_sessions = {.size = sizeof(godot_session *)}; /* by stream */
static uint64_t
    full_since; /* frame and place of the first message by which not all could be remembered, 0: none */
static wmem_map_t *recorded_sessions; /* recorded_key -> session */

static godot_totals totals;

/* Peer ids other than the client's own. */
struct godot_partners {
    wmem_tree_t *ids;  /* a set */
    int32_t latest[4]; /* arguments of godot_session_learn_partner(), to return early; 0: none */
    uint8_t next;      /* modulo 4: index in `latest` to be overwritten next */
};

/* A recorder and the other peer. */
typedef struct {
    int32_t peer;
    uint32_t recording;
} recorded_key;

static unsigned hash_of_key(gconstpointer pointer)
{
    const recorded_key *key = pointer;
    return hash_number((uint64_t)(uint32_t)key->peer << 32 | key->recording);
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(recorded_key)) == 0;
}

static void forget(void)
{
    const memory_allocator memory = file_memory();
    memset(&totals, 0, sizeof totals);
    godot_store_init(&store, &memory);
    session_count = 0;
    full_since = 0;
    enet_sessions = (paged_list){.size = sizeof(godot_session *)}; /* was in file scope */
}

static const char *end_name(wmem_allocator_t *scope, const enet_connection *connection, enet_side side);
static enet_answer server_opens(uint32_t stream);
static bool is_of_mesh(const enet_connection *connection);

void godot_state_init(int proto)
{
    proto_godot = proto;
    forget();
    sessions = wmem_tree_new_autoreset(wmem_epan_scope(), wmem_file_scope());
    recorded_sessions = file_map(hash_of_key, equal_keys);
    enet_end_name = end_name;
    enet_server_opens = server_opens;
    enet_is_of_mesh = is_of_mesh;
    register_cleanup_routine(forget);
    godot_evidence_init();
}

godot_store *godot_state_store(void)
{
    return &store;
}

/* Gives the session the number `wanted` if it is not in use. */
static godot_session *new_session(godot_transport transport, uint32_t wanted)
{
    godot_session *session = wmem_new(wmem_file_scope(), godot_session);
    uint32_t index = wmem_tree_lookup32(sessions, wanted) ? session_count : wanted;
    godot_session_begin(session, &store, transport, index);
    session_count = MAX(session_count, index + 1);
    wmem_tree_insert32(sessions, index, session);
    session->partners = wmem_new0(wmem_file_scope(), struct godot_partners);
    session->partners->ids = wmem_tree_new(wmem_file_scope());
    return session;
}

void godot_session_learn_partner(const godot_message *message, int32_t peer)
{
    struct godot_partners *partners = message->session->partners;
    for (unsigned i = 0; i < array_length(partners->latest); i++) {
        if (partners->latest[i] == peer) {
            return;
        }
    }
    partners->latest[partners->next++ % array_length(partners->latest)] = peer;
    bool own = peer == godot_session_peer_id(message, GODOT_INITIATOR);
    if (peer > 0 && !own && !wmem_tree_lookup32(partners->ids, (uint32_t)peer) &&
        godot_store_may_keep(&store, 0)) {
        wmem_tree_insert32(partners->ids, (uint32_t)peer, message->session);
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

godot_session *godot_session_at(uint32_t index)
{
    return wmem_tree_lookup32(sessions, index);
}

bool godot_session_next_partner(uint32_t index, uint32_t peer, bool lower, uint32_t *next)
{
    const godot_session *session = godot_session_at(index);
    neighbour wanted = {.peer = peer, .lower = lower};
    if (session) {
        wmem_tree_foreach(session->partners->ids, take_neighbour, &wanted);
        *next = wanted.next;
    }
    return wanted.found;
}

uint32_t godot_session_number(void)
{
    return session_count;
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
    const recorded_key any = {ANYBODY, recorded->recording};
    recorded_key key = {recorded->other_id > 0 ? recorded->other_id : ANYBODY, recorded->recording};
    godot_session *session = wmem_map_lookup(recorded_sessions, &key);
    if (session) {
        return session;
    }
    godot_session *first = wmem_map_lookup(recorded_sessions, &any);
    if (!godot_store_may_keep(&store, SESSION_BYTES)) {
        return NULL;
    }
    session = first && first->unclaimed ? first : new_session(GODOT_RECORDED, session_count);
    session->recording = recorded->recording;
    session->unclaimed = key.peer == ANYBODY;
    if (!first) {
        wmem_map_insert(recorded_sessions, wmem_memdup(wmem_file_scope(), &any, sizeof any), session);
    }
    if (key.peer != ANYBODY) {
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

/* Which end sent this. Over WebSocket the client is the one that opened the TCP connection. */
static bool is_from_initiator(packet_info *pinfo, const enet_payload_info *enet)
{
    if (enet && (enet->direction_known || pinfo->srcport == pinfo->destport)) {
        return enet->from_initiator;
    }
    return tcp_is_from_client(pinfo);
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
    message->repeated = recorded->again;
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

bool godot_session_restore(packet_info *pinfo, godot_message **kept, godot_message *message)
{
    if (!frame_visited(pinfo)) {
        return false;
    }
    godot_message *found = message_at(*kept, message->place); /* usually after the latest one */
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
                           const recorder_record *recorded, godot_message *message)
{
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
    message->sent = enet ? enet->sent : 0;
    message->channel = enet ? enet->channel : 0;
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
    if (!frame_visited(pinfo) && godot_store_is_full(&store) && full_since == 0) {
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
    godot_session_learn_message(message);
}

double godot_session_concurrent(void)
{
    nstime_t all;
    double seconds = 0;
    nstime_delta(&all, &totals.last, &totals.first);
    for (uint32_t i = 0; i < session_count; i++) {
        const godot_session *session = wmem_tree_lookup32(sessions, i);
        if (session && (session->spoke[0] || session->spoke[1])) {
            bool second = !session->spoke[0] || (session->spoke[1] && session->last[1] > session->last[0]);
            seconds += (double)(session->last[second] - session->began) / 1e9;
        }
    }
    return nstime_to_sec(&all) > 0 ? seconds / nstime_to_sec(&all) : 0;
}

const godot_totals *godot_session_totals(void)
{
    return &totals;
}

/* --- peers --------------------------------------------------------------------------------------- */

const godot_session *godot_session_over_tcp(packet_info *pinfo)
{
    conversation_t *conversation = pinfo->ptype == PT_TCP ? find_conversation_pinfo(pinfo, 0) : NULL;
    const godot_session *session =
        conversation ? conversation_get_proto_data(conversation, proto_godot) : NULL;
    return session && session->api && session->recognised_in <= frame_order(pinfo) ? session : NULL;
}

static enet_answer server_opens(uint32_t stream)
{
    const godot_session *session = session_of_stream(stream);
    bool known = session && (session->server_number[0] || session->server_number[1]);
    return !known ? ENET_NOT_KNOWN : godot_session_opened_by_server(session) ? ENET_YES : ENET_NO;
}

/* A client of Godot gives its id in CONNECT; 0: not here. */
static int32_t id_in_connect(const enet_connection *connection)
{
    bool given = connection && connection->connect_frame && godot_is_likely_peer_id(connection->connect.data);
    return given ? (int32_t)connection->connect.data : 0;
}

/* Of a server each client gives its id in CONNECT. One direction alone need not show that it is Godot's. */
static bool is_of_mesh(const enet_connection *connection)
{
    const godot_session *session = session_of_stream(connection->stream);
    bool both =
        connection->senders[ENET_INITIATOR].first_frame && connection->senders[ENET_ACCEPTOR].first_frame;
    return ((session && session->api == 4) || !both) && !id_in_connect(connection) &&
           server_opens(connection->stream) == ENET_NOT_KNOWN;
}

int32_t godot_session_client_of_stream(uint32_t stream)
{
    const godot_session *session = session_of_stream(stream);
    int32_t client = session ? godot_session_client(session) : 0;
    return client ? client : id_in_connect(enet_connection_in_file(stream));
}

bool godot_session_has_client(int32_t peer)
{
    return peer > 1 && godot_find_history(&store, &store.of_client, peer, 0);
}

/* By CONNECT; else the session knows who is who, as soon as there was a message. */
static const char *end_name(wmem_allocator_t *scope, const enet_connection *connection, enet_side side)
{
    enum { SERVER = 1 };
    const godot_session *session = session_of_stream(connection->stream);
    int32_t named = id_in_connect(connection);
    int32_t client = named ? named : session ? godot_session_client(session) : 0;
    if (!client) {
        return NULL;
    }
    bool reversed = !named && godot_session_opened_by_server(session) != session->swapped_ends;
    enet_side client_side = reversed ? ENET_ACCEPTOR : ENET_INITIATOR;
    int32_t id = side == client_side ? client : SERVER;
    return godot_peer_name(scope, id);
}
