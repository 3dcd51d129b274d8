/* replication.h
 *
 * What `-z godot,replication` counts (count.c) and says (report.c). No other file
 * includes this one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_GODOT_REPLICATION_H
#define STAT_GODOT_REPLICATION_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    VALUE_SIZE = 80, /* bytes of a value's text, with its end */
    MAX_WRITERS = 8, /* of a property */
    RECENT_UPDATES =
        /* of a property, and of what is on its way through a relay: a second of a game at 30 per second */
    32,
};

typedef struct {
    uint32_t frame;    /* 0: none */
    double time;       /* seconds since the capture began */
    int32_t net_frame; /* -1: none; those of different receivers have nothing to do with each other */
    char text[VALUE_SIZE];
} update;

/* Updates one after the other. */
typedef struct {
    update last;
    double longest;                    /* time without one */
    uint32_t longest_from, longest_to; /* frames around it */
} update_track;

typedef struct property property;

typedef enum { NODE_UNKNOWN, NODE_SPAWNED, NODE_GONE } node_state;

/* What a peer was told of a node. */
typedef struct {
    node_state state; /* as delivered */
    double despawned; /* when that was sent; below 0: it was not, or it is there again */
} node_at_peer;

typedef struct {
    char *path;
    GPtrArray *properties; /* its own, and those of nodes right below it */
    GHashTable *peers;     /* peer id to a node_at_peer; NULL: nobody was told of it */
} node;
/* Of the states of a synchronizer to one receiver: intervals.c */
typedef struct intervals intervals;

/* From a peer to another. A client tells another client through the server: the update is on the wire twice,
 * on its way to the server and passed on by it. */
typedef struct {
    property *of;
    int32_t from, to;                        /* 0: not known */
    uint32_t session;                        /* of the first update */
    uint32_t sent, passed_on;                /* by the writer; by the server for it */
    uint32_t again, lost;                    /* both ways; `again`: retransmissions of reliable ones */
    bool arrivals_known;                     /* of unreliable ones: captured or recorded at both ends */
    uint32_t delivered, held;                /* to `to`, by ENet, or not before the end of the capture */
    uint32_t late;                           /* of `delivered`: older than one before */
    uint32_t early;                          /* before the node was spawned there */
    uint32_t gone;                           /* after it was despawned there */
    uint32_t unconfirmed, first_unconfirmed; /* reliable, not acknowledged; frame of the first */
    update_track of_sent, of_passed_on, of_delivered; /* `of_delivered`: delivered, and not late or gone */
    int32_t newest;                                   /* network frame that the receiver has, -1: none */
    uint32_t joined;   /* number of the latest shared update that it is part of, 0: none */
    intervals *states; /* of the first property of a synchronizer; NULL: it is not, or there were none */
    struct {
        int32_t net_frame;
        uint32_t number; /* of its shared update, 0: none */
    } *on_their_way;     /* RECENT_UPDATES, by network frame; NULL: nothing was sent through a relay */
} flow;

typedef struct {
    int32_t peer;
    update first, last;
} writer;

/* An update that its writer sends to several peers at once: who did not get it, and who did. */
typedef struct {
    uint32_t number; /* from 1 */
    int32_t sender;
    double time;
    char text[VALUE_SIZE];
    const flow *missed_by, *had_by; /* NULL: nobody so far */
    uint32_t missed_frame, had_frame;
    int32_t missed_net_frame, had_net_frame;
} shared_update;

struct property {
    node *at, *above; /* `above`: the node above, NULL: there is none */
    const char *node; /* path of `at` */
    char *name;
    GPtrArray *flows;
    writer writers[MAX_WRITERS];
    unsigned writer_count;
    shared_update *recent;  /* RECENT_UPDATES, by number; NULL: none yet, or not needed any more */
    uint32_t shared;        /* so many there have been */
    bool is_parted;         /* one peer has missed what another one got: */
    shared_update diverged; /* the first such update */
};

typedef struct {
    GPtrArray *properties;
    GHashTable *property_of, *flow_of; /* by texts that are theirs */
    GHashTable *nodes;                 /* path, its own, to a node */
    uint32_t told_nodes;               /* so many node_at_peer there are */
    size_t path_bytes;                 /* of all nodes */
    GSequence *pending;                /* delivery, in order */
    uint32_t order;
    uint32_t flow_count, left_out; /* values beyond MAX_FLOWS */
    uint32_t interval_count;       /* that are kept, of all synchronizers */
    bool any;                      /* message, of whatever kind */
    bool recorded;                 /* all of it, in the game: nothing is known of the network */
    bool one_pass;
    double end; /* seconds since the capture began */
    uint32_t last_frame;
} replication;

/* --- what peers are told of nodes: nodes.c ------------------------------------------------------- */

void nodes_free(void *one);
/* NULL: there are too many. */
node *nodes_at(replication *all, const char *path);
/* What `peer` was told of a node; NULL: there is too much of that. */
node_at_peer *nodes_tell(replication *all, node *one, int32_t peer);
/* Whether the property's node is gone there, or the one above it, which has it as its synchronizer. */
bool nodes_is_gone(int32_t peer, const property *of);
/* It is sent that a node is gone, or there again. */
void nodes_note_despawn(replication *all, int32_t peer, node *at, bool spawned, double time);
/* When `peer` was sent that the property's node, or the one above it, is despawned; below 0: it was not, or
 * it is there again. */
double nodes_despawned(int32_t peer, const property *of);

/* --- how often states come: intervals.c ---------------------------------------------------------- */

/* What became of a state on its way, if its receiver was captured. */
typedef struct {
    bool passed_on; /* by the server, for its sender */
    bool lost, received;
} state_fate;

/* A state as it leaves its sender, or the server that passes it on. */
void intervals_sent(replication *all, flow *one, const update *now, state_fate fate);
/* A state that is delivered, and not ignored. */
void intervals_delivered(replication *all, flow *one, const update *now);
/* What was delivered so far was ignored. */
void intervals_forget_delivered(replication *all, flow *one);
void intervals_free(intervals *states);
/* Rates, medians and longest intervals by synchronizer and receiver, the longest first. */
void intervals_write(const replication *all, GString *text);

/* --- the report: report.c ------------------------------------------------------------------------ */

void replication_write(const replication *all, GString *text);

void godot_replication_register(int proto);

#endif
