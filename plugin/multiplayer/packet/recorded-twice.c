/* recorded-twice.c
 *
 * The two records of a packet that both of its ends have recorded; see recorded-twice.h.
 *
 * Two records match if source, target and content are equal. Mode and channel are not compared, because not
 * every transport carries them. Packets with equal content are matched in the order in which they were sent.
 * If one of them is lost, each later one is matched with the wrong record; so the time between two records is
 * only shown if no other record has this content.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/packet/recorded-twice.h"

#include "base/allocators.h"
#include "codec/md5.h"

/* Records without a match that are kept; further ones are not matched. */
enum { MAX_WAITING = 1000000 };

/* Receivers that are listed of a packet to everybody: as many as a server over ENet can have. Wireshark gives
 * up a frame with too many items. */
enum { MAX_RECEIVERS = 4096 };

/* Records of one recorder that follow each other in a queue. */
typedef struct {
    godot_match *last;
} match_run;

/* From one peer to another, as a recorder of the sender has it: frames of the first and the last packet that
 * the other end has recorded, too. */
typedef struct {
    uint32_t first, last; /* `first` 0: of none */
} match_way;

struct godot_match {
    uint32_t frame;                /* of this record */
    nstime_t time;                 /* as well */
    uint32_t recording;            /* number of the recorder */
    bool received;                 /* else sent */
    bool certain;                  /* no other record has this content; valid if `other` is not NULL */
    const godot_match *other;      /* the other end's record, NULL: not found, or several have received it */
    struct godot_match *next;      /* the next unmatched one with the same content; NULL: none */
    match_run *run;                /* queue of the unmatched record; NULL: it was matched at once */
    match_way *way;                /* sent to one: from whom to whom; else NULL */
    int32_t except;                /* sent to everybody but this one, 0: another number of receivers */
    struct godot_match *receivers; /* records of the receivers of a packet to all peers, NULL: none */
    struct godot_match *next_receiver; /* the next who received the same, NULL: none */
};

enum { SENT = false, RECEIVED = true };

typedef struct {
    int32_t source, target; /* `target` 0: everybody, or everybody but one */
    char checksum[36];      /* MD5, filled up with zeros */
} match_key;

/* Records of one content that wait: those of the sender and those of the receiver. */
typedef struct {
    godot_match *first[2], *last[2]; /* `first` NULL: none, `last` is not valid then */
    godot_match *last_broadcast;     /* the last that this receiver had or that was not for it, NULL: none */
} match_queues;

static wmem_map_t *waiting; /* match_key -> match_queues */
static uint32_t waiting_count;
static wmem_map_t *ways; /* source, target and recording of the sender as text -> match_way */

static unsigned key_hash(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(match_key));
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(match_key)) == 0;
}

static void forget(void)
{
    waiting_count = 0;
}

void godot_recordings_init(void)
{
    waiting = file_map(key_hash, key_equal);
    ways = file_map(wmem_str_hash, g_str_equal);
    register_cleanup_routine(forget);
}

static match_key make_key(const recorder_record *recorded, tvbuff_t *tvb)
{
    match_key key;
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

static match_queues *queues_of(const match_key *key)
{
    match_queues *queues = wmem_map_lookup(waiting, key);
    if (!queues) {
        queues = wmem_new0(wmem_file_scope(), match_queues);
        wmem_map_insert(waiting, wmem_memdup(wmem_file_scope(), key, sizeof *key), queues);
    }
    return queues;
}

static match_way *way_of(const match_key *key, uint32_t recording)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "%d %d %u", key->source, key->target, recording);
    match_way *way = wmem_map_lookup(ways, wanted);
    if (!way) {
        way = wmem_new0(wmem_file_scope(), match_way);
        wmem_map_insert(ways, wmem_strdup(wmem_file_scope(), wanted), way);
    }
    return way;
}

static void append(match_queues *queues, godot_match *match)
{
    if (queues->first[match->received]) {
        godot_match *before = queues->last[match->received];
        before->next = match;
        match->run = before->recording == match->recording ? before->run : NULL;
    } else {
        queues->first[match->received] = match;
    }
    if (!match->run) {
        match->run = wmem_new(wmem_file_scope(), match_run);
    }
    match->run->last = match;
    queues->last[match->received] = match;
    waiting_count++;
}

/* The next packet to all peers that this receiver has not received yet, NULL: none. Packets of its own
 * recorder and packets that were not for it are skipped, the former a whole run at a time, because each new
 * receiver starts with the first packet. */
static godot_match *next_broadcast(match_queues *queues, const match_key *key, uint32_t recording)
{
    match_key to_all = *key;
    to_all.target = 0;
    const match_queues *sent = wmem_map_lookup(waiting, &to_all);
    godot_match *next = queues->last_broadcast ? queues->last_broadcast->next
                        : sent                 ? sent->first[SENT]
                                               : NULL;
    while (next && (next->except == key->target || next->recording == recording)) {
        queues->last_broadcast = next->recording == recording ? next->run->last : next;
        next = queues->last_broadcast->next;
    }
    return next;
}

