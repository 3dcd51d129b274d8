/* count.c
 *
 * Statistics → Godot Replication, and `-z godot,replication[,FILTER]`: for each property that Godot 4
 * synchronizes or spawns and each receiver, the writers, the number of updates, the last value and its age,
 * and updates that did not arrive; and the first update that one receiver got and another did not.
 *
 * What a peer does with an update, and what it predicts by itself, is not on the wire.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/utf8.h"
#include "statistics/option.h"
#include "statistics/report.h"

#include "multiplayer/api/tap.h"
#include "multiplayer/statistics/replication/replication.h"
#include "multiplayer/statistics/values/filters.h"

/* Limits: flows, and properties. */
#define MAX_FLOWS 4000u
/* Seconds within which the same value to two receivers is the same update: a sender sends to all in one of
 * its frames. */
#define SAME_UPDATE_SECONDS 0.02
/* Messages that have arrived and wait for their delivery by ENet. */
#define MAX_PENDING 100000u
/* A delivery by ENet: a value, a spawn or a despawn. */
typedef enum { DELIVERY_OF_VALUE, DELIVERY_OF_SPAWN, DELIVERY_OF_DESPAWN } delivery_kind;

typedef struct {
    delivery_kind kind;
    uint32_t order; /* among those that are delivered in the same frame: those that had to wait come last */
    int32_t peer;   /* a node: whose */
    flow *of;       /* a value: */
    node *at;       /* a node: */
    update what;
} delivery;

static void *begin(wmem_allocator_t *pool)
{
    replication *all = wmem_new0(pool, replication);
    all->pool = pool;
    all->properties = report_list(pool);
    all->pending = report_keep(pool, g_sequence_new(g_free), (GDestroyNotify)g_sequence_free);
    all->property_of = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    all->flow_of = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    all->nodes = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    return all;
}

/* --- which way ----------------------------------------------------------------------------------- */

/* From a client to another: the message goes to the server, which passes it on. */
typedef enum { DIRECTLY, TO_THE_RELAY, FROM_THE_RELAY } message_way;

static message_way way_of(const godot_tap *tap)
{
    if (tap->to > 0 && tap->to != tap->receiver) {
        return TO_THE_RELAY;
    }
    return tap->from && tap->from != tap->sender ? FROM_THE_RELAY : DIRECTLY;
}

/* The peer that the message is for, now or when it is passed on: of one to everybody, the end of the
 * connection. */
static int32_t receiver_of(const godot_tap *tap)
{
    return tap->to > 0 ? tap->to : tap->receiver;
}

/* To all peers except the server, which only passes it on. */
static bool is_for_others(const godot_tap *tap)
{
    return tap->to < 0 && tap->receiver == -(int64_t)tap->to;
}

/* --- counting ------------------------------------------------------------------------------------ */

/* A length before it: no two texts can be read as two others. */
static char *property_key(const char *path, const char *name)
{
    return g_strdup_printf("%zu:%s%s", strlen(path), path, name);
}

/* Path of the node above, NULL: there is none. */
static char *path_above(const char *path)
{
    const char *last = strrchr(path, '/');
    return last ? g_strndup(path, (gsize)(last - path)) : NULL;
}

/* A peer that did not spawn the node names its synchronizer instead, which is below it: if the node has this
 * property already, it is that. NULL: it has not. `above`: path of the node above the synchronizer, or
 * NULL. */
static property *property_above(const replication *all, const char *above, const char *name)
{
    char *key = above ? property_key(above, name) : NULL;
    property *found = key ? wmem_map_lookup(all->property_of, key) : NULL;
    g_free(key);
    return found;
}

/* NULL: there are too many nodes. */
static property *property_at(replication *all, const godot_tap_variant *value)
{
    const char *path = value->node ? value->node : "(node not known)";
    char *key = property_key(path, value->property), *above = path_above(path);
    property *one = wmem_map_lookup(all->property_of, key);
    one = one ? one : property_above(all, above, value->property);
    node *at = one ? NULL : nodes_at(all, path);
    if (at) {
        one = wmem_new0(all->pool, property);
        one->at = at;
        one->above = above ? nodes_at(all, above) : NULL;
        one->node = at->path;
        one->several = !value->node || godot_filter_is_numbered(path) || g_str_has_suffix(path, "…");
        one->name = wmem_strdup(all->pool, value->property);
        one->flows = report_list(all->pool);
        g_ptr_array_add(all->properties, one);
        g_ptr_array_add(at->properties, one);
        if (one->above) {
            g_ptr_array_add(one->above->properties, one);
        }
        wmem_map_insert(all->property_of, wmem_strdup(all->pool, key), one);
    }
    g_free(key);
    g_free(above);
    return one;
}

