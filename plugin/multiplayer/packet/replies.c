/* replies.c
 *
 * Matches replies with requests; see replies.h.
 *
 * A request is kept in the session under every name that its reply can have. A reply is matched with a
 * request at the same node, between the same peers, that has the same first argument. Without such arguments
 * it is matched with the oldest request if these are reliable (they arrive in order and none is lost), else
 * with the latest (earlier ones are assumed to be lost).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/preferences.h"
#include "multiplayer/packet/replies.h"

#include <epan/tap.h>

#include "multiplayer/session/rpc_replies.h"

#define MAX_TOKEN 64u  /* bytes of the first argument that are compared */
#define MAX_NAME  256u /* bytes of a method's name */

/* A request and its first reply. */
typedef struct {
    const char *method; /* "" for an authentication */
    godot_party from, to;
    bool reliable;
    uint32_t frame;        /* of the request */
    uint32_t answer_frame; /* 0: not answered */
    nstime_t time;         /* of the request */
    uint32_t token_length; /* bytes of the first argument in `token`, 0: it has none */
    uint8_t token[MAX_TOKEN];
} exchange;

typedef struct waiting {
    exchange *request;
    struct waiting *next; /* an older one, NULL: none */
} waiting;

/* Requests for the same reply, the latest first. */
typedef struct {
    waiting *first; /* NULL: none */
    bool by_token;  /* replies here repeat the request's first argument */
} queue;

struct godot_responses {
    wmem_tree_t *requests;    /* number of the message -> exchange */
    wmem_tree_t *answers;     /* number of the message that answers -> exchange */
    wmem_map_t *queues;       /* "path\nreply" -> queue */
    exchange *credentials[2]; /* the first ones of initiator and acceptor, NULL: none */
};

static int tap_id = -1;

/* A pattern of the user's. */
typedef struct {
    char *request, *reply;
} reply_record;

static compat_bool use_conventions = false;
static reply_record *records;
static unsigned record_count;

static godot_responses *responses_of(const godot_packet *packet)
{
    godot_session *session = packet->message->session;
    if (!session->responses) {
        session->responses = wmem_new0(wmem_file_scope(), godot_responses);
        session->responses->requests = wmem_tree_new(wmem_file_scope());
        session->responses->answers = wmem_tree_new(wmem_file_scope());
        session->responses->queues = wmem_map_new(wmem_file_scope(), wmem_str_hash, g_str_equal);
    }
    return session->responses;
}

/* --- tap ----------------------------------------------------------------------------------------- */

static void queue_tap(const godot_packet *packet, godot_response_kind kind, const char *name,
                      const nstime_t *request)
{
    godot_response_tap *tap = wmem_new0(packet->pinfo->pool, godot_response_tap);
    tap->kind = kind;
    tap->name = name;
    tap->request = *request;
    tap_queue_packet(tap_id, packet->pinfo, tap);
}

/* The server passes on what one client says to another. It counts on the connection of its sender, if the
 * capture has that. */
static bool is_copy(const godot_packet *packet)
{
    const godot_session *own = godot_session_of_client(packet->message, packet->from);
    return own && own != packet->message->session;
}

void godot_response_confirmation(const godot_packet *packet, const nstime_t *announced)
{
    if (!packet->message->repeated && !is_copy(packet)) {
        queue_tap(packet, GODOT_RESPONSE_PATH,
                  wmem_strdup_printf(packet->pinfo->pool, "by %s", godot_peer_text(packet, packet->from)),
                  announced);
    }
}

/* --- exchanges ----------------------------------------------------------------------------------- */

static exchange *new_request(const godot_packet *packet, const char *method)
{
    exchange *request = wmem_new0(wmem_file_scope(), exchange);
    request->method = wmem_strdup(wmem_file_scope(), method);
    request->from = packet->from;
    request->to = packet->to;
    request->reliable = !packet->enet || packet->enet->delivery == ENET_DELIVERY_RELIABLE;
    request->frame = frame_order(packet->pinfo);
    request->time = packet->pinfo->abs_ts;
    wmem_tree_insert32(responses_of(packet)->requests, packet->message->number, request);
    return request;
}

static void learn_answer(const godot_packet *packet, exchange *request)
{
    if (!request->answer_frame) {
        request->answer_frame = frame_order(packet->pinfo);
    }
    wmem_tree_insert32(responses_of(packet)->answers, packet->message->number, request);
}

/* At a request: the link to its reply, which is shown from the second pass on. */
static void show_request(const godot_packet *packet, const exchange *request)
{
    if (request && request->answer_frame > frame_order(packet->pinfo) && frame_visited(packet->pinfo)) {
        frame_add_reference(packet->tree, hf_godot_response_in, packet->tvb, request->answer_frame);
    }
}

