/* kinds.h
 *
 * Members of Dictionaries that are always the same for each value of a small member: what belongs to a kind
 * of enemy or item stands whole beside its name or number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_KINDS_H
#define GODOT_SAVINGS_KINDS_H

#include "multiplayer/api/tap.h"

/* Members of a Dictionary that are compared; different values of one that can be a kind. */
enum { KIND_MEMBERS = 12, KIND_VALUES = 16 };
enum { KIND_PATH = 64, KIND_NAME = 26 /* bytes, with quotes and the NUL */ };

/* A Dictionary in a value. `members`: with the hash of the value; of a large value, or no int or text, it is
 * no kind. */
typedef struct {
    uint32_t key, value;
    uint32_t length; /* bytes of both */
    bool small;
    char name[KIND_NAME]; /* "\"key\"", of an Array "[2]" */
} kind_entry;

typedef struct {
    char path[KIND_PATH]; /* "": the value itself; `["state"][…]` */
    uint32_t hash;        /* of all of it */
    uint32_t count;
    bool other; /* a key is no text, or there are too many */
    kind_entry entries[KIND_MEMBERS];
} kind_dictionary;

/* Calls `found` for each Dictionary in the value. `row`: the value may be an Array that is like one. */
typedef void kind_found(void *data, const kind_dictionary *one);
void kinds_in(const godot_tap_variant *value, bool row, kind_found *found, void *data);

/* All Dictionaries at one place. */
typedef struct dictionary_kinds dictionary_kinds;
dictionary_kinds *kinds_new(wmem_allocator_t *pool);
/* `about`: a hash of what it is about: the same one again about the same proves nothing. Sets the numbers of
 * its entries; KIND_MEMBERS: it has none. */
void kinds_add(dictionary_kinds *all, const kind_dictionary *one, uint32_t about,
               unsigned places[KIND_MEMBERS]);

/* What follows from a member. */
typedef struct {
    unsigned kind;
    uint32_t followers; /* bits; 0: none do */
    uint32_t values;    /* different ones of the kind, */
    uint32_t count;     /* and different Dictionaries */
} kind_relation;

/* `bytes`: of each member; of relations that save the most. */
kind_relation kinds_best(const dictionary_kinds *all, const double bytes[KIND_MEMBERS]);
const char *kinds_name(const dictionary_kinds *all, unsigned member);

#endif