/* The two sessions of a relayed update have different clients, so peer ids distinguish them. */
static char *flow_key(const godot_tap *tap, const godot_tap_variant *value)
{
    const char *path = value->node ? value->node : "";
    int32_t to = receiver_of(tap);
    int64_t session = way_of(tap) == DIRECTLY || to == 0 ? (int64_t)tap->session : -1;
    return g_strdup_printf("%" PRId64 " %d %d %zu:%s%s", session, tap->from, to, strlen(path), path,
                           value->property);
}

/* NULL: there are too many. */
static flow *flow_at(replication *all, const godot_tap *tap, const godot_tap_variant *value)
{
    char *key = flow_key(tap, value);
    flow *one = wmem_map_lookup(all->flow_of, key);
    if (one || all->flow_count >= MAX_FLOWS) {
        g_free(key);
        return one;
    }
    property *of = property_at(all, value);
    if (!of) {
        g_free(key);
        return NULL;
    }
    of->is_set = tap->set;
    one = wmem_new0(all->pool, flow);
    one->of = of;
    one->from = tap->from;
    one->to = receiver_of(tap);
    one->session = tap->session;
    one->newest = -1;
    g_ptr_array_add(of->flows, one);
    wmem_map_insert(all->flow_of, wmem_strdup(all->pool, key), one);
    g_free(key);
    all->flow_count++;
    return one;
}

/* --- sent updates -------------------------------------------------------------------------------- */

/* A capture may have several games: these have the same server, or, in a mesh, a peer in common. */
static bool is_same_game(const flow *one, uint32_t game, const writer *other)
{
    return game == other->last.game || (one->to > 1 && (one->to == other->to || one->to == other->peer)) ||
           (one->from > 1 && one->from == other->to);
}

/* Another writer's updates between two of `one`, which are of one session: they write at once. */
static void note_other_writers(const flow *one, unsigned writing, uint32_t game)
{
    property *of = one->of;
    for (unsigned i = 0; one->first_frame && i < of->writer_count; i++) {
        const writer *other = &of->writers[i];
        if (i == writing || !one->from || !other->peer || other->last.frame < one->first_frame ||
            !is_same_game(one, game, other)) {
            continue;
        }
        writer *before = &of->writers[MIN(i, writing)];
        unsigned behind = MAX(i, writing);
        if (!before->at_once[behind].from) {
            before->at_once[behind].from = MAX(one->first_frame, other->first.frame);
        }
        before->at_once[behind].to = other->last.frame;
    }
}

static void note_writer(flow *one, const update *now)
{
    property *of = one->of;
    int32_t peer = one->from;
    unsigned i = 0;
    while (i < of->writer_count && of->writers[i].peer != peer) {
        i++;
    }
    if (i == MAX_WRITERS) {
        return;
    }
    if (i == of->writer_count) {
        of->writers[of->writer_count++] = (writer){.peer = peer, .first = *now};
    }
    of->writers[i].last = *now;
    of->writers[i].to = one->to;
    note_other_writers(one, i, now->game);
    one->first_frame = one->first_frame ? one->first_frame : now->frame;
}

static void note_update(update_track *track, const update *now)
{
    const update *before = &track->last;
    if (before->frame && now->time - before->time > track->longest) {
        track->longest = now->time - before->time;
        track->longest_from = before->frame;
        track->longest_to = now->frame;
    }
    track->last = *now;
}

