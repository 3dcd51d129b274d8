/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/replication/groups.h"

#include "multiplayer/peers/names.h"

#include <wsutil/str_util.h>

#include "multiplayer/statistics/values/filters.h"
#include "statistics/option.h"

/* --- words --------------------------------------------------------------------------------------- */

static void append_number(GString *text, uint32_t number, const char *what)
{
    if (number) {
        g_string_append_printf(text, ", %u %s", number, what);
    }
}

static void append_property_name(const property *of, GString *text)
{
    godot_peer_append_path(text, of->node);
    g_string_append_printf(text, " %s", of->name);
}

/* The updates that come closest to those that the receiver got: delivered, passed on or sent. */
static const update_track *nearest_track(const flow *one)
{
    return one->arrivals_known            ? &one->of_delivered
           : one->of_passed_on.last.frame ? &one->of_passed_on
                                          : &one->of_sent;
}

static void write_counts(const flow *one, GString *text)
{
    if (one->sent || !one->passed_on) {
        g_string_append_printf(text, ": %u %s", one->sent, one->arrivals_known ? "sent" : "captured");
    } else {
        g_string_append_printf(text, ": %u passed on by the server", one->passed_on);
    }
    if (one->arrivals_known) {
        g_string_append_printf(text, ", %u delivered, %u lost", one->delivered, one->lost);
    }
    append_number(text, one->sent ? one->passed_on : 0, "passed on by the server");
    append_number(text, one->again, "sent again");
    append_number(text, one->early, "before the node was spawned there (ignored)");
    append_number(text, one->gone, "after it was despawned there (ignored)");
    append_number(text, one->late, "late: older than one before (ignored)");
    append_number(text, one->held, "held by ENet up to the end: an earlier message is missing");
    if (one->unconfirmed) {
        g_string_append_printf(text, ", %u never acknowledged (the first in frame %u)", one->unconfirmed,
                               one->first_unconfirmed);
    }
}

static void write_flow(const replication *all, const flow *one, GString *text)
{
    const update_track *track = nearest_track(one);
    const update *last = &track->last;
    if (one->of->writer_count > 1) {
        g_string_append(text, "    from ");
        godot_peer_append(text, one->from);
        g_string_append(text, " to ");
    } else {
        g_string_append(text, "    to ");
    }
    godot_peer_append(text, one->to);
    write_counts(one, text);
    if (!last->frame) {
        g_string_append(text, "\n      never delivered\n");
        return;
    }
    double gone = nodes_despawned(one->to, one->of);
    g_string_append_printf(text, "\n      last %s: %s in frame %u at %.2f s, ",
                           track == &one->of_delivered ? "delivered"
                           : track == &one->of_sent    ? "sent"
                                                       : "passed on",
                           last->text, last->frame, last->time);
    if (gone >= last->time) {
        g_string_append_printf(text, "despawned there at %.2f s", gone);
    } else {
        g_string_append_printf(text, "age at the end %.2f s", all->end - last->time);
    }
    if (track->longest_to && track->longest > 0) {
        g_string_append_printf(text, ", longest without a newer one %.2f s (frames %u to %u)", track->longest,
                               track->longest_from, track->longest_to);
    }
    g_string_append_c(text, '\n');
}

static void write_overlap(const property *of, unsigned first, unsigned second, GString *text)
{
    const writer *a = &of->writers[first], *b = &of->writers[second];
    uint32_t from = a->at_once[second].from, to = a->at_once[second].to;
    if (from) {
        g_string_append(text, "    both ");
        godot_peer_append(text, a->peer);
        g_string_append(text, " and ");
        godot_peer_append(text, b->peer);
        g_string_append_printf(text,
                               " write from frame %u to %u: each receiver takes only what "
                               "comes from the one that is the authority there, which is not on the wire\n",
                               from, to);
    }
}

static void write_writers(const property *of, GString *text)
{
    unsigned known = 0;
    for (unsigned i = 0; i < of->writer_count; i++) {
        const writer *one = &of->writers[i];
        known += one->peer != 0;
        g_string_append(text, i ? " and " : ", written by ");
        godot_peer_append(text, one->peer);
        g_string_append_printf(text, " (frames %u to %u)", one->first.frame, one->last.frame);
    }
    g_string_append(text, of->several ? ": can be several nodes\n"
                          : known > 1 ? ": more than one writer\n"
                                      : "\n");
    for (unsigned i = 0; !of->several && i < of->writer_count; i++) {
        for (unsigned k = i + 1; k < of->writer_count; k++) {
            write_overlap(of, i, k, text);
        }
    }
}

