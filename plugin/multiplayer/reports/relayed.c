/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/reports/relayed.h"

#include "base/allocators.h"
#include "multiplayer/state/session.h"

/* On its way to the server, and passed on by it. */
typedef struct relayed_packet {
    uint64_t key; /* of the first */
    report_packet copy;
    struct relayed_packet *next; /* with the same contents, which waits for its copy */
} relayed_packet;

typedef struct {
    uint64_t hash;
    relayed_packet *first, *last; /* NULL: none waits */
} relayed_queue;

static wmem_map_t *waiting; /* hash of contents: relayed_queue */
static wmem_map_t *copied;  /* report_packet as a number: relayed_packet */

void godot_relayed_init(void)
{
    waiting = file_map(wmem_int64_hash, g_int64_equal);
    copied = file_map(wmem_int64_hash, g_int64_equal);
}

static uint64_t key_of(report_packet packet)
{
    return (uint64_t)packet.frame << 32 | packet.place;
}

static relayed_queue *queue_of(const relayed_contents *contents)
{
    const uint64_t ends = (uint64_t)(uint32_t)contents->from << 32 | (uint32_t)contents->to,
                   hash = hash_bytes(contents->bytes, contents->length) ^ ends * hash_factor;
    relayed_queue *queue = wmem_map_lookup(waiting, &hash);
    if (!queue) {
        queue = wmem_new0(wmem_file_scope(), relayed_queue);
        queue->hash = hash;
        wmem_map_insert(waiting, &queue->hash, queue);
    }
    return queue;
}

void godot_relayed_learn(report_packet packet, const relayed_contents *contents, bool passed_on)
{
    if (!contents->from || !contents->to ||
        !godot_store_may_keep(godot_state_store(), sizeof(relayed_queue) + sizeof(relayed_packet))) {
        return;
    }
    relayed_queue *queue = queue_of(contents);
    relayed_packet *one = queue->first;
    if (passed_on && one) {
        one->copy = packet;
        queue->first = one->next;
        wmem_map_insert(copied, &one->key, one);
    } else if (!passed_on) {
        one = wmem_new0(wmem_file_scope(), relayed_packet);
        one->key = key_of(packet);
        *(queue->first ? &queue->last->next : &queue->first) = one;
        queue->last = one;
    }
}

const godot_report *godot_relayed_reports(report_packet packet)
{
    const uint64_t key = key_of(packet);
    const relayed_packet *one = wmem_map_size(copied) ? wmem_map_lookup(copied, &key) : NULL;
    return one ? godot_reports_of(one->copy) : NULL;
}
