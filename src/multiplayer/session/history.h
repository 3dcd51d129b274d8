/* history.h
 *
 * The history of one fact about a session: its values, each with the number of the message that it comes
 * from; see session.h. Everything is kept until the capture file is closed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_HISTORY_H
#define GODOT_HISTORY_H

#include <stdbool.h>

#include "base/memory.h"

/* A participant of a session: a peer id (> 0), or one of the two ends of the connection, whose peer id may
 * not be known: the initiator, which is the client as far as the capture shows it, and the acceptor. */
typedef int32_t godot_party;
#define GODOT_INITIATOR ((godot_party)-1)
#define GODOT_ACCEPTOR  ((godot_party)-2)

typedef struct {
    uint32_t number;
    void *value;
} godot_history_entry;

/* The key is a party with a number or with a text. Most histories have one entry, which needs no memory
 * besides this structure. */
typedef struct {
    godot_party party;
    uint32_t id;           /* of a key with a text: its hash */
    const char *text;      /* NULL: the key is a number */
    uint32_t next;         /* number of the previous history with the same hash; 0: none */
    uint32_t count, first; /* entries; number of the earliest one */
    union {
        void *only;                   /* its value, if there is one entry */
        godot_history_entry *entries; /* sorted, if there are several */
    } of;
} godot_history;

/* Histories by key. All zeroes: empty. */
typedef struct {
    number_map newest; /* from a hash to the number of the newest history with it */
} godot_histories;

/* What all sessions of a file have in common. */
typedef struct godot_store {
    memory_allocator memory;
    uint32_t records;       /* entries that are kept, up to GODOT_MAX_RECORDS + 1 */
    paged_list by_number;   /* godot_history: all of them */
    paged_list texts;       /* kept_text: texts of which there is one copy */
    number_map newest_text; /* from a hash to the number of the newest of them */
    /* Of a client's peer id: the paths that it announces in any session (godot_path), by their ids and by
     * themselves, and its session. */
    godot_histories by_id, by_path, of_client;
} godot_store;

/* `memory` must stay valid as long as the store is used, and frees all of it. */
void godot_store_init(godot_store *store, const memory_allocator *memory);

/* Limit on the entries that are kept of a file. One of variable size counts as one, and one more for every
 * GODOT_RECORD_BYTES bytes. */
#define GODOT_MAX_RECORDS  1000000u
#define GODOT_RECORD_BYTES 64u

/* Counts an entry with `bytes` bytes of variable size; false: GODOT_MAX_RECORDS is reached, and the entry
 * must not be kept. */
bool godot_store_may_keep(godot_store *store, size_t bytes);
/* Returns a copy, shared by equal texts; a long one counts as several entries. NULL: the limit is reached. */
const char *godot_store_text(godot_store *store, const char *text);
/* Whether the limit is reached. */
bool godot_store_is_full(const godot_store *store);

/* The history with this key. NULL: there is none. */
const godot_history *godot_find_history(const godot_store *store, const godot_histories *histories,
                                        godot_party party, uint32_t id);
const godot_history *godot_find_history_of_text(const godot_store *store, const godot_histories *histories,
                                                godot_party party, const char *text);

/* The latest value as of a message, NULL if there is none, or no `past`. */
void *godot_history_at(const godot_history *past, uint32_t number);
/* The same; if there is none, the first one after the message. */
void *godot_history_around(const godot_history *past, uint32_t number);

/* Adds a value; replaces the one with the same number, if there is one. `text`: see godot_store_text(). */
void godot_history_add(godot_store *store, godot_histories *histories, godot_party party, uint32_t id,
                       uint32_t number, void *value);
void godot_history_add_text(godot_store *store, godot_histories *histories, godot_party party,
                            const char *text, uint32_t number, void *value);

#endif
