/* stat-godot-replication.c
 *
 * Statistics → Godot Replication, and `-z godot,replication[,FILTER]`: what each peer was told about each property that
 * Godot 4 synchronizes or spawns, by whom, how often, when last, and what did not arrive. Where two peers were told
 * different things first.
 *
 * What a peer does with what it is told, and what it predicts by itself, is not on the wire.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/report.h"
#include "common/stat-option.h"
#include "common/utf8.h"

#include "multiplayer/stat-godot.h"

/* What one peer tells another about a property, and properties: each at most so many. */
#define MAX_FLOWS 4000u
/* The same value sent to two receivers within that time is the same update: a sender tells all in one of its frames. */
#define SAME_UPDATE_SECONDS 0.02
/* What ENet delivers later than it arrived, at the same time. */
#define MAX_PENDING 100000u
enum { VALUE_SIZE = 80, MAX_WRITERS = 8 };

typedef struct {
    uint32_t frame;    /* 0: none */
    double time;       /* seconds since the capture began */
    int32_t net_frame; /* -1: none */
    char text[VALUE_SIZE];
} update;

typedef struct property property;

/* From a peer to another. */
typedef struct {
    property *of;
    int32_t from, to; /* 0: not known */
    uint32_t session;
    uint32_t sent, again, lost; /* `again`: retransmissions of reliable ones */
    uint32_t delivered, held;   /* by ENet, or not before the end of the capture */
    uint32_t late, early,
        gone; /* of `delivered`: older than one before; before the node was spawned there; after it was
                                  * despawned there */
    uint32_t unconfirmed, first_unconfirmed; /* reliable, not acknowledged; frame of the first */
    update last_sent, last_told;             /* `last_told`: delivered, and not late or gone */
    double longest; /* time without one that the receiver was told; one point: that was sent */
    uint32_t longest_from, longest_to; /* frames around it */
    int32_t newest;                    /* network frame that the receiver has, -1: none */
} flow;

typedef struct {
    int32_t peer;
    update first, last;
} writer;

struct property {
    char *node, *name, *above; /* `above`: the node above, NULL: there is none */
    GPtrArray *flows;
    writer writers[MAX_WRITERS];
    unsigned writer_count;
    /* The update that is being sent: who did not get it, who got it, where. */
    int32_t sender;
    update now, missed, had;
    const flow *missed_by, *had_by; /* NULL: nobody so far */
    bool parted;                    /* both: it is the first such update and stays */
};

/* What ENet delivers: a value, or that a node is there or gone. */
typedef enum { TOLD_VALUE, TOLD_SPAWN, TOLD_DESPAWN } told_kind;

typedef struct {
    told_kind kind;
    uint32_t order; /* among those that are delivered in the same frame: those that had to wait come last */
    int32_t peer;   /* a node: whose */
    flow *of;       /* a value: */
    char *node;     /* a node: */
    update what;
} told;

typedef enum { NODE_UNKNOWN, NODE_SPAWNED, NODE_GONE } node_state;

typedef struct {
    GPtrArray *properties;
    GHashTable *property_of, *flow_of; /* by texts that are theirs */
    GHashTable *nodes;                 /* path to a GPtrArray of its properties */
    GHashTable *states;                /* peer and path to a node_state */
    GSequence *pending;                /* told, in the order of delivery */
    uint32_t order;
    uint32_t flow_count, left_out; /* values beyond MAX_FLOWS */
    bool arrivals_known;           /* of unreliable ones: there are two capture points */
    bool one_pass;
    double end;
    uint32_t last_frame;
} replication;

/* --- begin and end ----------------------------------------------------------------------------------- */

static void free_property(void *data)
{
    property *one = (property *)data;
    g_ptr_array_free(one->flows, TRUE);
    g_free(one->node);
    g_free(one->name);
    g_free(one->above);
    g_free(one);
}

static void free_told(void *data)
{
    told *one = (told *)data;
    g_free(one->node);
    g_free(one);
}

static void free_list(void *data)
{
    g_ptr_array_free((GPtrArray *)data, TRUE);
}

