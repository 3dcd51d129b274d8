/* values.h
 *
 * What Godot Savings counts of a value over time, whether it is a property or an argument.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_VALUES_H
#define GODOT_SAVINGS_VALUES_H

#include "multiplayer/statistics/savings/costs/costs.h"
#include "multiplayer/statistics/savings/encoding/differences.h"

/* Vectors of which a component may always be the same: vectors.c */
typedef struct {
    double first[3];        /* components of the first one */
    uint32_t values, nodes; /* nodes: at each receiver */
    uint8_t count;          /* of components */
    uint8_t varies;         /* bits of components that do, */
    uint8_t differs;        /* and of those that do from node to node */
    bool other;             /* a value was no Vector2 or Vector3, or of another type than the first */
} vector_parts;

/* The first one of a node at a receiver. */
typedef struct {
    bool known;
    double at[3];
} first_vector;

/* Containers, each with the one before it: arguments.c */
typedef struct {
    uint64_t count, bytes, differing; /* of those that are another one; of the bytes */
    uint64_t moved;                   /* of these: container_change.moved */
    uint64_t told;                    /* bytes of what differs, with its places */
    uint64_t plain, common;           /* container_change, of bytes */
    saved_bytes differences;          /* by sending what differs only */
    bool raw;                         /* bytes without a type */
    bool about;                       /* each with the one before with the same first argument */
} compared_containers;

/* The container before, at one receiver. */
typedef struct {
    uint8_t *bytes; /* NULL: not kept */
    uint32_t length, room;
    bool seen;
    container_change change; /* from it to the latest one */
} kept_container;

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
    double latest[3];
    double time, at[3]; /* of the first point; the others are relative to it */
    double t, tt, v[3], vv[3], tv[3];
} straight_course;

/* A position or number that may swing around a middle: sums of where it is (x), and of how it is pulled back
 * from there (y), by what it was some values before and is as many after: motion.c */
enum { SWING_STEPS = 8, SWING_KEPT = 2 * SWING_STEPS + 1 };
typedef struct {
    double kept[SWING_KEPT][3]; /* in turns */
    uint32_t count, turns;      /* turns: times that it is pulled to the other side */
    int sides;                  /* bits of the components that were pulled up */
    double n, x[3], y[3], xx[3], yy[3], xy[3];
} swing_course;

/* An int that counts up and begins again at 0: derived.c */
typedef struct {
    bool broken; /* it is no int */
    uint64_t changes, next, rounds;
} counted_round;

typedef struct {
    bool known;
    double number;
} kept_number;

#endif
