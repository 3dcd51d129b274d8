/* intervals.c
 *
 * Intervals between the states of a synchronizer (properties in replication mode Always), as sent and as
 * delivered, and the cause of the longest one; see replication.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/peers/names.h"
#include "multiplayer/statistics/replication/groups.h"

#include <stdlib.h>

#include <wsutil/str_util.h>

#include "multiplayer/statistics/values/filters.h"
#include "statistics/option.h"
#include "statistics/report.h"

/* Intervals that are kept, of all synchronizers and receivers: 8 MiB. Of later ones only the longest is. */
#define MAX_INTERVALS 2000000u
enum {
    NEXT_INTERVALS = 4,  /* within which a sender that was only delayed has made up for it */
    RECENT_STATES = 64,  /* kept of a flow: two seconds of a game at 30 a second */
    MOST_OVERTAKEN = 600 /* network frames; a sender that goes back by more has started again */
};
/* Intervals longer than LONG_INTERVAL medians are explained; a cause has to make up MOST_OF of the
 * interval. */
#define LONG_INTERVAL 1.5
#define MOST_OF       0.5
#define MOST_CHANCE   3 /* network frames: by so many a sender seems behind that is not */

typedef struct {
    double time;
    uint32_t frame;
    int32_t net_frame;
    uint32_t session;
    godot_moment at;
    bool lost, received;
} sent_state;

/* From a state to the next one. */
typedef struct {
    double seconds;
    uint32_t from, to;   /* frames */
    uint32_t net_frames; /* of the sender */
    uint32_t between;    /* states that were sent in between; of these: */
    uint32_t lost, overtaken;
    bool whole;            /* the capture has all that the sender has sent meanwhile */
    bool overtakes;        /* it ends with a state that has overtaken another one */
    double before_seconds; /* of the interval before it; 0: there is none */
    uint32_t before_net_frames;
    uint32_t next; /* intervals after it, up to NEXT_INTERVALS, of so many seconds and network frames: */
    double next_seconds;
    uint32_t next_net_frames;
    double longest_gap; /* the longest time without a state being sent, seconds */
    double delay;       /* transit time of the second state minus that of the first, seconds */
} interval;

/* A series of states. */
typedef struct {
    sent_state last;
    uint32_t count;
    double seconds; /* sum of all intervals */
    uint64_t net_frames;
    GArray *kept;          /* of float: seconds */
    double latest_seconds; /* of the latest interval; 0: it does not end with `last` */
    uint32_t latest_net_frames;
    interval longest;
    bool disturbed; /* the latest state was overtaken: the time until the next one is no interval */
} state_track;

struct intervals {
    state_track sent, delivered;
    bool passed_on; /* `sent` has the states that the server passes on: only these were captured */
    sent_state recent[RECENT_STATES];
    uint32_t recent_count; /* number of states so far */
};

/* --- counting ------------------------------------------------------------------------------------ */

static GArray *new_list(const replication *all)
{
    return report_keep(all->pool, g_array_new(FALSE, FALSE, sizeof(float)), (GDestroyNotify)g_array_unref);
}

static intervals *intervals_of(const replication *all, flow *one)
{
    if (!one->states) {
        one->states = wmem_new0(all->pool, intervals);
        one->states->sent.kept = new_list(all);
        one->states->delivered.kept = new_list(all);
    }
    return one->states;
}

/* Number `back` from the end, 0: the latest; NULL: not kept. */
static sent_state *recent_state(intervals *of, uint32_t back)
{
    bool there = back < of->recent_count && back < RECENT_STATES;
    return there ? &of->recent[(of->recent_count - 1 - back) % RECENT_STATES] : NULL;
}

static sent_state *recent_with(intervals *of, int32_t net_frame, uint32_t *back)
{
    sent_state *one;
    for (*back = 0; (one = recent_state(of, *back)) && one->net_frame != net_frame; ++*back) {
    }
    return one;
}

/* Whether an interval ends with this state: not if it is a copy of the previous one, if one of the two was
 * overtaken, or if the sender has started again. */
static bool ends_interval(state_track *track, const update *now)
{
    const int16_t step = (int16_t)(uint16_t)(now->net_frame - track->last.net_frame);
    if (track->count && step == 0) {
        return false;
    }
    bool first = track->count++ == 0, late = !first && step < 0 && step >= -MOST_OVERTAKEN;
    bool ends = !first && step > 0 && !track->disturbed;
    track->disturbed = late;
    track->longest.overtakes |= late && track->longest.to == track->last.frame;
    if (!late) {
        track->last = (sent_state){.time = now->time,
                                   .frame = now->frame,
                                   .net_frame = now->net_frame,
                                   .session = now->session,
                                   .at = now->at};
    }
    return ends;
}

