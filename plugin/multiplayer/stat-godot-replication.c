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
#include "common/utf8.h"

#include "multiplayer/stat-godot.h"

/* What one peer tells another about a property, and properties: each at most so many. */
#define MAX_FLOWS 4000u
/* The same value sent to two receivers within that time is the same update. */
#define SAME_UPDATE_SECONDS 0.1
enum { VALUE_SIZE = 80 };

typedef struct {
    uint32_t frame; /* 0: none */
    double time;    /* seconds since the capture began */
    char text[VALUE_SIZE];
} update;

typedef struct property property;

/* From a peer to another. */
typedef struct {
    const property *of;
    int32_t from, to; /* 0: not known */
    uint32_t session;
    uint32_t sent, arrived, lost, late; /* `late`: older than one that was there */
    uint32_t early;                     /* arrived before the node was spawned there, if it ever was */
    uint32_t unconfirmed,
        first_unconfirmed; /* reliable, not acknowledged up to the end; frame of the first */
    bool reliable;
    update last_sent, last_arrived;
    double
        longest; /* time without one that arrived; without one that was sent if nothing says what arrived */
    int32_t newest; /* network frame that the receiver has, -1: none */
} flow;

struct property {
    char *node, *name;
    GPtrArray *flows;
    /* The first update that a receiver did not get and another one did. */
    const flow *missed_by, *had_by;
    update missed, had;
    /* One that was lost and may still turn out to have arrived elsewhere. */
    const flow *lost_for;
    update lost;
};

typedef struct {
    GPtrArray *properties;
    GHashTable *property_of, *flow_of; /* by texts that are theirs */
    GHashTable *spawned;               /* texts: session and node, of which a spawn has arrived */
    uint32_t flow_count, left_out;     /* values beyond MAX_FLOWS */
    bool arrivals_known;               /* of unreliable ones: there are two capture points */
    double end;
} replication;

/* --- begin and end ----------------------------------------------------------------------------------- */

static void free_property(void *data)
{
    property *one = (property *)data;
    g_ptr_array_free(one->flows, TRUE);
    g_free(one->node);
    g_free(one->name);
    g_free(one);
}

static void *begin(void)
{
    replication *all = g_new0(replication, 1);
    all->properties = g_ptr_array_new_with_free_func(free_property);
    all->property_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    all->flow_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    all->spawned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return all;
}

static void end(void *state)
{
    replication *all = (replication *)state;
    g_hash_table_destroy(all->property_of);
    g_hash_table_destroy(all->flow_of);
    g_hash_table_destroy(all->spawned);
    g_ptr_array_free(all->properties, TRUE);
    g_free(all);
}

/* --- counting ---------------------------------------------------------------------------------------- */

