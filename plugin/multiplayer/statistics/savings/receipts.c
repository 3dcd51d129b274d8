/* receipts.c
 *
 * Calls that only say that a reliable call has arrived: one back for each, with nothing but a part of its
 * arguments; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/savings.h"

/* Reliable calls that are kept, and seconds in which one is expected to be answered. */
enum { KEPT_CALLS = 64 };
#define ANSWER_SECONDS 0.5
/* A receipt has the number of what has arrived, if anything. */
enum { MOST_ARGUMENTS = 1 };
/* Share of a method's calls that are receipts, and of the calls before that get one, from which this is taken
 * for a rule. */
#define NEARLY_ALL 0.9

typedef struct {
    called_method *method; /* NULL: it was answered, or there is none */
    int32_t from, to;
    uint32_t count, hashes[SAVINGS_ARGUMENTS];
    double time;
} reliable_call;

struct reliable_calls {
    reliable_call list[KEPT_CALLS]; /* in turns */
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
static reliable_call *call_before(reliable_calls *kept, const reliable_call *one)
{
    for (uint32_t i = 0; i < KEPT_CALLS; i++) {
        reliable_call *before = &kept->list[(kept->next + i) % KEPT_CALLS];
        if (is_receipt(one, before)) {
            return before;
        }
    }
    return NULL;
}

void savings_count_receipts(savings *all, called_method *of, const godot_tap *tap, const godot_update *call,
                            double now)
{
    reliable_calls *kept = all->unanswered;
    if (tap->relayed || tap->problem || tap->transfer_mode != GODOT_TRANSFER_RELIABLE ||
        call->count > SAVINGS_ARGUMENTS) {
        return;
    }
    reliable_call one = {.method = of,
                         .from = tap->from,
                         .to = tap->to > 0 ? tap->to : tap->receiver,
                         .count = call->count,
                         .time = now};
    for (uint32_t i = 0; i < call->count; i++) {
        one.hashes[i] = godot_value_hash(&call->variants[i]);
    }
    reliable_call *before = call_before(kept, &one);
    if (before) {
        of->confirmed = of->receipts++ == 0 ? before->method : of->confirmed;
        of->other_receipts += before->method != of->confirmed;
        before->method = NULL;
    } else {
        kept->list[kept->next++ % KEPT_CALLS] = one;
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
