/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/values/calls.h"

#include <string.h>

#include <glib.h>

/* Authors that are remembered; hostile traffic can have any number. */
#define MAX_AUTHORS 4000u
/* Seconds in which an engine sends a call to all of its receivers. */
#define CALL_SECONDS 0.005
/* Receivers of a call that are remembered. */
enum { MAX_RECEIVERS = 256 };

/* The latest call of a peer. */
typedef struct {
    uint32_t hash; /* of its text */
    uint32_t length;
    bool full_path, relayed;
    double time;
    uint32_t count;
    int32_t receivers[MAX_RECEIVERS];
} latest_call;

struct godot_calls {
    wmem_allocator_t *pool;
    wmem_map_t *authors; /* peer to its latest_call */
};

godot_calls *godot_calls_new(wmem_allocator_t *pool)
{
    godot_calls *calls = wmem_new(pool, godot_calls);
    calls->pool = pool;
    calls->authors = wmem_map_new(pool, g_direct_hash, g_direct_equal);
    return calls;
}

/* The path is in the message in full as long as the receiver has not confirmed it, and what goes through the
 * server has a header for that. */
static bool is_same(const latest_call *one, const godot_tap *tap, uint32_t hash, double time)
{
    bool same_size =
        one->length == tap->length || one->full_path || tap->full_path || one->relayed != tap->relayed;
    return one->count && one->hash == hash && same_size && time >= one->time &&
           time - one->time < CALL_SECONDS;
}

static bool is_new_receiver(latest_call *one, int32_t receiver)
{
    for (uint32_t i = 0; i < one->count; i++) {
        if (one->receivers[i] == receiver) {
            return false;
        }
    }
    if (one->count == MAX_RECEIVERS) {
        return false;
    }
    one->receivers[one->count++] = receiver;
    return true;
}

bool godot_calls_begin(godot_calls *calls, const godot_tap *tap, double time)
{
    int32_t receiver = tap->to > 0 ? tap->to : tap->receiver;
    if (!tap->call || tap->repeated || tap->from <= 0 || receiver <= 0) {
        return tap->call && !tap->repeated;
    }
    latest_call *one = wmem_map_lookup(calls->authors, GINT_TO_POINTER(tap->from));
    if (tap->passed_on) {
        return !one;
    }
    if (!one && wmem_map_size(calls->authors) < MAX_AUTHORS) {
        one = wmem_new0(calls->pool, latest_call);
        wmem_map_insert(calls->authors, GINT_TO_POINTER(tap->from), one);
    }
    uint32_t hash = wmem_strong_hash((const uint8_t *)tap->info, strlen(tap->info));
    if (!one || (is_same(one, tap, hash, time) && is_new_receiver(one, receiver))) {
        return !one;
    }
    one->hash = hash;
    one->length = tap->length;
    one->full_path = tap->full_path;
    one->relayed = tap->relayed;
    one->time = time;
    one->count = 1;
    one->receivers[0] = receiver;
    return true;
}