static void count_sent(flow *one, const godot_tap *tap, const update *now)
{
    bool reliable = tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    bool passed_on = way_of(tap) == FROM_THE_RELAY;
    ++*(passed_on ? &one->passed_on : &one->sent);
    one->again += tap->retransmissions > 0 ? (uint32_t)tap->retransmissions : 0;
    one->lost += tap->lost && !reliable;
    if (!one->arrivals_known && way_of(tap) != TO_THE_RELAY) {
        one->gone += nodes_is_gone(one->to, one->of);
    }
    if (tap->unanswered) {
        one->first_unconfirmed = one->unconfirmed++ ? one->first_unconfirmed : now->frame;
    }
    note_update(passed_on ? &one->of_passed_on : &one->of_sent, now);
    if (!passed_on || !one->sent) {
        note_writer(one, now);
    }
}

/* --- updates to several receivers ---------------------------------------------------------------- */

static shared_update *new_shared(const replication *all, property *of, const flow *one, const update *now)
{
    if (!of->recent) {
        of->recent = wmem_alloc0_array(all->pool, shared_update, RECENT_UPDATES);
    }
    uint32_t number = ++of->shared;
    shared_update *shared = &of->recent[number % RECENT_UPDATES];
    *shared = (shared_update){.number = number, .sender = one->from, .game = now->game, .time = now->time};
    g_strlcpy(shared->text, now->text, sizeof shared->text);
    return shared;
}

/* The same value at about the same time from the same peer, later than what this one was sent before; the
 * latest. */
static shared_update *find_shared(const property *of, const flow *one, const update *now)
{
    uint32_t oldest = of->shared > RECENT_UPDATES ? of->shared - RECENT_UPDATES : 0;
    for (uint32_t number = of->shared; of->recent && number > MAX(oldest, one->joined); number--) {
        shared_update *shared = &of->recent[number % RECENT_UPDATES];
        if (now->time - shared->time >= SAME_UPDATE_SECONDS) {
            return NULL;
        }
        if (shared->sender == one->from && shared->game == now->game &&
            strcmp(shared->text, now->text) == 0) {
            return shared;
        }
    }
    return NULL;
}

/* The shared update of an update that the relay passes on. NULL: it is no longer kept. */
static shared_update *shared_update_of(const replication *all, property *of, flow *one, message_way way,
                                       const update *now)
{
    const unsigned place = (unsigned)now->net_frame % RECENT_UPDATES;
    bool expected = way == FROM_THE_RELAY && one->on_their_way && one->on_their_way[place].number;
    if (expected && one->on_their_way[place].net_frame == now->net_frame) {
        uint32_t number = one->on_their_way[place].number;
        shared_update *shared = of->recent ? &of->recent[number % RECENT_UPDATES] : NULL;
        return shared && shared->number == number ? shared : NULL;
    }
    shared_update *shared = find_shared(of, one, now);
    shared = shared ? shared : new_shared(all, of, one, now);
    one->joined = shared->number;
    if (way == TO_THE_RELAY) {
        if (!one->on_their_way) {
            one->on_their_way = wmem_alloc0(all->pool, RECENT_UPDATES * sizeof *one->on_their_way);
        }
        one->on_their_way[place].net_frame = now->net_frame;
        one->on_their_way[place].number = shared->number;
    }
    return shared;
}

/* Two receivers of the same update, one of whom does not get it. */
static void compare_receivers(const replication *all, property *of, flow *one, const godot_tap *tap,
                              const update *now)
{
    message_way way = way_of(tap);
    if (of->diverged || of->several || now->net_frame < 0) {
        return;
    }
    shared_update *shared = shared_update_of(all, of, one, way, now);
    if (shared && tap->lost && !shared->missed_by) {
        shared->missed_by = one;
        shared->missed_frame = now->frame;
        shared->missed_net_frame = now->net_frame;
    } else if (shared && tap->received_in && way != TO_THE_RELAY && !shared->had_by) {
        shared->had_by = one;
        shared->had_frame = tap->received_in;
        shared->had_net_frame = now->net_frame;
    }
    if (shared && shared->missed_by && shared->had_by && shared->missed_by->to != shared->had_by->to) {
        of->diverged = true;
        of->first_difference = *shared;
    }
}

/* --- delivered updates --------------------------------------------------------------------------- */

/* In the order in which the receiver gets them: the engine ignores older ones. */
static bool is_late(flow *one, const update *now)
{
    if (now->net_frame < 0) {
        return false;
    }
    if (one->newest >= 0 && (int16_t)(uint16_t)(now->net_frame - one->newest) < 0) {
        return true;
    }
    one->newest = now->net_frame;
    return false;
}

