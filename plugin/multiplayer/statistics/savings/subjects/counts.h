/* counts.h
 *
 * All that Godot Savings counts, and what its subjects have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_COUNTS_H
#define GODOT_SAVINGS_COUNTS_H

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
    struct place_kinds *kinds; /* of Dictionaries: places.c; NULL: there is none */
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
    wmem_map_t *bursts;              /* sender to its call_burst (joined.c) */
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
    uint32_t cycle;                /* number of the latest one of joined.c */
    uint64_t bytes;                /* on the wire */
    uint64_t frames, header_bytes; /* of ENet: datagrams; what is in their frames before ENet's part */
    uint64_t acknowledgements, acknowledgement_bytes, answers; /* answers: datagrams with them */
    uint64_t messages, message_bytes, value_bytes;             /* over ENet, not sent again */
    uint64_t compressed;                                       /* datagrams */
    enet_coding coding;                                        /* of the others */
    double begin, now; /* seconds since the capture began: of the first frame, of the one under way */
    uint32_t plain_frame, last_frame;
    uint32_t cut_frames; /* of these the snap length has cut bytes: what they show is not the whole */
} savings;

/* Adds bytes of the current frame to the savings of a change. `whole`: they are a whole message. */
void savings_add(savings *all, saved_bytes *of, uint32_t bytes, bool whole);
/* Bytes of a message with its ENet command header; not over ENet, its share of the frames' bytes. */
uint32_t savings_command_length(const godot_tap *tap);
/* Finds the element with the key all->key, or adds a new one to `list`; NULL: there are too many. */
void *savings_subject(savings *all, GPtrArray *list, size_t size, bool *is_new);

/* "hit() of Main/Unit1 (res://unit.gd:18) and 3 other nodes"; `arguments`: ", argument 2", may be "". */
char *savings_method_text(const called_method *of, const char *arguments);
/* "res://unit.tscn, Sync" */
char *savings_synchronizer_text(const synchronizer *of);
/* "res://player.gd:12", where a method is declared, in the pool; NULL: not known from the project. */
char *savings_source_of(const savings *all, const godot_tap *tap, const char *name);

#endif
