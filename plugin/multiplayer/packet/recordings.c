/* recordings.c
 *
 * The two records of a packet that both of its ends have recorded; see recordings.h.
 *
 * Source, target and content of both are the same; mode and channel need not be, not every transport carries
 * them. Of several packets with the same content the earliest is taken, as it was sent. Then one that was
 * lost would make all that follow look late, so their times are only said if no other could be meant.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/packet/recordings.h"

#include "codec/md5.h"

/* Packets that wait for their other record; beyond that nothing is looked for. */
enum { MAX_WAITING = 1000000 };

/* Receivers that are listed of a packet to everybody: as many as a server over ENet can have. Wireshark gives
 * up a frame with too many items. */
enum { MAX_RECEIVERS = 4096 };

/* Records of one recorder that follow each other in a queue. */
typedef struct {
    godot_copy *last;
} copy_run;

struct godot_copy {
    uint32_t frame;               /* of this record */
    nstime_t time;                /* as well */
    uint32_t recording;           /* number of the recorder */
    bool received;                /* else sent */
    bool certain;                 /* no other packet could be meant; valid if `other` is not NULL */
    const godot_copy *other;      /* the other end's record, NULL: not found, or several have received it */
    struct godot_copy *next;      /* the next one that waits for the same content, NULL: none */
    copy_run *run;                /* of what waits; NULL: it never did */
    int32_t except;               /* sent to everybody but this one, 0: another number of receivers */
    struct godot_copy *receivers; /* records of those who received what was sent to everybody, NULL: none */
    struct godot_copy *next_receiver; /* the next who received the same, NULL: none */
};

enum { SENT = false, RECEIVED = true };

typedef struct {
    int32_t source, target; /* `target` 0: everybody, or everybody but one */
    char checksum[36];      /* MD5, filled up with zeros */
} copy_key;

/* Records of one content that wait: those of the sender and those of the receiver. */
typedef struct {
    godot_copy *first[2], *last[2]; /* `first` NULL: none, `last` is not valid then */
    godot_copy *last_broadcast;     /* the last that this receiver had or that was not for it, NULL: none */
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
    key.target = recorded->received ? recorded->own_id : MAX(recorded->other_id, 0);
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

static void append(copy_queues *queues, godot_copy *copy)
{
    if (queues->first[copy->received]) {
        godot_copy *before = queues->last[copy->received];
        before->next = copy;
        copy->run = before->recording == copy->recording ? before->run : NULL;
    } else {
        queues->first[copy->received] = copy;
    }
    if (!copy->run) {
        copy->run = wmem_new(wmem_file_scope(), copy_run);
    }
    copy->run->last = copy;
    queues->last[copy->received] = copy;
    waiting_count++;
}

/* What was sent to everybody and this receiver has not had yet, NULL: nothing. What its own recorder has sent
 * is passed over at once, since each new receiver begins with the first; what was not for it is looked at
 * once. */
static godot_copy *next_broadcast(copy_queues *queues, const copy_key *key, uint32_t recording)
{
    copy_key to_all = *key;
    to_all.target = 0;
    const copy_queues *sent = (const copy_queues *)wmem_map_lookup(waiting, &to_all);
    godot_copy *next = queues->last_broadcast ? queues->last_broadcast->next
                       : sent                 ? sent->first[SENT]
                                              : NULL;
    while (next && (next->except == key->target || next->recording == recording)) {
        queues->last_broadcast = next->recording == recording ? next->run->last : next;
        next = queues->last_broadcast->next;
    }
    return next;
}

static bool join_broadcast(copy_queues *queues, const copy_key *key, godot_copy *received)
{
    godot_copy *sent = next_broadcast(queues, key, received->recording);
    if (!sent) {
        return false;
    }
    queues->last_broadcast = sent;
    received->other = sent;
    received->certain = !next_broadcast(queues, key, received->recording);
    received->next_receiver = sent->receivers;
    sent->receivers = received;
    return true;
}

/* Finds the record of the other end in a packet from one to one. */
static bool join_waiting(copy_queues *queues, const copy_key *key, godot_copy *copy)
{
    godot_copy *other = queues->first[!copy->received];
    if (!other || other->recording == copy->recording) {
        return false;
    }
    queues->first[!copy->received] = other->next;
    copy->other = other;
    other->other = copy;
    const godot_copy *received = copy->received ? copy : other;
    copy->certain = other->certain = !other->next && !next_broadcast(queues, key, received->recording);
    waiting_count--;
    return true;
}

void godot_copies_learn(packet_info *pinfo, godot_message *message, const godot_recorded_info *recorded,
                        tvbuff_t *tvb)
{
    bool cut = tvb_captured_length(tvb) < tvb_reported_length(tvb);
    bool known = recorded->own_id > 0 && (recorded->other_id > 0 || !recorded->received);
    if (!known || cut || waiting_count >= MAX_WAITING) {
        return;
    }
    const copy_key key = make_key(recorded, tvb);
    copy_queues *queues = queues_of(&key);
    godot_copy *copy = wmem_new0(wmem_file_scope(), godot_copy);
    copy->frame = frame_order(pinfo);
    copy->time = pinfo->abs_ts;
    copy->recording = recorded->recording;
    copy->received = recorded->received;
    copy->except = recorded->other_id == INT32_MIN ? 0 : MAX(-recorded->other_id, 0);
    message->copy = copy;
    if (key.target == 0 ||
        !(join_waiting(queues, &key, copy) || (copy->received && join_broadcast(queues, &key, copy)))) {
        append(queues, copy);
    }
}

bool godot_copies_is_second(const godot_message *message)
{
    const godot_copy *copy = message->copy;
    return copy && copy->other && copy->other->frame < copy->frame;
}

static void add_receivers(const godot_packet *packet, const godot_copy *sent)
{
    uint32_t count = 0;
    for (const godot_copy *received = sent->receivers; received; received = received->next_receiver) {
        if (count++ == MAX_RECEIVERS) {
            expert_add_info_format(packet->pinfo, packet->item, &ei_godot_capped,
                                   "Only %u receivers are shown", MAX_RECEIVERS);
            return;
        }
        frame_add_reference(packet->tree, hf_godot_received_in, packet->tvb, received->frame);
    }
}

void godot_copies_add(const godot_packet *packet)
{
    const godot_copy *copy = packet->message->copy;
    bool second = godot_copies_is_second(packet->message);
    if (!copy || (!second && !frame_visited(packet->pinfo))) {
        return;
    }
    add_receivers(packet, copy);
    if (!copy->other) {
        return;
    }
    const godot_copy *sent = copy->received ? copy->other : copy;
    const godot_copy *received = copy->received ? copy : copy->other;
    frame_add_reference(packet->tree, copy->received ? hf_godot_sent_in : hf_godot_received_in, packet->tvb,
                        copy->other->frame);
    /* At the second of the two only, so that every pass shows it and nobody counts it twice. */
    if (copy->certain && second) {
        nstime_t transit;
        nstime_delta(&transit, &received->time, &sent->time);
        proto_item_set_generated(
            proto_tree_add_time(packet->tree, hf_godot_transit, packet->tvb, 0, 0, &transit));
    }
}
