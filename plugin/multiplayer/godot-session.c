/* godot-session.c
 *
 * State of Godot multiplayer connections; see godot-session.h. Not here: which generation of the engine a session is of
 * (godot-detection.c), requests and replies (godot-response.c), the two records of one packet (godot-copies.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/godot-session-state.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/proto_data.h>
#include "common/bytes.h"

/* Key of everything that a party numbers; of the sessions in recordings: recorder and other peer. */
typedef struct {
    godot_party party;
    uint32_t id;
} godot_key;

/* The same of what has a path. */
typedef struct {
    godot_party party;
    const char *path;
} godot_path_key;

static int proto_godot = -1;
static uint64_t key_factor; /* odd, another one in each run */
static uint32_t session_count, record_count;
static wmem_tree_t *sessions;         /* index -> session */
static wmem_map_t *enet_sessions;     /* stream -> session */
static wmem_map_t *recorded_sessions; /* godot_key -> session */
static wmem_map_t *client_paths;      /* peer id of a client and path id -> godot_path, in any session */
static wmem_map_t *client_names;      /* the same by peer id and path: godot_path_key */

/* The upper half of the product with a random number: nobody can make a capture whose keys fall together, as with
 * wmem_strong_hash(), which takes ten times as long. */
static unsigned hash_number(uint64_t number)
{
    return (unsigned)(number * key_factor >> 32);
}

static unsigned key_hash(gconstpointer pointer)
{
    const godot_key *key = pointer;
    return hash_number((uint64_t)(uint32_t)key->party << 32 | key->id);
}

static unsigned path_key_hash(gconstpointer pointer)
{
    const godot_path_key *key = pointer;
    return hash_number((uint64_t)(uint32_t)key->party << 32 | wmem_str_hash(key->path));
}

static gboolean path_key_equal(gconstpointer a, gconstpointer b)
{
    const godot_path_key *one = a, *other = b;
    return one->party == other->party && strcmp(one->path, other->path) == 0;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(godot_key)) == 0;
}

static godot_totals totals;

static void forget(void)
{
    memset(&totals, 0, sizeof totals);
    session_count = record_count = 0;
    sessions = NULL; /* were in file scope */
    enet_sessions = recorded_sessions = client_paths = client_names = NULL;
}

void godot_session_init(int proto)
{
    proto_godot = proto;
    key_factor = (uint64_t)g_random_int() << 32 | g_random_int() | 1u;
    register_init_routine(forget);
    register_cleanup_routine(forget);
}

/* The session's number is `wanted`, if no other one has it. */
static godot_session *new_session(godot_transport transport, uint32_t wanted)
{
    godot_session *session = wmem_new0(wmem_file_scope(), godot_session);
    if (!sessions) {
        sessions = wmem_tree_new(wmem_file_scope());
    }
    session->index = wmem_tree_lookup32(sessions, wanted) ? session_count : wanted;
    session_count = MAX(session_count, session->index + 1);
    wmem_tree_insert32(sessions, session->index, session);
    session->partners = wmem_tree_new(wmem_file_scope());
    session->transport = transport;
    session->presence = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
    session->pending = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
    for (unsigned i = 0; i < GODOT_TOPICS; i++) {
        session->said[i] = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
    }
    session->paths = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
    session->by_owner = wmem_map_new(wmem_file_scope(), path_key_hash, path_key_equal);
    session->by_name = wmem_map_new(wmem_file_scope(), wmem_str_hash, g_str_equal);
    session->nodes = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
    session->despawned = wmem_map_new(wmem_file_scope(), wmem_str_hash, g_str_equal);
    session->scenes = wmem_map_new(wmem_file_scope(), wmem_str_hash, g_str_equal);
    return session;
}

void godot_session_learn_partner(const godot_message *message, int32_t peer)
{
    wmem_tree_t *partners = message->session->partners;
    bool own = peer == godot_session_peer_id(message, GODOT_INITIATOR);
    if (peer > 0 && !own && !wmem_tree_lookup32(partners, (uint32_t)peer) && godot_session_may_remember()) {
        wmem_tree_insert32(partners, (uint32_t)peer, message->session);
    }
}

/* The neighbour of a peer that is being looked for. */
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
    const godot_session *session = sessions ? wmem_tree_lookup32(sessions, index) : NULL;
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