static void write_property(const replication *all, const property *of, GString *text)
{
    g_string_append(text, "\n  ");
    append_property_name(of, text);
    write_writers(of, text);
    for (unsigned i = 0; i < of->flows->len; i++) {
        write_flow(all, (const flow *)of->flows->pdata[i], text);
    }
    if (of->diverged) {
        const shared_update *first = &of->first_difference;
        g_string_append(text, "    first difference: ");
        godot_peer_append(text, first->missed_by->to);
        g_string_append_printf(text, " did not get %s (net frame %d, lost after frame %u), ", first->text,
                               first->missed_net_frame, first->missed_frame);
        godot_peer_append(text, first->had_by->to);
        g_string_append_printf(text, " did (net frame %d, in frame %u)\n", first->had_net_frame,
                               first->had_frame);
    }
}

/* --- highlights ---------------------------------------------------------------------------------- */

/* Of all properties: the one whose receivers differ first, the first with two writers at once; the flow with
 * the longest time without a newer value, of properties that are sent all the time; updates that were not
 * acknowledged, and where they begin. */
typedef struct {
    const property *diverged, *contested;
    const flow *longest, *unconfirmed;
    unsigned diverged_count, contested_count, unconfirmed_count;
} highlights;

static bool is_contested(const property *of)
{
    for (unsigned i = 0; !of->several && i < of->writer_count; i++) {
        for (unsigned k = i + 1; k < of->writer_count; k++) {
            if (of->writers[i].at_once[k].from) {
                return true;
            }
        }
    }
    return false;
}

