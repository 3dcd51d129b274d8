/* motion.c
 *
 * Synchronized properties that tell nothing new: nodes that move straight on, numbers that change steadily;
 * see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

/* Least share of a property's updates that are on lines. */
#define MOSTLY 0.9
/* Least share of the updates that are on lines where it does not rest; else On Change is better. */
#define OFTEN (1 - SAVINGS_SELDOM)
/* Least share of the variance of the pull that is in proportion to the way from the middle; likewise, of what
 * may swing; least times that it turns. */
#define SWINGS         0.99
#define SWINGS_PERHAPS 0.5
enum { LEAST_TURNS = 3 };
#define ROUNDS "on circles, each at a steady angle a second"
enum { VELOCITY = 4 + 3 * 4 /* bytes of a Vector3 */ };

/* --- straight on ---------------------------------------------------------------------------------- */

/* Whether most of so many updates are on lines, and not all of them where it rests. */
static bool is_mostly_straight(const line_count *count, uint64_t updates)
{
    return count->points >= SAVINGS_LEAST && (double)count->points >= MOSTLY * (double)updates &&
           (double)count->moving >= OFTEN * (double)updates;
}

void savings_count_motion(synchronized_property *one, property_track *track, const godot_update *update,
                          bool same, double now)
{
    uint32_t place;
    double at[3];
    unsigned count = savings_vector_at(update->variants, at);
    savings_count_steps(&track->counting, &track->kept.change, same, now);
    savings_count_vector(&one->parts, &track->first, at, count);
    if (count) {
        line_add(&track->way, now, at);
        curve_add(&track->curve, at);
    } else if (savings_float_at(update->variants, &at[0])) { /* an int counts something */
        track->is_number = true;
        one->floats++;
        at[1] = at[2] = 0;
        line_add(&track->way, now, at);
    } else if (savings_changed_number(&track->kept, update->variants, &at[0], &place)) {
        track->number.broken |= place != track->number.place && track->number.points;
        track->number.place = place;
        steady_add(&track->number, now, at[0]);
    } else {
        track->number.broken |= !same;
    }
}

uint32_t savings_count_way(called_method *of, straight_course *course, const godot_update *call, double now)
{
    double at[3] = {0, 0, 0}, one[3], number = 0;
    unsigned vectors = 0, fixed = 0, floats = 0;
    uint32_t others = 0, not_floats = 0;
    for (uint32_t i = 0; i < call->count; i++) {
        unsigned count = savings_vector_at(&call->variants[i], one);
        bool is_float = !count && savings_float_at(&call->variants[i], &number);
        uint32_t hash = godot_value_hash(call, i);
        floats += is_float;
        fixed += count && i < SAVINGS_ARGUMENTS && of->arguments[i].changes == 0;
        others = count ? others : others * 31 + hash;
        not_floats = is_float ? not_floats : not_floats * 31 + hash;
        if (count && !vectors++) {
            memcpy(at, one, sizeof at);
        }
    }
    bool only_number = vectors == fixed && floats == 1;
    if (only_number) {
        at[0] = number, at[1] = at[2] = 0;
    }
    if (vectors || only_number) { /* a second vector may be the velocity */
        line_add(course, now, at);
    }
    of->numbers += only_number;
    return only_number ? not_floats : vectors ? others : 0;
}

/* --- to and fro ----------------------------------------------------------------------------------- */

void savings_count_swing(const savings *all, property_track *track, const godot_update *update, bool pause,
                         double now)
{
    enum { JUDGED = 128 /* points after which it is known whether it may be one */ };
    double at[3] = {0, 0, 0};
    if (track->no_swing ||
        (!savings_vector_at(update->variants, at) && !savings_float_at(update->variants, &at[0]))) {
        track->no_swing = true;
        return;
    }
    track->swing = track->swing ? track->swing : wmem_new0(all->pool, swing_course);
    track->swing->even = pause ? 0 : track->swing->even;
    swing_add(track->swing, now, at);
    bool perhaps = swing_holds(track->swing, SWINGS_PERHAPS) || track->swing->round.points >= LINE_POINTS;
    track->no_swing = track->swing->n == JUDGED && !perhaps;
}

