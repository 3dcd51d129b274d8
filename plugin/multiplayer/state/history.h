/* history.h
 *
 * The history of one fact about a session: its values, each with the number of the message that it comes
 * from; see session.h. Everything is in file scope.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_HISTORY_H
#define GODOT_HISTORY_H

#include "base/wireshark-compat.h"
#include "base/memory.h"

/* A participant of a session: a peer id (> 0), or one of the two ends of the connection, whose peer id may
 * not be known: the initiator, which is the client as far as the capture shows it, and the acceptor. */
typedef int32_t godot_party;
#define GODOT_INITIATOR ((godot_party)-1)
#define GODOT_ACCEPTOR  ((godot_party)-2)

/* Key of things that a party numbers; for sessions in recordings: the other peer and the recorder. */
typedef struct {
    godot_party party;
    uint32_t id;
} godot_key;

/* Key of things that a party names by path. */
typedef struct {
    godot_party party;
    const char *path;
} godot_path_key;

/* Most histories have one entry, which needs no memory besides this structure. */
typedef struct {
    union {
        godot_key id;
        godot_path_key path;
    } key;                /* in its map; not valid in a map by path alone */
    uint32_t next;        /* maps by id: index of the previous history with the same hash; 0: none */
    uint32_t first;       /* the smallest number of an entry */
    void *only;           /* the entry; valid if `entries` is NULL */
    wmem_tree_t *entries; /* all of them, if there are several; else NULL */
} godot_history;

/* Histories by party and id. A lookup touches fewer cache lines than in a wmem_map_t, which matters because
 * each packet needs several. All zeroes: empty. */
typedef struct {
    number_map newest; /* from a hash to the index of the newest history with it */
} godot_histories;

void godot_history_init(void);

/* For maps by godot_key and by godot_path_key. */
unsigned godot_key_hash(gconstpointer key);
gboolean godot_key_equal(gconstpointer a, gconstpointer b);
unsigned godot_path_key_hash(gconstpointer key);
gboolean godot_path_key_equal(gconstpointer a, gconstpointer b);

/* The latest entry as of a message, NULL if there is none, or no `past`. */
void *godot_history_at(const godot_history *past, uint32_t number);
/* The same; if there is none, the first one after the message. */
void *godot_history_around(const godot_history *past, uint32_t number);
/* Adds an entry; replaces the one with the same number, if there is one. */
void godot_history_add(godot_history *past, uint32_t number, void *value);

/* Finds or creates a history; the caller has to add an entry to a new one. `path` is not copied: it has to be
 * in file scope. */
godot_history *godot_history_of(godot_histories *histories, godot_party party, uint32_t id);
godot_history *godot_history_of_owned_path(wmem_map_t *map, godot_party owner, const char *path);
godot_history *godot_history_of_path(wmem_map_t *map, const char *path);

/* As above, but NULL if there is none; by path alone: wmem_map_lookup(). */
const godot_history *godot_find_history(const godot_histories *histories, godot_party party, uint32_t id);
const godot_history *godot_find_history_of_owned_path(wmem_map_t *map, godot_party owner, const char *path);

#endif
