/* rpc_types.h
 *
 * Types and limits of rpc_names.h, rpc_sources.h and lexer.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RPC_TYPES_H
#define RPC_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RPC_MAX_CLASSES      16384u      /* in all sources together */
#define RPC_MAX_METHODS      131072u     /* declared in all sources together */
#define RPC_MAX_FUNCTIONS    131072u     /* of any kind in all sources together */
#define RPC_MAX_LISTS        65536u      /* combinations whose checksum is computed */
#define RPC_MAX_LIST_METHODS 1048576u    /* in all lists together */
#define RPC_MAX_CHAIN        64u         /* levels of inheritance */
#define RPC_MAX_LOOKUPS      256u        /* nested lookups of base classes */
#define RPC_MAX_COLLECTED    4194304u    /* names that are examined for all lists together */
#define RPC_MAX_TEXT         (64u << 20) /* bytes of all names, paths and lists */
#define RPC_MAX_NESTING      64u         /* classes within classes */

typedef enum { RPC_GDSCRIPT, RPC_CSHARP } rpc_language;

/* Who may call a method remotely. Godot 4 has DISABLED, ANY_PEER (`remote` in Godot 3) and AUTHORITY. */
typedef enum {
    RPC_MODE_UNKNOWN,
    RPC_MODE_DISABLED,
    RPC_MODE_ANY_PEER,
    RPC_MODE_AUTHORITY,
    RPC_MODE_MASTER, /* Godot 3 from here on: called at the node's master */
    RPC_MODE_MASTERSYNC,
    RPC_MODE_PUPPET, /* called by the node's master */
    RPC_MODE_PUPPETSYNC
} rpc_mode;

#define RPC_MANY_ARGUMENTS  255u /* the most that a call can have */
#define RPC_TYPED_ARGUMENTS 6    /* the first ones, whose types are compared */

/* How a method may be called, as far as its source shows it. */
typedef struct {
    uint8_t mode;        /* rpc_mode */
    bool counted;        /* the numbers of arguments are known; else the next two are not valid */
    uint8_t least, most; /* RPC_MANY_ARGUMENTS: any number */
    bool missing;        /* no script has the function: only a class of the engine can */
    const char *path;    /* of the source with its declaration; NULL: none, or several */
    uint32_t line;       /* of its name in that file, from 1 */
    uint8_t types[RPC_TYPED_ARGUMENTS]; /* of parameters, see argument_types.h; 0: any, or not known */
} rpc_signature;

/* The RPC methods of a class, base classes included. */
typedef struct {
    char checksum[33];
    const char *label;         /* "res://player.gd", "res://player.gd:Inner" or what the user called it */
    const char *const *others; /* labels of other scripts with the same names */
    uint32_t other_count;
    const char *const *node_names; /* rpc_config() on the node: method ids 0x8000, 0x8001, … */
    uint32_t node_count;
    const char *const *names; /* of the script: method ids 0, 1, … */
    uint32_t count;
    rpc_signature *signatures; /* of node_names, then of names; NULL: not known */
} rpc_list;

typedef struct rpc_project rpc_project;

#endif