static void *begin(void)
{
    replication *all = g_new0(replication, 1);
    all->properties = g_ptr_array_new_with_free_func(free_property);
    all->pending = g_sequence_new(free_told);
    all->property_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    all->flow_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    all->nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_list);
    all->states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return all;
}

static void end(void *state)
{
    replication *all = (replication *)state;
    g_hash_table_destroy(all->property_of);
    g_hash_table_destroy(all->flow_of);
    g_hash_table_destroy(all->nodes);
    g_hash_table_destroy(all->states);
    g_sequence_free(all->pending);
    g_ptr_array_free(all->properties, TRUE);
    g_free(all);
}

/* --- counting ---------------------------------------------------------------------------------------- */

/* A length before it: no two texts can be read as two others. */
static char *property_key(const char *node, const char *name)
{
    return g_strdup_printf("%zu:%s%s", strlen(node), node, name);
}

/* Path of the node above, NULL: there is none. */
static char *path_above(const char *path)
{
    const char *last = strrchr(path, '/');
    return last ? g_strndup(path, (gsize)(last - path)) : NULL;
}

/* A peer that did not spawn the node names its synchronizer instead, which is below it: if the node has this property
 * already, it is that. NULL: it has not. */
static property *property_above(const replication *all, const char *synchronizer, const char *name)
{
    char *node = path_above(synchronizer), *key = node ? property_key(node, name) : NULL;
    property *found = key ? (property *)g_hash_table_lookup(all->property_of, key) : NULL;
    g_free(node);
    g_free(key);
    return found;
}

static void list_at_node(replication *all, const char *path, property *one)
{
    GPtrArray *of_node = (GPtrArray *)g_hash_table_lookup(all->nodes, path);
    if (!of_node) {
        of_node = g_ptr_array_new();
        g_hash_table_insert(all->nodes, g_strdup(path), of_node);
    }
    g_ptr_array_add(of_node, one);
}

static property *property_at(replication *all, const godot_tap_variant *value)
{
    const char *node = value->node ? value->node : "(node not known)";
    char *key = property_key(node, value->property);
    property *one = (property *)g_hash_table_lookup(all->property_of, key);
    one = one ? one : property_above(all, node, value->property);
    if (one) {
        g_free(key);
        return one;
    }
    one = g_new0(property, 1);
    one->node = g_strdup(node);
    one->above = path_above(node);
    one->name = g_strdup(value->property);
    one->flows = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(all->properties, one);
    g_hash_table_insert(all->property_of, key, one);
    list_at_node(all, node, one);
    if (one->above) {
        list_at_node(all, one->above, one);
    }
    return one;
}

/* NULL: there are too many. */
static flow *flow_at(replication *all, const godot_tap *tap, const godot_tap_variant *value)
{
    char *key = g_strdup_printf("%u %d %d %zu:%s%s", tap->session, tap->from, tap->receiver,
                                strlen(value->node ? value->node : ""), value->node ? value->node : "",
                                value->property);
    flow *one = (flow *)g_hash_table_lookup(all->flow_of, key);
    if (one || all->flow_count >= MAX_FLOWS) {
        g_free(key);
        return one;
    }
    property *of = property_at(all, value);
    one = g_new0(flow, 1);
    one->of = of;
    one->from = tap->from;
    one->to = tap->receiver;
    one->session = tap->session;
    one->newest = -1;
    g_ptr_array_add(of->flows, one);
    g_hash_table_insert(all->flow_of, key, one);
    all->flow_count++;
    return one;
}

/* --- what is sent ------------------------------------------------------------------------------------- */

static node_state state_of(const replication *all, int32_t peer, const char *node)
{
    char *key = g_strdup_printf("%d %s", peer, node);
    gpointer found = peer ? g_hash_table_lookup(all->states, key) : NULL;
    g_free(key);
    return (node_state)GPOINTER_TO_UINT(found);
}

/* Or the node above it is gone, which has it as its synchronizer. */
static bool is_gone(const replication *all, int32_t peer, const property *of)
{
    return state_of(all, peer, of->node) == NODE_GONE ||
           (of->above && state_of(all, peer, of->above) == NODE_GONE);
}

static void note_writer(property *of, int32_t peer, const update *now)
{
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
}