static void deliver_value(replication *all, flow *one, const update *now)
{
    one->delivered++;
    if (nodes_is_gone(one->to, one->of)) {
        one->gone++;
    } else if (is_late(one, now)) {
        one->late++;
    } else {
        note_update(&one->of_delivered, now);
        intervals_delivered(all, one, now);
    }
}

/* Updates of a node that were delivered before it existed were ignored. */
static void ignore_early(replication *all, int32_t peer, const node *at)
{
    for (unsigned i = 0; i < at->properties->len; i++) {
        const property *of = at->properties->pdata[i];
        for (unsigned k = 0; k < of->flows->len; k++) {
            flow *one = of->flows->pdata[k];
            if (one->to == peer) {
                one->early = one->delivered;
                one->late = 0;
                one->newest = -1;
                one->of_delivered = (update_track){.longest = 0};
                intervals_forget_delivered(all, one);
            }
        }
    }
}

static void deliver_node(replication *all, int32_t peer, node *at, bool spawned)
{
    node_at_peer *state = peer ? nodes_at_peer(all, at, peer) : NULL;
    if (!state) {
        return;
    }
    if (spawned && state->state == NODE_UNKNOWN) {
        ignore_early(all, peer, at);
    }
    state->state = spawned ? NODE_SPAWNED : NODE_GONE;
}

static int by_delivery(gconstpointer a, gconstpointer b, void *data _U_)
{
    const delivery *first = (const delivery *)a, *second = (const delivery *)b;
    if (first->what.frame != second->what.frame) {
        return first->what.frame < second->what.frame ? -1 : 1;
    }
    return first->order < second->order ? -1 : first->order > second->order;
}

/* Handles the deliveries before this frame. */
static void deliver_until(replication *all, uint32_t frame)
{
    while (!g_sequence_is_empty(all->pending)) {
        GSequenceIter *next = g_sequence_get_begin_iter(all->pending);
        const delivery *one = g_sequence_get(next);
        if (one->what.frame >= frame) {
            return;
        }
        if (one->kind == DELIVERY_OF_VALUE) {
            deliver_value(all, one->of, &one->what);
        } else {
            deliver_node(all, one->peer, one->at, one->kind == DELIVERY_OF_SPAWN);
        }
        g_sequence_remove(next);
    }
}

/* The list takes ownership of `one`. */
static void add_delivery(replication *all, const godot_tap *tap, delivery *one)
{
    const uint32_t waited = 1u << 31;
    one->order = (all->order++ & (waited - 1)) | (tap->wait > 0 ? waited : 0);
    one->what.frame = tap->delivered_in;
    one->what.time += tap->wait;
    all->end = MAX(all->end, one->what.time);
    if (g_sequence_get_length(all->pending) >= (int)MAX_PENDING) {
        deliver_until(all, UINT32_MAX);
    }
    g_sequence_insert_sorted(all->pending, one, by_delivery, NULL);
}

/* --- messages ------------------------------------------------------------------------------------ */

/* Of a node that the message is about; NULL: not known. */
static const char *scene_of(const godot_tap *tap, const char *path)
{
    for (uint32_t i = 0; i < tap->part_count && path; i++) {
        if (tap->parts[i].scene && g_strcmp0(tap->parts[i].node, path) == 0) {
            return tap->parts[i].scene;
        }
    }
    return path && g_strcmp0(tap->spawned, path) == 0 ? tap->spawned_scene : NULL;
}

static uint32_t game_of(const packet_info *pinfo, bool from_server)
{
    return add_address_to_hash(from_server ? pinfo->srcport : pinfo->destport,
                               from_server ? &pinfo->src : &pinfo->dst);
}

