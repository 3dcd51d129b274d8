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
#include "multiplayer/statistics/savings/encoding/encoding.h"
#include "multiplayer/statistics/savings/encoding/words.h"
#include "multiplayer/statistics/savings/subjects/methods.h"
#include "multiplayer/statistics/values/bursts.h"
#include "multiplayer/statistics/values/calls.h"
#include "multiplayer/statistics/values/updates.h"

enum { SAVINGS_STATE_HEAD = 4 + 4 /* bytes of a state before its values: id and size */ };
enum { SHORT_PATH = 8 /* bytes of the path that is advised */, SHORT_NAME = 8 /* likewise, of a name */ };

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
    uint32_t texts;                     /* in messages: of `values` those to several receivers are one */
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
    uint32_t cycle;                /* number of the latest one of calls.c */
    uint64_t bytes;                /* on the wire */
    uint64_t frames, header_bytes; /* of ENet: datagrams; what is in their frames before ENet's part */
    uint64_t acknowledgements, acknowledgement_bytes, answers; /* answers: datagrams with them */
    uint64_t messages, message_bytes, value_bytes;             /* over ENet, not sent again */
    uint64_t plain_bytes, coded_bytes, compressed; /* as sent, and as the range coder would; datagrams */
    double begin, now; /* seconds since the capture began: of the first frame, of the one under way */
    uint32_t plain_frame, last_frame;
    uint32_t cut_frames; /* of these the snap length has cut bytes: what they show is not the whole */
} savings;

/* A row of the report. The row takes ownership of the texts. */
typedef struct {
    double bytes;
    char *what, *where, *why;
    const char *but;             /* what it costs the game; not copied */
    const saved_bytes *evidence; /* NULL: see `frame` */
    uint32_t frame;
    bool question; /* whether it is possible depends on what the capture cannot show */
} savings_row;

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
void savings_count_call(savings *all, const godot_tap *tap, const godot_update *call);
/* "res://player.gd:12", where a method is declared, in the pool; NULL: not known from the project. */
char *savings_source_of(const savings *all, const godot_tap *tap, const char *name);

/* Arguments: arguments.c. `track`: NULL at first. */
/* `before`: for some of the calls of a method, the track of all, if each follows the one before it there.
 * Returns the hash of the argument of which it is the course (called_method.courses); 0: none yet. */
uint32_t savings_count_arguments(savings *all, called_method *of, argument_track **track,
                                 const argument_track *before, const godot_update *call);
double savings_argument_bytes(const called_method *of); /* of all its calls */
/* Whether calls are about things that take turns, as units by their number: then each is compared with the
 * one before with the same first argument. */
bool savings_takes_turns(const called_method *of);
void savings_advise_arguments(const savings *all, GPtrArray *rows, const called_method *of);
/* The same with the latest call about the same. `track`: NULL at first. */
void savings_compare_about(savings *all, called_method *of, about_track **track, const godot_update *call);
/* Containers of which little changes between calls that differ. `omitted`: so many need not be made. */
void savings_advise_containers(const savings *all, GPtrArray *rows, const called_method *of,
                               uint64_t omitted);
/* Whether what its calls tell has nothing in common with what those before have told, as pieces of a voice:
 * then it is no state, of which the latest one is enough. */
bool savings_tells_pieces(const called_method *of);
/* "Call it once": whether receivers can count by themselves what it tells. */
bool savings_advise_course(const savings *all, GPtrArray *rows, const called_method *of);

/* Containers of which little changes: arguments.c */
/* Compares the value with the one before, if it is a container of `least` bytes. `same`: it is the same. */
void savings_compare(savings *all, compared_containers *of, kept_container *before,
                     const godot_tap_variant *value, bool same, uint32_t least);
/* Whether a value that has changed is a number, or a container in which only one has. */
bool savings_changed_number(const kept_container *before, const godot_tap_variant *value, double *number,
                            uint32_t *place);
/* `found`: bytes, what and where. `subtracted`: what the change costs; NULL: nothing. */
void savings_advise_differences(const savings *all, GPtrArray *rows, const compared_containers *of,
                                savings_row found, const char *subtracted);

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
                          uint32_t steady);
/* The method, of clients, whose calls nearly all calls of this one by the server follow; it can be the same.
 * NULL: there is none. */
const called_method *savings_origin_of(const called_method *of);
/* Calls of the server that come right after one of the receiver, of the same node. */
void savings_count_asked(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
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
void savings_count_receipts(savings *all, called_method *of, const godot_tap *tap, const godot_update *call);
bool savings_advise_receipts(const savings *all, GPtrArray *rows, const called_method *of);

/* Calls that tell what synchronizers tell: synced.c. `update`: with a value. True: it replaces others. */
void savings_synced_begin(savings *all);
void savings_count_synced_call(savings *all, called_method *of, const godot_tap *tap,
                               const godot_update *call);
void savings_count_synced_state(savings *all, const synchronizer *of, const godot_tap *tap,
                                const godot_update *update);
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
/* Something that happens `rate` times a second and need not as often. The row takes ownership of `where`. */
typedef struct {
    const saved_bytes *of;
    const slower_states *slower; /* NULL: calls */
    double more;                 /* bytes on the wire of what follows it */
    double rate;
    char *(*what)(double interval, double rate); /* the row's text, from the advised interval in seconds */
    const char *subject;                         /* begins the reason */
    char *where;
    const char *but;
} rate_advice;
void savings_advise_rate(const savings *all, GPtrArray *rows, const rate_advice *one);
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