/* Two receivers of the same update, one of whom does not get it. */
static void compare_receivers(property *of, flow *one, const godot_tap *tap, const update *now)
{
    bool same = of->now.frame && of->sender == one->from && now->time - of->now.time < SAME_UPDATE_SECONDS &&
                strcmp(of->now.text, now->text) == 0;
    if (of->parted || tap->transfer_mode == GODOT_TRANSFER_RELIABLE) {
        return;
    }
    if (!same) {
        of->sender = one->from;
        of->now = *now;
        of->missed_by = of->had_by = NULL;
    }
    if (tap->lost && !of->missed_by) {
        of->missed_by = one;
        of->missed = *now;
    } else if (tap->received_in && !of->had_by) {
        of->had_by = one;
        of->had = *now;
        of->had.frame = tap->received_in;
    }
    of->parted = of->missed_by && of->had_by && of->missed_by->to != of->had_by->to;
}

static void note_longest(flow *one, const update *before, const update *now)
{
    if (before->frame && now->time - before->time > one->longest) {
        one->longest = now->time - before->time;
        one->longest_from = before->frame;
        one->longest_to = now->frame;
    }
}

static void count_sent(const replication *all, flow *one, const godot_tap *tap, const update *now)
{
    bool reliable = tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    one->sent++;
    one->again += tap->retransmissions > 0 ? (uint32_t)tap->retransmissions : 0;
    one->lost += tap->lost && !reliable;
    if (!all->arrivals_known) {
        note_longest(one, &one->last_sent, now);
        one->gone += is_gone(all, one->to, one->of);
    }
    if (reliable && tap->stream >= 0 && !tap->acknowledged && !all->one_pass) {
        one->first_unconfirmed = one->unconfirmed++ ? one->first_unconfirmed : now->frame;
    }
    one->last_sent = *now;
    note_writer(one->of, one->from, now);
    compare_receivers(one->of, one, tap, now);
}

/* --- what is delivered ---------------------------------------------------------------------------------- */

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

static void tell_value(const replication *all, flow *one, const update *now)
{
    one->delivered++;
    if (is_gone(all, one->to, one->of)) {
        one->gone++;
    } else if (is_late(one, now)) {
        one->late++;
    } else {
        note_longest(one, &one->last_told, now);
        one->last_told = *now;
    }
}

/* What was told of a node before it was there, if anything, was ignored. */
static void forget_early(const replication *all, int32_t peer, const char *node)
{
    const GPtrArray *properties = (const GPtrArray *)g_hash_table_lookup(all->nodes, node);
    for (unsigned i = 0; properties && i < properties->len; i++) {
        const property *of = (const property *)properties->pdata[i];
        for (unsigned k = 0; k < of->flows->len; k++) {
            flow *one = (flow *)of->flows->pdata[k];
            if (one->to == peer) {
                one->early = one->delivered;
                one->late = 0;
                one->longest = 0;
                one->newest = -1;
                one->last_told = (update){0};
            }
        }
    }
}

static void tell_node(replication *all, int32_t peer, const char *node, bool spawned)
{
    if (!peer || (g_hash_table_size(all->states) >= MAX_PENDING && !state_of(all, peer, node))) {
        return;
    }
    if (spawned && state_of(all, peer, node) == NODE_UNKNOWN && all->arrivals_known) {
        forget_early(all, peer, node);
    }
    node_state state = spawned ? NODE_SPAWNED : NODE_GONE;
    g_hash_table_insert(all->states, g_strdup_printf("%d %s", peer, node), GUINT_TO_POINTER(state));
}

static int by_delivery(gconstpointer a, gconstpointer b, void *data _U_)
{
    const told *first = (const told *)a, *second = (const told *)b;
    if (first->what.frame != second->what.frame) {
        return first->what.frame < second->what.frame ? -1 : 1;
    }
    return first->order < second->order ? -1 : first->order > second->order;
}

/* What is delivered before this frame. */
static void deliver_until(replication *all, uint32_t frame)
{
    while (!g_sequence_is_empty(all->pending)) {
        GSequenceIter *next = g_sequence_get_begin_iter(all->pending);
        const told *one = (const told *)g_sequence_get(next);
        if (one->what.frame >= frame) {
            return;
        }
        if (one->kind == TOLD_VALUE) {
            tell_value(all, one->of, &one->what);
        } else {
            tell_node(all, one->peer, one->node, one->kind == TOLD_SPAWN);
        }
        g_sequence_remove(next);
    }
}