uint32_t godot_session_index(const godot_session *session)
{
    return session->index;
}

godot_transport godot_session_transport(const godot_session *session)
{
    return session->transport;
}

uint32_t godot_session_recording(const godot_session *session)
{
    return session->recording;
}

godot_responses **godot_session_responses(godot_session *session)
{
    return &session->responses;
}

/* --- histories -------------------------------------------------------------------------------------- */

/* What became known about one thing, by the number of the message. */
typedef struct {
    wmem_tree_t *entries;
    uint32_t first; /* the smallest number */
} history;

bool godot_session_may_remember(void)
{
    if (record_count <= GODOT_MAX_RECORDS) {
        record_count++;
    }
    return record_count <= GODOT_MAX_RECORDS;
}

bool godot_session_is_full(void)
{
    return record_count > GODOT_MAX_RECORDS;
}

/* The latest entry as of a message, NULL if there is none. */
static void *history_at(const history *past, uint32_t number)
{
    return past ? wmem_tree_lookup32_le(past->entries, number) : NULL;
}

/* The same; if there is none, the first one after the message. */
static void *history_around(const history *past, uint32_t number)
{
    return past ? wmem_tree_lookup32_le(past->entries, MAX(number, past->first)) : NULL;
}

static void history_add(history *past, uint32_t number, void *value)
{
    past->first = past->first ? MIN(past->first, number) : number;
    wmem_tree_insert32(past->entries, number, value);
}

static history *new_history(void)
{
    history *past = wmem_new0(wmem_file_scope(), history);
    past->entries = wmem_tree_new(wmem_file_scope());
    return past;
}

/* The history of something that a party numbers; a new one if there is none. */
static history *history_of(wmem_map_t *map, godot_party party, uint32_t id)
{
    godot_key key = {party, id};
    history *past = (history *)wmem_map_lookup(map, &key);
    if (!past) {
        past = new_history();
        wmem_map_insert(map, wmem_memdup(wmem_file_scope(), &key, sizeof key), past);
    }
    return past;
}

static const history *find_history(wmem_map_t *map, godot_party party, uint32_t id)
{
    godot_key key = {party, id};
    return (const history *)wmem_map_lookup(map, &key);
}

/* The same for what has a path. */
static history *history_of_path(wmem_map_t *map, const char *path)
{
    history *past = (history *)wmem_map_lookup(map, path);
    if (!past) {
        past = new_history();
        wmem_map_insert(map, wmem_strdup(wmem_file_scope(), path), past);
    }
    return past;
}

/* The same for what a party has a path for; `path` lives as long as the file. */
static history *history_of_owned_path(wmem_map_t *map, godot_party owner, const char *path)
{
    const godot_path_key key = {owner, path};
    history *past = (history *)wmem_map_lookup(map, &key);
    if (!past) {
        past = new_history();
        wmem_map_insert(map, wmem_memdup(wmem_file_scope(), &key, sizeof key), past);
    }
    return past;
}

static const history *find_history_of_path(wmem_map_t *map, const char *path)
{
    return (const history *)wmem_map_lookup(map, path);
}

bool godot_session_first(packet_info *pinfo, const godot_message *message, godot_topic topic,
                         godot_party party, uint32_t id)
{
    wmem_map_t *map = message->session->said[topic];
    const history *past = find_history(map, party, id);
    if (past) {
        return past->first == message->number;
    }
    if (godot_session_is_full() || PINFO_FD_VISITED(pinfo)) {
        return godot_session_is_full(); /* what cannot be remembered is said each time, on every pass */
    }
    if (godot_session_may_remember()) {
        history_add(history_of(map, party, id), message->number, message->session);
    }
    return true;
}

/* --- messages --------------------------------------------------------------------------------------- */

/* A recorder has one session with each other peer. A packet to several peers belongs to all of these sessions
 * and is shown in the first; should there be none yet, the first to come takes over what it began. */
