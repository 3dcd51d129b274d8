/* passed.c
 *
 * Calls of the server that follow those of a client, with the same arguments: it passes them on, or answers;
 * calls at everybody that are for one peer; and calls that only say that a reliable call has arrived: one
 * back for each, with nothing but a part of its arguments; see peers.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/peers/peers.h"

#include "multiplayer/statistics/values/key.h"
#include "statistics/report.h"

/* Calls of clients that are kept, and seconds in which the server is expected to follow. */
enum { KEPT_CALLS = 64 };
#define FOLLOW_SECONDS 0.1
/* Seconds in which a call is expected to be answered. */
#define ANSWER_SECONDS 0.5
/* Peers that are known; ENet has 4095. */
enum { MAX_PEERS = 4096 };
/* Bytes of arguments that are not the same by chance. */
enum { LEAST_ARGUMENTS = 5 };
/* Share of a method's calls that follow, from which this is taken for a rule. */
#define NEARLY_ALL 0.9
/* Share of the server's calls that are the one before to another peer, from which they are no answers: of an
 * rpc() to two peers it is a half. */
#define OFTEN_TO_ALL 0.4
/* Share of these that go back, up to which the others are told: an answer goes back always. */
#define NOT_AN_ANSWER 0.75

typedef struct {
    called_method *method;
    int32_t from;
    uint32_t hash, count; /* of arguments */
    double time;
} kept_call;

/* A call in which only a number changes, as the time of a ping. */
typedef struct {
    called_method *method; /* NULL: the number came back, or there is none */
    int32_t from, to;
    uint32_t hash; /* of the number */
    double time;
} steady_call;

struct passed_calls {
    kept_call calls[KEPT_CALLS];    /* in turns */
    steady_call steady[KEPT_CALLS]; /* likewise */
    uint32_t next, next_steady;
};

void savings_passed_begin(savings *all)
{
    all->passed = wmem_new0(all->pool, passed_calls);
    all->questions = report_list(all->pool);
    all->peers = wmem_map_new(all->pool, g_direct_hash, g_direct_equal);
}

/* At most SAVINGS_ARGUMENTS. */
static void hash_arguments(const godot_update *call, uint32_t *hashes)
{
    for (uint32_t i = 0; i < call->count; i++) {
        hashes[i] = godot_value_hash(call, i);
    }
}

/* Hash of `count` arguments from the one with this number on. */
static uint32_t hash_of(const uint32_t *hashes, uint32_t first, uint32_t count)
{
    uint32_t hash = 0;
    for (uint32_t i = first; i < first + count; i++) {
        hash = hash * 31 + hashes[i];
    }
    return hash;
}

/* The latest call of a client whose arguments are the first or last ones of `hashes`; NULL: there is none. */
static const kept_call *call_before(const passed_calls *kept, const uint32_t *hashes, uint32_t count,
                                    double now)
{
    for (uint32_t i = 1; i <= KEPT_CALLS; i++) {
        const kept_call *one = &kept->calls[(kept->next - i) % KEPT_CALLS];
        if (!one->method || now - one->time > FOLLOW_SECONDS || now < one->time) {
            return NULL;
        }
        if (one->count <= count && (hash_of(hashes, count - one->count, one->count) == one->hash ||
                                    hash_of(hashes, 0, one->count) == one->hash)) {
            return one;
        }
    }
    return NULL;
}

static int32_t receiver_of(const godot_tap *tap)
{
    return tap->to > 0 ? tap->to : tap->receiver;
}

/* Whether the number of a call to this one's sender is among its arguments. */
static bool brings_back(const steady_call *before, const godot_tap *tap, const godot_update *call, double now)
{
    bool back = before->method && before->from == receiver_of(tap) && before->to == tap->from &&
                before->from != before->to && now >= before->time && now - before->time <= ANSWER_SECONDS;
    for (uint32_t i = 0; back && i < MIN(call->count, SAVINGS_ARGUMENTS); i++) {
        if (godot_value_hash(call, i) == before->hash) {
            return true;
        }
    }
    return false;
}

