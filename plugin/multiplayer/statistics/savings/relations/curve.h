/* curve.h
 *
 * Positions with a constant second difference, piece by piece: what falls, or is moved by a tween that eases
 * in and out; and those on circles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_CURVE_H
#define GODOT_SAVINGS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

/* Points in pieces, those of them where it moves, and how many of these pieces there are. */
typedef struct {
    uint64_t points, moving, pieces;
} curve_count;

typedef struct {
    curve_count before; /* this piece */
    uint32_t known;     /* of `latest` */
    uint32_t points;    /* of this piece, with the two before its first second difference */
    double latest[2][3], second[3];
    bool moves;
} curve_course;

/* At even intervals: where one is missing another piece begins. */
void curve_add(curve_course *course, const double at[3]);
/* Adds the pieces up to now. */
void curve_total(const curve_course *course, curve_count *count);

/* The circle that positions are on. */
typedef struct {
    bool known;
    double bend[3]; /* 1 / radius, along the axis */
    double way;     /* on it, up to now */
} circle_course;

/* `at`: three positions, one after the other, at steady intervals; `before`: the one right before the latest.
 * Returns whether they are on the circle of those before; if not, they may begin another one. */
bool circle_add(circle_course *course, const double at[3][3], const double before[3]);

#endif
