/* methods.h
 *
 * What Godot Savings counts of remote methods and their arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_METHODS_H
#define GODOT_SAVINGS_METHODS_H

#include "multiplayer/statistics/savings/relations/fixed.h"
#include "multiplayer/statistics/savings/subjects/synchronizers.h"

/* The name under which packets of the game's own are counted: no method can have it. */
#define SAVINGS_SEND_BYTES "multiplayer.send_bytes"

/* A remote method of a node. */
typedef struct {
    char *node;
    uint64_t messages, accepted;
    uint64_t answers;      /* accepted ones to the peer that was the last one to call this node */
    int32_t taken_by;      /* the first peer that accepts it, 0: none */
    bool taken_by_several; /* peers */
    uint64_t refused;      /* by those who get it */
    saved_bytes needless;  /* if it were not sent to those who refuse it */
} called_node;

/* Calls within runs without a pause of CALL_PAUSE: whether a clock makes them, or events. */
typedef struct {
    uint64_t steps;
    double seconds;
    uint64_t windows;      /* of WINDOW_SECONDS, */
    double calls;          /* in these; */
    uint64_t pairs;        /* one after the other: */
    double squares;        /* sum of the squared differences of their calls */
    uint64_t pauses;       /* between such runs */
    uint64_t client_steps; /* of `steps`, calls of clients, */
    double client_seconds; /* and of `seconds` */
} call_pace;

enum { SAVINGS_ARGUMENTS = 8 /* of a method, that are counted one by one */ };

/* An argument of a method. */
typedef struct {
    uint64_t updates, unchanged, changes; /* the first update to a receiver is in neither of the latter */
    uint64_t unchanged_of;                /* as in the call before with the same first argument */
    uint64_t next;                        /* ints that are one more than in the call before */
    uint64_t counted;                     /* changes to the next int, or to 0 */
    uint64_t drafts;                      /* texts that are the one before with a few letters more or less */
    compared_containers containers, about;
    fixed_bytes fixed;
    saved_bytes dropped; /* by not sending it */
    derived_value derived;
    heading_count heading;
    vector_parts parts; /* of its values */
    first_vector first; /* of all nodes: what is the same at one receiver may differ at another */
} called_argument;

/* A method whose calls follow those of another one, with the same arguments. */
typedef struct {
    struct called_method *origin; /* of most of them; NULL: there are none */
    uint64_t votes;               /* majority vote for it */
    uint64_t calls;               /* that follow any */
    uint64_t echoes;              /* of these: to the peer that made the call before */
    saved_bytes back;             /* by leaving these out */
} followed_calls;

/* Calls that always have the same arguments, between others. */
typedef struct {
    uint64_t count, again; /* of these: right after one of them */
    saved_bytes bytes;     /* by omitting them */
} silent_calls;

typedef struct called_method {
    char *name;
    char *source; /* "res://player.gd:12", where it is declared; NULL: not known */
    /* Those of its calls that differ from the one before, and from the one before with the same first
     * argument, as if there were no others; of which these are, and what it saves to omit those. */
    struct called_method *left, *left_of;
    const struct called_method *whole;
    const saved_bytes *omitted;
    GPtrArray *nodes; /* called_node */
    bool more_nodes;  /* than there is room for */
    bool has_arguments;
    bool is_packets; /* SAVINGS_SEND_BYTES */
    bool is_set;     /* a property, by RSET of Godot 3 */
    uint64_t calls, reliable, steps;
    uint64_t unchanged;    /* calls with the same arguments as the previous one, */
    uint64_t rests;        /* of these: after several others, */
    uint64_t doubled;      /* of these: in the same frame, as rpc() in a loop over the peers; */
    silent_calls silent;   /* with those of the first one of these, */
    uint32_t silence;      /* of which this is the hash; */
    uint64_t pieces;       /* others right after one that had changed as well */
    uint64_t unchanged_of; /* as the previous one with the same first argument */
    uint64_t known;        /* large ones with the same arguments as an earlier one, not the previous */
    uint64_t to_server, to_others; /* of the calls: what clients send to the server, and through it */
    uint64_t by_server;            /* what it calls itself */
    uint64_t unknown_mode;         /* calls whose transport does not say whether they are reliable */
    uint64_t chained;              /* of the steps: an argument is another one of the call before */
    uint64_t numbers;              /* calls with one float and no vector */
    uint64_t others_changed; /* calls with a position, or such a float, in which what else has changed */
    uint64_t together;       /* of the steps: in the same frame of the game */
    uint64_t keyed;          /* of these: a number or text differs, which the frame before had as well */
    uint64_t crowded;        /* of these: with three or more before them */
    uint64_t turns;          /* calls about something else than the one before, that came before as well; */
    uint64_t turn_steps;     /* of these: less than CALL_PAUSE after that, */
    double turn_seconds;     /* and the sum of their seconds */
    double step_seconds;
    call_pace pace;
    saved_bytes all;              /* by not calling it */
    saved_bytes elements;         /* what its arguments take as elements of an Array */
    saved_bytes needless;         /* if it were not sent to those who refuse it */
    saved_bytes passed_on;        /* by not sending through the server what a client calls at others */
    saved_bytes same, same_of;    /* by omitting `unchanged` calls, `unchanged_of` */
    saved_bytes once;             /* by omitting `doubled` ones */
    saved_bytes kept;             /* by omitting `known` ones */
    saved_bytes unreliable;       /* by calling it unreliably: retransmissions, acknowledgements */
    saved_bytes joined;           /* by one call with the arguments of the one before it, in the same frame */
    saved_bytes joined_again;     /* likewise, if there was a call of the same method and node */
    saved_bytes joined_next;      /* of these: with the next call of the first method, as in the next frame */
    saved_bytes overtaken;        /* by not making the one before it, likewise */
    struct called_method *leader; /* of most of `joined`; NULL: there are none */
    uint64_t leads;               /* majority vote for `leader` */
    called_argument arguments[SAVINGS_ARGUMENTS];
    /* Calls by the bits of the arguments that have changed since the call before, and since the one before
     * with the same first argument. NULL: there are none. */
    uint64_t *changed_in, *changed_of;
    GPtrArray *courses;   /* steady_course of each receiver of a node's calls */
    GPtrArray *countings; /* counting_course, likewise */
    GPtrArray *runs;      /* straight_course of each argument, likewise */
    GPtrArray *ways;      /* straight_course of what each vector or float is about, at each receiver */
    followed_calls follows;
    struct called_method *asked;       /* most calls answer it, of a client, at once; NULL: there is none */
    uint64_t asked_votes;              /* majority vote for it */
    uint64_t to_all;                   /* calls of the server that are the one before, to another peer */
    uint64_t returned;                 /* calls whose number came back at once, or that bring one back */
    uint64_t addressed;                /* calls of the server whose first argument is the id of a peer */
    saved_bytes to_bystanders;         /* of these: by not sending them to other peers */
    struct called_method *confirmed;   /* of the first of `receipts`; NULL: there are none */
    uint64_t receipts, other_receipts; /* for a reliable call each; of these: of another method */
    const synchronizer *synced_by; /* sends the arguments of `synced` calls as well; NULL: there are none */
    uint64_t synced;
    bool synced_inside;   /* these are vectors in containers: there are other values */
    uint64_t pings;       /* of ENet's, by its sender while it is called */
    uint32_t floats;      /* arguments that are a float; UINT32_MAX: not as many in each call */
    saved_bytes vectors;  /* by one vector, or packed array, instead of these */
    saved_bytes nameless; /* by a name of SHORT_NAME bytes, in Godot 3 */
} called_method;

#endif
