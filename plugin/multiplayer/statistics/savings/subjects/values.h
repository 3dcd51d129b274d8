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
#include "multiplayer/statistics/savings/relations/curve.h"

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
    bool seen, latest;       /* latest: it is that of the latest value */
    container_change change; /* from it to the latest one */
} kept_container;

/* A container in which numbers go on by even steps, all by as much, and others change now and then: sums over
 * the updates in which nothing else does. */
typedef struct {
    bool known;             /* there was an update before, */
    double time, step;      /* then, by that */
    double seconds, number; /* in which the numbers changed, and by how much */
    uint64_t steps, rests;  /* updates in which nothing else has changed, or nothing */
    uint64_t events, told;  /* the others; bytes of what they tell */
    steady_course course;
} counting_course;

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