static godot_session *recorded_session(const godot_recorded_info *recorded)
{
    enum { ANYBODY = 0 };
    const godot_key any = {ANYBODY, recorded->recording};
    godot_key key = {recorded->other_id > 0 ? recorded->other_id : ANYBODY, recorded->recording};
    if (!recorded_sessions) {
        recorded_sessions = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
    }
    godot_session *session = (godot_session *)wmem_map_lookup(recorded_sessions, &key);
    if (session) {
        return session;
    }
    godot_session *first = (godot_session *)wmem_map_lookup(recorded_sessions, &any);
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

static godot_session *session_of(packet_info *pinfo, godot_transport transport, const enet_payload_info *enet,
                                 const godot_recorded_info *recorded)
{
    godot_session *session;
    if (recorded) {
        return recorded_session(recorded);
    }
    if (enet) {
        if (!enet_sessions) {
            enet_sessions = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
        }
        session = (godot_session *)wmem_map_lookup(enet_sessions, GUINT_TO_POINTER(enet->stream));
        if (!session) {
            session = new_session(transport, enet->stream); /* one number for both, if that can be */
            wmem_map_insert(enet_sessions, GUINT_TO_POINTER(enet->stream), session);
        }
        return session;
    }
    conversation_t *conversation = find_or_create_conversation(pinfo);
    session = (godot_session *)conversation_get_proto_data(conversation, proto_godot);
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
    if (pinfo->ptype == PT_TCP) {
        struct tcp_analysis *tcp = get_tcp_conversation_data(find_or_create_conversation(pinfo), pinfo);
        if (tcp && tcp->server_port) {
            return pinfo->destport == tcp->server_port;
        }
    }
    /* An assumption, but the same for the whole session: servers usually have the lower port. */
    if (pinfo->srcport != pinfo->destport) {
        return pinfo->srcport > pinfo->destport;
    }
    return cmp_address(&pinfo->src, &pinfo->dst) > 0;
}

/* Who of the two is the client. Where neither is the server, in a mesh, the one with the higher id. */
static bool is_recorded_from_initiator(const godot_recorded_info *recorded)
{
    bool own_is_initiator =
        !recorded->own_is_server && (recorded->other_id <= 1 || recorded->own_id > recorded->other_id);
    return own_is_initiator != recorded->received;
}

void godot_session_learn_recorded(godot_message *message, const godot_recorded_info *recorded)
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

static godot_message *first_of_frame(packet_info *pinfo)
{
    return (godot_message *)p_get_proto_data(wmem_file_scope(), pinfo, proto_godot, GODOT_FRAME_MESSAGES);
}

/* Of a list, NULL: there is no such message in it. */
static godot_message *message_at(godot_message *list, uint32_t place)
{
    while (list && list->place != place) {
        list = list->next;
    }
    return list;
}

/* At the end of the frame's list; `before` is in it, NULL: it may be empty. */
static void append_message(packet_info *pinfo, godot_message *before, godot_message *message)
{
    godot_message *last = before ? before : first_of_frame(pinfo);
    if (!last) {
        p_add_proto_data(wmem_file_scope(), pinfo, proto_godot, GODOT_FRAME_MESSAGES, message);
        return;
    }
    while (last->next) {
        last = last->next;
    }
    last->next = message;
}

godot_message *godot_session_message(packet_info *pinfo, godot_message *before, godot_transport transport,
                                     const enet_payload_info *enet, const godot_recorded_info *recorded,
                                     uint32_t ordinal)
{
    uint32_t place = transport << 28 | (ordinal & 0x0fffffff);
    /* Usually the next one, on the first pass the same again: first the heuristic asks, then Decode As. */
    godot_message *message = message_at(before, place);
    if (!message && (!before || PINFO_FD_VISITED(pinfo))) {
        message = message_at(first_of_frame(pinfo), place);
    }
    if (message || PINFO_FD_VISITED(pinfo)) {
        return message;
    }
    message = wmem_new0(wmem_file_scope(), godot_message);
    message->session = session_of(pinfo, transport, enet, recorded);
    message->number = ++message->session->messages;
    message->frame = pinfo->num;
    message->place = place;
    message->from_initiator =
        recorded ? is_recorded_from_initiator(recorded) : is_from_initiator(pinfo, enet);
    message->repeated = enet && enet->retransmission;
    append_message(pinfo, before, message);
    return message;
}

const godot_session *godot_session_of_frame(packet_info *pinfo)
{
    const godot_message *message = first_of_frame(pinfo);
    while (message && message->api == 0) {
        message = message->next;
    }
    return message ? message->session : NULL;
}

void godot_session_count(const packet_info *pinfo, const godot_message *message)
{
    if (nstime_is_zero(&totals.last)) {
        totals.first = pinfo->rel_ts;
    }
    totals.last = pinfo->rel_ts;
    totals.wire_bytes += message->wire_length;
    unsigned end = message->from_initiator ? 0 : 1;
    message->session->last[end] = pinfo->abs_ts;
    message->session->spoke[end] = true;
}

const godot_totals *godot_session_totals(void)
{
    return &totals;
}

/* --- peers ------------------------------------------------------------------------------------------ */

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
    return session && session->api && session->recognised_in <= pinfo->num ? session : NULL;
}

