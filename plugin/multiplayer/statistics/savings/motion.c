/* motion.c
 *
 * Synchronized properties that tell nothing new: nodes that move straight on, numbers that change steadily;
 * see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <math.h>
#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

/* Least share of the variance of a component, or a number, that a line explains. */
#define STRAIGHT 0.999
/* Seconds by which points of a line with even steps may come early or late, on average; of the first step, by
 * which others may differ from a multiple of it. */
#define JITTER 0.01
#define EVEN   0.01
/* Least points of a line; least share of a property's updates that are on lines. */
enum { LEAST_POINTS = 8 };
#define MOSTLY 0.9
/* Least share of the updates that are on lines where it does not rest; else On Change is better. */
#define OFTEN (1 - SAVINGS_SELDOM)
/* Least share of the variance of the pull that is in proportion to the way from the middle; likewise, of what
 * may swing; least times that it turns. */
#define SWINGS         0.99
#define SWINGS_PERHAPS 0.5
enum { LEAST_TURNS = 3 };
/* Of a step, to the side, by which a way still goes straight on. */
#define TO_THE_SIDE 0.05
#define ROUNDS      "on circles, each at a steady angle a second"
enum { VELOCITY = 4 + 3 * 4 /* bytes of a Vector3 */ };

/* --- straight on ---------------------------------------------------------------------------------- */

static bool moves(const straight_course *course)
{
    return course->vv[0] + course->vv[1] + course->vv[2] > 0;
}

/* Whether the node has moved along a line, always at the same speed, or has rested. What goes on by even steps
 * does so at the ticks of its game, whenever the frames of these come. */
static bool is_straight(const straight_course *course)
{
    double n = course->points, t = course->tt - course->t * course->t / n;
    bool straight = n >= LEAST_POINTS && t > 0;
    double least = course->uneven ? STRAIGHT : MIN(STRAIGHT, 1 - JITTER * JITTER * n / t);
    for (int i = 0; straight && i < 3; i++) {
        double v = course->vv[i] - course->v[i] * course->v[i] / n;
        double tv = course->tv[i] - course->t * course->v[i] / n;
        double size = course->vv[0] + course->vv[1] + course->vv[2];
        if (v > size * 1e-9) { /* else it does not move that way */
            straight = least <= 0 || tv * tv >= least * t * v;
        }
    }
    return straight;
}

/* Whether the way from the latest point goes on as from the first one: by little to the side; or it rests. */
static bool goes_on(const straight_course *course, const double at[3])
{
    double along = 0, way = 0, step = 0;
    for (int i = 0; i < 3; i++) {
        double one = course->latest[i] - course->at[i], other = at[i] - course->latest[i];
        along += one * other;
        way += one * one;
        step += other * other;
    }
    bool rests = way == 0 && step == 0;
    return course->points < 2 || rests ||
           (along > 0 && along * along >= (1 - TO_THE_SIDE * TO_THE_SIDE) * way * step);
}

static bool is_multiple(double step, double of)
{
    double times = floor(step / of + 0.5);
    return of > 0 && times >= 1 && fabs(step - times * of) <= EVEN * of;
}

static void add_line(line_count *count, const straight_course *course)
{
    if (is_straight(course)) {
        count->points += course->points;
        count->moving += moves(course) ? course->points : 0;
        count->lines++;
    }
}

static void add_point(straight_course *course, double time, const double at[3])
{
    if (course->points && !goes_on(course, at)) { /* it turns, or rests: another line */
        line_count before = course->before;
        add_line(&before, course);
        *course = (straight_course){.before = before};
    }
    double step =
        hypot(hypot(at[0] - course->latest[0], at[1] - course->latest[1]), at[2] - course->latest[2]);
    if (!course->points++) {
        course->time = time;
        memcpy(course->at, at, sizeof course->at);
    } else if (course->points == 2) {
        course->step = step;
    } else {
        course->uneven |= !is_multiple(step, course->step);
    }
    memcpy(course->latest, at, sizeof course->latest);
    double t = time - course->time;
    course->t += t;
    course->tt += t * t;
    for (int i = 0; i < 3; i++) {
        double v = at[i] - course->at[i];
        course->v[i] += v;
        course->vv[i] += v * v;
        course->tv[i] += t * v;
    }
}

void savings_add_number(steady_course *course, double time, double number)
{
    if (!course->points++) {
        course->time = time;
        course->number = number;
    } else if (course->points == 2) {
        course->step = number - course->latest;
    } else {
        course->uneven |= number - course->latest != course->step;
    }
    course->latest = number;
    double t = time - course->time, v = number - course->number;
    course->t += t;
    course->v += v;
    course->tt += t * t;
    course->tv += t * v;
    course->vv += v * v;
}