/* Counts the interval since the previous state. Returns whether it is the longest so far. `own`: the states
 * are captured as their writer sends them. */
static bool note_state(replication *all, state_track *track, const update *now, bool own)
{
    const sent_state before = track->last;
    const double before_seconds = track->latest_seconds;
    const uint32_t before_net_frames = track->latest_net_frames;
    track->latest_seconds = track->latest_net_frames = 0;
    if (!ends_interval(track, now)) {
        return false;
    }
    double seconds = MAX(0, now->time - before.time); /* merged files may go back in time */
    uint32_t net_frames = (uint16_t)(now->net_frame - before.net_frame);
    track->seconds += seconds;
    track->net_frames += net_frames;
    track->latest_seconds = seconds;
    track->latest_net_frames = net_frames;
    if (all->interval_count < MAX_INTERVALS) {
        float kept = (float)seconds;
        g_array_append_val(track->kept, kept);
        all->interval_count++;
    }
    if (track->longest.to && track->longest.next < NEXT_INTERVALS) {
        track->longest.next++;
        track->longest.next_seconds += seconds;
        track->longest.next_net_frames += net_frames;
    }
    if (seconds <= track->longest.seconds) {
        return false;
    }
    bool whole = own && before.session == now->session &&
                 godot_session_has_all(now->session, now->from_initiator, before.at, now->at);
    track->longest = (interval){.seconds = seconds,
                                .from = before.frame,
                                .to = now->frame,
                                .net_frames = net_frames,
                                .whole = whole,
                                .before_seconds = before_seconds,
                                .before_net_frames = before_net_frames};
    return true;
}

/* Forgets the states of a track. */
static void clear(replication *all, state_track *track)
{
    all->interval_count -= track->kept->len;
    g_array_set_size(track->kept, 0);
    *track = (state_track){.kept = track->kept};
}

void intervals_sent(replication *all, flow *one, const update *now, state_fate fate)
{
    intervals *of = intervals_of(all, one);
    uint32_t back;
    sent_state *known = fate.passed_on ? recent_with(of, now->net_frame, &back) : NULL;
    if (!known && fate.passed_on && of->sent.count && !of->passed_on) {
        return; /* its writer sent it, too, and that was not captured */
    }
    if (!fate.passed_on && of->passed_on) {
        clear(all, &of->sent); /* the writer's own ones count */
        of->passed_on = false;
    }
    if (!known) {
        of->passed_on |= fate.passed_on;
        (void)note_state(all, &of->sent, now, !fate.passed_on);
        known = &of->recent[of->recent_count++ % RECENT_STATES];
        *known = (sent_state){.time = now->time, .frame = now->frame, .net_frame = now->net_frame};
    }
    known->lost |= fate.lost;
    known->received = fate.received;
}

/* Counts the states that were sent during the longest interval. */
static void explain(intervals *of, int32_t from, int32_t to)
{
    interval *longest = &of->delivered.longest;
    uint32_t back;
    const sent_state *later = recent_with(of, to, &back), *earlier;
    double sent = later ? later->time : 0;
    while (later && later->net_frame != from && (earlier = recent_state(of, ++back))) {
        longest->longest_gap = MAX(longest->longest_gap, later->time - earlier->time);
        bool between = earlier->net_frame != from;
        longest->between += between;
        longest->lost += between && earlier->lost;
        longest->overtaken += between && !earlier->lost && earlier->received;
        later = earlier;
    }
    longest->delay = later && later->net_frame == from ? longest->seconds - (sent - later->time) : 0;
}

void intervals_delivered(replication *all, flow *one, const update *now)
{
    if (one->states && now->net_frame >= 0) {
        int32_t before = one->states->delivered.last.net_frame;
        if (note_state(all, &one->states->delivered, now, false)) {
            explain(one->states, before, now->net_frame);
        }
    }
}

void intervals_forget_delivered(replication *all, flow *one)
{
    if (one->states) {
        clear(all, &one->states->delivered);
    }
}

/* --- words --------------------------------------------------------------------------------------- */

static int by_length(gconstpointer a, gconstpointer b)
{
    float first = *(const float *)a, second = *(const float *)b;
    return first < second ? -1 : first > second;
}