/* A call that brings a number back asks for nothing itself. */
static void count_returned(const savings *all, called_method *of, const godot_tap *tap,
                           const godot_update *call, uint32_t steady)
{
    passed_calls *kept = all->passed;
    for (unsigned i = 0; i < KEPT_CALLS; i++) {
        steady_call *before = &kept->steady[i];
        if (brings_back(before, tap, call, all->now)) {
            before->method->returned++;
            of->returned++;
            before->method = NULL;
            return;
        }
    }
    if (steady) {
        kept->steady[kept->next_steady++ % KEPT_CALLS] =
            (steady_call){of, tap->from, receiver_of(tap), steady, all->now};
    }
}

static void count_following(savings *all, called_method *of, const kept_call *before, const godot_tap *tap)
{
    followed_calls *follows = &of->follows;
    follows->calls++;
    if (follows->votes == 0) {
        follows->origin = before->method;
    }
    if (follows->origin == before->method) {
        follows->votes++;
    } else {
        follows->votes--;
    }
    if (before->from == receiver_of(tap)) {
        follows->echoes++;
        savings_add(all, &follows->back, savings_command_length(tap), true);
        follows->back.acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    }
}

void savings_count_passed(savings *all, called_method *of, const godot_tap *tap, const godot_update *call,
                          uint32_t steady)
{
    passed_calls *kept = all->passed;
    uint32_t hashes[SAVINGS_ARGUMENTS];
    if (!tap->problem) {
        count_returned(all, of, tap, call, steady);
    }
    bool known = call->count && call->count <= SAVINGS_ARGUMENTS && !tap->relayed && !tap->problem;
    if (!known || godot_update_length(call) < LEAST_ARGUMENTS) {
        return;
    }
    hash_arguments(call, hashes);
    if (tap->from > 1) {
        kept->calls[kept->next++ % KEPT_CALLS] =
            (kept_call){of, tap->from, hash_of(hashes, 0, call->count), call->count, all->now};
    } else if (tap->from == 1) {
        const kept_call *before = call_before(kept, hashes, call->count, all->now);
        if (before) {
            count_following(all, of, before, tap);
        }
    }
}

const called_method *savings_origin_of(const called_method *of)
{
    bool rule = (double)of->follows.votes >= NEARLY_ALL * (double)of->by_server;
    return rule ? of->follows.origin : NULL;
}

void savings_advise_passed(const savings *all, GPtrArray *rows, const called_method *of)
{
    const called_method *origin = savings_origin_of(of);
    const followed_calls *follows = &of->follows;
    if (!origin || follows->echoes < SAVINGS_LEAST ||
        (double)follows->echoes > NOT_AN_ANSWER * (double)follows->calls) {
        return;
    }
    savings_row found = {.bytes = savings_with_acknowledgements(all, &follows->back),
                         .what = g_strdup("rpc_id() to the others, not rpc(): not back to who has said it"),
                         .where = savings_method_text(of, ""),
                         .why = g_strdup_printf("%" PRIu64 " of %" PRIu64
                                                " messages of it went to the peer that had just "
                                                "called %s() with the same arguments",
                                                follows->echoes, of->by_server, origin->name),
                         .but = "That peer no longer learns that the server has accepted it",
                         .evidence = &follows->back};
    savings_add_row(all, rows, found);
}

/* --- answers -------------------------------------------------------------------------------------- */

/* The latest call of a method of a node by a client; or of any method. */
typedef struct {
    called_method *method; /* NULL: it was answered, or there is none */
    double time;
} open_question;

/* `method`: NULL for any. */
static open_question *question_of(savings *all, int32_t peer, const char *node, const called_method *method)
{
    bool is_new;
    godot_key_begin(all->key, 'a');
    godot_key_number(all->key, (uint64_t)peer);
    godot_key_number(all->key, (uint64_t)(uintptr_t)method);
    godot_key_text(all->key, node);
    return savings_subject(all, all->questions, sizeof(open_question), &is_new);
}