static void show_answer(const godot_packet *packet, const exchange *request)
{
    nstime_t delta;
    frame_add_reference(packet->tree, hf_godot_response_to, packet->tvb, request->frame);
    nstime_delta(&delta, &packet->pinfo->abs_ts, &request->time);
    proto_item_set_generated(
        proto_tree_add_time(packet->tree, hf_godot_response_time, packet->tvb, 0, 0, &delta));
}

static exchange *exchange_of(const godot_packet *packet, wmem_tree_t *tree)
{
    return wmem_tree_lookup32(tree, packet->message->number);
}

/* --- remote calls -------------------------------------------------------------------------------- */

static bool same_party(const godot_packet *packet, godot_party a, godot_party b)
{
    int32_t id = godot_session_peer_id(packet->message, a);
    return a == b || (id && id == godot_session_peer_id(packet->message, b));
}

/* Whether the packet can be the reply to the request. Party 0 is all peers. */
static bool eligible(const godot_packet *packet, const exchange *request)
{
    if (request->to && request->answer_frame) {
        return false;
    }
    return (!packet->to || same_party(packet, request->from, packet->to)) &&
           (!request->to || same_party(packet, request->to, packet->from)) &&
           !same_party(packet, request->from, packet->from);
}

static exchange *find_request(const godot_packet *packet, queue *waiters, const uint8_t *token,
                              uint32_t token_length)
{
    exchange *latest = NULL, *oldest = NULL;
    for (waiting *w = waiters->first; w; w = w->next) {
        exchange *request = w->request;
        if (!eligible(packet, request)) {
            continue;
        }
        if (token_length && request->token_length == token_length &&
            memcmp(request->token, token, token_length) == 0) {
            waiters->by_token = true;
            return request;
        }
        if (!latest) {
            latest = request;
        }
        oldest = request;
    }
    if (waiters->by_token || !latest) {
        return NULL;
    }
    return latest->reliable && latest->to ? oldest : latest;
}

/* Removes requests that can no longer be answered: the one that was answered and, if requests may be lost,
 * all earlier ones. */
static void forget_answered(queue *waiters, const exchange *answered)
{
    bool older = false;
    for (waiting **link = &waiters->first; *link;) {
        exchange *request = (*link)->request;
        bool lost = older && !answered->reliable && !waiters->by_token && request->from == answered->from &&
                    request->to == answered->to;
        older = older || request == answered;
        if ((request->to && request->answer_frame) || lost) {
            *link = (*link)->next;
        } else {
            link = &(*link)->next;
        }
    }
}

static const char *queue_key(wmem_allocator_t *scope, const char *path, const char *reply)
{
    return wmem_strdup_printf(scope, "%s\n%s", path, reply);
}

static void learn_reply(const godot_packet *packet, const char *path, const char *method,
                        const uint8_t *token, uint32_t token_length)
{
    const char *key = queue_key(packet->pinfo->pool, path, rpc_reply_bare_name(method));
    queue *waiters = wmem_map_lookup(responses_of(packet)->queues, key);
    exchange *request = waiters ? find_request(packet, waiters, token, token_length) : NULL;
    if (!request) {
        return;
    }
    learn_answer(packet, request);
    forget_answered(waiters, request);
}

static void wait_for(const godot_packet *packet, exchange *request, const char *path, const char *reply)
{
    wmem_map_t *queues = responses_of(packet)->queues;
    const char *key = queue_key(packet->pinfo->pool, path, reply);
    queue *waiters = wmem_map_lookup(queues, key);
    if (!waiters) {
        if (!godot_store_may_keep(godot_state_store(), strlen(key))) {
            return;
        }
        waiters = wmem_new0(wmem_file_scope(), queue);
        wmem_map_insert(queues, wmem_strdup(wmem_file_scope(), key), waiters);
    }
    waiting *entry = wmem_new(wmem_file_scope(), waiting);
    *entry = (waiting){request, waiters->first};
    waiters->first = entry;
    uint32_t count = 1;
    for (waiting *w = entry; w; w = w->next) {
        if (++count > GODOT_RESPONSE_MAX_WAITING) {
            w->next = NULL;
        }
    }
}

/* Adds the call to the unanswered requests if its method is a request by one of the patterns. Returns the
 * request, or `request`. */
static exchange *learn_request(const godot_packet *packet, const rpc_reply_pattern *pattern,
                               exchange *request, const char *path, const char *method)
{
    char reply[MAX_NAME];
    if (!rpc_reply_name(pattern, method, reply, sizeof reply)) {
        return request;
    }
    if (!request && !godot_store_may_keep(godot_state_store(), strlen(method))) {
        return NULL;
    }
    if (!request) {
        request = new_request(packet, method);
    }
    wait_for(packet, request, path, reply);
    return request;
}

