/* synced.c
 *
 * Calls whose arguments a synchronizer sends as well, in the state after them; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/savings.h"

#include "multiplayer/state/frame.h"

/* Calls that are kept, and seconds in which the state is expected: a synchronizer without an interval sends
 * one a frame. */
enum { KEPT_CALLS = 32, KEPT_VALUES = 32 /* of a call: bits */ };
#define STATE_SECONDS 0.1
/* Share of a method's calls from which this is taken for a rule. */
#define NEARLY_ALL 0.9
/* Likewise, of calls with vectors in containers: states can come at other times, and several vectors are not
 * the same by chance. */
#define OFTEN 0.2

typedef struct {
    called_method *method; /* NULL: its arguments were all sent, or there is none */
    int32_t from, to;
    uint32_t count, hashes[KEPT_VALUES]; /* of its arguments, of a container the vectors in it */
    uint32_t left;                       /* bits of those that no state had yet */
    bool inside;                         /* there is a container, with other values as well */
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

static void add_value(waiting_call *to, const godot_tap_variant *value, uint32_t offset, uint32_t length)
{
    const godot_tap_variant one = {.bytes = value->bytes + offset, .length = length};
    const godot_update update = {.variants = &one, .count = 1};
    if (to->count < KEPT_VALUES) {
        to->hashes[to->count] = godot_value_hash(&update, 0);
    }
    to->count++;
}

/* Adds the argument, or the vectors in it. Returns whether it is a vector, or has several: other values may
 * be the same by chance. */
static bool add_argument(waiting_call *to, const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    uint32_t before = to->count;
    double at[3];
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (value->raw || !variant_next(&decoder, &event) || event.kind != VARIANT_BEGIN) {
        add_value(to, value, 0, value->length);
        return savings_vector_at(value, at) > 0;
    }
    while (variant_next(&decoder, &event) && to->count <= KEPT_VALUES) {
        if (event.kind == VARIANT_VALUE && (event.type == VARIANT_VECTOR2 || event.type == VARIANT_VECTOR3)) {
            add_value(to, value, event.offset, event.length);
        }
    }
    to->inside = true;
    return to->count > before + 1;
}

void savings_count_synced_call(savings *all, called_method *of, const godot_tap *tap,
                               const godot_update *call)
{
    waiting_calls *waiting = all->waiting;
    waiting_call one = {.method = of, .from = tap->from, .to = target_of(tap), .time = all->now};
    bool vectors = false;
    if (tap->relayed || tap->problem || call->count > SAVINGS_ARGUMENTS) {
        return;
    }
    for (uint32_t i = 0; i < call->count; i++) {
        vectors |= add_argument(&one, &call->variants[i]);
    }
    if (vectors && one.count <= KEPT_VALUES) {
        one.left = UINT32_MAX >> (KEPT_VALUES - one.count);
        waiting->list[waiting->next++ % KEPT_CALLS] = one;
        waiting->latest = all->now;
    }
}

void savings_count_synced_state(savings *all, const synchronizer *of, const godot_tap *tap,
                                const godot_update *update)
{
    waiting_calls *waiting = all->waiting;
    double now = all->now;
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
            one->method->synced_inside |= one->inside;
            one->method->synced_by = of;
            one->method = NULL;
        }
    }
}

bool savings_advise_synced(const savings *all, GPtrArray *rows, const called_method *of)
{
    double least = of->synced_inside ? OFTEN : NEARLY_ALL;
    if (of->synced < SAVINGS_LEAST || (double)of->synced < least * (double)of->calls) {
        return false;
    }
    char *by = savings_synchronizer_text(of->synced_by);
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->all),
        .what = g_strdup(of->synced_inside
                             ? "No such call: does it tell anything but what a synchronizer sends as well?"
                             : "No such call: a synchronizer sends the same values"),
        .where = savings_method_text(of, ""),
        .why = g_strdup_printf("The %s of %" PRIu64 " of %" PRIu64
                               " calls of it were in the next state of %s, to the same peer",
                               of->synced_inside ? "vectors" : "arguments", of->synced, of->calls, by),
        .but = "Its function is not called any more: what else it does belongs into the "
               "property's setter",
        .evidence = &of->all,
        .question = of->synced_inside};
    g_free(by);
    savings_add_row(all, rows, found);
    return !of->synced_inside;
}