/* The same method of a few that a client calls in one frame. */
static open_question *answered_by(savings *all, const called_method *of, int32_t peer, const char *node)
{
    double now = all->now;
    open_question *usual = of->asked ? question_of(all, peer, node, of->asked) : NULL;
    open_question *latest = question_of(all, peer, node, NULL);
    open_question *one = usual && usual->method     ? usual
                         : latest && latest->method ? question_of(all, peer, node, latest->method)
                                                    : NULL;
    return one && one->method && now >= one->time && now - one->time <= FOLLOW_SECONDS ? one : NULL;
}

void savings_count_asked(savings *all, called_method *of, const godot_tap *tap, const godot_update *call)
{
    if (tap->relayed || tap->problem) {
        return;
    }
    if (tap->from > 1) {
        const called_method *const methods[] = {of, NULL};
        for (size_t i = 0; i < array_length(methods); i++) {
            open_question *one = question_of(all, tap->from, call->node, methods[i]);
            if (one) {
                *one = (open_question){of, all->now};
            }
        }
        return;
    }
    of->to_all += all->again;
    open_question *one = answered_by(all, of, receiver_of(tap), call->node);
    if (one) {
        of->asked = of->asked_votes ? of->asked : one->method;
        of->asked_votes += of->asked == one->method ? 1 : UINT64_MAX;
        one->method = NULL;
    }
}

const called_method *savings_question_of(const called_method *of)
{
    double answers = (double)of->asked_votes;
    bool rule = of->asked && answers >= NEARLY_ALL * (double)of->by_server &&
                answers >= NEARLY_ALL * (double)of->asked->to_server &&
                (double)of->to_all < OFTEN_TO_ALL * (double)of->by_server;
    return rule ? of->asked : NULL;
}

/* --- for one peer -------------------------------------------------------------------------------- */

static void note_peer(const savings *all, int32_t peer)
{
    if (peer > 1 && wmem_map_size(all->peers) < MAX_PEERS) {
        wmem_map_insert(all->peers, GINT_TO_POINTER(peer), GINT_TO_POINTER(peer));
    }
}

void savings_count_addressed(savings *all, called_method *of, const godot_tap *tap, const godot_update *call)
{
    int32_t receiver = receiver_of(tap);
    double number;
    note_peer(all, tap->from);
    note_peer(all, receiver);
    if (tap->from != 1 || call->count == 0 || !savings_number_at(&call->variants[0], &number) ||
        number <= 1 || number > INT32_MAX || !wmem_map_lookup(all->peers, GINT_TO_POINTER((int32_t)number))) {
        return;
    }
    of->addressed++;
    if ((int32_t)number != receiver) {
        savings_add(all, &of->to_bystanders, savings_command_length(tap), true);
        of->to_bystanders.acknowledgements += tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    }
}

void savings_advise_addressed(const savings *all, GPtrArray *rows, const called_method *of)
{
    const saved_bytes *saved = &of->to_bystanders;
    if (saved->messages < SAVINGS_LEAST || (double)of->addressed < NEARLY_ALL * (double)of->by_server) {
        return;
    }
    savings_row found = {.bytes = savings_with_acknowledgements(all, saved),
                         .what = g_strdup("rpc_id() to the peer in argument 1, not rpc(): do others use it?"),
                         .where = savings_method_text(of, ""),
                         .why = g_strdup_printf("Argument 1 of %" PRIu64 " of %" PRIu64
                                                " calls is the id of a peer; %" PRIu64
                                                " messages went to others",
                                                of->addressed, of->by_server, saved->messages),
                         .evidence = saved,
                         .question = true};
    savings_add_row(all, rows, found);
}

/* --- receipts ------------------------------------------------------------------------------------ */

