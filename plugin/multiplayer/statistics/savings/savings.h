/* savings.h
 *
 * Statistics → Godot Savings, and `-z godot,savings[,FILTER]`: changes of a game by which it sends less,
 * and the bytes that each would save in this capture.
 *
 * Saved bytes are counted frame by frame, for each possible change. A datagram that would not be sent at all
 * is counted with all its headers, else only the bytes that it would not contain.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_H
#define GODOT_SAVINGS_H

#include "multiplayer/statistics/savings/costs/costs.h"
#include "multiplayer/statistics/savings/encoding/differences.h"
#include "multiplayer/statistics/savings/encoding/encoding.h"
#include "multiplayer/statistics/savings/encoding/words.h"
#include "multiplayer/statistics/savings/relations/curve.h"
#include "multiplayer/statistics/savings/relations/derived.h"
#include "multiplayer/statistics/savings/relations/follow.h"
#include "multiplayer/statistics/savings/relations/heading.h"
#include "multiplayer/statistics/values/bursts.h"
#include "multiplayer/statistics/values/calls.h"
#include "multiplayer/statistics/values/updates.h"

enum { SAVINGS_STATE_HEAD = 4 + 4 /* bytes of a state before its values: id and size */ };
enum { SHORT_PATH = 8 /* bytes of the path that is advised */, SHORT_NAME = 8 /* likewise, of a name */ };

/* Vectors of which a component may always be the same: forms.c */
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
    uint64_t told;                    /* bytes of what differs, with its places */
    saved_bytes differences;          /* by sending what differs only */
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
    kept_container kept;
    kept_number counted;
    heading_before heading;
    first_vector first;
} property_track;

/* A synchronized property of a synchronizer. In replication mode On Change each update is a change;
 * `updates`, `unchanged` and what follows from others are not counted. */
typedef struct {
    char *name;
    unsigned index;                       /* in the list of these */
    uint64_t updates, unchanged, changes; /* the first update to a receiver is in neither of the latter */
    uint64_t changed_bytes;               /* of values that had changed */
    uint32_t change, messages;            /* the latest message with a change; how many these are */
    saved_bytes dropped;                  /* by not sending it */
    derived_value derived;
    heading_count heading;
    follow_count follow;
    counted_round round;
    vector_parts parts; /* of its values */
    uint64_t floats;    /* of these */
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
    unsigned nodes;                   /* then, how many: synced.c */
    GPtrArray *properties, *changing; /* synchronized_property: Always, On Change */
    sent_parts sent[SENT_KINDS];
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
    uint64_t windows; /* of WINDOW_SECONDS, */
    double calls;     /* in these; */
    uint64_t pairs;   /* one after the other: */
    double squares;   /* sum of the squared differences of their calls */
} call_pace;

enum { SAVINGS_ARGUMENTS = 8 /* of a method, that are counted one by one */ };

