/* curve.h
 *
 * Numbers and positions that follow from the time: on straight lines; with a constant second difference,
 * piece by piece, as what falls or is moved by a tween that eases in and out; on circles; to and fro.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_CURVE_H
#define GODOT_SAVINGS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

/* A number over time, as sums for a line: a property, or what changes in the calls of a method of a node to
 * one receiver. */
typedef struct {
    unsigned argument;   /* of the calls, */
    uint32_t place;      /* and where in it, in bytes, if it is a container */
    uint32_t points;     /* 0: nothing has changed yet */
    bool broken;         /* several arguments have changed, or something else than a number */
    bool uneven;         /* it has changed by more at one time than at another: no count of the calls */
    double step;         /* from the first change to the second */
    double time, number; /* of the first point; the others are relative to it */
    double latest;
    double t, v, tt, tv, vv;
} steady_course;

/* Points on straight lines, those of them where it does not rest, and how many lines these are. */
typedef struct {
    uint64_t points, moving, lines;
} line_count;

/* A position, or a number, over time: as sums for a line, up to where it turns. */
typedef struct {
    line_count before; /* this line */
    uint32_t points;
    bool uneven; /* a step is no multiple of the first one */
    double step; /* length of that */
    double latest[3];
    double time, at[3]; /* of the first point; the others are relative to it */
    double t, tt, v[3], vv[3], tv[3];
} straight_course;

enum { LINE_POINTS = 8 /* least ones of a line */ };

/* A node that turns, or begins to rest, begins another line. */
void line_add(straight_course *course, double time, const double at[3]);
/* Adds the lines up to now; returns whether there are any. */
bool line_total(const straight_course *course, line_count *count);

void steady_add(steady_course *course, double time, double number);
/* Change of the number a second; 0: that is not steady, or there are fewer points than `least`. */
double steady_slope(const steady_course *course, unsigned least);
/* Whether it is a whole number of steps, by little less or more. */
bool is_multiple(double step, double of);

/* Points in pieces, those of them where it moves, and how many of these pieces there are. */
typedef struct {
    uint64_t points, moving, pieces;
} curve_count;

/* Of a way on which each step is the one before by the same factor, as of lerp() to a place that rests. */
typedef struct {
    curve_count before; /* this piece */
    uint32_t points;
    double factor;
    bool moves;
} fading_course;

typedef struct {
    curve_count before; /* this piece */
    fading_course fading;
    uint32_t known;  /* of `latest` */
    uint32_t points; /* of this piece, with the two before its first second difference */
    double latest[2][3], second[3];
    bool moves;
} curve_course;

/* At even intervals: where one is missing another piece begins. */
void curve_add(curve_course *course, const double at[3]);
/* Adds the pieces up to now: of one second difference; of one factor. */
void curve_total(const curve_course *course, curve_count *count);
void curve_total_fading(const curve_course *course, curve_count *count);

/* The circle that positions are on. */
typedef struct {
    bool known;
    double bend[3]; /* 1 / radius, along the axis */
    double way;     /* on it, up to now */
} circle_course;

/* A position or number that may swing around a middle, or turn around one: sums of where it is (x), and of
 * how it is pulled back from there (y), by what it was some values before and is as many after. */
enum { SWING_STEPS = 8, SWING_KEPT = 2 * SWING_STEPS + 1 };
typedef struct {
    double kept[SWING_KEPT][3]; /* in turns */
    uint32_t count, even;       /* of values; of these, since the latest pause */
    uint32_t turns;             /* times that it is pulled to the other side */
    int sides;                  /* bits of the components that were pulled up */
    double n, x[3], y[3], xx[3], yy[3], xy[3];
    circle_course circle;
    straight_course round; /* the way on it */
} swing_course;

/* At even intervals, but for what turns around a middle. */
void swing_add(swing_course *swing, double now, const double at[3]);
/* Whether it is pulled back in proportion to how far away it is, as a sine of time: `least` share of it. */
bool swing_holds(const swing_course *swing, double least);

#endif