static void learn_call(const godot_packet *packet, const char *path, const char *method, const uint8_t *token,
                       uint32_t token_length)
{
    exchange *request = NULL;
    token_length = MIN(token_length, MAX_TOKEN);
    learn_reply(packet, path, method, token, token_length);
    for (unsigned i = 0; i < record_count; i++) {
        rpc_reply_pattern pattern = {records[i].request, records[i].reply};
        request = learn_request(packet, &pattern, request, path, method);
    }
    for (const rpc_reply_pattern *p = rpc_reply_conventions; use_conventions && p->request; p++) {
        request = learn_request(packet, p, request, path, method);
    }
    if (request && token_length) {
        request->token_length = token_length;
        memcpy(request->token, token, token_length);
    }
}

void godot_response_call(godot_packet *packet, const char *path, const char *method, uint32_t offset,
                         uint32_t length, const variant_options *options)
{
    if (packet->learn) {
        const uint8_t *token = packet->bytes + offset;
        learn_call(packet, path, method, token,
                   options ? variant_skip(token, length, *options, NULL) : length);
    }
    godot_responses *responses = responses_of(packet);
    show_request(packet, exchange_of(packet, responses->requests));
    const exchange *request = exchange_of(packet, responses->answers);
    if (!request) {
        return;
    }
    show_answer(packet, request);
    bool relayed = packet->tap->relay && !packet->tap->passed_on;
    if (relayed && godot_session_has_client(packet->to)) {
        return; /* what the server passes on is counted, in the session of who has asked */
    }
    queue_tap(packet, GODOT_RESPONSE_CALL,
              wmem_strdup_printf(packet->pinfo->pool, "%s: %s → %s", path, request->method, method),
              &request->time);
}

/* --- authentication ------------------------------------------------------------------------------ */

void godot_response_authentication(godot_packet *packet, bool complete)
{
    godot_responses *responses = responses_of(packet);
    bool initiator = packet->message->from_initiator;
    exchange **sent = &responses->credentials[initiator ? 0 : 1],
             *theirs = responses->credentials[initiator ? 1 : 0];
    if (packet->learn && !complete && !*sent) {
        *sent = new_request(packet, "");
    }
    if (packet->learn && complete && theirs && !theirs->answer_frame) {
        learn_answer(packet, theirs);
    }
    show_request(packet, exchange_of(packet, responses->requests));
    const exchange *request = exchange_of(packet, responses->answers);
    if (!request) {
        return;
    }
    show_answer(packet, request);
    queue_tap(packet, GODOT_RESPONSE_AUTHENTICATION,
              wmem_strdup_printf(packet->pinfo->pool, "by %s", godot_peer_text(packet, packet->from)),
              &request->time);
}

/* --- preferences --------------------------------------------------------------------------------- */

UAT_CSTRING_CB_DEF(reply_record, request, reply_record)
UAT_CSTRING_CB_DEF(reply_record, reply, reply_record)
UAT_TEXTS_FREE_DEF(reply_record)

static compat_bool check_record(void *record, char **error)
{
    const reply_record *fresh = record;
    rpc_reply_pattern pattern = {fresh->request, fresh->reply};
    *error = g_strdup(rpc_reply_check(&pattern));
    return *error == NULL;
}

void godot_response_register(module_t *preferences)
{
    static uat_field_t fields[] = {
        UAT_FLD_CSTRING(reply_record, request, "Request", "Method that is called, for instance buy_*"),
        UAT_FLD_CSTRING(reply_record, reply, "Reply", "Method that is called back, for instance bought_*"),
        UAT_END_FIELDS};
    uat_t *table = uat_new("RPC Replies", sizeof(reply_record), "godot_rpc_replies", true, (void **)&records,
                           &record_count, UAT_AFFECTS_DISSECTION, NULL, uat_copy_texts, check_record,
                           reply_record_free, NULL, NULL, fields);
    godot_preferences_add_heading("heading.replies", "Response times of remote calls");
    prefs_register_bool_preference(preferences, "rpc_reply_conventions", "Pair remote calls by common names",
                                   "Treat pong as the reply to ping, receive_item for the reply to "
                                   "request_item, and so on, for response times. Godot has no replies: "
                                   "the pairing assumes that a game uses such names",
                                   &use_conventions);
    prefs_register_uat_preference(preferences, "rpc_replies", "RPC replies",
                                  "Which method answers which. A * in the request stands for what replaces "
                                  "the * of the reply.",
                                  table);
    tap_id = register_tap("godot_response");
}
