/* updates.h
 *
 * The updates in a message: each synchronized property, or all arguments of a call together; and whether the
 * values are the same as in the previous update to this receiver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_UPDATES_H
#define GODOT_UPDATES_H

#include "multiplayer/statistics/values/shares.h"

typedef enum {
    GODOT_UPDATE_ALWAYS,    /* replication mode Always */
    GODOT_UPDATE_ON_CHANGE, /* On Change */
    GODOT_UPDATE_SET,       /* RSET of Godot 3 */
    GODOT_UPDATE_CALL,
} godot_update_kind;

/* "always", "on change", "rset", "call". */
const char *godot_update_kind_name(godot_update_kind kind);

typedef struct {
    godot_update_kind kind;
    const godot_tap_part *part;        /* of the message; NULL: it has none */
    const char *scene;                 /* that the synchronizer is in; NULL: not known */
    const char *synchronizer;          /* in the scene; NULL: not known */
    const char *node;                  /* path of the node or its synchronizer, "(no node)" if not known */
    const char *name;                  /* of the property or method */
    const godot_tap_variant *variants; /* `count` */
    uint32_t count;                    /* 1, or the number of arguments that were captured */
    const uint32_t *hashes;            /* of these; NULL: they are computed when they are asked for */
    bool cut;                          /* the snap length may have cut off arguments */
    uint64_t wire;                     /* its share of the message's bytes on the wire */
} godot_update;

/* Iterates over the updates of a message, which must come from the tap "godot_message". */
typedef struct {
    const godot_tap *tap;
    godot_shares shares;
    godot_share share;
    godot_property_shares properties; /* of the share */
    uint32_t next, first;             /* of the values of the share's part; the part's first in tap->values */
    bool done;
} godot_updates;

godot_updates godot_updates_of(const godot_tap *tap);
/* False: there are no more. */
bool godot_next_update(godot_updates *updates, godot_update *update);

/* Bytes of all its values. */
uint32_t godot_update_length(const godot_update *update);
/* A 32-bit hash of its values; of one of them. */
uint32_t godot_update_hash(const godot_update *update);
uint32_t godot_value_hash(const godot_update *update, uint32_t index);
/* Computes the hash of each value once, for those who ask several times; `into` has to stay. */
void godot_hash_values(godot_update *update, GArray *into);

/* Updates of one property, or calls of one method of one node, from one sender to one receiver. Several
 * synchronizers of a node can have properties of the same name, if the project is not known. */
typedef struct {
    uint32_t count;       /* updates */
    uint32_t hash;        /* of the last one */
    uint32_t length;      /* likewise */
    double first, last;   /* seconds since the capture began */
    uint32_t first_frame; /* number, to be shown */
    void *own;            /* of the statistic; NULL at first */
} godot_track;

/* All tracks, by sender, receiver, node and name; at most GODOT_MAX_TRACKS. */
#define GODOT_MAX_TRACKS 20000u
typedef struct godot_tracks godot_tracks;
godot_tracks *godot_tracks_new(wmem_allocator_t *pool);
/* Finds or creates a track; NULL: there are too many. */
godot_track *godot_track_of(godot_tracks *tracks, const godot_tap *tap, const godot_update *update);
/* Adds an update that is not a retransmission. Returns whether it has the same values as the previous one. */
bool godot_track_note(godot_track *track, const godot_update *update, double time, uint32_t frame);

#endif