static property *property_at(replication *all, const godot_tap_variant *value)
{
    const char *node = value->node ? value->node : "(node not known)";
    /* A length before it: no two texts can be read as two others. */
    char *key = g_strdup_printf("%zu:%s%s", strlen(node), node, value->property);
    property *one = (property *)g_hash_table_lookup(all->property_of, key);
    if (one) {
        g_free(key);
        return one;
    }
    one = g_new0(property, 1);
    one->node = g_strdup(node);
    one->name = g_strdup(value->property);
    one->flows = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(all->properties, one);
    g_hash_table_insert(all->property_of, key, one);
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

static bool is_spawned(const replication *all, const flow *one)
{
    char *key = g_strdup_printf("%u %s", one->session, one->of->node);
    bool found = g_hash_table_contains(all->spawned, key);
    g_free(key);
    return found;
}

static bool same_update(const update *a, const update *b)
{
    double apart = a->time - b->time;
    return a->frame && b->frame && apart < SAME_UPDATE_SECONDS && apart > -SAME_UPDATE_SECONDS &&
           strcmp(a->text, b->text) == 0;
}

static void found_difference(property *of, const flow *missed_by, const update *missed, const flow *had_by,
                             const update *had)
{
    if (!of->missed_by) {
        of->missed_by = missed_by;
        of->missed = *missed;
        of->had_by = had_by;
        of->had = *had;
    }
}

/* Whether another receiver has had it already. */
static void look_for_receivers(property *of, const flow *missed_by, const update *lost)
{
    for (unsigned i = 0; i < of->flows->len; i++) {
        const flow *other = (const flow *)of->flows->pdata[i];
        if (other->to != missed_by->to && same_update(&other->last_arrived, lost)) {
            found_difference(of, missed_by, lost, other, &other->last_arrived);
        }
    }
    of->lost_for = missed_by;
    of->lost = *lost;
}

static void count_arrival(replication *all, flow *one, const update *now, bool spawn)
{
    property *of = (property *)one->of;
    if (spawn && !is_spawned(all, one)) {
        g_hash_table_add(all->spawned, g_strdup_printf("%u %s", one->session, of->node));
    }
    one->early += !is_spawned(all, one);
    one->arrived++;
    if (one->last_arrived.frame) {
        one->longest = MAX(one->longest, now->time - one->last_arrived.time);
    }
    one->last_arrived = *now;
    if (of->lost_for && of->lost_for->to != one->to && same_update(&of->lost, now)) {
        found_difference(of, of->lost_for, &of->lost, one, now);
    }
}

/* In the order in which the receiver gets them, as far as the capture shows it: the engine ignores older ones. */
static void count_late(flow *one, const godot_tap *tap)
{
    if (tap->net_frame < 0) {
        return;
    }
    if (one->newest >= 0 && (int16_t)(uint16_t)(tap->net_frame - one->newest) < 0) {
        one->late++;
    } else {
        one->newest = tap->net_frame;
    }
}

static void count_value(replication *all, const packet_info *pinfo, const godot_tap *tap,
                        const godot_tap_variant *value)
{
    flow *one = flow_at(all, tap, value);
    update now = {.frame = pinfo->num, .time = nstime_to_sec(&pinfo->rel_ts)};
    if (!one) {
        all->left_out++;
        return;
    }
    property *of = (property *)one->of;
    variant_text(value->bytes, value->length, value->options, now.text, sizeof now.text, NULL);
    utf8_one_line(now.text);
    if (tap->second_point && !tap->arrived_again) {
        count_arrival(all, one, &now, tap->spawned != NULL);
        count_late(one, tap);
    }
    if (tap->repeated) {
        return;
    }
    one->sent++;
    if (!all->arrivals_known && one->last_sent.frame) {
        one->longest = MAX(one->longest, now.time - one->last_sent.time);
    }
    one->last_sent = now;
    one->reliable |= tap->transfer_mode == GODOT_TRANSFER_RELIABLE;
    if (tap->lost && tap->transfer_mode != GODOT_TRANSFER_RELIABLE) {
        one->lost++;
        look_for_receivers(of, one, &now);
    }
    if (tap->transfer_mode == GODOT_TRANSFER_RELIABLE && !tap->arrived) {
        one->first_unconfirmed = one->unconfirmed++ ? one->first_unconfirmed : now.frame;
    }
}

static tap_packet_status count_message(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                       const void *data, tap_flags_t flags _U_)
{
    replication *all = (replication *)state;
    const godot_tap *tap = (const godot_tap *)data;
    all->end = MAX(all->end, nstime_to_sec(&pinfo->rel_ts));
    all->arrivals_known |= tap->second_point;
    for (unsigned i = 0; tap->values && i < wmem_array_get_count(tap->values); i++) {
        count_value(all, pinfo, tap, (const godot_tap_variant *)wmem_array_index(tap->values, i));
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

static void write_flow(const replication *all, const flow *one, GString *text)
{
    bool known = one->arrived > 0;
    const update *last = known ? &one->last_arrived : &one->last_sent;
    g_string_append(text, "    to ");
    append_peer(text, one->to);
    g_string_append_printf(text, ": %u sent", one->sent);
    if (known || one->lost) {
        g_string_append_printf(text, ", %u arrived, %u lost", one->arrived, one->lost);
    }
    if (one->early && is_spawned(all, one)) {
        g_string_append_printf(text, ", %u before the node was spawned there, ignored", one->early);
    }
    if (one->late) {
        g_string_append_printf(text, ", %u late: older than one before, ignored", one->late);
    }
    g_string_append_printf(
        text, "; last %s in frame %u at %.2f s, %.2f s before the end; longest without one %.2f s\n",
        last->text, last->frame, last->time, all->end - last->time, one->longest);
    if (one->unconfirmed) {
        g_string_append_printf(text, "      %u not acknowledged in this capture, the first in frame %u\n",
                               one->unconfirmed, one->first_unconfirmed);
    }
}

/* Peers that write the property. */
static unsigned append_writers(const property *of, GString *text)
{
    unsigned writers = 0;
    for (unsigned i = 0; i < of->flows->len; i++) {
        const flow *one = (const flow *)of->flows->pdata[i];
        bool known = false;
        for (unsigned before = 0; before < i; before++) {
            known |= ((const flow *)of->flows->pdata[before])->from == one->from;
        }
        if (!known) {
            g_string_append(text, writers++ ? " and " : ", written by ");
            append_peer(text, one->from);
        }
    }
    return writers;
}

static void write_property(const replication *all, const property *of, GString *text)
{
    g_string_append_printf(text, "\n  %s %s", of->node, of->name);
    bool several = append_writers(of, text) > 1;
    g_string_append_printf(text, "%s\n", several ? " (more than one writer)" : "");
    for (unsigned i = 0; i < of->flows->len; i++) {
        write_flow(all, (const flow *)of->flows->pdata[i], text);
    }
    if (of->missed_by) {
        g_string_append(text, "    first difference: ");
        append_peer(text, of->missed_by->to);
        g_string_append_printf(text, " did not get %s (frame %u), ", of->missed.text, of->missed.frame);
        append_peer(text, of->had_by->to);
        g_string_append_printf(text, " did (frame %u)\n", of->had.frame);
    }
}

static void write_report(void *state, GString *text)
{
    const replication *all = (const replication *)state;
    g_string_append(text, "\n===================================================================\n"
                          "Godot Replication: what each peer was told\n");
    if (!all->properties->len) {
        g_string_append(text, "\n  No property is spawned, synchronized or set.\n");
    } else if (!all->arrivals_known) {
        g_string_append(text,
                        "\n  One capture point: of unreliable updates it is not known which arrived.\n");
    }
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
