/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/show/pace.h"

#include "base/allocators.h"
#include "base/array.h"
#include "multiplayer/packet/fields.h"

/* Limit on steps and synchronizers of a file: 16 MiB of steps. Later ones have no fields. */
#define MAX_REMEMBERED 2000000u

/* From one state to the next. In eight bytes: a busy file has one for each of its messages. A step that does
 * not fit is left out. */
enum { NUMBER_BITS = 28, LENGTH_BITS = 36 };
#define LONGEST_STEP ((INT64_C(1) << (LENGTH_BITS - 1)) - 1) /* 9.5 hours */

typedef struct {
    uint64_t number : NUMBER_BITS; /* of the message with the later one, in its session */
    int64_t length : LENGTH_BITS;  /* microseconds; less than 0 if the file is not in order */
} step;

G_STATIC_ASSERT(sizeof(step) == 8);

typedef struct {
    const godot_session *session;
    godot_party from;
    uint32_t id;
} pace_key;

typedef struct {
    pace_key key;
    nstime_t last;
    wmem_array_t *steps; /* in the order of their numbers */
    int64_t median;      /* of `steps`; valid if `median_of` is their count */
    uint32_t median_of;
} pace;

static wmem_map_t *paces;   /* of the file */
static uint32_t remembered; /* steps, and synchronizers with a first state */

static unsigned hash_key(const void *data)
{
    const pace_key *key = data;
    const uint32_t parts[] = {key->session->index, (uint32_t)key->from, key->id};
    return wmem_strong_hash((const uint8_t *)parts, sizeof parts);
}

static int equal_keys(const void *a, const void *b)
{
    const pace_key *first = (const pace_key *)a, *second = (const pace_key *)b;
    return first->session == second->session && first->from == second->from && first->id == second->id;
}

static void forget(void)
{
    remembered = 0;
}

void godot_pace_init(void)
{
    paces = file_map(hash_key, (GEqualFunc)equal_keys);
    register_cleanup_routine(forget);
}

static void learn(const godot_packet *packet, const pace_key *key, pace *known)
{
    const nstime_t now = packet->pinfo->abs_ts;
    if (!known) {
        known = wmem_new0(wmem_file_scope(), pace);
        known->key = *key;
        known->steps = wmem_array_new(wmem_file_scope(), sizeof(step));
        wmem_map_insert(paces, &known->key, known);
    } else {
        nstime_t since;
        nstime_delta(&since, &now, &known->last);
        int64_t seconds = since.secs, longest = LONGEST_STEP / 1000000;
        if (seconds > -longest && seconds < longest && packet->message->number >> NUMBER_BITS == 0) {
            step one = {packet->message->number, seconds * 1000000 + since.nsecs / 1000};
            wmem_array_append_one(known->steps, one);
        }
    }
    remembered++;
    known->last = now;
}

static int compare_number(const void *element, const void *number)
{
    uint32_t found = ((const step *)element)->number, wanted = *(const uint32_t *)number;
    return found < wanted ? -1 : found > wanted;
}

/* NULL: the message has the first state, or was carried before. */
static const step *step_to(const pace *known, uint32_t number)
{
    const step *steps = wmem_array_get_raw(known->steps);
    uint32_t count = wmem_array_get_count(known->steps);
    uint32_t at = lower_bound(&number, steps, count, sizeof *steps, compare_number);
    return at < count && steps[at].number == number ? &steps[at] : NULL;
}

static int compare_lengths(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return first < second ? -1 : first > second;
}

static int64_t median(pace *known)
{
    uint32_t count = wmem_array_get_count(known->steps);
    if (known->median_of != count) {
        const step *steps = wmem_array_get_raw(known->steps);
        int64_t *lengths = wmem_alloc_array(NULL, int64_t, count);
        for (uint32_t i = 0; i < count; i++) {
            lengths[i] = steps[i].length;
        }
        qsort(lengths, count, sizeof *lengths, compare_lengths);
        known->median = lengths[count / 2];
        known->median_of = count;
        wmem_free(NULL, lengths);
    }
    return known->median;
}

static void add_time(const godot_packet *packet, proto_tree *tree, int hf, int64_t microseconds)
{
    nstime_t time = {.secs = (time_t)(microseconds / 1000000), .nsecs = (int)(microseconds % 1000000) * 1000};
    proto_item_set_generated(proto_tree_add_time(tree, hf, packet->tvb, 0, 0, &time));
}

void godot_pace_add(const godot_packet *packet, proto_tree *tree, uint32_t id)
{
    const pace_key key = {packet->message->session, packet->from, id};
    pace *known = wmem_map_lookup(paces, &key);
    if (packet->learn && remembered < MAX_REMEMBERED) {
        learn(packet, &key, known);
    }
    const step *to = tree && known ? step_to(known, packet->message->number) : NULL;
    if (!to) {
        return;
    }
    add_time(packet, tree, hf_godot_sync_interval, to->length);
    if (frame_visited(packet->pinfo)) {
        add_time(packet, tree, hf_godot_sync_jitter, to->length - median(known));
    }
}