/* Whether the calls have a second vector beside the position. */
static bool has_velocity(const called_method *of)
{
    unsigned vectors = 0;
    for (unsigned i = 0; i < SAVINGS_ARGUMENTS; i++) {
        vectors += of->arguments[i].parts.values && !of->arguments[i].parts.other;
    }
    return vectors > 1;
}

static char *way_text(const called_method *of, bool several)
{
    if (of->numbers || several) {
        return g_strdup_printf(
            "%s, with its pace, and again when that changes: each peer can count by itself",
            of->is_set ? "One call" : "Call it once");
    }
    bool velocity = has_velocity(of);
    return g_strdup_printf("Call it once%s, and again when %s changes: each peer can move it by itself",
                           velocity ? "" : ", with the velocity", velocity ? "the velocity" : "that");
}

/* Whether each argument that changes runs along lines, or counts beside one that does, as the hours and
 * minutes of a clock beside its angle. */
static bool are_runs(const called_method *of, line_count *count)
{
    *count = (line_count){.points = UINT64_MAX};
    for (unsigned k = 0; k < SAVINGS_ARGUMENTS; k++) {
        const called_argument *argument = &of->arguments[k];
        line_count one = {0};
        for (unsigned i = 0; i < of->runs->len && argument->changes; i++) {
            line_total(&((const straight_course *)of->runs->pdata[i])[k], &one);
        }
        if (one.points) {
            count->points = MIN(count->points, one.points);
            count->moving = MAX(count->moving, one.moving);
            count->lines += one.lines;
        } else if ((double)argument->counted < MOSTLY * (double)argument->changes) {
            return false;
        }
    }
    return of->to_server * 2 < of->calls && count->moving && is_mostly_straight(count, of->calls);
}

void savings_advise_way(const savings *all, GPtrArray *rows, const called_method *of)
{
    line_count count = {0};
    /* A client's number may be the time of what the server has to do. */
    bool of_vectors = !of->numbers, of_numbers = of->numbers == of->calls && of->to_server * 2 < of->calls;
    for (unsigned i = 0; i < of->ways->len && (of_vectors || of_numbers); i++) {
        line_total(of->ways->pdata[i], &count);
    }
    /* What else it tells may change in every call. */
    bool one = is_mostly_straight(&count, of->calls) && of->others_changed * 2 < of->calls;
    if (!one && !are_runs(of, &count)) {
        return;
    }
    double others = one ? (double)of->others_changed : 0;
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->all) * ((double)count.points - (double)count.lines) /
                     (double)of->calls -
                 savings_call_cost(all, others, others),
        .what = way_text(of, !one),
        .where = savings_method_text(of, ""),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " calls have a %s on a straight line, %" PRIu64
                               " in all, each at one speed%s",
                               count.points, of->calls,
                               !one          ? "number for each argument"
                               : of->numbers ? "number"
                                             : "position",
                               count.lines, others > 0 ? ". Calls for what else changes are subtracted" : ""),
        .but = "Who joins later needs a call; a lost one has to come again",
        .evidence = &of->all};
    savings_add_row(all, rows, found);
}

/* Cost of all other properties in replication mode On Change; less than 0: they change too often. */
static double cost_of_others(const savings *all, const synchronizer *of, const synchronized_property *one)
{
    unsigned others = 0;
    double bytes = 0;
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *other = of->properties->pdata[i];
        if (other != one && (double)other->unchanged < SAVINGS_SELDOM * (double)other->updates) {
            return -1;
        }
        others |= other == one ? 0 : 1u << other->index;
        bytes += other == one ? 0 : (double)other->changed_bytes;
    }
    return bytes + savings_changes_cost(all, savings_changed_ones(of, SENT_STATES, others));
}