int32_t godot_session_client(const godot_session *session)
{
    return session->id[end_index(GODOT_INITIATOR)];
}

int32_t godot_session_client_of_stream(uint32_t stream)
{
    const godot_session *session =
        enet_sessions ? wmem_map_lookup(enet_sessions, GUINT_TO_POINTER(stream)) : NULL;
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

void godot_session_learn_admission(const godot_message *message)
{
    message->session->admitted = true;
}

bool godot_session_never_admits(const godot_message *message)
{
    return !message->session->admitted;
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
    if (!godot_session_may_remember()) {
        return;
    }
    peer_presence *entry = wmem_new(wmem_file_scope(), peer_presence);
    *entry = (peer_presence){present, message->number, message->frame};
    history_add(history_of(message->session->presence, peer, 0), message->number, entry);
}

const char *godot_session_absence(packet_info *pinfo, const godot_message *message, int32_t peer)
{
    const godot_session *session = message->session;
    const history *past = find_history(session->presence, peer, 0);
    const peer_presence *state = (const peer_presence *)history_around(past, message->number);
    if (state && state->number > message->number && state->present) {
        return wmem_strdup_printf(pinfo->pool, "Peer %d is announced later, in frame %u", peer, state->frame);
    }
    if (state && state->number <= message->number) {
        return state->present
                   ? NULL
                   : wmem_strdup_printf(pinfo->pool, "Peer %d has left, in frame %u", peer, state->frame);
    }
    /* Only from a session's beginning on are all announcements known. */
    return session->id_number[0] == 1
               ? wmem_strdup_printf(pinfo->pool, "Peer %d has not been announced up to here", peer)
               : NULL;
}

/* --- path cache ------------------------------------------------------------------------------------- */

static void remember_client_path(const godot_message *message, const godot_path *entry)
{
    const godot_key key = {godot_session_peer_id(message, entry->owner), entry->id};
    if (key.party <= 1) {
        return;
    }
    if (!client_paths) {
        client_paths = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
        client_names = wmem_map_new(wmem_file_scope(), path_key_hash, path_key_equal);
    }
    wmem_map_insert(client_paths, wmem_memdup(wmem_file_scope(), &key, sizeof key), (void *)entry);
    const godot_path_key name = {key.party, entry->path};
    wmem_map_insert(client_names, wmem_memdup(wmem_file_scope(), &name, sizeof name), (void *)entry);
}

void godot_session_learn_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              godot_party receiver, uint32_t id, const char *path, const char *checksum)
{
    godot_session *session = message->session;
    if (!godot_session_may_remember()) {
        return;
    }
    godot_path *entry = wmem_new0(wmem_file_scope(), godot_path);
    entry->owner = owner;
    entry->receiver = receiver;
    entry->id = id;
    entry->path = wmem_strdup(wmem_file_scope(), path);
    (void)g_strlcpy(entry->checksum, checksum ? checksum : "", sizeof entry->checksum);
    entry->number = message->number;
    entry->frame = pinfo->num;
    entry->time = pinfo->abs_ts;
    /* Announced again, to another peer: those who have confirmed the id go on using it. */
    const godot_path *before =
        (const godot_path *)history_at(find_history(session->paths, owner, id), message->number);
    if (before && strcmp(before->path, path) == 0) {
        entry->confirmations = before->confirmations;
    }
    history_add(history_of(session->paths, owner, id), message->number, entry);
    history_add(history_of_owned_path(session->by_owner, owner, entry->path), message->number, entry);
    history *same = history_of_path(session->by_name, path);
    entry->same_path = (godot_path *)history_at(same, message->number);
    history_add(same, message->number, entry);
    remember_client_path(message, entry);
}

/* A peer gives a node one id for all peers, and clients have random peer ids, so that what one of them has announced on
 * another connection to the server is true of what the server relays. */
