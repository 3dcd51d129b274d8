/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/curve.h"

#include <math.h>
#include <string.h>

/* Points of a piece; a slow turn is one for fewer. */
enum { LEAST_PIECE = 12 };
/* Least share of the variance of a component, or a number, that a line explains. */
#define STRAIGHT 0.999
/* Seconds by which points of a line with even steps may come early or late, on average. */
#define JITTER 0.01
/* Of a step, to the side, by which a way still goes straight on. */
#define TO_THE_SIDE 0.05
/* Of the second difference, or of a step, by which it may differ; and of the position, which has 32 bits. */
#define EVEN     0.01
#define FLOAT_32 1e-6
/* Of 1 / radius, by which it may differ; how often it is what rounding makes of a straight line. */
#define ROUND 0.02
#define BENT  10.0

/* What slows down is not slower by more in a tick. */
#define LEAST_FACTOR 0.5

static void add_piece(curve_count *count, uint32_t points, bool moves)
{
    if (points >= LEAST_PIECE) {
        count->points += points;
        count->moving += moves ? points : 0;
        count->pieces += moves;
    }
}

/* `rounded`: by so much a position differs from what it is. */
static void fading_add(fading_course *course, const double before[3], const double step[3], double rounded)
{
    double way = 0, along = 0, aside = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        way += before[i] * before[i];
        along += before[i] * step[i];
    }
    double factor = way > 0 ? along / way : 0;
    for (int i = 0; i < 3; i++) {
        aside = fmax(aside, fabs(step[i] - (course->points ? course->factor : factor) * before[i]));
        size = fmax(size, fabs(step[i]));
    }
    if (course->points && aside <= EVEN * size + 2 * rounded) {
        course->points++;
        course->moves |= size > 0;
        return;
    }
    add_piece(&course->before, course->points, course->moves);
    bool fades = factor >= LEAST_FACTOR && factor < 1 - EVEN / 10;
    course->points = fades || size <= 0 ? 3 : 0;
    course->factor = fades ? factor : 0;
    course->moves = size > 0;
}

void curve_add(curve_course *course, const double at[3])
{
    double second[3], before[3], way[3], difference = 0, size = 0, rounded = 0, step = 0;
    for (int i = 0; i < 3; i++) {
        before[i] = course->latest[0][i] - course->latest[1][i];
        way[i] = at[i] - course->latest[0][i];
        second[i] = way[i] - before[i];
        difference = fmax(difference, fabs(second[i] - course->second[i]));
        size = fmax(size, fabs(course->second[i]));
        rounded = fmax(rounded, fabs(at[i]) * FLOAT_32);
        step = fmax(step, fabs(way[i]));
    }
    memcpy(course->latest[1], course->latest[0], sizeof course->latest[0]);
    memcpy(course->latest[0], at, sizeof course->latest[0]);
    if (course->known < 2) {
        course->known++;
        return;
    }
    fading_add(&course->fading, before, way, rounded);
    if (course->points && difference <= EVEN * size + rounded) {
        course->points++;
        course->moves |= step > 0;
        return;
    }
    add_piece(&course->before, course->points, course->moves);
    course->points = 3;
    course->moves = step > 0;
    memcpy(course->second, second, sizeof second);
}

static void add_count(curve_count *count, const curve_count *other)
{
    count->points += other->points;
    count->moving += other->moving;
    count->pieces += other->pieces;
}

void curve_total(const curve_course *course, curve_count *count)
{
    add_count(count, &course->before);
    add_piece(count, course->points, course->moves);
}

void curve_total_fading(const curve_course *course, curve_count *count)
{
    add_count(count, &course->fading.before);
    add_piece(count, course->fading.points, course->fading.moves);
}

/* --- lines --------------------------------------------------------------------------------------- */

static bool moves(const straight_course *course)
{
    return course->vv[0] + course->vv[1] + course->vv[2] > 0;
}

/* Whether the node has moved along a line, always at the same speed, or has rested. What goes on by even
 * steps does so at the ticks of its game, whenever the frames of these come. */
