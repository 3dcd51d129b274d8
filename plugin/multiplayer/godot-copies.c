/* godot-copies.c
 *
 * The two records of a packet that both of its ends have recorded; see godot-copies.h.
 *
 * Source, target and content of both are the same; mode and channel need not be, not every transport carries
 * them. Of several packets with the same content the earliest is taken, as it was sent. Then one that was lost
 * would make all that follow look late, so their times are only said if no other could be meant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/godot-copies.h"

#include "common/md5.h"

/* Packets that wait for their other record; beyond that nothing is looked for. */
enum { MAX_WAITING = 1000000 };

struct godot_copy {
    uint32_t frame;          /* of this record */
    nstime_t time;           /* as well */
    uint32_t recording;      /* number of the recorder */
    bool received;           /* else sent */
    bool certain;            /* no other packet could be meant; valid if `other` is not NULL */
    const godot_copy *other; /* the other end's record, NULL: not found */
    struct godot_copy *next; /* the next one that waits for the same content, NULL: none */
};

typedef struct {
    int32_t source, target;
    char checksum[36]; /* MD5, filled up with zeros */
} copy_key;

/* Records of one content that wait: those of the sender and those of the receiver. */
typedef struct {
    godot_copy *first[2], *last[2]; /* `first` NULL: none, `last` is not valid then */
} copy_queues;

static wmem_map_t *waiting; /* copy_key -> copy_queues */
static uint32_t waiting_count;

static unsigned key_hash(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(copy_key));
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(copy_key)) == 0;
}

static void forget(void)
{
    waiting = NULL; /* was in file scope */
    waiting_count = 0;
}

void godot_copies_init(void)
{
    register_init_routine(forget);
    register_cleanup_routine(forget);
}

static copy_key make_key(const godot_recorded_info *recorded, tvbuff_t *tvb)
{
    copy_key key;
    md5_context context;
    uint32_t length = tvb_captured_length(tvb);
    memset(&key, 0, sizeof key);
    key.source = recorded->received ? recorded->other_id : recorded->own_id;
    key.target = recorded->received ? recorded->own_id : recorded->other_id;
    md5_init(&context);
    md5_update(&context, tvb_get_ptr(tvb, 0, (int)length), length);
    md5_finish(&context, key.checksum);
    return key;
}

static copy_queues *queues_of(const copy_key *key)
{
    if (!waiting) {
        waiting = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
    }
    copy_queues *queues = (copy_queues *)wmem_map_lookup(waiting, key);
    if (!queues) {
        queues = wmem_new0(wmem_file_scope(), copy_queues);
        wmem_map_insert(waiting, wmem_memdup(wmem_file_scope(), key, sizeof *key), queues);
    }
    return queues;
}

void godot_copies_learn(packet_info *pinfo, godot_message *message, const godot_recorded_info *recorded,
                        tvbuff_t *tvb)
{
    bool cut = tvb_captured_length(tvb) < tvb_reported_length(tvb);
    if (recorded->other_id <= 0 || recorded->own_id <= 0 || cut || waiting_count >= MAX_WAITING) {
        return;
    }
    const copy_key key = make_key(recorded, tvb);
    copy_queues *queues = queues_of(&key);
    godot_copy *copy = wmem_new0(wmem_file_scope(), godot_copy);
    copy->frame = pinfo->num;
    copy->time = pinfo->abs_ts;
    copy->recording = recorded->recording;
    copy->received = recorded->received;
    message->copy = copy;
    godot_copy *other = queues->first[!copy->received];
    if (other && other->recording != copy->recording) {
        queues->first[!copy->received] = other->next;
        copy->other = other;
        other->other = copy;
        copy->certain = other->certain = !other->next;
        waiting_count--;
        return;
    }
    if (queues->first[copy->received]) {
        queues->last[copy->received]->next = copy;
    } else {
        queues->first[copy->received] = copy;
    }
    queues->last[copy->received] = copy;
    waiting_count++;
}

bool godot_copies_is_second(const godot_message *message)
{
    const godot_copy *copy = message->copy;
    return copy && copy->other && copy->other->frame < copy->frame;
}

void godot_copies_add(const godot_packet *packet)
{
    const godot_copy *copy = packet->message->copy;
    if (!copy || !copy->other ||
        (!godot_copies_is_second(packet->message) && !PINFO_FD_VISITED(packet->pinfo))) {
        return;
    }
    const godot_copy *sent = copy->received ? copy->other : copy;
    const godot_copy *received = copy->received ? copy : copy->other;
    godot_add_generated_number(packet->tree, packet->tvb,
                               copy->received ? hf_godot_sent_in : hf_godot_received_in, copy->other->frame);
    /* At the second of the two only, so that every pass shows it and nobody counts it twice. */
    if (copy->certain && godot_copies_is_second(packet->message)) {
        nstime_t transit;
        nstime_delta(&transit, &received->time, &sent->time);
        proto_item_set_generated(
            proto_tree_add_time(packet->tree, hf_godot_transit, packet->tvb, 0, 0, &transit));
    }
}
