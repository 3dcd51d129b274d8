/* store.h
 *
 * The lines of scripts that set the authority over a node, and what else of a game decides which nodes these
 * lines can reach.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef AUTHORITY_STORE_H
#define AUTHORITY_STORE_H

#include "base/pool.h"
#include "project/scripts/rpc_types.h"

/* Limits of all scripts together; beyond them no authority is known. */
#define AUTHORITY_MAX_LINES     1024u
#define AUTHORITY_MAX_AUTOLOADS 64u
#define AUTHORITY_MAX_NAMES     65536u
#define AUTHORITY_NAME_BITS     65536u
#define AUTHORITY_MAX_TOKENS    262144u /* of one script; beyond it every node is within reach */

/* The node whose authority is set, from the most certain to the least. */
typedef enum {
    AUTHORITY_OF_OWN,     /* the node that has the script */
    AUTHORITY_OF_BELOW,   /* a node with this name below it */
    AUTHORITY_OF_NAMED,   /* a node with this name */
    AUTHORITY_OF_CREATED, /* a node that a script has created, or the one with this name below it */
    AUTHORITY_OF_VALUE,   /* a node that scripts pass on, or a global one with this name */
    AUTHORITY_OF_ANY
} authority_target;

enum { AUTHORITY_UNKNOWN = 0, AUTHORITY_SERVER = 1, AUTHORITY_IN_NAME = -1 };

typedef struct {
    authority_target target;
    uint32_t root;        /* number of the project */
    const char *path;     /* of the script */
    uint32_t line;        /* from 1; 0: all of the script */
    const char *name;     /* of the node; NULL: none is given */
    const char *made;     /* the node, or that above it, is created with this and the peer as its name */
    const char *variable; /* a member of the class that has the node; NULL: none */
    int32_t peer;         /* the new authority; AUTHORITY_IN_NAME: the number that is the node's name */
    bool recursive;       /* for the nodes below it, too */
    const char *function; /* of the engine that always executes the line, "_ready"; with `made`: at all
                           * peers "spawn_function", where the node is made ""; NULL: not always */
} authority_line;

typedef struct {
    uint32_t root;
    const char *name, *path; /* path of a script or scene */
    bool passed_on;          /* a script uses the node as a value, or finds it by name */
} authority_autoload;

typedef struct {
    memory_pool pool; /* if it has failed, no authority is known */
    authority_line *lines;
    authority_autoload *autoloads; /* to be added before the scripts */
    const char **own_passed_on;    /* paths of scripts that use `self` as a value */
    uint32_t *names;               /* hashes of what is before the number in names that nodes get */
    uint32_t line_count, line_room, autoload_count, autoload_room, own_count, own_room, name_count, name_room;
    uint8_t assigned[AUTHORITY_NAME_BITS / 8]; /* a bit for each hash of a name in "x.name = …" */
    uint32_t steps;                            /* see targets.c */
    bool autoloads_passed_on;                  /* all nodes below the root */
    bool spawns;                               /* there are spawners, which also make nodes */
    bool sets_scripts;                         /* a script gives nodes another script */
    bool adds_to_root;                         /* a script adds nodes to the root */
} authority_lines;

#endif