static bool is_straight(const straight_course *course)
{
    double n = course->points, t = course->tt - course->t * course->t / n;
    bool straight = n >= LINE_POINTS && t > 0;
    double least = course->uneven ? STRAIGHT : fmin(STRAIGHT, 1 - JITTER * JITTER * n / t);
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

bool is_multiple(double step, double of)
{
    double times = of != 0 ? floor(step / of + 0.5) : 0;
    return times >= 1 && fabs(step - times * of) <= EVEN * fabs(of);
}

static void add_line(line_count *count, const straight_course *course)
{
    if (is_straight(course)) {
        count->points += course->points;
        count->moving += moves(course) ? course->points : 0;
        count->lines++;
    }
}

void line_add(straight_course *course, double time, const double at[3])
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

void steady_add(steady_course *course, double time, double number)
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
double steady_slope(const steady_course *course, unsigned least)
{
    double n = course->points, t = course->tt - course->t * course->t / n;
    double v = course->vv - course->v * course->v / n, tv = course->tv - course->t * course->v / n;
    bool steady =
        !course->broken && course->uneven && n >= least && t > 0 && v > 0 && tv * tv >= STRAIGHT * t * v;
    return steady ? tv / t : 0;
}

bool line_total(const straight_course *course, line_count *count)
{
    line_count own = course->before;
    add_line(&own, course);
    count->points += own.points;
    count->moving += own.moving;
    count->lines += own.lines;
    return own.lines > 0;
}

/* --- circles ------------------------------------------------------------------------------------- */

/* Vector from one position to another; returns its length. */
static double way_to(const double from[3], const double to[3], double way[3])
{
    for (int i = 0; i < 3; i++) {
        way[i] = to[i] - from[i];
    }
    return sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
}

/* Sets the axis of the circle through the three, 1 / radius long (Menger), and returns by how much rounding
 * can change it. */
static double bend_of(const double at[3][3], double bend[3])
{
    double ways[3][3], rounded = 0;
    double first = way_to(at[0], at[1], ways[0]), second = way_to(at[1], at[2], ways[1]);
    double whole = way_to(at[0], at[2], ways[2]), product = first * second * whole;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        bend[i] = product > 0 ? 2 * (ways[0][j] * ways[1][k] - ways[0][k] * ways[1][j]) / product : 0;
        rounded = fmax(rounded, fabs(at[2][i]) * FLOAT_32);
    }
    return whole > 0 ? 8 * rounded / (whole * whole) : HUGE_VAL;
}

/* `at`: three positions, one after the other; `before`: the one right before the latest. Returns whether they
 * are on the circle of those before; if not, they may begin another one. What rests, as in a frame without a
 * tick, is not on its way. */
static bool circle_add(circle_course *course, const double at[3][3], const double before[3])
{
    static const double none[3] = {0, 0, 0};
    double bend[3], way[3];
    double rounded = bend_of(at, bend), size = way_to(none, bend, way);
    bool on = course->known && way_to(course->bend, bend, way) <= ROUND * size + rounded;
    double step = way_to(before, at[2], way);
    if (step <= 0) {
        return false;
    }
    if (!on) {
        memcpy(course->bend, bend, sizeof bend);
        course->known = size > BENT * rounded;
    }
    course->way = on ? course->way + step : 0;
    return on;
}

/* --- to and fro ----------------------------------------------------------------------------------- */

bool swing_holds(const swing_course *swing, double least)
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

/* The way on the circle through three of those that are kept, and so through the latest. */
static void add_round(swing_course *swing, double now, const double before[3], const double middle[3])
{
    const double *latest = swing->kept[(swing->count - 1) % SWING_KEPT];
    const double *last = swing->kept[(swing->count - 2) % SWING_KEPT];
    double at[3][3], way[3] = {0, 0, 0};
    memcpy(at[0], before, sizeof at[0]);
    memcpy(at[1], middle, sizeof at[1]);
    memcpy(at[2], latest, sizeof at[2]);
    if (circle_add(&swing->circle, at, last)) {
        way[0] = swing->circle.way;
        line_add(&swing->round, now, way);
    }
}

void swing_add(swing_course *swing, double now, const double at[3])
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