static void adopt(packet_info *pinfo, const godot_message *message, godot_party owner,
                  const godot_path *known)
{
    if (known && known->frame <= message->frame && !godot_session_path(message, owner, known->id)) {
        godot_session_learn_path(pinfo, message, owner, 0, known->id, known->path, known->checksum);
        godot_path *own = godot_session_path(message, owner, known->id);
        if (own) {
            own->frame = known->frame;
        }
    }
}

void godot_session_adopt_path(packet_info *pinfo, const godot_message *message, godot_party owner,
                              uint32_t id)
{
    const godot_key key = {owner, id};
    if (client_paths && owner > 1) {
        adopt(pinfo, message, owner, (const godot_path *)wmem_map_lookup(client_paths, &key));
    }
}

void godot_session_adopt_path_by_name(packet_info *pinfo, const godot_message *message, godot_party owner,
                                      const char *path)
{
    const godot_path_key key = {owner, path};
    if (client_names && owner > 1) {
        adopt(pinfo, message, owner, (const godot_path *)wmem_map_lookup(client_names, &key));
    }
}

godot_path *godot_session_path(const godot_message *message, godot_party owner, uint32_t id)
{
    return (godot_path *)history_around(find_history(message->session->paths, owner, id), message->number);
}

godot_path *godot_session_path_by_name(const godot_message *message, godot_party owner, const char *path)
{
    const godot_path_key key = {owner, path};
    const history *past = (const history *)wmem_map_lookup(message->session->by_owner, &key);
    return (godot_path *)history_around(past, message->number);
}

/* Confirmations of one path that are looked through; more than a few peers are not to be expected. */
enum { MAX_CONFIRMATIONS = 4096 };

void godot_session_learn_confirmation(const godot_message *message, godot_path *path, godot_party receiver,
                                      bool valid)
{
    if (!godot_session_may_remember()) {
        return;
    }
    godot_confirmation *confirmation = wmem_new0(wmem_file_scope(), godot_confirmation);
    confirmation->receiver = receiver;
    confirmation->valid = valid;
    confirmation->number = message->number;
    confirmation->frame = message->frame;
    confirmation->next = path->confirmations;
    path->confirmations = confirmation;
    nstime_t took;
    nstime_delta(&took, &message->session->last[message->from_initiator ? 0 : 1], &path->time);
    message->session->slowest = MAX(message->session->slowest, nstime_to_sec(&took));
}

const godot_confirmation *godot_session_confirmation(const godot_message *message, const godot_path *path,
                                                     godot_party receiver)
{
    const godot_confirmation *confirmation = path->confirmations;
    for (int i = 0; confirmation && i < MAX_CONFIRMATIONS; confirmation = confirmation->next, i++) {
        if (confirmation->receiver == receiver && confirmation->number <= message->number) {
            return confirmation;
        }
    }
    return NULL;
}

bool godot_session_never_confirmed(const godot_message *message, const godot_path *path, godot_party receiver,
                                   bool arrived)
{
    const godot_session *session = message->session;
    unsigned end = message->from_initiator ? 1 : 0; /* where the confirmation would come from */
    nstime_t since;
    /* The latest entry has the confirmations of all before it. */
    const history *past = find_history(session->paths, path->owner, path->id);
    const godot_path *latest = (const godot_path *)history_at(past, UINT32_MAX);
    const godot_confirmation *c =
        latest && strcmp(latest->path, path->path) == 0 ? latest->confirmations : path->confirmations;
    for (int i = 0; c && i < MAX_CONFIRMATIONS; c = c->next, i++) {
        if (c->receiver == receiver) {
            return false;
        }
    }
    if (arrived && (!session->spoke[end] || nstime_cmp(&session->last[!end], &session->last[end]) > 0)) {
        end = !end;
    }
    if (!session->spoke[end]) {
        return false;
    }
    nstime_delta(&since, &session->last[end], &path->time);
    return nstime_to_sec(&since) > (session->slowest > 0 ? MAX(0.1, 4 * session->slowest) : 1);
}

/* Announcements of one path that are looked through; more than a few are not to be expected. */
enum { MAX_SAME_PATH = 64 };

