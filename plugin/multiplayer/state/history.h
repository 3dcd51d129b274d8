/* history.h
 *
 * The history of one fact about a session: its values, each with the number of the message that it comes
 * from; see session.h. For session.c, paths.c, nodes.c. Everything is in file scope.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_HISTORY_H
#define GODOT_HISTORY_H

#include "base/wireshark-compat.h"
#include "base/memory.h"
#include "multiplayer/state/party.h"

/* Key of what a party numbers; of the sessions in recordings: recorder and other peer. */
typedef struct {
    godot_party party;
    uint32_t id;
} godot_key;

/* Key of what a party has a path for. */
typedef struct {
    godot_party party;
    const char *path;
} godot_path_key;

/* Nearly all have one entry: that needs no more memory than this. */
typedef struct {
    union {
        godot_key id;
        godot_path_key path;
    } key;                /* in the map that it is in, unless that is by path alone */
    uint32_t next;        /* index: of the one before with the same hash; 0: none. By id only */
    uint32_t first;       /* the smallest number of an entry */
    void *only;           /* the entry; valid if `entries` is NULL */
    wmem_tree_t *entries; /* all of them, if there are several; else NULL */
} godot_history;

/* Histories by party and number. A packet asks for several, and with many sessions in turns each piece of
 * memory on the way to one is no longer in the processor's caches: there are fewer than in a wmem_map_t. All
 * zeroes: empty. */
typedef struct {
    number_map newest; /* from a hash to the index of the newest history with it */
} godot_histories;

void godot_history_init(void);

/* Maps with such keys; values are the caller's. */
wmem_map_t *godot_map_by_id(void);
wmem_map_t *godot_map_by_party_and_path(void);
wmem_map_t *godot_map_by_path(void);

/* The latest entry as of a message, NULL if there is none, or no `past`. */
void *godot_history_at(const godot_history *past, uint32_t number);
/* The same; if there is none, the first one after the message. */
void *godot_history_around(const godot_history *past, uint32_t number);
/* Instead of an entry with the same number, if there is one. */
void godot_history_add(godot_history *past, uint32_t number, void *value);

/* The history in a map whose values are histories; a new one if there is none, to which an entry has to be
 * added. `path` lives as long as the file. */
godot_history *godot_history_of(godot_histories *histories, godot_party party, uint32_t id);
godot_history *godot_history_of_owned_path(wmem_map_t *map, godot_party owner, const char *path);
godot_history *godot_history_of_path(wmem_map_t *map, const char *path);

/* NULL: there is none. */
const godot_history *godot_find_history(const godot_histories *histories, godot_party party, uint32_t id);
const godot_history *godot_find_history_of_owned_path(wmem_map_t *map, godot_party owner, const char *path);
const godot_history *godot_find_history_of_path(wmem_map_t *map, const char *path);

#endif
