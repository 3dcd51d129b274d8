/* synced.c
 *
 * Calls whose arguments a synchronizer sends as well, in the state after them; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/savings.h"

/* Calls that are kept, and seconds in which the state is expected: a synchronizer without an interval sends
 * one a frame. */
enum { KEPT_CALLS = 32 };
#define STATE_SECONDS 0.1
/* Share of a method's calls from which this is taken for a rule. */
#define NEARLY_ALL 0.9

typedef struct {
    called_method *method; /* NULL: its arguments were all sent, or there is none */
    int32_t from, to;
    uint32_t count, hashes[SAVINGS_ARGUMENTS];
    uint32_t left; /* bits of arguments that no state had yet */
    double time;
} waiting_call;

struct waiting_calls {
    waiting_call list[KEPT_CALLS]; /* in turns */
    uint32_t next;
    double latest;
};

void savings_synced_begin(savings *all)
{
    all->waiting = wmem_new0(all->pool, waiting_calls);
    all->waiting->latest = -STATE_SECONDS;
}

static int32_t target_of(const godot_tap *tap)
{
    return tap->to > 0 ? tap->to : tap->receiver;
}

/* Whether an argument is a vector: other values may be the same by chance. */
static bool has_vector(const godot_update *call)
{
    double at[3];
    bool found = false;
    for (uint32_t i = 0; i < call->count && !found; i++) {
        found = savings_vector_at(&call->variants[i], at) > 0;
    }
    return found;
}

void savings_count_synced_call(savings *all, called_method *of, const godot_tap *tap,
                               const godot_update *call, double now)
{
    waiting_calls *waiting = all->waiting;
    if (tap->relayed || tap->problem || call->count > SAVINGS_ARGUMENTS || !has_vector(call)) {
        return;
    }
    waiting_call *one = &waiting->list[waiting->next++ % KEPT_CALLS];
    *one = (waiting_call){.method = of,
                          .from = tap->from,
                          .to = target_of(tap),
                          .count = call->count,
                          .left = (1u << call->count) - 1,
                          .time = now};
    for (uint32_t i = 0; i < call->count; i++) {
        one->hashes[i] = godot_value_hash(call, i);
    }
    waiting->latest = now;
}

void savings_count_synced_state(savings *all, const synchronizer *of, const godot_tap *tap,
                                const godot_update *update, double now)
{
    waiting_calls *waiting = all->waiting;
    if (tap->relayed || now - waiting->latest > STATE_SECONDS) {
        return;
    }
    uint32_t hash = godot_value_hash(update, 0);
    for (uint32_t i = 0; i < KEPT_CALLS; i++) {
        waiting_call *one = &waiting->list[i];
        if (!one->method || one->from != tap->from || one->to != target_of(tap) ||
            now - one->time > STATE_SECONDS || now < one->time) {
            continue;
        }
        for (uint32_t k = 0; k < one->count; k++) {
            one->left &= one->hashes[k] == hash ? ~(1u << k) : ~0u;
        }
        if (!one->left) {
            one->method->synced++;
            one->method->synced_by = of;
            one->method = NULL;
        }
    }
}

bool savings_advise_synced(const savings *all, GPtrArray *rows, const called_method *of)
{
    if (of->synced < SAVINGS_LEAST || (double)of->synced < NEARLY_ALL * (double)of->calls) {
        return false;
    }
    char *by = savings_synchronizer_text(of->synced_by);
    savings_row found = {.bytes = savings_with_acknowledgements(all, &of->all),
                         .what = g_strdup("No such call: a synchronizer sends the same values"),
                         .where = savings_method_text(of, ""),
                         .why = g_strdup_printf("The arguments of %" PRIu64 " of %" PRIu64
                                                " calls of it were in the next state of %s, to the same peer",
                                                of->synced, of->calls, by),
                         .but = "Its function is not called any more: what else it does belongs into the "
                                "property's setter",
                         .evidence = &of->all};
    g_free(by);
    savings_add_row(all, rows, found);
    return true;
}

/* --- synchronizers of the same node ---------------------------------------------------------------- */

/* Length of the path of the node that a synchronizer is in; `node` is that path or the synchronizer's own. */
static size_t parent_length(const godot_tap_part *part)
{
    size_t length = strlen(part->node), name = strlen(part->synchronizer);
    bool own = length > name && part->node[length - name - 1] == '/' &&
               strcmp(part->node + length - name, part->synchronizer) == 0;
    return own ? length - name - 1 : length;
}

/* Whether these are two synchronizers in the same node of a scene. */
static bool are_siblings(const godot_tap_part *one, const godot_tap_part *other)
{
    bool known =
        one->node && one->scene && one->synchronizer && other->node && other->scene && other->synchronizer;
    if (!known || strcmp(one->synchronizer, other->synchronizer) == 0 ||
        strcmp(one->scene, other->scene) != 0) {
        return false;
    }
    size_t length = parent_length(one);
    return length == parent_length(other) && strncmp(one->node, other->node, length) == 0;
}

/* The states of several synchronizers of a node come one after the other. */
void savings_count_siblings(savings *all, const godot_tap *tap)
{
    for (uint32_t i = 1; i < tap->part_count; i++) {
        synchronizer *of = all->of_parts->pdata[i];
        if (of && are_siblings(&tap->parts[i - 1], &tap->parts[i])) {
            synchronizer *before = all->of_parts->pdata[i - 1];
            of->is_one_of_several = true;
            of->besides++;
            if (before) {
                before->is_one_of_several = true;
            }
            savings_add(all, &of->beside, SAVINGS_STATE_HEAD, false);
        }
    }
}