/* What a property has on lines, at all receivers of its nodes. */
typedef struct {
    line_count lines;
    bool is_number, inside; /* inside: in containers, */
    uint64_t told;          /* of which other changes tell so many bytes */
} straight_property;

static straight_property count_straight(const synchronized_property *one)
{
    straight_property found = {.is_number = false};
    for (unsigned i = 0; i < one->tracks->len; i++) {
        const property_track *track = one->tracks->pdata[i];
        found.is_number |= track->is_number;
        if (line_total(&track->way, &found.lines)) {
            continue;
        }
        if (steady_slope(&track->number, LINE_POINTS) != 0) {
            found.lines.points += track->number.points;
            found.lines.moving += track->number.points;
            found.is_number = true;
        } else if (steady_slope(&track->counting.course, LINE_POINTS) != 0) {
            const counting_course *counting = &track->counting;
            found.lines.points += counting->steps + counting->rests;
            found.lines.moving += counting->steps;
            found.lines.lines += counting->events;
            found.told += counting->told;
            found.is_number = found.inside = true;
        }
    }
    return found;
}

/* A call each where a line follows another one: what is beyond one line for each of the `tracks`. */
static double cost_of_turns(const savings *all, const line_count *count, uint64_t tracks)
{
    double calls = count->lines > tracks ? (double)(count->lines - tracks) : 0;
    return savings_call_cost(all, calls, calls);
}

typedef enum { STRAIGHT_WAYS, CURVED_WAYS, FADING_WAYS, WAYS } way_kind;

static const struct {
    unsigned vectors; /* that tell it */
    const char *with, *on, *one;
} ways[WAYS] = {
    [STRAIGHT_WAYS] = {1, "", "straight lines", "speed"},
    [CURVED_WAYS] = {2, " and acceleration", "curves", "acceleration"},
    [FADING_WAYS] = {2, " and where it comes to rest", "ways that slow down, as with lerp()", "factor"}};

static void advise_position(const savings *all, GPtrArray *rows, const synchronizer *of,
                            const synchronized_property *one, const line_count *count, way_kind kind)
{
    double others = cost_of_others(all, of, one);
    bool nothing_left = others >= 0;
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = (nothing_left ? of->sent[SENT_STATES].all.bytes : one->dropped.bytes) -
                 (double)(count->lines * VELOCITY * ways[kind].vectors) -
                 cost_of_turns(all, count, one->tracks->len) - MAX(0, others),
        .what = g_strdup_printf(
            "Never (with Spawn), and so its velocity%s: each peer can move the node by itself%s",
            ways[kind].with, others > 0 ? "; On Change for the other properties" : ""),
        .where = g_strdup_printf("%s: %s", where, one->name),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " updates are on %s, %" PRIu64
                               " in all, each at one %s. A velocity is subtracted for each, and "
                               "a call where one follows another",
                               count->points, one->updates, ways[kind].on, count->lines, ways[kind].one),
        .but = "What stops or turns one has to be told, by a call or On Change",
        .evidence = nothing_left ? &of->sent[SENT_STATES].all : &one->dropped};
    savings_add_row(all, rows, found);
    g_free(where);
}

/* The numbers of a synchronizer that change steadily, which have one row. */
typedef struct {
    GString *names;
    line_count lines;
    uint64_t updates, tracks;
    unsigned count;
    bool round, inside; /* positions on circles as well; numbers in containers */
    double bytes, told; /* told: of what else changes in these */
    const saved_bytes *evidence;
} steady_numbers;