/* `share`: 0 to 1; 0.5 gives the median. */
static double quantile(const GArray *sorted, double share)
{
    unsigned index = (unsigned)(share * sorted->len);
    return sorted->len ? (double)g_array_index(sorted, float, MIN(index, sorted->len - 1)) : 0;
}

static const char *separator(const GString *text, size_t begin)
{
    return text->len > begin ? ", " : ": ";
}

static double median_of(const state_track *track, double *most)
{
    GArray *sorted = g_array_sized_new(FALSE, FALSE, sizeof(float), track->kept->len);
    g_array_append_vals(sorted, track->kept->data, track->kept->len);
    g_array_sort(sorted, by_length);
    double median = quantile(sorted, 0.5);
    *most = quantile(sorted, 0.95);
    g_array_free(sorted, TRUE);
    return median;
}

/* A sender counts network frames while it runs, also those in which it sends no state. After a pause it is
 * behind for good; after a delay on the way, the next states are there the sooner, and so is a state that was
 * captured before its time. The server may have held what it passes on. */
static void write_cause_of_sent(const flow *one, const state_track *track, GString *text)
{
    const interval *longest = &track->longest;
    double rate = track->seconds > 0 ? (double)track->net_frames / track->seconds : 0;
    double expected = rate * longest->seconds;
    double behind = rate * (longest->seconds + longest->next_seconds) -
                    (double)(longest->net_frames + longest->next_net_frames);
    double early = longest->before_net_frames - rate * longest->before_seconds;
    const char *fate = longest->whole        ? "not sent"
                       : one->arrivals_known ? "not sent or not captured"
                                             : "not sent, lost or not captured";
    double usual = (double)track->net_frames / (track->count - 1);
    bool few = longest->net_frames < MOST_OF * expected;
    if (!few && !longest->overtakes && longest->net_frames >= LONG_INTERVAL * usual) {
        g_string_append_printf(text,
                               ": the network frames of the sender went on by %u, states between were %s",
                               longest->net_frames, fate);
    } else if (few && longest->next && !one->states->passed_on &&
               behind - MAX(0, early) >= MAX(MOST_OF * expected, MOST_CHANCE)) {
        g_string_append_printf(text, ": the sender paused, its network frames went on by %u",
                               longest->net_frames);
    } else {
        g_string_append_printf(text,
                               ": the network frames of the sender went on by %u: it %s, or the state was "
                               "delayed or captured late",
                               longest->net_frames, few ? "paused" : "was slower");
    }
}

/* `median_sent`: interval at which states are sent, seconds. */
static void write_cause_of_delivered(const interval *longest, double median_sent, GString *text)
{
    size_t begin = text->len;
    if (longest->lost) {
        g_string_append_printf(text, "%s%u of %u state%s sent meanwhile lost", separator(text, begin),
                               longest->lost, longest->between, plurality(longest->between, "", "s"));
    }
    if (longest->overtaken) {
        g_string_append_printf(text, "%s%u of %u replaced by a newer one that came first",
                               separator(text, begin), longest->overtaken, longest->between);
    }
    if (longest->longest_gap >= LONG_INTERVAL * median_sent &&
        longest->longest_gap >= MOST_OF * longest->seconds) {
        g_string_append_printf(text, "%snone sent for %.1f ms", separator(text, begin),
                               1000 * longest->longest_gap);
    }
    if (longest->delay >= MOST_OF * longest->seconds) {
        g_string_append_printf(text, "%sdelivered late, after %.1f ms more than the one before",
                               separator(text, begin), 1000 * longest->delay);
    }
}

static void write_track(const flow *one, bool delivered, GString *text)
{
    const intervals *of = one->states;
    const state_track *track = delivered ? &of->delivered : &of->sent;
    const interval *longest = &track->longest;
    double most_sent, most, median_sent = median_of(&of->sent, &most_sent), median = median_of(track, &most);
    const char *sent = !one->arrivals_known ? "captured" : of->passed_on ? "passed on by the server" : "sent";
    g_string_append_printf(text, "      %s: ", delivered ? "delivered" : sent);
    if (track->count < 2) {
        g_string_append_printf(text, "%u state%s\n", track->count, track->count == 1 ? "" : "s");
        return;
    }
    g_string_append_printf(
        text, "%.1f a second, median %.1f ms, 95 %% up to %.1f ms, longest %.1f ms (frames %u to %u)",
        track->seconds > 0 ? (track->count - 1) / track->seconds : 0, 1000 * median, 1000 * most,
        1000 * longest->seconds, longest->from, longest->to);
    if (longest->seconds >= LONG_INTERVAL * median && delivered) {
        write_cause_of_delivered(longest, median_sent, text);
    } else if (longest->seconds >= LONG_INTERVAL * median) {
        write_cause_of_sent(one, track, text);
    }
    g_string_append_c(text, '\n');
}

