/* rpc_sources.h
 *
 * Private to this folder: the store of classes and methods. gdscript.c and csharp.c fill it in, rpc_names.c
 * follows inheritance and makes lists of names. All texts are freed with the project.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RPC_SOURCES_H
#define RPC_SOURCES_H

#include <string.h>

#include "base/pool.h"
#include "project/scripts/lexer.h"
#include "project/scripts/rpc_types.h"

/* --- classes, methods, names --------------------------------------------------------------------- */

enum { NO_CLASS = UINT32_MAX };

typedef struct method {
    const char *name;
    rpc_signature signature;
    struct method *next; /* NULL: the last one */
} method;

/* A class of a source file: the file itself in GDScript, inner classes, C# classes. */
typedef struct {
    uint32_t root;  /* number of the project */
    uint32_t outer; /* the class around it, NO_CLASS: none */
    rpc_language language;
    const char *path;  /* of the file */
    const char *label; /* shown to users */
    uint32_t base;     /* index of the base class, set when everything was added; valid if base_known */
    bool base_known;
    const char *base_path; /* extends "res://…"; NULL if by name or not at all */
    const char *base_name; /* extends Name.Inner; after base_path: inner classes of it */
    const char *scope;     /* C#: namespace and outer classes, "A.B." */
    method *methods;       /* @rpc, [Rpc] */
    method *node_methods;  /* rpc_config() on itself */
    method *other_methods; /* rpc_config() on some other node */
    method *legacy;        /* Godot 3: remote, master, … */
} class_info;

typedef enum {
    SYMBOL_PATH, /* of a file, or the label of a class */
    SYMBOL_GLOBAL,
    SYMBOL_INNER,
    SYMBOL_ALIAS,
    SYMBOL_UID,
    SYMBOL_LEGACY,
    SYMBOL_CONFIGURED, /* Godot 3: rpc_config(), rset_config() of this name; "": of one that is not literal */
    SYMBOL_FUNCTION
} symbol_kind;

typedef struct {
    symbol_kind kind;
    uint32_t owner; /* root for PATH, GLOBAL, UID; class for INNER, ALIAS, FUNCTION; 0 for others */
    const char *name;
    uint32_t index;          /* class; for the order among equals too */
    const char *path;        /* ALIAS: preloaded script; UID: the file */
    rpc_signature signature; /* LEGACY, FUNCTION */
} symbol;

struct rpc_project {
    memory_pool pool; /* texts and methods; at most RPC_MAX_TEXT */
    class_info *classes;
    symbol *symbols; /* sorted once everything was added */
    rpc_list *lists; /* those made by hand; after rpc_project_link() all */
    uint32_t class_count, class_room, symbol_count, symbol_room, list_count, list_room;
    uint32_t method_count, list_methods; /* of all classes, of all lists */
    uint32_t function_count;             /* of all classes */
    uint32_t collected;                  /* names examined for lists so far */
    uint32_t lookups;                    /* of bases, under way */
    bool truncated;                      /* a limit was reached, or an array has no memory */
};

/* Find the classes and methods of a source; `lex` is at its beginning, `path` is kept already. */
void rpc_scan_gdscript(rpc_project *project, uint32_t root, const char *path, lexer lex);
void rpc_scan_csharp(rpc_project *project, uint32_t root, const char *path, lexer lex);

/* Adds a symbol. Its texts are not copied: they are in the project's pool. NULL as `name`: nothing is
 * added. */
void rpc_add_symbol(rpc_project *project, symbol added);

/* The same, for a function of a class (SYMBOL_FUNCTION) or a remote method of Godot 3 (SYMBOL_LEGACY). */
void rpc_add_function(rpc_project *project, symbol added);

/* Reduces `into` to what is true of both. */
void rpc_join_signature(rpc_signature *into, rpc_signature other);

/* Adds a class. Returns its index, NO_CLASS at the limit. Pointers to classes become invalid. */
uint32_t rpc_add_class(rpc_project *project, class_info info);

/* Adds a method at the beginning of one of a class's lists; `name` is copied. NULL if it was not added. */
method *rpc_add_method(rpc_project *project, method **list, slice name, rpc_signature signature);

#endif