const godot_path *godot_session_disagreement(const godot_message *message, const godot_path *path)
{
    const history *past = find_history_of_path(message->session->by_name, path->path);
    const godot_path *entry = (const godot_path *)history_at(past, message->number);
    for (int i = 0; entry && i < MAX_SAME_PATH; entry = entry->same_path, i++) {
        if (entry->owner != path->owner) {
            return strcmp(entry->checksum, path->checksum) != 0 ? entry : NULL;
        }
    }
    return NULL;
}

/* --- net ids ---------------------------------------------------------------------------------------- */

void godot_session_learn_node(const godot_message *message, godot_party owner, uint32_t net_id,
                              godot_node node)
{
    if (!godot_session_may_remember()) {
        return;
    }
    node.number = message->number;
    node.frame = message->frame;
    history_add(history_of(message->session->nodes, owner, net_id), message->number,
                wmem_memdup(wmem_file_scope(), &node, sizeof node));
}

const godot_node *godot_session_node(const godot_message *message, godot_party owner, uint32_t id, bool gone)
{
    const history *past = find_history(message->session->nodes, owner, id);
    const godot_node *node = (const godot_node *)history_around(past, message->number);
    return node && node->gone == gone ? node : NULL;
}

void godot_session_learn_scene(const godot_message *message, const char *path, const char *scene)
{
    wmem_map_t *scenes = message->session->scenes;
    if ((!scene && !find_history_of_path(scenes, path)) || !godot_session_may_remember()) {
        return;
    }
    history_add(history_of_path(scenes, path), message->number,
                scene ? wmem_strdup(wmem_file_scope(), scene) : NULL);
}

godot_pending_spawn **godot_session_pending_spawns(const godot_message *message, godot_party owner,
                                                   uint32_t spawner, bool create)
{
    wmem_map_t *pending = message->session->pending;
    godot_key key = {owner, spawner};
    godot_pending_spawn **list = (godot_pending_spawn **)wmem_map_lookup(pending, &key);
    if (!list && create && godot_session_may_remember()) {
        list = wmem_new0(wmem_file_scope(), godot_pending_spawn *);
        wmem_map_insert(pending, wmem_memdup(wmem_file_scope(), &key, sizeof key), list);
    }
    return list;
}

/* Levels of a path that are looked through; synchronizers are not far below what was spawned. */
enum { MAX_LEVELS_ABOVE = 8 };

typedef struct {
    godot_party owner;
    uint32_t frame;
} despawn_record;

void godot_session_learn_despawn(const godot_message *message, godot_party owner, const char *path, bool gone)
{
    wmem_map_t *despawned = message->session->despawned;
    if ((!gone && !find_history_of_path(despawned, path)) || !godot_session_may_remember()) {
        return;
    }
    despawn_record *entry = NULL;
    if (gone) {
        entry = wmem_new(wmem_file_scope(), despawn_record);
        *entry = (despawn_record){owner, message->frame};
    }
    history_add(history_of_path(despawned, path), message->number, entry);
}

uint32_t godot_session_despawned(const godot_message *message, godot_party owner, const char *path)
{
    const despawn_record *entry = NULL;
    if (wmem_map_size(message->session->despawned) == 0) {
        return 0;
    }
    char *above = wmem_strdup(NULL, path), *slash = NULL;
    for (int i = 0; !entry && i < MAX_LEVELS_ABOVE; i++) {
        entry = (const despawn_record *)history_at(find_history_of_path(message->session->despawned, above),
                                                   message->number);
        slash = strrchr(above, '/');
        if (!slash) {
            break;
        }
        *slash = 0;
    }
    wmem_free(NULL, above);
    return entry && entry->owner == owner ? entry->frame : 0;
}

const char *godot_session_scene_above(const godot_message *message, const char *path, const char **inside)
{
    const char *scene = NULL;
    if (wmem_map_size(message->session->scenes) == 0) {
        return NULL;
    }
    char *above = wmem_strdup(NULL, path), *slash;
    for (int i = 0; !scene && i < MAX_LEVELS_ABOVE && (slash = strrchr(above, '/')) != NULL; i++) {
        *slash = 0;
        *inside = path + (slash + 1 - above);
        scene =
            (const char *)history_at(find_history_of_path(message->session->scenes, above), message->number);
    }
    wmem_free(NULL, above);
    return scene;
}

/* --- engine versions -------------------------------------------------------------------------------- */

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