static double longest_of(const flow *one)
{
    const intervals *of = one->states;
    return of->delivered.count ? of->delivered.longest.seconds : of->sent.longest.seconds;
}

static int by_longest(gconstpointer a, gconstpointer b)
{
    const flow *first = *(const flow *const *)a, *second = *(const flow *const *)b;
    double difference = longest_of(second) - longest_of(first);
    return difference < 0 ? -1 : difference > 0;
}

/* One row for each kind of node: of the node and receiver with the longest interval. */
static void write_rows(const GPtrArray *groups, GString *text)
{
    g_string_append(
        text, groups->len
                  ? "\n  How often states come; of each scene, the longest interval of all\n"
                    "  Longest ms   Median     95 %  A second  Pairs  Scene; the worst node and receiver\n"
                  : "");
    for (unsigned i = 0; i < groups->len; i++) {
        const flow_group *group = groups->pdata[i];
        const intervals *of = group->worst->states;
        const state_track *track = of->delivered.count ? &of->delivered : &of->sent;
        double most, median = median_of(track, &most);
        g_string_append_printf(text, "  %10.1f %8.1f %8.1f %9.1f  ", 1000 * track->longest.seconds,
                               1000 * median, 1000 * most,
                               track->seconds > 0 ? (track->count - 1) / track->seconds : 0);
        replication_append_row_end(text, group, "");
    }
}

static void write_intervals(const flow *one, GString *text)
{
    g_string_append(text, "    ");
    godot_peer_append_path(text, one->of->node);
    g_string_append(text, " from ");
    godot_peer_append(text, one->from);
    g_string_append(text, " to ");
    godot_peer_append(text, one->to);
    g_string_append_c(text, '\n');
    write_track(one, false, text);
    if (one->arrivals_known) {
        write_track(one, true, text);
    }
}

/* Those with states, the longest interval first. */
static GPtrArray *flows_with_states(const replication *all)
{
    GPtrArray *flows = g_ptr_array_new();
    for (unsigned i = 0; i < all->properties->len; i++) {
        const property *of = all->properties->pdata[i];
        for (unsigned k = 0; k < of->flows->len; k++) {
            flow *one = of->flows->pdata[k];
            if (one->states) {
                g_ptr_array_add(flows, one);
            }
        }
    }
    g_ptr_array_sort(flows, by_longest);
    return flows;
}

void intervals_write(const replication *all, GString *text)
{
    GPtrArray *flows = flows_with_states(all);
    wmem_allocator_t *pool = wmem_allocator_new(WMEM_ALLOCATOR_SIMPLE);
    const GPtrArray *groups = replication_groups(pool, flows, false);
    write_rows(groups, text);
    g_string_append(text, flows->len ? "\n  Why the longest took so long\n" : "");
    for (unsigned i = 0; i < (stat_is_tshark() ? flows->len : groups->len); i++) {
        write_intervals(stat_is_tshark() ? flows->pdata[i] : ((const flow_group *)groups->pdata[i])->worst,
                        text);
    }
    if (all->interval_count >= MAX_INTERVALS) {
        g_string_append_printf(text, "    Medians are those of the first %u intervals.\n", MAX_INTERVALS);
    }
    wmem_destroy_allocator(pool);
    g_ptr_array_free(flows, TRUE);
}

const char *intervals_filter(void *state, unsigned number)
{
    replication *all = state;
    GPtrArray *flows = flows_with_states(all);
    const GPtrArray *groups = replication_groups(all->pool, flows, false);
    g_ptr_array_free(flows, TRUE);
    if (number >= groups->len) {
        return NULL;
    }
    const flow *worst = ((const flow_group *)groups->pdata[number])->worst;
    const state_track *track =
        worst->states->delivered.count ? &worst->states->delivered : &worst->states->sent;
    const char *frames = wmem_strdup_printf(all->pool, "frame.number >= %u && frame.number <= %u",
                                            track->longest.from, track->longest.to);
    return godot_filter_both(all->pool, frames, replication_filter_of_node(all->pool, worst->of));
}