/* What always goes on by the same step counts calls,
 * as the number of a tick, or of what is asked for. */
double savings_slope_of(const steady_course *course, unsigned least)
{
    double n = course->points, t = course->tt - course->t * course->t / n;
    double v = course->vv - course->v * course->v / n, tv = course->tv - course->t * course->v / n;
    bool steady =
        !course->broken && course->uneven && n >= least && t > 0 && v > 0 && tv * tv >= STRAIGHT * t * v;
    return steady ? tv / t : 0;
}

/* Returns whether there are any lines. */
static bool count_lines(const straight_course *course, line_count *count)
{
    line_count own = course->before;
    add_line(&own, course);
    count->points += own.points;
    count->moving += own.moving;
    count->lines += own.lines;
    return own.lines > 0;
}

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
    savings_count_vector(&one->parts, &track->first, at, count);
    if (count) {
        add_point(&track->way, now, at);
        curve_add(&track->curve, at);
    } else if (savings_float_at(update->variants, &at[0])) { /* an int counts something */
        track->is_number = true;
        one->floats++;
        at[1] = at[2] = 0;
        add_point(&track->way, now, at);
    } else if (savings_changed_number(&track->kept, update->variants, &at[0], &place)) {
        track->number.broken |= place != track->number.place && track->number.points;
        track->number.place = place;
        savings_add_number(&track->number, now, at[0]);
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
        add_point(course, now, at);
    }
    of->numbers += only_number;
    return only_number ? not_floats : vectors ? others : 0;
}

/* --- to and fro ----------------------------------------------------------------------------------- */

/* Whether it is pulled back in proportion to how far away it is, as a sine of time. */
static bool swings(const swing_course *swing, double least)
{
    double n = swing->n;
    bool moving = false;
    for (int i = 0; i < 3; i++) {
        double x = swing->xx[i] - swing->x[i] * swing->x[i] / n;
        double y = swing->yy[i] - swing->y[i] * swing->y[i] / n;
        double xy = swing->xy[i] - swing->x[i] * swing->y[i] / n;
        bool rests = x <= swing->xx[i] * 1e-12;
        if (!rests && (xy >= 0 || xy * xy < least * x * y)) {
            return false;
        }
        moving |= !rests;
    }
    return moving;
}

/* The way on the circle through three of those that are kept, and so through the latest. What rests, as in a
 * frame without a tick, is not on its way. */
static void add_round(swing_course *swing, double now, const double before[3], const double middle[3])
{
    const double *latest = swing->kept[(swing->count - 1) % SWING_KEPT];
    const double *last = swing->kept[(swing->count - 2) % SWING_KEPT];
    double at[3][3], way[3] = {0, 0, 0};
    memcpy(at[0], before, sizeof at[0]);
    memcpy(at[1], middle, sizeof at[1]);
    memcpy(at[2], latest, sizeof at[2]);
    if (memcmp(latest, last, sizeof at[0]) != 0 && circle_add(&swing->circle, at, last)) {
        way[0] = swing->circle.way;
        add_point(&swing->round, now, way);
    }
}

static void add_swing(swing_course *swing, double now, const double at[3])
{
    memcpy(swing->kept[swing->count++ % SWING_KEPT], at, sizeof *swing->kept);
    swing->even++;
    if (swing->count < SWING_KEPT) {
        return;
    }
    const double *before = swing->kept[swing->count % SWING_KEPT];
    const double *middle = swing->kept[(swing->count + SWING_STEPS) % SWING_KEPT];
    int sides = 0;
    add_round(swing, now, before, middle);
    if (swing->even < SWING_KEPT) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        double x = middle[i], y = before[i] + at[i] - 2 * x;
        swing->x[i] += x;
        swing->y[i] += y;
        swing->xx[i] += x * x;
        swing->yy[i] += y * y;
        swing->xy[i] += x * y;
        sides |= (y > 0) << i;
    }
    swing->turns += swing->n > 0 && sides != swing->sides;
    swing->sides = sides;
    swing->n++;
}

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
    add_swing(track->swing, now, at);
    bool perhaps = swings(track->swing, SWINGS_PERHAPS) || track->swing->round.points >= LEAST_POINTS;
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

static char *way_text(const called_method *of)
{
    if (of->numbers) {
        return g_strdup_printf(
            "%s, with its pace, and again when that changes: each peer can count by itself",
            of->is_set ? "One call" : "Call it once");
    }
    bool velocity = has_velocity(of);
    return g_strdup_printf("Call it once%s, and again when %s changes: each peer can move it by itself",
                           velocity ? "" : ", with the velocity", velocity ? "the velocity" : "that");
}

