/* replication.h
 *
 * Data of `-z godot,replication`. Private to this folder: count.c collects, page.c writes the text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_GODOT_REPLICATION_H
#define STAT_GODOT_REPLICATION_H

#include <stdbool.h>
#include <stdint.h>

#include <wsutil/wmem/wmem.h>

#include "multiplayer/state/session.h"

enum {
    VALUE_SIZE = 80,     /* bytes of a value's text, including the NUL */
    MAX_WRITERS = 8,     /* of a property */
    RECENT_UPDATES = 32, /* kept of a property, and of a flow through a relay: a second at 30 updates */
};

typedef struct {
    uint32_t frame;    /* 0: none */
    double time;       /* seconds since the capture began */
    int32_t net_frame; /* counted by the sender for each receiver; -1: none */
    uint32_t session;  /* of the message; its end that has sent it, and when: see godot_session_has_all() */
    bool from_initiator;
    uint32_t game; /* hash of the server's socket */
    godot_moment at;
    char text[VALUE_SIZE];
} update;

/* A series of updates. */
typedef struct {
    update last;
    double longest;                    /* the longest interval between two updates, seconds */
    uint32_t longest_from, longest_to; /* frames of these two */
} update_track;

typedef struct property property;

typedef enum { NODE_UNKNOWN, NODE_SPAWNED, NODE_GONE } node_state;

/* A node at a peer. */
typedef struct {
    node_state state; /* by the latest SPAWN or DESPAWN that was delivered */
    double despawned; /* when the DESPAWN was sent, seconds; negative: never, or it was spawned again */
} node_at_peer;

typedef struct {
    char *path;
    GPtrArray *properties; /* of the node and of its children */
    wmem_map_t *peers;     /* peer id to node_at_peer; NULL: none */
} node;
typedef struct intervals intervals; /* see intervals.c */

/* Updates of a property from one peer to another. Between two clients the server relays: then an update is
 * captured twice, to the server and from it. */
typedef struct {
    property *of;
    int32_t from, to;                        /* 0: not known */
    uint32_t session;                        /* of the first update */
    uint32_t first_frame;                    /* of its writer's updates; 0: none yet */
    uint32_t sent, passed_on;                /* by the writer; by the server */
    uint32_t again, lost;                    /* on either way; `again`: retransmissions of reliable ones */
    bool arrivals_known;                     /* captured or recorded at both ends */
    uint32_t delivered, held;                /* delivered to `to` by its ENet; not until the capture ends */
    uint32_t late;                           /* of `delivered`: older than an earlier one */
    uint32_t early;                          /* of `delivered`: before the node was spawned there */
    uint32_t gone;                           /* of `delivered`: after it was despawned there */
    uint32_t unconfirmed, first_unconfirmed; /* reliable, not acknowledged; frame of the first */
    update_track of_sent, of_passed_on, of_delivered; /* `of_delivered`: not those that are late or gone */
    int32_t newest;                                   /* highest network frame that was delivered, -1: none */
    uint32_t joined;   /* number of the latest shared_update that includes this flow, 0: none */
    intervals *states; /* if this is the first property of a synchronizer; NULL: not, or no states */
    struct {
        int32_t net_frame;
        uint32_t number; /* of its shared_update, 0: none */
    } *on_their_way;     /* sent to the relay: RECENT_UPDATES elements by network frame; NULL: none */
} flow;

typedef struct {
    int32_t peer, to; /* `to`: of the last update */
    update first, last;
    struct {
        uint32_t from, to;  /* frames; `from` 0: never */
    } at_once[MAX_WRITERS]; /* with another one that is behind it in the list */
} writer;

/* An update that its writer sends to several peers at once: a flow that has lost it, one that has not. */
typedef struct {
    uint32_t number; /* from 1 */
    int32_t sender;
    uint32_t game;
    double time;
    char text[VALUE_SIZE];
    const flow *missed_by, *had_by; /* NULL: none so far */
    uint32_t missed_frame, had_frame;
    int32_t missed_net_frame, had_net_frame;
} shared_update;

struct property {
    node *at, *above; /* its node, and the parent of that, NULL: none */
    const char *node; /* path of `at` */
    char *scene;      /* that the node is in, NULL: not known */
    char *name;
    bool is_set;  /* by RSET of Godot 3 */
    bool several; /* the path of the node is not known: it can be about several nodes */
    GPtrArray *flows;
    writer writers[MAX_WRITERS];
    unsigned writer_count;
    shared_update *recent;          /* RECENT_UPDATES elements, by number; NULL: none yet */
    uint32_t shared;                /* number of shared updates so far */
    bool diverged;                  /* one peer has missed an update that another one got */
    shared_update first_difference; /* the first such update; valid if `diverged` */
};

typedef struct {
    wmem_allocator_t *pool;
    GPtrArray *properties;
    wmem_map_t *property_of, *flow_of;
    wmem_map_t *nodes;             /* path (of the node) to node */
    uint32_t node_at_peer_count;   /* of all nodes */
    size_t path_bytes;             /* of all nodes */
    GSequence *pending;            /* of delivery, in order */
    uint32_t order;                /* of the next delivery */
    uint32_t flow_count, left_out; /* `left_out`: values beyond MAX_FLOWS */
    uint32_t interval_count;       /* that are kept, of all synchronizers */
    bool any;                      /* there was a message, of any kind */
    bool recorded;                 /* all messages come from recordings */
    bool one_pass;                 /* tshark without -2 */
    double end;                    /* seconds since the capture began */
    uint32_t last_frame;
} replication;

/* --- nodes at peers: spawned.c --------------------------------------------------------------------- */

/* Finds or creates a node; NULL: there are too many. */
node *nodes_at(replication *all, const char *path);
/* Finds or creates the state of a node at a peer; NULL: there are too many. */
node_at_peer *nodes_at_peer(replication *all, node *one, int32_t peer);
/* Whether the property's node or its parent was despawned at `peer`. */
bool nodes_is_gone(int32_t peer, const property *of);
/* A SPAWN or DESPAWN was sent to `peer`. `time`: seconds since the capture began. */
void nodes_note_despawn(replication *all, int32_t peer, node *at, bool spawned, double time);
/* When the DESPAWN of the property's node or its parent was sent to `peer`, seconds; negative: never, or it
 * was spawned again. */
double nodes_despawned(int32_t peer, const property *of);

/* --- intervals between states: intervals.c ------------------------------------------------------- */

/* What happened to a state after it was sent; if neither `lost` nor `received`, that is not known. */
typedef struct {
    bool passed_on; /* sent by the server on behalf of a client */
    bool lost, received;
} state_fate;

/* A state is sent by its writer, or passed on by the server. */
void intervals_sent(replication *all, flow *one, const update *now, state_fate fate);
/* A state is delivered and not ignored. */
void intervals_delivered(replication *all, flow *one, const update *now);
/* All states that were delivered so far were ignored by the receiver. */
void intervals_forget_delivered(replication *all, flow *one);
/* Writes rates, medians and longest intervals, the longest first: a row for each scene and receiver; then, of
 * each synchronizer, the cause. In a window only of the first one of each row. */
void intervals_write(const replication *all, GString *text);
/* Filter of the node and frames of the longest interval in row `number`; NULL: there are no more rows. */
const char *intervals_filter(void *state, unsigned number);

/* --- the report: page.c ------------------------------------------------------------------------ */

void replication_write(const replication *all, GString *text);
/* Filter of the worst node of row `number` of the updates; NULL: there are no more rows. */
const char *replication_filter(void *state, unsigned number);

void godot_replication_register(int proto);

#endif
