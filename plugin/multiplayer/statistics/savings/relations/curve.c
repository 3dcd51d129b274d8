/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/curve.h"

#include <math.h>
#include <string.h>

/* Points of a piece; a slow turn is one for fewer. */
enum { LEAST_POINTS = 12 };
/* Of the second difference, by which it may differ; and of the position, which has 32 bits. */
#define EVEN     0.01
#define FLOAT_32 1e-6
/* Of 1 / radius, by which it may differ; how often it is what rounding makes of a straight line. */
#define ROUND 0.02
#define BENT  10.0

static void end_piece(const curve_course *course, curve_count *count)
{
    if (course->points >= LEAST_POINTS) {
        count->points += course->points;
        count->moving += course->moves ? course->points : 0;
        count->pieces += course->moves;
    }
}

void curve_add(curve_course *course, const double at[3])
{
    double second[3], difference = 0, size = 0, rounded = 0, step = 0;
    for (int i = 0; i < 3; i++) {
        second[i] = at[i] - 2 * course->latest[0][i] + course->latest[1][i];
        difference = fmax(difference, fabs(second[i] - course->second[i]));
        size = fmax(size, fabs(course->second[i]));
        rounded = fmax(rounded, fabs(at[i]) * FLOAT_32);
        step = fmax(step, fabs(at[i] - course->latest[0][i]));
    }
    memcpy(course->latest[1], course->latest[0], sizeof course->latest[0]);
    memcpy(course->latest[0], at, sizeof course->latest[0]);
    if (course->known < 2) {
        course->known++;
        return;
    }
    if (course->points && difference <= EVEN * size + rounded) {
        course->points++;
        course->moves |= step > 0;
        return;
    }
    end_piece(course, &course->before);
    course->points = 3;
    course->moves = step > 0;
    memcpy(course->second, second, sizeof second);
}

void curve_total(const curve_course *course, curve_count *count)
{
    count->points += course->before.points;
    count->moving += course->before.moving;
    count->pieces += course->before.pieces;
    end_piece(course, count);
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

bool circle_add(circle_course *course, const double at[3][3], const double before[3])
{
    static const double none[3] = {0, 0, 0};
    double bend[3], way[3];
    double rounded = bend_of(at, bend), size = way_to(none, bend, way);
    bool on = course->known && way_to(course->bend, bend, way) <= ROUND * size + rounded;
    if (!on) {
        memcpy(course->bend, bend, sizeof bend);
        course->known = size > BENT * rounded;
    }
    course->way = on ? course->way + way_to(before, at[2], way) : 0;
    return on;
}
