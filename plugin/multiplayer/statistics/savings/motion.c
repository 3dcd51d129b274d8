/* motion.c
 *
 * Synchronized properties that tell nothing new: nodes that move straight on, values that are always those of
 * another property; see savings.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <string.h>

#include "multiplayer/statistics/savings/savings.h"

/* Least share of the variance of a component, or a number, that a line explains. */
#define STRAIGHT 0.999
/* Least points of a line; least share of a property's updates that are on lines. */
enum { LEAST_POINTS = 8 };
#define MOSTLY 0.9
/* Of a step, to the side, by which a way still goes straight on. */
#define TO_THE_SIDE 0.05
enum { VELOCITY = 4 + 3 * 4 /* bytes of a Vector3 */ };

/* --- always the same as another one --------------------------------------------------------------- */

/* The values of a state come one after the other. Not each of them has a property of its own: a list of names
 * can have one twice, and names can be known later than values. */
void savings_count_twins(const synchronizer *of, synchronized_property *one, const godot_update *update,
                         uint32_t index)
{
    GPtrArray *all = of->properties;
    uint64_t before = index < 64 ? (UINT64_C(1) << index) - 1 : 0;
    one->twins = one->updates ? one->twins & before : before;
    for (uint32_t i = 0; i < index && one->twins >> i; i++) {
        const godot_tap_variant *other = update->variants - (index - i);
        bool same = (one->twins >> i & 1) && other->length == update->variants->length &&
                    memcmp(other->bytes, update->variants->bytes, other->length) == 0 && i < all->len &&
                    all->pdata[i] != one && other->property &&
                    strcmp(((const synchronized_property *)all->pdata[i])->name, other->property) == 0;
        one->twins &= same ? UINT64_MAX : ~(UINT64_C(1) << i);
    }
}

static void advise_twin(const savings *all, GPtrArray *rows, const synchronizer *of,
                        const synchronized_property *one)
{
    if (!one->twins || one->changes < SAVINGS_LEAST) {
        return;
    }
    const synchronized_property *other = of->properties->pdata[__builtin_ctzll(one->twins)];
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = one->dropped.bytes,
        .what = g_strdup_printf("Only %s, without %s", other->name, one->name),
        .where = where,
        .why = g_strdup_printf("Both had the same value in all %" PRIu64 " updates", one->updates),
        .but = "Receivers have to set the other one",
        .evidence = &one->dropped};
    savings_add_row(all, rows, found);
}

/* --- straight on ---------------------------------------------------------------------------------- */

/* Whether the node has moved along a line, always at the same speed. */
static bool is_straight(const straight_course *course)
{
    double n = course->points, t = course->tt - course->t * course->t / n;
    bool moves = false, straight = n >= LEAST_POINTS && t > 0;
    for (int i = 0; straight && i < 3; i++) {
        double v = course->vv[i] - course->v[i] * course->v[i] / n;
        double tv = course->tv[i] - course->t * course->v[i] / n;
        double size = course->vv[0] + course->vv[1] + course->vv[2];
        if (v > size * 1e-9) { /* else it does not move that way */
            moves = true;
            straight = tv * tv >= STRAIGHT * t * v;
        }
    }
    return straight && moves;
}

/* Whether the way from the latest point goes on as from the first one: by little to the side. */
static bool goes_on(const straight_course *course, const double at[3])
{
    double along = 0, way = 0, step = 0;
    for (int i = 0; i < 3; i++) {
        double one = course->latest[i] - course->at[i], other = at[i] - course->latest[i];
        along += one * other;
        way += one * one;
        step += other * other;
    }
    return course->points < 2 || (along > 0 && along * along >= (1 - TO_THE_SIDE * TO_THE_SIDE) * way * step);
}