static bool join_broadcast(match_queues *queues, const match_key *key, godot_match *received)
{
    godot_match *sent = next_broadcast(queues, key, received->recording);
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
static bool join_waiting(match_queues *queues, const match_key *key, godot_match *match)
{
    godot_match *other = queues->first[!match->received];
    if (!other || other->recording == match->recording) {
        return false;
    }
    queues->first[!match->received] = other->next;
    match->other = other;
    other->other = match;
    const godot_match *received = match->received ? match : other, *sent = match->received ? other : match;
    sent->way->first = sent->way->first ? MIN(sent->way->first, sent->frame) : sent->frame;
    sent->way->last = MAX(sent->way->last, sent->frame);
    match->certain = other->certain = !other->next && !next_broadcast(queues, key, received->recording);
    waiting_count--;
    return true;
}

void godot_recordings_learn(packet_info *pinfo, godot_message *message, const recorder_record *recorded,
                            tvbuff_t *tvb)
{
    bool cut = tvb_captured_length(tvb) < tvb_reported_length(tvb);
    bool known = recorded->own_id > 0 && (recorded->other_id > 0 || !recorded->received);
    if (!known || cut || message->repeated || waiting_count >= MAX_WAITING) {
        return;
    }
    const match_key key = make_key(recorded, tvb);
    match_queues *queues = queues_of(&key);
    godot_match *match = wmem_new0(wmem_file_scope(), godot_match);
    match->frame = frame_order(pinfo);
    match->time = pinfo->abs_ts;
    match->recording = recorded->recording;
    match->received = recorded->received;
    match->way = match->received || !key.target ? NULL : way_of(&key, match->recording);
    match->except = recorded->other_id == INT32_MIN ? 0 : MAX(-recorded->other_id, 0);
    message->match = match;
    if (key.target == 0 ||
        !(join_waiting(queues, &key, match) || (match->received && join_broadcast(queues, &key, match)))) {
        append(queues, match);
    }
}

bool godot_recordings_is_second(const godot_message *message)
{
    const godot_match *match = message->match;
    return match && match->other && match->other->frame < match->frame;
}

uint32_t godot_recordings_receiver(const godot_message *message, uint32_t index)
{
    const godot_match *match = message->match;
    if (!match || match->received || index >= MAX_RECEIVERS) {
        return 0;
    }
    const godot_match *receiver = match->receivers ? match->receivers : match->other;
    for (; receiver && index > 0; index--) {
        receiver = receiver->next_receiver;
    }
    return receiver ? receiver->frame : 0;
}

const char *godot_recordings_second_name(const godot_message *message)
{
    if (!godot_recordings_is_second(message)) {
        return NULL;
    }
    return message->match->received ? "received" : "sent";
}

void godot_recordings_set_arrival(const godot_message *message, godot_tap *tap)
{
    const godot_match *match = message->match;
    const godot_match *sent = match && match->received ? match->other : match;
    if (!tap->later_pass || !sent || !sent->way || !sent->way->first) {
        return;
    }
    const godot_match *received = sent->other;
    tap->points_known = true;
    tap->lost = !received && sent->way->first < sent->frame && sent->frame < sent->way->last;
    if (received) {
        tap->received_in = tap->delivered_in = frame_position(received->frame);
        nstime_t wait;
        nstime_delta(&wait, &received->time, &match->time);
        tap->wait = nstime_to_sec(&wait);
    }
}

static void add_receivers(const godot_packet *packet, const godot_match *sent)
{
    uint32_t count = 0;
    for (const godot_match *received = sent->receivers; received; received = received->next_receiver) {
        if (count++ == MAX_RECEIVERS) {
            expert_add_info_format(packet->pinfo, packet->item, &ei_godot_capped,
                                   "Only %u receivers are shown", MAX_RECEIVERS);
            return;
        }
        frame_add_reference(packet->tree, hf_godot_received_in, packet->tvb, received->frame);
    }
}

void godot_recordings_add(const godot_packet *packet)
{
    const godot_match *match = packet->message->match;
    bool second = godot_recordings_is_second(packet->message);
    if (!match || (!second && !frame_visited(packet->pinfo))) {
        return;
    }
    add_receivers(packet, match);
    if (!match->other) {
        return;
    }
    const godot_match *sent = match->received ? match->other : match;
    const godot_match *received = match->received ? match : match->other;
    frame_add_reference(packet->tree, match->received ? hf_godot_sent_in : hf_godot_received_in, packet->tvb,
                        match->other->frame);
    /* Only at the second of the two records, so that each pass shows it and it is counted once. */
    if (match->certain && second) {
        nstime_t transit;
        nstime_delta(&transit, &received->time, &sent->time);
        proto_item_set_generated(
            proto_tree_add_time(packet->tree, hf_godot_transit, packet->tvb, 0, 0, &transit));
    }
}