static void add_number(steady_numbers *numbers, const synchronized_property *one,
                       const straight_property *found)
{
    const line_count *lines = &found->lines;
    numbers->inside |= found->inside;
    numbers->told += (double)found->told;
    g_string_append_printf(numbers->names, "%s%s", numbers->count++ ? ", " : "", one->name);
    numbers->lines.points += lines->points;
    numbers->lines.lines += lines->lines;
    numbers->updates += one->updates ? one->updates : one->changes;
    numbers->tracks += one->tracks->len;
    numbers->bytes += one->dropped.bytes;
    numbers->evidence = &one->dropped;
}

static void advise_numbers(const savings *all, GPtrArray *rows, const synchronizer *of,
                           const steady_numbers *numbers, sent_kind kind)
{
    bool nothing_left = numbers->count == (kind == SENT_STATES ? of->properties : of->changing)->len;
    const saved_bytes *evidence = nothing_left ? &of->sent[kind].all : numbers->evidence;
    double turns = cost_of_turns(all, &numbers->lines, numbers->tracks);
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = (nothing_left ? savings_with_acknowledgements(all, evidence) : numbers->bytes) - turns -
                 numbers->told,
        .what = g_strdup_printf("Never (with Spawn)%s: each peer can %s",
                                numbers->inside ? ", and a reliable call with what comes or goes in it" : "",
                                numbers->round ? "compute it from the time" : "count by itself"),
        .where = g_strdup_printf("%s: %s", where, numbers->names->str),
        .why = g_strdup_printf(
            "%" PRIu64 " of %" PRIu64 " updates are %s%s", numbers->lines.points, numbers->updates,
            !numbers->round      ? "of numbers that change steadily"
            : numbers->count > 1 ? ROUNDS ", or of numbers that change steadily"
                                 : ROUNDS,
            turns > 0 ? ". A call is subtracted for each time that one changes otherwise" : ""),
        .but = "What stops it or sets it has to be told, by a call or On Change; clocks run apart",
        .evidence = evidence};
    savings_add_row(all, rows, found);
    g_free(where);
}

/* Likewise, of those that are sent when they change: of messages in which nothing else has changed nothing is
 * left. */
static void advise_changing_numbers(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    steady_numbers numbers = {.names = g_string_new(NULL)};
    unsigned bits = 0;
    double values = 0;
    for (unsigned i = 0; i < of->changing->len && of->changing->len <= SET_BITS; i++) {
        const synchronized_property *one = of->changing->pdata[i];
        const straight_property found = count_straight(one);
        if (found.is_number && is_mostly_straight(&found.lines, one->changes)) {
            add_number(&numbers, one, &found);
            bits |= 1u << one->index;
            values += (double)one->changed_bytes;
        }
    }
    set_count count = savings_changed_ones(of, SENT_CHANGES, SAVINGS_ANY);
    const set_count left = savings_changed_ones(of, SENT_CHANGES, ~bits & SAVINGS_ANY);
    count.parts -= left.parts;
    count.messages -= left.messages;
    if (numbers.count > 1) { /* else it is known from all messages */
        numbers.bytes = values + savings_changes_cost(all, count);
    }
    if (bits) {
        advise_numbers(all, rows, of, &numbers, SENT_CHANGES);
    }
    g_string_free(numbers.names, TRUE);
}

/* What a property has on circles, at all receivers of its nodes. */
static line_count count_rounds(const synchronized_property *one)
{
    line_count found = {0};
    for (unsigned i = 0; i < one->tracks->len; i++) {
        const property_track *track = one->tracks->pdata[i];
        bool any = track->swing && line_total(&track->swing->round, &found);
        found.points += any ? SWING_KEPT : 0; /* before the first ones of which it is known */
    }
    found.points = MIN(found.points, one->updates);
    return found;
}

static line_count count_swings(const synchronized_property *one)
{
    line_count found = {0};
    for (unsigned i = 0; i < one->tracks->len; i++) {
        const property_track *track = one->tracks->pdata[i];
        bool is_swing = !track->no_swing && track->swing && track->swing->turns >= LEAST_TURNS &&
                        swing_holds(track->swing, SWINGS);
        found.points += is_swing ? (uint64_t)track->swing->n + SWING_KEPT : 0;
    }
    return found;
}