/* `first`: of its node in the message. `scene`: of its node, NULL: not known. */
static void count_value(replication *all, const packet_info *pinfo, const godot_tap *tap,
                        const godot_tap_variant *value, const char *scene, bool first)
{
    if (is_for_others(tap)) {
        return;
    }
    flow *one = flow_at(all, tap, value);
    if (!one) {
        all->left_out++;
        return;
    }
    if (!one->of->scene && scene) {
        one->of->scene = wmem_strdup(all->pool, scene);
    }
    update now = {.frame = pinfo->num,
                  .time = nstime_to_sec(&pinfo->rel_ts),
                  .net_frame = tap->net_frame,
                  .session = tap->session,
                  .from_initiator = tap->from_initiator,
                  .game = game_of(pinfo, !tap->from_initiator),
                  .at = {tap->number, frame_order(pinfo)}};
    variant_text(value->bytes, value->length, value->options, now.text, sizeof now.text, NULL);
    utf8_one_line(now.text);
    one->held += tap->held;
    one->arrivals_known |= tap->points_known && way_of(tap) != TO_THE_RELAY;
    if (tap->sent_here) {
        count_sent(one, tap, &now);
        compare_receivers(all, one->of, one, tap, &now);
        if (first && tap->net_frame >= 0) {
            bool passed_on = way_of(tap) == FROM_THE_RELAY;
            intervals_sent(all, one, &now, (state_fate){passed_on, tap->lost, tap->received_in != 0});
        }
    }
    if (tap->delivered_in && way_of(tap) != TO_THE_RELAY) {
        delivery *delivered = g_new0(delivery, 1);
        delivered->of = one;
        delivered->what = now;
        add_delivery(all, tap, delivered);
    }
}

/* A node is spawned or despawned at its sender when that is sent, and at its receiver when it is
 * delivered. */
static void count_node(replication *all, const packet_info *pinfo, const godot_tap *tap, const char *path,
                       bool spawned)
{
    node *at = nodes_at(all, path);
    if (at && tap->sent_here) {
        deliver_node(all, tap->from, at, spawned);
        nodes_note_despawn(all, receiver_of(tap), at, spawned, nstime_to_sec(&pinfo->rel_ts));
    }
    if (at && tap->delivered_in && way_of(tap) != TO_THE_RELAY && !is_for_others(tap)) {
        delivery *one = g_new0(delivery, 1);
        one->kind = spawned ? DELIVERY_OF_SPAWN : DELIVERY_OF_DESPAWN;
        one->peer = receiver_of(tap);
        one->at = at;
        one->what.time = nstime_to_sec(&pinfo->rel_ts);
        add_delivery(all, tap, one);
    }
}

static tap_packet_status count_message(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                       const void *data, tap_flags_t flags _U_)
{
    replication *all = state;
    const godot_tap *tap = data;
    all->end = MAX(all->end, nstime_to_sec(&pinfo->rel_ts));
    /* The record of its receiver is not tapped. */
    all->last_frame = MAX(pinfo->num, tap->transport == GODOT_RECORDED ? tap->delivered_in : 0);
    all->one_pass |= !tap->later_pass;
    all->recorded = (all->recorded || !all->any) && tap->transport == GODOT_RECORDED;
    all->any = true;
    deliver_until(all, pinfo->num);
    if (tap->spawned) {
        count_node(all, pinfo, tap, tap->spawned, true);
    }
    const char *before = NULL, *scene = NULL;
    for (unsigned i = 0; tap->values && i < wmem_array_get_count(tap->values); i++) {
        const godot_tap_variant *value = wmem_array_index(tap->values, i);
        bool first = value->node && g_strcmp0(value->node, before) != 0;
        scene = first ? scene_of(tap, value->node) : scene;
        count_value(all, pinfo, tap, value, scene, first);
        before = value->node;
    }
    if (tap->node && tap->what && strcmp(tap->what, "despawn") == 0) {
        count_node(all, pinfo, tap, tap->node, false);
    }
    return TAP_PACKET_REDRAW;
}

/* --- the report ---------------------------------------------------------------------------------- */

/* Wireshark requests the report several times while it reads a file. */
static void write_report(void *state, GString *text)
{
    replication *all = state;
    deliver_until(all, stat_is_tshark() ? UINT32_MAX : all->last_frame + 1);
    replication_write(all, text);
}

void godot_replication_register(int proto _U_)
{
    static const report_source sources[] = {{"godot_message", count_message}};
    static const report_button buttons[] = {
        {"Next interval", intervals_filter}, {"Next property", replication_filter}, {NULL, NULL}};
    static const report replication_report = {.title = "Godot Replication",
                                              .option = "godot,replication",
                                              .sources = sources,
                                              .source_count = array_length(sources),
                                              .buttons = buttons,
                                              .begin = begin,
                                              .write = write_report};
    report_register(&replication_report);
}
