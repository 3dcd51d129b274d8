/* synchronizers.h
 *
 * What Godot Savings counts of synchronizers and their properties.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_SYNCHRONIZERS_H
#define GODOT_SAVINGS_SYNCHRONIZERS_H

#include "multiplayer/statistics/savings/relations/curve.h"
#include "multiplayer/statistics/savings/relations/derived.h"
#include "multiplayer/statistics/savings/relations/follow.h"
#include "multiplayer/statistics/savings/relations/heading.h"
#include "multiplayer/statistics/savings/subjects/values.h"
#include "multiplayer/statistics/values/bursts.h"

/* Changes that receivers do not need: changes.c */
typedef enum { NEEDLESS_FINE, NEEDLESS_TOGGLED, NEEDLESS_KINDS } needless_kind;

typedef struct {
    saved_bytes saved;            /* by not sending them */
    uint32_t values, value_bytes; /* of the part under way; */
    uint32_t parts, bytes;        /* of the message: parts with nothing else; all that is saved */
} needless_changes;

/* The latest values of a property, and when it had them. */
typedef struct {
    uint32_t count, hashes[2];
    double time, step;
} toggled_value;

/* A property of a node at a receiver; godot_track.own. */
typedef struct {
    struct node_position *position; /* NULL: it is not one */
    straight_course way;
    curve_course curve;
    swing_course *swing; /* NULL: there is none yet, */
    bool no_swing;       /* or it does not swing */
    bool is_number;      /* of which `way` is */
    bool has_changed;    /* since the first update */
    bool changes;        /* the latest update is a change, */
    uint32_t begin;      /* and others were right before it, from this message on */
    steady_course number;
    counting_course counting;
    kept_container kept;
    kept_number counted;
    heading_before heading;
    first_vector first;
    savings_numbers sent; /* if finer changes were not sent */
    toggled_value toggled;
} property_track;

/* A synchronized property of a synchronizer. In replication mode On Change each update is a change;
 * `updates`, `unchanged` and what follows from others are not counted. */
typedef struct {
    char *name;
    unsigned index;                       /* in the list of these */
    uint64_t updates, unchanged, changes; /* the first update to a receiver is in neither of the latter */
    uint64_t changed_bytes;               /* of values that had changed */
    uint32_t change, messages;            /* the latest message with a change; how many these are */
    uint32_t alone, alone_bytes;          /* parts of that message with nothing else; in mode On Change */
    saved_bytes dropped;                  /* by not sending it */
    derived_value derived;
    heading_count heading;
    follow_count follow;
    counted_round round;
    vector_parts parts; /* of its values */
    uint64_t floats;    /* of these */
    uint64_t needless[NEEDLESS_KINDS];
    compared_containers containers;
    GPtrArray *tracks; /* property_track of each node and receiver */
} synchronized_property;

/* What synchronizers send: properties in replication mode Always, On Change. */
typedef enum { SENT_STATES, SENT_CHANGES, SENT_KINDS } sent_kind;

/* What changes together: by the properties, a bit each; those after the last bit share it. */
enum { SET_BITS = 8, SETS = 1u << SET_BITS, BEGINS = 16 /* in a message */ };
typedef struct {
    uint32_t parts[SETS];    /* by those of the part that have changed, or come for the first time, */
    uint32_t messages[SETS]; /* and by those of its parts in the message; On Change: if it has no others */
    uint32_t begins[SETS];   /* in these: when the parts have begun to change, how many different times */
    uint32_t runs;           /* times that a part has begun to change */
} changed_sets;

typedef struct {
    uint64_t steps;        /* from one to the next of the same node and receiver */
    double step_seconds;   /* their sum */
    slower_states slower;  /* `messages`: without another synchronizer */
    uint64_t parts, alone; /* of messages; messages without another synchronizer */
    saved_bytes all;       /* by not sending it */
    saved_bytes to_others; /* by not sending it to other clients, if a client does */
    changed_sets *sets;    /* NULL: nothing has changed */
} sent_parts;

/* A synchronizer of a scene, or one by its path. */
typedef struct {
    char *scene, *node;               /* `scene` NULL: not known, then `node` is the first one's path */
    unsigned nodes;                   /* then, how many: siblings.c */
    GPtrArray *properties, *changing; /* synchronized_property: Always, On Change */
    sent_parts sent[SENT_KINDS];
    needless_changes needless[NEEDLESS_KINDS];
    uint32_t position;                    /* place of it among the values of a part */
    uint64_t has_changed;                 /* bits of the values of a part, up to the current one */
    uint32_t due;                         /* bits of the current message, for slower_states; */
    uint32_t here;                        /* parts of the current message that are about it, */
    uint32_t here_bytes;                  /* and their bytes; */
    unsigned changed;                     /* bits of what has changed in the current one of these, */
    unsigned any_changed;                 /* in those before it; */
    uint32_t begin;                       /* number of the message since which it changes; */
    uint32_t begins[BEGINS], begin_count; /* those of the parts before it */
    bool is_whole;                        /* the message has no other parts */
    bool of_client;                       /* a client writes its states */
    bool is_one_of_several;               /* synchronizers of the same node */
    uint64_t besides;   /* states right after one of another synchronizer of the same node */
    saved_bytes beside; /* by sending its state with that of the one before it, of the same node */
} synchronizer;

#endif