/* `round`: it is on circles, and other properties can rest. */
static bool advise_swing(const savings *all, GPtrArray *rows, const synchronizer *of,
                         const synchronized_property *one, const line_count *round)
{
    const line_count swing = count_swings(one);
    double others = cost_of_others(all, of, one);
    bool is_swing = swing.points >= SAVINGS_LEAST && (double)swing.points >= MOSTLY * (double)one->updates;
    if (!is_swing && !round) {
        return false;
    }
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = others >= 0 ? of->sent[SENT_STATES].all.bytes - others : one->dropped.bytes,
        .what = g_strdup_printf("Never (with Spawn): each peer can compute it from the time%s",
                                others > 0 ? "; On Change for the other properties" : ""),
        .where = g_strdup_printf("%s: %s", where, one->name),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " updates are %s",
                               is_swing ? swing.points : round->points, one->updates,
                               is_swing ? "of what swings around a middle, as a sine" : ROUNDS),
        .but = "It is where it is at that time of each peer; what stops it has to be told",
        .evidence = others >= 0 ? &of->sent[SENT_STATES].all : &one->dropped};
    if (!is_swing) {
        found.bytes -= cost_of_turns(all, round, one->tracks->len);
    }
    savings_add_row(all, rows, found);
    g_free(where);
    return true;
}

/* Pieces share the points where one follows another. */
static line_count count_pieces(const synchronized_property *one,
                               void (*total)(const curve_course *course, curve_count *count))
{
    curve_count pieces = {0};
    for (unsigned i = 0; i < one->tracks->len; i++) {
        total(&((const property_track *)one->tracks->pdata[i])->curve, &pieces);
    }
    return (line_count){MIN(pieces.points, one->updates), MIN(pieces.moving, one->updates), pieces.pieces};
}

/* What falls, or is moved by a tween that eases in and out; what slows down. */
static void advise_curve(const savings *all, GPtrArray *rows, const synchronizer *of,
                         const synchronized_property *one)
{
    const line_count curves = count_pieces(one, curve_total), fading = count_pieces(one, curve_total_fading);
    if (is_mostly_straight(&curves, one->updates)) {
        advise_position(all, rows, of, one, &curves, CURVED_WAYS);
    } else if (is_mostly_straight(&fading, one->updates)) {
        advise_position(all, rows, of, one, &fading, FADING_WAYS);
    }
}

void savings_advise_motion(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    steady_numbers numbers = {.names = g_string_new(NULL)};
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *one = of->properties->pdata[i];
        const straight_property found = count_straight(one);
        char *where = savings_synchronizer_text(of);
        bool straight = is_mostly_straight(&found.lines, one->updates);
        const line_count rounds = count_rounds(one);
        bool round = !straight && is_mostly_straight(&rounds, one->updates);
        if (round && cost_of_others(all, of, one) < 0) {
            add_number(&numbers, one, &(straight_property){.lines = rounds});
            numbers.round = true;
        } else if (straight && found.is_number) {
            add_number(&numbers, one, &found);
        } else if (straight) {
            advise_position(all, rows, of, one, &found.lines, STRAIGHT_WAYS);
        } else if (!advise_swing(all, rows, of, one, round ? &rounds : NULL)) {
            advise_curve(all, rows, of, one);
        }
        if (!one->derived.twins) {
            savings_advise_vector(all, rows, &one->parts, &one->dropped,
                                  g_strdup_printf("%s: %s", where, one->name), one->name);
        }
        g_free(where);
    }
    if (numbers.count) {
        advise_numbers(all, rows, of, &numbers, SENT_STATES);
    }
    g_string_free(numbers.names, TRUE);
    advise_changing_numbers(all, rows, of);
}
