/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/curve.h"

#include <math.h>
#include <string.h>

/* Points of a piece; a slow turn is one for fewer. */
enum { LEAST_POINTS = 12 };
/* Of the second difference, by which it may differ; and of the position, which has 32 bits. */
#define EVEN     0.01
#define FLOAT_32 1e-6

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