/* `one` becomes the list's. */
static void add_told(replication *all, const godot_tap *tap, told *one)
{
    const uint32_t waited = 1u << 31;
    one->order = (all->order++ & (waited - 1)) | (tap->wait > 0 ? waited : 0);
    one->what.frame = tap->delivered_in;
    one->what.time += tap->wait;
    if (g_sequence_get_length(all->pending) >= (int)MAX_PENDING) {
        deliver_until(all, UINT32_MAX);
    }
    g_sequence_insert_sorted(all->pending, one, by_delivery, NULL);
}

/* --- messages ------------------------------------------------------------------------------------------- */

static void count_value(replication *all, const packet_info *pinfo, const godot_tap *tap,
                        const godot_tap_variant *value)
{
    flow *one = flow_at(all, tap, value);
    if (!one) {
        all->left_out++;
        return;
    }
    update now = {.frame = pinfo->num, .time = nstime_to_sec(&pinfo->rel_ts), .net_frame = tap->net_frame};
    variant_text(value->bytes, value->length, value->options, now.text, sizeof now.text, NULL);
    utf8_one_line(now.text);
    one->held += tap->held;
    if (tap->sent_here) {
        count_sent(all, one, tap, &now);
    }
    if (tap->delivered_in) {
        told *told_value = g_new0(told, 1);
        told_value->of = one;
        told_value->what = now;
        add_told(all, tap, told_value);
    }
}

/* A node is there, or gone, where that is sent, and where it is delivered. */
static void count_node(replication *all, const packet_info *pinfo, const godot_tap *tap, const char *node,
                       bool spawned)
{
    if (tap->sent_here) {
        tell_node(all, tap->from, node, spawned);
    }
    if (tap->delivered_in) {
        told *one = g_new0(told, 1);
        one->kind = spawned ? TOLD_SPAWN : TOLD_DESPAWN;
        one->peer = tap->receiver;
        one->node = g_strdup(node);
        one->what.time = nstime_to_sec(&pinfo->rel_ts);
        add_told(all, tap, one);
    }
}

static tap_packet_status count_message(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                       const void *data, tap_flags_t flags _U_)
{
    replication *all = (replication *)state;
    const godot_tap *tap = (const godot_tap *)data;
    all->end = MAX(all->end, nstime_to_sec(&pinfo->rel_ts));
    all->arrivals_known |= tap->points_known;
    all->last_frame = pinfo->num;
    all->one_pass |= !tap->later_pass;
    deliver_until(all, pinfo->num);
    if (tap->spawned) {
        count_node(all, pinfo, tap, tap->spawned, true);
    }
    for (unsigned i = 0; tap->values && i < wmem_array_get_count(tap->values); i++) {
        count_value(all, pinfo, tap, (const godot_tap_variant *)wmem_array_index(tap->values, i));
    }
    if (tap->node && tap->what && strcmp(tap->what, "despawn") == 0) {
        count_node(all, pinfo, tap, tap->node, false);
    }
    return TAP_PACKET_REDRAW;
}

/* --- words ------------------------------------------------------------------------------------------- */

static void append_peer(GString *text, int32_t peer)
{
    if (peer) {
        g_string_append_printf(text, "%d", peer);
    } else {
        g_string_append(text, "a peer that is not known");
    }
}

static void append_number(GString *text, uint32_t number, const char *what)
{
    if (number) {
        g_string_append_printf(text, ", %u %s", number, what);
    }
}