static void add_point(straight_course *course, double time, const double at[3])
{
    if (course->points && !goes_on(course, at)) { /* it turns, or rests: another line */
        straight_course next = {.straight = course->straight, .lines = course->lines};
        if (is_straight(course)) {
            next.straight += course->points;
            next.lines++;
        }
        *course = next;
    }
    if (!course->points++) {
        course->time = time;
        memcpy(course->at, at, sizeof course->at);
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

/* Adds the points on lines, and how many lines these are. Returns whether there are any. */
static bool count_lines(const straight_course *course, uint64_t *points, uint64_t *lines)
{
    bool last = is_straight(course);
    *points += course->straight + (last ? course->points : 0);
    *lines += course->lines + last;
    return course->lines || last;
}

void savings_count_motion(synchronized_property *one, property_track *track, const godot_update *update,
                          bool same, double now)
{
    uint32_t place;
    double at[3];
    unsigned count = savings_vector_at(update->variants, at);
    savings_count_vector(&one->parts, at, count);
    if (count) {
        add_point(&track->way, now, at);
    } else if (savings_changed_number(&track->kept, update->variants, &at[0], &place)) {
        track->number.broken |= place != track->number.place && track->number.points;
        track->number.place = place;
        savings_add_number(&track->number, now, at[0]);
    } else {
        track->number.broken |= !same;
    }
}

void savings_count_way(straight_course *course, const godot_update *call, double now)
{
    double at[3], one[3];
    unsigned vectors = 0;
    for (uint32_t i = 0; i < call->count; i++) {
        if (savings_vector_at(&call->variants[i], one) && !vectors++) {
            memcpy(at, one, sizeof at);
        }
    }
    if (vectors) { /* a second one may be the velocity */
        add_point(course, now, at);
    }
}

void savings_advise_way(const savings *all, GPtrArray *rows, const called_method *of)
{
    uint64_t straight = 0, lines = 0;
    for (unsigned i = 0; i < of->ways->len; i++) {
        count_lines(of->ways->pdata[i], &straight, &lines);
    }
    if (straight < SAVINGS_LEAST || (double)straight < MOSTLY * (double)of->calls) {
        return;
    }
    savings_row found = {
        .bytes = savings_with_acknowledgements(all, &of->all) * ((double)straight - (double)lines) /
                 (double)of->calls,
        .what =
            g_strdup("Call it once, with the velocity, and again when that changes: each peer can move it "
                     "by itself"),
        .where = savings_method_text(of, ""),
        .why = g_strdup_printf("%" PRIu64 " of %" PRIu64 " calls have a position on a straight line, %" PRIu64
                               " in all, each at one speed",
                               straight, of->calls, lines),
        .but = "Who joins later needs a call; a lost one has to come again",
        .evidence = &of->all};
    savings_add_row(all, rows, found);
}

/* Cost of all other properties in replication mode On Change; less than 0: they change too often. */
static double cost_of_others(const savings *all, const synchronizer *of, const synchronized_property *one)
{
    double cost = 0;
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *other = of->properties->pdata[i];
        if (other != one && (double)other->unchanged < SAVINGS_SELDOM * (double)other->updates) {
            return -1;
        }
        cost += other == one
                    ? 0
                    : (double)(other->changed_messages + other->tracks->len) * savings_call_cost(all);
    }
    return cost;
}

static void advise_straight(const savings *all, GPtrArray *rows, const synchronizer *of,
                            const synchronized_property *one)
{
    uint64_t straight = 0, lines = 0;
    bool is_number = false;
    for (unsigned i = 0; i < one->tracks->len; i++) {
        const property_track *track = one->tracks->pdata[i];
        if (count_lines(&track->way, &straight, &lines)) {
            continue;
        }
        if (savings_slope_of(&track->number, LEAST_POINTS) != 0) {
            straight += track->number.points;
            is_number = true;
        }
    }
    if (straight < SAVINGS_LEAST || (double)straight < MOSTLY * (double)one->updates) {
        return;
    }
    double others = cost_of_others(all, of, one);
    bool nothing_left = others >= 0;
    double turns = lines > one->tracks->len ? (double)(lines - one->tracks->len) : 0;
    char *where = savings_synchronizer_text(of);
    savings_row found = {
        .bytes = (nothing_left ? of->sent[SENT_STATES].all.bytes : one->dropped.bytes) -
                 (double)(lines * VELOCITY) - turns * savings_call_cost(all) - MAX(0, others),
        .what = g_strdup_printf(
            "Never (with Spawn)%s: each peer can %s by itself%s", is_number ? "" : ", and so its velocity",
            is_number ? "count" : "move the node", others > 0 ? "; On Change for the other properties" : ""),
        .where = g_strdup_printf("%s: %s", where, one->name),
        .why = g_strdup_printf(is_number
                                   ? "%" PRIu64 " of %" PRIu64 " updates are of numbers that change steadily"
                                   : "%" PRIu64 " of %" PRIu64 " updates are on straight lines, %" PRIu64
                                     " in all, each at one speed. A velocity is subtracted for each, and "
                                     "a call where one follows another",
                               straight, one->updates, lines),
        .but = is_number ? "What stops it or sets it has to be told, by a call or On Change; clocks run apart"
                         : "What stops or turns one has to be told, by a call or On Change",
        .evidence = nothing_left ? &of->sent[SENT_STATES].all : &one->dropped};
    savings_add_row(all, rows, found);
    g_free(where);
}

void savings_advise_motion(const savings *all, GPtrArray *rows, const synchronizer *of)
{
    for (unsigned i = 0; i < of->properties->len; i++) {
        const synchronized_property *one = of->properties->pdata[i];
        char *where = savings_synchronizer_text(of);
        advise_twin(all, rows, of, one);
        advise_straight(all, rows, of, one);
        if (!one->twins) {
            savings_advise_vector(all, rows, &one->parts, &one->dropped,
                                  g_strdup_printf("%s: %s", where, one->name));
        }
        g_free(where);
    }
}