/* Reliable calls that are kept. */
enum { KEPT_RELIABLE = 64 };
/* A receipt has the number of what has arrived, if anything. */
enum { MOST_ARGUMENTS = 1 };

typedef struct {
    called_method *method; /* NULL: it was answered, or there is none */
    int32_t from, to;
    uint32_t count, hashes[SAVINGS_ARGUMENTS];
    double time;
} reliable_call;

struct reliable_calls {
    reliable_call list[KEPT_RELIABLE]; /* in turns */
    uint32_t next;
};

void savings_receipts_begin(savings *all)
{
    all->unanswered = wmem_new0(all->pool, reliable_calls);
}

static bool has_argument(const reliable_call *of, uint32_t hash)
{
    for (uint32_t i = 0; i < of->count; i++) {
        if (of->hashes[i] == hash) {
            return true;
        }
    }
    return false;
}

/* Whether `one` says nothing that the call before has not said. */
static bool is_receipt(const reliable_call *one, const reliable_call *before)
{
    return before->method && before->method != one->method && before->from == one->to &&
           before->to == one->from && one->time - before->time <= ANSWER_SECONDS &&
           one->time >= before->time && one->count <= MOST_ARGUMENTS && one->count < before->count &&
           (one->count == 0 || has_argument(before, one->hashes[0]));
}

/* The call that it answers, the oldest of several; NULL: there is none. */
static reliable_call *reliable_before(reliable_calls *kept, const reliable_call *one)
{
    for (uint32_t i = 0; i < KEPT_RELIABLE; i++) {
        reliable_call *before = &kept->list[(kept->next + i) % KEPT_RELIABLE];
        if (is_receipt(one, before)) {
            return before;
        }
    }
    return NULL;
}

void savings_count_receipts(savings *all, called_method *of, const godot_tap *tap, const godot_update *call)
{
    reliable_calls *kept = all->unanswered;
    if (tap->relayed || tap->problem || tap->transfer_mode != GODOT_TRANSFER_RELIABLE ||
        call->count > SAVINGS_ARGUMENTS) {
        return;
    }
    reliable_call one = {
        .method = of, .from = tap->from, .to = receiver_of(tap), .count = call->count, .time = all->now};
    hash_arguments(call, one.hashes);
    reliable_call *before = reliable_before(kept, &one);
    if (before) {
        of->confirmed = of->receipts++ == 0 ? before->method : of->confirmed;
        of->other_receipts += before->method != of->confirmed;
        before->method = NULL;
    } else {
        kept->list[kept->next++ % KEPT_RELIABLE] = one;
    }
}

bool savings_advise_receipts(const savings *all, GPtrArray *rows, const called_method *of)
{
    uint64_t of_one = of->receipts - of->other_receipts;
    if (of_one < SAVINGS_LEAST || (double)of_one < NEARLY_ALL * (double)of->calls ||
        (double)of_one < NEARLY_ALL * (double)of->confirmed->reliable) {
        return false;
    }
    savings_row found = {.bytes = savings_with_acknowledgements(all, &of->all),
                         .what = g_strdup("No such call: ENet acknowledges reliable calls itself"),
                         .where = savings_method_text(of, ""),
                         .why = g_strdup_printf("%" PRIu64 " of %" PRIu64
                                                " calls of it came back for one reliable call of %s() "
                                                "each, with %s. If it only says that the call has arrived",
                                                of_one, of->calls, of->confirmed->name,
                                                of->has_arguments ? "one of its arguments" : "no argument"),
                         .but = "The sender does not learn when the call was executed",
                         .evidence = &of->all};
    savings_add_row(all, rows, found);
    return true;
}

/* --- to whom ------------------------------------------------------------------------------------- */

/* Calls of the nodes that one peer accepts and others refuse. */
typedef struct {
    double bytes;
    uint64_t refused, accepted, to_server, to_owner, to_named, to_caller;
    int32_t peer; /* that accepts all; 0: there are several */
    const saved_bytes *evidence;
} single_receivers;

