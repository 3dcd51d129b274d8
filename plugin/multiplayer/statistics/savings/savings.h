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

#include "multiplayer/statistics/savings/encoding.h"
#include "multiplayer/statistics/values/bursts.h"
#include "multiplayer/statistics/values/updates.h"

enum { SAVINGS_FRAMES = 3 /* listed as evidence */ };
enum { SHORT_PATH = 8 /* bytes of the path that is advised */ };

/* Savings by one change. */
typedef struct {
    double bytes;                    /* in the frames that were finished */
    uint64_t messages;               /* that would not be sent at all */
    uint64_t acknowledgements;       /* likewise, of reliable ones */
    uint32_t frames[SAVINGS_FRAMES]; /* the first ones; 0: there are fewer */
    uint32_t here, whole;            /* in the current frame: bytes; messages that would not be sent */
    bool touched;                    /* it is in savings.touched */
} saved_bytes;

/* A synchronized property of a synchronizer, in replication mode Always. */
typedef struct {
    char *name;
    uint64_t updates, unchanged, changes; /* the first update to a receiver is in neither of the latter */
    uint64_t changed_bytes;               /* of values that had changed */
    uint64_t changed_messages;            /* with at least one */
    uint32_t last_changed;                /* number of the message, of all */
    saved_bytes dropped;                  /* by not sending it */
} synchronized_property;

/* A synchronizer of a scene, or one by its path. */
typedef struct {
    char *scene, *node; /* `scene` NULL: not known, then `node` is a path */
    GPtrArray *properties;
    uint64_t steps;      /* from one state to the next of the same node and receiver */
    double step_seconds; /* their sum */
    uint32_t here;       /* parts of the current message that are about it, */
    uint32_t here_bytes; /* and their bytes */
    saved_bytes all;     /* by sending no state */
} synchronizer;

typedef struct {
    char *name, *node; /* `node`: the first one that was called */
    char *source;      /* "res://player.gd:12", where it is declared; NULL: not known */
    bool several;      /* nodes */
    bool has_arguments;
    uint64_t calls, reliable, unchanged, steps;
    uint64_t together; /* of the steps: in the same frame of the game, so both calls are needed */
    double step_seconds;
    saved_bytes same;       /* by omitting calls with the same arguments as the previous one */
    saved_bytes unreliable; /* by calling it unreliably: retransmissions, acknowledgements */
    uint64_t refused;       /* by those who get it */
    int32_t taken_by;       /* the first peer that takes it, 0: none */
    bool taken_by_several;
    saved_bytes needless; /* if it were not sent to those who refuse it */
} called_method;

/* An argument of a method, a property, or a part of either. */
typedef struct {
    char *name, *place;
    encoded_part values;
    saved_bytes shorter[2]; /* by encoded_part.saved */
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

typedef struct {
    wmem_allocator_t *pool;
    godot_tracks *tracks;
    GPtrArray *synchronizers, *methods, *places, *paths, *scenes;
    GHashTable *spawned_at;        /* receiver and path to a living_node (nodes.c) */
    wmem_map_t *by_key;            /* of all of these: a text that is its own */
    wmem_strbuf_t *key;            /* of what is looked for */
    GPtrArray *of_parts;           /* synchronizers of the message's parts; NULL: there are too many */
    GPtrArray *touched;            /* saved_bytes of the frame under way */
    saved_bytes states;            /* if no synchronizer sent its state */
    int api;                       /* 3 or 4, of the latest message */
    uint32_t message;              /* number of the one under way */
    uint64_t bytes;                /* on the wire */
    uint64_t frames, header_bytes; /* of ENet: datagrams; what is in their frames before ENet's part */
    uint64_t acknowledgements, acknowledgement_bytes;
    uint64_t plain_bytes, coded_bytes, compressed; /* as sent, and as the range coder would; datagrams */
    uint32_t plain_frame;
    double begin, end; /* seconds since the capture began */
    uint32_t last_frame;
} savings;

/* Adds bytes of the current frame to the savings of a change. `whole`: they are a whole message. */
void savings_add(savings *all, saved_bytes *of, uint32_t bytes, bool whole);
/* Bytes of a message with its ENet command header; not over ENet, its share of the frames' bytes. */
uint32_t savings_command_length(const godot_tap *tap);
/* Finds the element with the key all->key, or adds a new one of `size` bytes to `list`; NULL: there are too
 * many. */
void *savings_subject(savings *all, GPtrArray *list, size_t size, bool *is_new);

/* Paths, and nodes that are spawned and despawned: nodes.c */
void savings_nodes_begin(savings *all);
void savings_count_nodes(savings *all, const godot_tap *tap, double time);

/* Words: report.c */
void savings_write(const savings *all, GString *text);

void godot_savings_register(int proto);

#endif