static void write_flow(const replication *all, const flow *one, GString *text)
{
    const update *last = all->arrivals_known ? &one->last_told : &one->last_sent;
    if (one->of->writer_count > 1) {
        g_string_append(text, "    from ");
        append_peer(text, one->from);
        g_string_append(text, " to ");
    } else {
        g_string_append(text, "    to ");
    }
    append_peer(text, one->to);
    g_string_append_printf(text, ": %u sent", one->sent);
    if (all->arrivals_known) {
        g_string_append_printf(text, ", %u delivered, %u lost", one->delivered, one->lost);
    }
    append_number(text, one->again, "sent again");
    append_number(text, one->early, "before the node was spawned there (ignored)");
    append_number(text, one->gone, "after it was despawned there (ignored)");
    append_number(text, one->late, "late: older than one before (ignored)");
    append_number(text, one->held, "held by ENet up to the end: an earlier message is missing");
    if (one->unconfirmed) {
        g_string_append_printf(text, ", %u never acknowledged (the first in frame %u)", one->unconfirmed,
                               one->first_unconfirmed);
    }
    if (!last->frame) {
        g_string_append(text, "\n      never told\n");
        return;
    }
    g_string_append_printf(text, "\n      last %s: %s in frame %u at %.2f s, age at the end %.2f s",
                           all->arrivals_known ? "told" : "sent", last->text, last->frame, last->time,
                           all->end - last->time);
    if (one->longest_to && one->longest > 0) {
        g_string_append_printf(text, ", longest without a newer one %.2f s (frames %u to %u)", one->longest,
                               one->longest_from, one->longest_to);
    }
    g_string_append_c(text, '\n');
}

/* From which frame to which both write; false: one after the other. */
static bool write_at_once(const writer *a, const writer *b, uint32_t *from, uint32_t *to)
{
    *from = MAX(a->first.frame, b->first.frame);
    *to = MIN(a->last.frame, b->last.frame);
    return *from <= *to;
}

static void write_overlap(const writer *a, const writer *b, GString *text)
{
    uint32_t from, to;
    if (write_at_once(a, b, &from, &to)) {
        g_string_append_printf(text,
                               "    both %d and %d write from frame %u to %u: each receiver takes only what "
                               "comes from the one that is the authority there, which is not on the wire\n",
                               a->peer, b->peer, from, to);
    }
}

static void write_writers(const property *of, GString *text)
{
    for (unsigned i = 0; i < of->writer_count; i++) {
        const writer *one = &of->writers[i];
        g_string_append(text, i ? " and " : ", written by ");
        append_peer(text, one->peer);
        g_string_append_printf(text, " (frames %u to %u)", one->first.frame, one->last.frame);
    }
    g_string_append(text, of->writer_count > 1 ? ": more than one writer\n" : "\n");
    for (unsigned i = 0; i < of->writer_count; i++) {
        for (unsigned k = i + 1; k < of->writer_count; k++) {
            write_overlap(&of->writers[i], &of->writers[k], text);
        }
    }
}

static void write_property(const replication *all, const property *of, GString *text)
{
    g_string_append_printf(text, "\n  %s %s", of->node, of->name);
    write_writers(of, text);
    for (unsigned i = 0; i < of->flows->len; i++) {
        write_flow(all, (const flow *)of->flows->pdata[i], text);
    }
    if (of->parted) {
        g_string_append(text, "    first difference: ");
        append_peer(text, of->missed_by->to);
        g_string_append_printf(text, " did not get %s (net frame %d, lost after frame %u), ", of->missed.text,
                               of->missed.net_frame, of->missed.frame);
        append_peer(text, of->had_by->to);
        g_string_append_printf(text, " did (net frame %d, in frame %u)\n", of->had.net_frame, of->had.frame);
    }
}

/* --- what stands out ------------------------------------------------------------------------------------ */

/* Of all properties: the one whose receivers differ first, the first with two writers at once; the flow with the longest time
 * without a newer value, of those that are told all the time; updates that were not acknowledged, and where they begin. */
typedef struct {
    const property *parted, *contested;
    const flow *longest, *unconfirmed;
    unsigned parted_count, contested_count, unconfirmed_count;
} highlights;

static bool is_contested(const property *of)
{
    uint32_t from, to;
    for (unsigned i = 0; i < of->writer_count; i++) {
        for (unsigned k = i + 1; k < of->writer_count; k++) {
            if (write_at_once(&of->writers[i], &of->writers[k], &from, &to)) {
                return true;
            }
        }
    }
    return false;
}