/* An argument of a method. */
typedef struct {
    uint64_t updates, unchanged, changes; /* the first update to a receiver is in neither of the latter */
    uint64_t unchanged_of;                /* as in the call before with the same first argument */
    uint64_t next;                        /* ints that are one more than in the call before */
    uint64_t drafts;                      /* texts that are the one before with a few letters more or less */
    compared_containers containers, about;
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
    /* Those of its calls that differ from the one before, as if there were no others; of which these are. */
    struct called_method *changed;
    const struct called_method *whole;
    GPtrArray *nodes; /* called_node */
    bool more_nodes;  /* than there is room for */
    bool has_arguments;
    bool is_packets; /* SAVINGS_SEND_BYTES */
    bool is_set;     /* a property, by RSET of Godot 3 */
    uint64_t calls, reliable, steps;
    uint64_t unchanged;    /* calls with the same arguments as the previous one, */
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
    uint64_t turns;          /* calls about something else than the one before, that came before as well, */
    double turn_seconds;     /* and the sum of their seconds since that */
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
    saved_bytes joined_again;     /* likewise, if that was a call of the same method and node */
    saved_bytes overtaken;        /* by not making the one before it, likewise */
    struct called_method *leader; /* of most of `joined`; NULL: there are none */
    uint64_t leads;               /* majority vote for `leader` */
    called_argument arguments[SAVINGS_ARGUMENTS];
    /* Calls by the bits of the arguments that have changed since the call before, and since the one before
     * with the same first argument. NULL: there are none. */
    uint64_t *changed_in, *changed_of;
    GPtrArray *courses; /* steady_course of each receiver of a node's calls */
    GPtrArray *ways;    /* straight_course of what each vector or float is about, at each receiver */
    followed_calls follows;
    struct called_method *asked;       /* most calls answer it, of a client, at once; NULL: there is none */
    uint64_t asked_votes;              /* majority vote for it */
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

/* The arguments of the call before, and of the one before with the same first argument: arguments.c */
typedef struct argument_track argument_track;
typedef struct about_track about_track;

/* Calls of clients that the server could pass on or answer: passed.c */
typedef struct passed_calls passed_calls;

/* Calls whose arguments may be in the next state of a synchronizer: synced.c */
typedef struct waiting_calls waiting_calls;

/* Reliable calls for which no call came back yet: passed.c */
typedef struct reliable_calls reliable_calls;

/* An argument of a method, a property, or a part of either. */
typedef struct {
    char *name, *place;
    char *node;   /* the first one, or a scene, */
    bool several; /* and there are others */
    encoded_part values;
    uint32_t varies;                    /* texts of `values` other than the one before by the same sender */
    saved_bytes shorter[ENCODED_FORMS]; /* by encoded_part.saved */
    text_words words;
    sentence *sentences;       /* by the number of `values.key_hashes`; NULL: there are none */
    saved_bytes numbered;      /* by a number for each word */
    struct place_kinds *kinds; /* of Dictionaries: forms.c; NULL: there is none */
} encoded_place;

/* The parent of nodes whose paths are sent in full. */
typedef struct {
    char *path;
    uint64_t messages;
    saved_bytes shorter; /* by a path of SHORT_PATH bytes */
} path_above;

/* A scene that a spawner spawns, or the nodes that its spawn function makes. */
typedef struct {
    char *scene, *spawner; /* `scene` NULL: not known */
    uint64_t spawns, short_lived;
    double life;        /* sum of the seconds that the short-lived ones existed */
    saved_bytes called; /* by an unreliable call instead of spawn and despawn */
} spawned_scene;

/* Positions of nodes, and how far these are from the receivers' own: distance.c */
typedef struct node_distances node_distances;
typedef struct node_position node_position;

typedef struct {
    wmem_allocator_t *pool;
    godot_tracks *tracks;
    GPtrArray *synchronizers, *methods, *nodes, *callers, *places, *senders, *paths, *scenes;
    wmem_map_t *bursts;              /* sender to its call_burst (calls.c) */
    wmem_map_t *keyed;               /* track and first argument, to the latest call about that (calls.c) */
    wmem_map_t *large;               /* track and hash of all arguments of its large calls (calls.c) */
    wmem_map_t *latest;              /* ENet's sender to its latest_call (collect.c) */
    called_method *called_here;      /* in the frame under way; NULL: none */
    bool states_here;                /* likewise, states are sent */
    uint64_t state_pings;            /* ENet's pings, by their sender while there are states */
    GHashTable *spawned_at;          /* receiver and path to a living_node (short-lived.c) */
    wmem_map_t *by_key, *by_path;    /* of all of these: a text that is its own; of synchronizers */
    wmem_strbuf_t *key;              /* of what is looked for */
    GPtrArray *of_parts;             /* synchronizers of the message's parts; NULL: there are too many */
    GPtrArray *shown;                /* filters of the rows of the page */
    saved_costs costs;               /* of the frame under way */
    GArray *hashes;                  /* of the values of the update under way */
    wmem_map_t *clocks;              /* of nodes' synchronizers (collect.c) */
    saved_bytes sent[SENT_KINDS][2]; /* if no synchronizer sent any; those of clients */
    saved_bytes packed;              /* values that the game has compressed */
    node_distances *distances;       /* distance.c */
    passed_calls *passed;            /* passed.c */
    GPtrArray *questions;            /* calls that were not answered yet: passed.c */
    wmem_map_t *peers;               /* ids of those that send or get calls: passed.c */
    reliable_calls *unanswered;      /* passed.c */
    waiting_calls *waiting;          /* synced.c */
    uint32_t kept_bytes;             /* of arguments: arguments.c */
    int api;                         /* 3 or 4, of the latest message */
    godot_calls *calls;
    slower_states slower[SENT_KINDS][2];
    bool again;                    /* the message is a call that was counted, to another receiver */
    uint32_t message;              /* number of the one under way */
    uint64_t bytes;                /* on the wire */
    uint64_t frames, header_bytes; /* of ENet: datagrams; what is in their frames before ENet's part */
    uint64_t acknowledgements, acknowledgement_bytes, answers; /* answers: datagrams with them */
    uint64_t messages, message_bytes, value_bytes;             /* over ENet, not sent again */
    uint64_t plain_bytes, coded_bytes, compressed; /* as sent, and as the range coder would; datagrams */
    double begin, end;                             /* seconds since the capture began */
    uint32_t plain_frame, last_frame;
    uint32_t cut_frames; /* of these the snap length has cut bytes: what they show is not the whole */
} savings;

/* Adds bytes of the current frame to the savings of a change. `whole`: they are a whole message. */
void savings_add(savings *all, saved_bytes *of, uint32_t bytes, bool whole);
/* Bytes of a message with its ENet command header; not over ENet, its share of the frames' bytes. */
uint32_t savings_command_length(const godot_tap *tap);
/* Finds the element with the key all->key, or adds a new one to `list`; NULL: there are too many. */
void *savings_subject(savings *all, GPtrArray *list, size_t size, bool *is_new);

/* What changes together: advice-states.c. Notes that a property has changed in a part of the message, or that
 * another part begins; and that the message is complete. */
void savings_note_changed(const savings *all, synchronizer *of, sent_kind kind, unsigned index,
                          property_track *track);
void savings_end_part(synchronizer *of, sent_kind kind, uint32_t message);
void savings_end_states(const savings *all, sent_kind kind);
/* Parts and messages in which any of these properties, bits, has changed; and their bytes without the values,
 * as reliable messages in datagrams of their own. */
typedef struct {
    uint64_t parts;
    double messages;
    double more; /* changes for each one that was seen in states: what ends to change comes once more */
} set_count;
#define SAVINGS_ANY (SETS - 1)
set_count savings_changed_ones(const synchronizer *of, sent_kind kind, unsigned properties);
double savings_changes_cost(const savings *all, set_count count);

/* Calls: calls.c */
void savings_calls_begin(savings *all);
void savings_count_call(savings *all, const godot_tap *tap, const godot_update *call,
                        const packet_info *pinfo);
/* "res://player.gd:12", where a method is declared, in the pool; NULL: not known from the project. */
char *savings_source_of(const savings *all, const godot_tap *tap, const char *name);

/* Arguments: arguments.c. `track`: NULL at first. */
/* Returns the hash of the argument of which it is the course (called_method.courses); 0: none yet. */
uint32_t savings_count_arguments(savings *all, called_method *of, argument_track **track,
                                 const godot_update *call, double now);
double savings_argument_bytes(const called_method *of); /* of all its calls */
void savings_advise_arguments(const savings *all, GPtrArray *rows, const called_method *of);
/* The same with the latest call about the same. `track`: NULL at first. */
void savings_compare_about(savings *all, called_method *of, about_track **track, const godot_update *call);
/* Containers of which little changes between calls that differ. `same`: others need not be made. */
void savings_advise_containers(const savings *all, GPtrArray *rows, const called_method *of, bool same);
/* "Call it once": whether receivers can count by themselves what it tells. */
bool savings_advise_course(const savings *all, GPtrArray *rows, const called_method *of);

/* Containers of which little changes: arguments.c */
/* Compares the value with the one before, if it is a container of `least` bytes. `same`: it is the same. */
void savings_compare(savings *all, compared_containers *of, kept_container *before,
                     const godot_tap_variant *value, bool same, uint32_t least);
/* Whether a value that has changed is a number, or a container in which only one has. */
bool savings_changed_number(const kept_container *before, const godot_tap_variant *value, double *number,
                            uint32_t *place);
/* `subtracted`: what the change costs; NULL: nothing. Takes ownership of `where`. */
void savings_advise_differences(const savings *all, GPtrArray *rows, const compared_containers *of,
                                double bytes, const char *what, char *where, const char *subtracted);

/* Forms of values and of calls: forms.c */
void savings_count_encodings(savings *all, const godot_tap *tap, const godot_update *update);
char *savings_place_text(const encoded_place *of);
void savings_advise_kinds(const savings *all, GPtrArray *rows, const encoded_place *of);
void savings_count_vector(vector_parts *parts, first_vector *first, const double at[3], unsigned count);
void savings_count_forms(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
void savings_advise_forms(const savings *all, GPtrArray *rows, const called_method *of);
/* Several floats of a synchronizer. */
void savings_advise_floats(const savings *all, GPtrArray *rows, const synchronizer *of, sent_kind kind);
void savings_advise_vector(const savings *all, GPtrArray *rows, const vector_parts *parts,
                           const saved_bytes *dropped, char *where, const char *property);

/* What others tell: derived.c */
void savings_count_related(const savings *all, synchronizer *of, synchronized_property *one,
                           property_track *own, const godot_tap *tap, const godot_update *update,
                           uint32_t index, double now);
/* `before`: of the latest call about the same, one for each argument; NULL at first. */
void savings_count_headings(const savings *all, called_method *of, heading_before **before,
                            const godot_update *call, double now);
void savings_advise_related_arguments(const savings *all, GPtrArray *rows, const called_method *of);
void savings_count_round(counted_round *of, kept_number *before, const godot_update *update);
void savings_advise_derived(const savings *all, GPtrArray *rows, const synchronizer *of);

/* Synchronized properties that tell nothing new: motion.c */
void savings_add_number(steady_course *course, double time, double number);
/* Change of the number a second; 0: that is not steady, or there are fewer points than `least`. */
double savings_slope_of(const steady_course *course, unsigned least);
/* `same`: the value is that of the update before, or the first one. */
void savings_count_motion(synchronized_property *one, property_track *track, const godot_update *update,
                          bool same, double now);
/* `pause`: the game has paused before it. */
void savings_count_swing(const savings *all, property_track *track, const godot_update *update, bool pause);
/* Notes the vector of a call, if there is one, else its float, if it has one. `course`: of what the call is
 * about. Returns a hash of all other arguments; 0: nothing was noted. */
uint32_t savings_count_way(called_method *of, straight_course *course, const godot_update *call, double now);
/* "Call it once, with the velocity", or with the pace of a number. */
void savings_advise_way(const savings *all, GPtrArray *rows, const called_method *of);
void savings_advise_motion(const savings *all, GPtrArray *rows, const synchronizer *of);
/* "res://unit.tscn, Sync" */
char *savings_synchronizer_text(const synchronizer *of);

/* What the server passes on or answers: passed.c */
void savings_passed_begin(savings *all);
/* `steady`: what savings_count_arguments() has returned. */
void savings_count_passed(savings *all, called_method *of, const godot_tap *tap, const godot_update *call,
                          uint32_t steady, double now);
/* The method, of clients, whose calls nearly all calls of this one by the server follow; it can be the same.
 * NULL: there is none. */
const called_method *savings_origin_of(const called_method *of);
/* Calls of the server that come right after one of the receiver, of the same node. */
void savings_count_asked(savings *all, called_method *of, const godot_tap *tap, const godot_update *call,
                         double now);
/* The method that these calls answer, each one call of it; NULL: there is none. */
const called_method *savings_question_of(const called_method *of);
/* Calls that say in their first argument for which peer they are. */
void savings_count_addressed(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
void savings_advise_addressed(const savings *all, GPtrArray *rows, const called_method *of);
void savings_advise_passed(const savings *all, GPtrArray *rows, const called_method *of);
/* Calls that one peer accepts and others refuse; and those of clients that the server passes on. */
void savings_advise_receiver(const savings *all, GPtrArray *rows, const called_method *of);
void savings_advise_server_only(const savings *all, GPtrArray *rows, const called_method *of);

/* Receipts of calls: passed.c. The row replaces others about the method; false: there is none. */
void savings_receipts_begin(savings *all);
void savings_count_receipts(savings *all, called_method *of, const godot_tap *tap, const godot_update *call,
                            double now);
bool savings_advise_receipts(const savings *all, GPtrArray *rows, const called_method *of);

/* Calls that tell what synchronizers tell: synced.c. `update`: with a value. True: it replaces others. */
void savings_synced_begin(savings *all);
void savings_count_synced_call(savings *all, called_method *of, const godot_tap *tap,
                               const godot_update *call, double now);
void savings_count_synced_state(savings *all, const synchronizer *of, const godot_tap *tap,
                                const godot_update *update, double now);
bool savings_advise_synced(const savings *all, GPtrArray *rows, const called_method *of);
/* The synchronizer of a part, which has these values (NULL: not known). `guess`: the one at this place of the
 * message before, which often is the same. NULL: there are too many. */
synchronizer *savings_synchronizer_at(savings *all, const godot_tap *tap, const godot_tap_part *part,
                                      const godot_tap_variant *values, synchronizer *guess);
/* The states of several synchronizers of a node come one after the other. */
void savings_count_siblings(savings *all, const godot_tap *tap);

/* "hit() of Main/Unit1 (res://unit.gd:18) and 3 other nodes"; `arguments`: ", argument 2", may be "". */
char *savings_method_text(const called_method *of, const char *arguments);

/* Distances: distance.c */
void savings_distances_begin(savings *all);
/* Notes who writes the node's states: the author. Returns the node if the update is of its position; else,
 * and if there are too many, NULL. */
node_position *savings_position_of(const savings *all, const godot_update *update, int32_t author);
/* Notes a position of the node, and how far it is from the receiver's own; and that a message is complete. */
void savings_count_distance(savings *all, node_position *node, const godot_tap *tap,
                            const godot_update *update);
void savings_end_distances(savings *all, const godot_tap *tap);
/* The peer that writes states of the node or of one above it; 0: not known. */
int32_t savings_owner_of(const savings *all, const char *node);
void savings_advise_visibility(const savings *all, GPtrArray *rows);

/* Paths, and nodes that are spawned and despawned: short-lived.c */
void savings_nodes_begin(savings *all);
void savings_count_nodes(savings *all, const godot_tap *tap, double time);

/* A row of the report. The row takes ownership of the texts. */
typedef struct {
    double bytes;
    char *what, *where, *why;
    const char *but;             /* what it costs the game; not copied */
    const saved_bytes *evidence; /* NULL: see `frame` */
    uint32_t frame;
    bool question; /* whether it is possible depends on what the capture cannot show */
} savings_row;

/* Least messages that prove something; least share of unchanged updates for which a change is advised. */
#define SAVINGS_LEAST  20u
#define SAVINGS_SELDOM 0.75
/* Likewise, of each of all properties of a synchronizer: nothing is sent then while a node rests. */
#define SAVINGS_RESTS 0.5

/* Adds a row; it is left out if it does not save enough. */
void savings_add_row(const savings *all, GPtrArray *rows, savings_row found);
/* Mean bytes on the wire of an acknowledgement; of one for a message that comes alone. */
double savings_acknowledgement_cost(const savings *all);
double savings_answer_cost(const savings *all);
/* Bytes below ENet of a datagram, on average; of reliable calls, each in one of its own, without arguments.
 * `answered`: times that a receiver gets some of them in one frame, which it acknowledges together. */
double savings_datagram_cost(const savings *all);
double savings_call_cost(const savings *all, double calls, double answered);
/* What is saved, minus the pings that ENet sends where no acknowledgements come any more. */
double savings_with_acknowledgements(const savings *all, const saved_bytes *of);
/* Adds a row about something that happens `rate` times a second and need not as often: `what` has the row's
 * text from the advised interval in seconds and rate, `subject` begins the reason. `slower`: NULL for
 * calls; `more`: bytes on the wire of what follows it. Takes ownership of `where`. */
void savings_advise_rate(const savings *all, GPtrArray *rows, const saved_bytes *of,
                         const slower_states *slower, double more, double rate,
                         char *(*what)(double interval, double rate), const char *subject, char *where,
                         const char *but);
/* Rows: advice-states.c, advice-calls.c, advice.c */
void savings_advise_states(const savings *all, GPtrArray *rows);
void savings_advise_calls(const savings *all, GPtrArray *rows);
void savings_advise_others(const savings *all, GPtrArray *rows);

/* The page: savings.c */
void savings_write(const savings *all, GString *text);
/* Filter of the row with this number on the page, as it was written last; NULL: there are no more. */
const char *savings_shown_filter(void *state, unsigned number);

void godot_savings_register(int proto);

#endif