void savings_advise_way(const savings *all, GPtrArray *rows, const called_method *of)
{
    line_count count = {0};
    /* A client's number may be the time of what the server has to do. */
    bool of_vectors = !of->numbers, of_numbers = of->numbers == of->calls && of->to_server * 2 < of->calls;
    for (unsigned i = 0; i < of->ways->len && (of_vectors || of_numbers); i++) {
        count_lines(of->ways->pdata[i], &count);
    }
    /* What else it tells may change in every call. */
    if (!is_mostly_straight(&count, of->calls) || of->others_changed * 2 >= of->calls) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->all) * ((double)count.points - (double)count.lines) /
                     (double)of->calls -
                 savings_call_cost(all, (double)of->others_changed, (double)of->others_changed),
        .what = way_text(of),
        .where = savings_method_text(of, ""),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " calls have a %s on a straight line, %" PRIu64
                               " in all, each at one speed%s",
                               count.points, of->calls, of->numbers ? "number" : "position", count.lines,
                               of->others_changed ? ". Calls for what else changes are subtracted" : ""),
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
    bool is_number;
} straight_property;

static straight_property count_straight(const synchronized_property *one)
{
    straight_property found = {.is_number = false};
    for (unsigned i = 0; i < one->tracks->len; i++) {
        const property_track *track = one->tracks->pdata[i];
        found.is_number |= track->is_number;
        if (count_lines(&track->way, &found.lines)) {
            continue;
        }
        if (savings_slope_of(&track->number, LEAST_POINTS) != 0) {
            found.lines.points += track->number.points;
            found.lines.moving += track->number.points;
            found.is_number = true;
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

static void advise_position(const savings *all, GPtrArray *rows, const synchronizer *of,
                            const synchronized_property *one, const line_count *count, bool curved)
{
    double others = cost_of_others(all, of, one);
    bool nothing_left = others >= 0;
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = (nothing_left ? of->sent[SENT_STATES].all.bytes : one->dropped.bytes) -
                 (double)(count->lines * VELOCITY * (curved ? 2 : 1)) -
                 cost_of_turns(all, count, one->tracks->len) - MAX(0, others),
        .what = g_strdup_printf(
            "Never (with Spawn), and so its velocity%s: each peer can move the node by itself%s",
            curved ? " and acceleration" : "", others > 0 ? "; On Change for the other properties" : ""),
        .where = g_strdup_printf("%s: %s", where, one->name),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " updates are on %s, %" PRIu64
                               " in all, each at one %s. A velocity is subtracted for each, and "
                               "a call where one follows another",
                               count->points, one->updates, curved ? "curves" : "straight lines",
                               count->lines, curved ? "acceleration" : "speed"),
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
    bool round; /* positions on circles as well */
    double bytes;
    const saved_bytes *evidence;
} steady_numbers;

static void add_number(steady_numbers *numbers, const synchronized_property *one, const line_count *lines)
{
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
        .bytes = (nothing_left ? savings_with_acknowledgements(all, evidence) : numbers->bytes) - turns,
        .what = g_strdup_printf("Never (with Spawn): each peer can %s",
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
            add_number(&numbers, one, &found.lines);
            bits |= 1u << one->index;
            values += (double)one->changed_bytes;
        }
    }
    set_count count = savings_changed_ones(of, SENT_CHANGES, SAVINGS_ANY);
    const set_count left = savings_changed_ones(of, SENT_CHANGES, ~bits & SAVINGS_ANY);
    count.parts -= left.parts;
    count.messages -= left.messages;
    numbers.bytes = values + savings_changes_cost(all, count);
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
        bool any = track->swing && count_lines(&track->swing->round, &found);
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
                        swings(track->swing, SWINGS);
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

/* What falls, or is moved by a tween that eases in and out. */
static void advise_curve(const savings *all, GPtrArray *rows, const synchronizer *of,
                         const synchronized_property *one)
{
    curve_count curves = {0};
    for (unsigned i = 0; i < one->tracks->len; i++) {
        curve_total(&((const property_track *)one->tracks->pdata[i])->curve, &curves);
    }
    /* Pieces share the points where one follows another. */
    line_count count = {MIN(curves.points, one->updates), MIN(curves.moving, one->updates), curves.pieces};
    if (is_mostly_straight(&count, one->updates)) {
        advise_position(all, rows, of, one, &count, true);
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
            add_number(&numbers, one, &rounds);
            numbers.round = true;
        } else if (straight && found.is_number) {
            add_number(&numbers, one, &found.lines);
        } else if (straight) {
            advise_position(all, rows, of, one, &found.lines, false);
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