static void highlight_flow(highlights *found, const flow *one)
{
    const update_track *track = nearest_track(one);
    const update_track *sent = one->sent ? &one->of_sent : &one->of_passed_on;
    if (sent->last.net_frame >= 0 &&
        (!found->longest || track->longest > nearest_track(found->longest)->longest)) {
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
        const property *of = all->properties->pdata[i];
        if (of->diverged) {
            found.diverged_count++;
            bool earlier = !found.diverged ||
                           of->first_difference.missed_frame < found.diverged->first_difference.missed_frame;
            found.diverged = earlier ? of : found.diverged;
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
    append_property_name(one->of, text);
    g_string_append(text, " from ");
    godot_peer_append(text, one->from);
    g_string_append(text, " to ");
    godot_peer_append(text, one->to);
}

static void write_highlights(const replication *all, GString *text)
{
    highlights found = find_highlights(all);
    const flow *unconfirmed = found.unconfirmed;
    const update_track *longest = found.longest ? nearest_track(found.longest) : NULL;
    g_string_append(text, all->properties->len ? "\n" : "");
    if (found.diverged) {
        g_string_append(text, "  First difference: ");
        append_property_name(found.diverged, text);
        g_string_append_printf(text,
                               ", frame %u; in all %u %s of which a peer missed "
                               "what another got\n",
                               found.diverged->first_difference.missed_frame, found.diverged_count,
                               plurality(found.diverged_count, "property", "properties"));
    }
    if (found.contested) {
        g_string_append(text, "  Two writers at once: ");
        append_property_name(found.contested, text);
        g_string_append_printf(text, "; in all %u %s\n", found.contested_count,
                               plurality(found.contested_count, "property", "properties"));
    }
    if (longest && longest->longest > 0) {
        g_string_append(text, "  Longest without a newer value, of what is synchronized all the time: ");
        append_flow_name(found.longest, text);
        g_string_append_printf(text, ", %.2f s (frames %u to %u)\n", longest->longest, longest->longest_from,
                               longest->longest_to);
    }
    if (unconfirmed) {
        g_string_append_printf(
            text, "  Never acknowledged: %u reliable %s, the first in frame %u: ", found.unconfirmed_count,
            plurality(found.unconfirmed_count, "update", "updates"), unconfirmed->first_unconfirmed);
        append_flow_name(unconfirmed, text);
        g_string_append_c(text, '\n');
    }
}

/* --- rows ---------------------------------------------------------------------------------------- */

static uint32_t trouble_of(const flow *one)
{
    return one->lost + one->early + one->gone + one->late + one->unconfirmed;
}

/* The most trouble first, then the longest time without a newer value. */
static int by_trouble(gconstpointer a, gconstpointer b)
{
    const flow *first = *(const flow *const *)a, *second = *(const flow *const *)b;
    uint32_t one = trouble_of(first), other = trouble_of(second);
    if (one != other) {
        return one > other ? -1 : 1;
    }
    double difference = nearest_track(second)->longest - nearest_track(first)->longest;
    return difference < 0 ? -1 : difference > 0;
}

static GPtrArray *flows_by_trouble(const replication *all)
{
    GPtrArray *flows = g_ptr_array_new();
    for (unsigned i = 0; i < all->properties->len; i++) {
        const property *of = all->properties->pdata[i];
        for (unsigned k = 0; k < of->flows->len; k++) {
            g_ptr_array_add(flows, of->flows->pdata[k]);
        }
    }
    g_ptr_array_sort(flows, by_trouble);
    return flows;
}

/* A row for each property of each kind of node. */
static void write_rows(const GPtrArray *groups, GString *text)
{
    g_string_append(
        text, groups->len ? "\n  Updates of all nodes of a scene; the worst node and receiver\n"
                            "  Updates   Lost  Ignored  No ack  Longest s  Pairs  Property, scene; worst\n"
                          : "");
    for (unsigned i = 0; i < groups->len; i++) {
        const flow_group *group = groups->pdata[i];
        g_string_append_printf(text, "  %7u ", group->sent);
        g_string_append_printf(text, group->arrivals_known ? "%6u" : "     ?", group->lost);
        g_string_append_printf(text, " %8u %7u %10.2f  ", group->ignored, group->unconfirmed,
                               nearest_track(group->worst)->longest);
        replication_append_row_end(text, group, group->worst->of->name);
    }
}

/* In a window, only properties that lead a row. */
static void write_properties(const replication *all, GString *text)
{
    GPtrArray *flows = flows_by_trouble(all);
    wmem_allocator_t *pool = wmem_allocator_new(WMEM_ALLOCATOR_SIMPLE);
    const GPtrArray *groups = replication_groups(pool, flows, true);
    GHashTable *leading = g_hash_table_new(NULL, NULL);
    write_rows(groups, text);
    for (unsigned i = 0; i < groups->len; i++) {
        g_hash_table_add(leading, ((const flow_group *)groups->pdata[i])->worst->of);
    }
    for (unsigned i = 0; i < all->properties->len; i++) {
        const property *of = all->properties->pdata[i];
        if (stat_is_tshark() || g_hash_table_contains(leading, of)) {
            write_property(all, of, text);
        }
    }
    g_hash_table_destroy(leading);
    wmem_destroy_allocator(pool);
    g_ptr_array_free(flows, TRUE);
}

const char *replication_filter(void *state, unsigned number)
{
    replication *all = state;
    GPtrArray *flows = flows_by_trouble(all);
    const GPtrArray *groups = replication_groups(all->pool, flows, true);
    g_ptr_array_free(flows, TRUE);
    if (number >= groups->len) {
        return NULL;
    }
    const property *of = ((const flow_group *)groups->pdata[number])->worst->of;
    const char *where = replication_filter_of_node(all->pool, of);
    const char *field = of->is_set ? "godot.rset.property" : "godot.sync.property";
    /* "Property 0" is not a name in the game. */
    const char *name = strchr(of->name, ' ') ? "" : godot_filter_text(all->pool, field, of->name);
    return *where || *name ? godot_filter_both(all->pool, where, name) : "godot.sync.entry";
}

/* --- all of it ----------------------------------------------------------------------------------- */

static unsigned count_flows(const replication *all, bool arrivals_known)
{
    unsigned count = 0;
    for (unsigned i = 0; i < all->properties->len; i++) {
        const property *of = all->properties->pdata[i];
        for (unsigned k = 0; k < of->flows->len; k++) {
            count += ((const flow *)of->flows->pdata[k])->arrivals_known == arrivals_known;
        }
    }
    return count;
}

static void write_what_is_not_known(const replication *all, GString *text)
{
    if (!count_flows(all, false)) {
        return;
    }
    if (all->one_pass) {
        g_string_append(text, "\n  One pass: with -2 missing acknowledgements are listed and, if both ends "
                              "were captured or recorded, what arrived.\n");
        return;
    }
    const char *where = count_flows(all, true) ? "Captured at one end"
                        : all->recorded        ? "Recorded in the game"
                                               : "One capture point";
    g_string_append_printf(text, "\n  %s: of unreliable updates it is not known which arrived.\n", where);
}

void replication_write(const replication *all, GString *text)
{
    g_string_append(text, "\n===================================================================\n"
                          "Godot Replication: updates of properties, by receiver\n"
                          "What a receiver did with them, and what it predicted, is not on the wire.\n");
    if (!all->properties->len) {
        g_string_append(text, "\n  No property is spawned, synchronized or set.\n");
    }
    write_what_is_not_known(all, text);
    write_highlights(all, text);
    intervals_write(all, text);
    write_properties(all, text);
    if (all->left_out) {
        g_string_append_printf(text, "\n  %u %s of further properties and receivers are left out\n",
                               all->left_out, plurality(all->left_out, "value", "values"));
    }
    g_string_append(text, "===================================================================\n");
}