/* Whether a name on the path is the peer's id, as of a player's node. */
static bool names_peer(const char *path, int32_t peer)
{
    char id[16];
    int length = snprintf(id, sizeof id, "%d", peer);
    for (const char *at = path; (at = strstr(at, id)) != NULL; at++) {
        bool begins = at == path || !g_ascii_isalnum(at[-1]);
        if (begins && !g_ascii_isalnum(at[length])) {
            return true;
        }
    }
    return false;
}

static void add_node(const savings *all, single_receivers *to, const called_node *one)
{
    if (!one->refused || !one->taken_by || one->taken_by_several) {
        to->bytes -= savings_with_acknowledgements(all, &one->needless);
        return;
    }
    to->peer = to->evidence && to->peer != one->taken_by ? 0 : one->taken_by;
    if (!to->evidence || one->needless.bytes > to->evidence->bytes) {
        to->evidence = &one->needless;
    }
    to->refused += one->refused;
    to->accepted += one->accepted;
    to->to_server += one->taken_by == 1 ? one->accepted : 0;
    to->to_owner += savings_owner_of(all, one->node) == one->taken_by ? one->accepted : 0;
    to->to_named += names_peer(one->node, one->taken_by) ? one->accepted : 0;
    to->to_caller += one->answers;
}

void savings_advise_receiver(const savings *all, GPtrArray *rows, const called_method *of)
{
    single_receivers to = {.bytes = savings_with_acknowledgements(all, &of->needless)};
    for (unsigned i = 0; i < of->nodes->len; i++) {
        add_node(all, &to, (const called_node *)of->nodes->pdata[i]);
    }
    if (to.refused < SAVINGS_LEAST) {
        return;
    }
    const struct {
        uint64_t accepted;
        const char *what, *whom;
    } rules[] = {
        {to.to_server, "rpc_id(1), not rpc()", "the server"},
        {to.to_owner, "rpc_id(get_multiplayer_authority()), not rpc()",
         "the owner of the node, who writes its states"},
        {to.to_named, "rpc_id() to the owner of the node (get_multiplayer_authority()), not rpc()",
         "the peer whose id is in the path of the node"},
        {to.to_caller, "rpc_id(multiplayer.get_remote_sender_id()), not rpc()",
         "the peer that had called this node last"},
        {to.accepted, "rpc_id() to the one peer that has the node, not rpc()",
         to.peer ? "the same peer" : "one peer for each node"},
    };
    unsigned rule = 0;
    while ((double)rules[rule].accepted < NEARLY_ALL * (double)to.accepted) {
        rule++;
    }
    savings_row found = {
        .bytes = to.bytes,
        .what = g_strdup(rules[rule].what),
        .where = savings_method_text(of, ""),
        .why = g_strdup_printf("%" PRIu64 " messages of it went to peers that refuse it or do not show that "
                               "they have the node, or through the server to them. Of those that were "
                               "accepted, %.0f %% went to %s",
                               to.refused, 100 * ratio((double)rules[rule].accepted, (double)to.accepted),
                               rules[rule].whom),
        .but = "The others print no errors any more, and cannot learn of it either",
        .evidence = to.evidence};
    savings_add_row(all, rows, found);
}

/* A client's rpc() is a message to the server, and one for each other client through the server. Whether
 * these use it is not on the wire. */
void savings_advise_server_only(const savings *all, GPtrArray *rows, const called_method *of)
{
    if (of->to_server < SAVINGS_LEAST || (double)of->to_others < NEARLY_ALL * (double)of->to_server) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->passed_on),
        .what = g_strdup("rpc_id(1), not rpc(): does anybody but the server use what clients call?"),
        .where = savings_method_text(of, ""),
        .why = g_strdup_printf("%" PRIu64
                               " messages of it went through the server to other clients, which accept it",
                               of->passed_on.messages),
        .evidence = &of->passed_on,
        .question = true};
    savings_add_row(all, rows, found);
}