static void highlight_flow(highlights *found, const flow *one)
{
    if (one->last_sent.net_frame >= 0 && (!found->longest || one->longest > found->longest->longest)) {
        found->longest = one;
    }
    found->unconfirmed_count += one->unconfirmed;
    if (one->unconfirmed &&
        (!found->unconfirmed || one->first_unconfirmed < found->unconfirmed->first_unconfirmed)) {
        found->unconfirmed = one;
    }
}

static highlights find_highlights(const replication *all)
{
    highlights found = {0};
    for (unsigned i = 0; i < all->properties->len; i++) {
        const property *of = (const property *)all->properties->pdata[i];
        if (of->parted) {
            found.parted_count++;
            bool earlier = !found.parted || of->missed.frame < found.parted->missed.frame;
            found.parted = earlier ? of : found.parted;
        }
        if (is_contested(of)) {
            found.contested = found.contested_count++ ? found.contested : of;
        }
        for (unsigned k = 0; k < of->flows->len; k++) {
            highlight_flow(&found, (const flow *)of->flows->pdata[k]);
        }
    }
    return found;
}

static void append_flow_name(const flow *one, GString *text)
{
    g_string_append_printf(text, "%s %s from ", one->of->node, one->of->name);
    append_peer(text, one->from);
    g_string_append(text, " to ");
    append_peer(text, one->to);
}

static void write_highlights(const replication *all, GString *text)
{
    highlights found = find_highlights(all);
    const flow *longest = found.longest, *unconfirmed = found.unconfirmed;
    g_string_append(text, all->properties->len ? "\n" : "");
    if (found.parted) {
        g_string_append_printf(
            text,
            "  First difference: %s %s, frame %u; in all %u properties of which a peer missed "
            "what another got\n",
            found.parted->node, found.parted->name, found.parted->missed.frame, found.parted_count);
    }
    if (found.contested) {
        g_string_append_printf(text, "  Two writers at once: %s %s; in all %u properties\n",
                               found.contested->node, found.contested->name, found.contested_count);
    }
    if (longest && longest->longest > 0) {
        g_string_append(text, "  Longest without a newer value, of what is synchronized all the time: ");
        append_flow_name(longest, text);
        g_string_append_printf(text, ", %.2f s (frames %u to %u)\n", longest->longest, longest->longest_from,
                               longest->longest_to);
    }
    if (unconfirmed) {
        g_string_append_printf(text, "  Never acknowledged: %u reliable updates, the first in frame %u: ",
                               found.unconfirmed_count, unconfirmed->first_unconfirmed);
        append_flow_name(unconfirmed, text);
        g_string_append_c(text, '\n');
    }
}

/* Wireshark has it written several times while it reads. */
static void deliver_the_rest(replication *all)
{
    deliver_until(all, stat_is_tshark() ? UINT32_MAX : all->last_frame + 1);
}

static void write_report(void *state, GString *text)
{
    replication *all = (replication *)state;
    deliver_the_rest(all);
    g_string_append(text, "\n===================================================================\n"
                          "Godot Replication: what each peer was told\n"
                          "What it did with that, and what it predicted, is not on the wire.\n");
    if (!all->properties->len) {
        g_string_append(text, "\n  No property is spawned, synchronized or set.\n");
    } else if (!all->arrivals_known) {
        g_string_append(text, all->one_pass
                                  ? "\n  One pass: with -2 it is known what was never acknowledged, and "
                                    "what arrived, if both ends were captured.\n"
                                  : "\n  One capture point: of unreliable updates it is not known which "
                                    "arrived.\n");
    }
    write_highlights(all, text);
    for (unsigned i = 0; i < all->properties->len; i++) {
        write_property(all, (const property *)all->properties->pdata[i], text);
    }
    if (all->left_out) {
        g_string_append_printf(text, "\n  %u values of further properties and receivers are left out\n",
                               all->left_out);
    }
    g_string_append(text, "===================================================================\n");
}

void godot_replication_register(void)
{
    static const report_source sources[] = {{"godot_message", count_message}};
    static const report replication_report = {.title = "Godot Replication",
                                              .option = "godot,replication",
                                              .sources = sources,
                                              .source_count = array_length(sources),
                                              .begin = begin,
                                              .write = write_report,
                                              .end = end};
    report_register(&replication_report);
}
