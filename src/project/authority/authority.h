/* authority.h
 *
 * The multiplayer authority (Godot 3: network master) of a node, from the lines of scripts that set one
 * (lines.h), and from the scenes and autoloads, which show which nodes these lines can reach. A
 * node that none of them reaches belongs to the server.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef AUTHORITY_H
#define AUTHORITY_H

#include "project/authority/store.h"
#include "project/scenes/lookup.h"
#include "project/scripts/rpc_names.h"

typedef struct {
    int32_t peer;     /* AUTHORITY_UNKNOWN: not known */
    const char *path; /* of the script that may set it; NULL: none */
    uint32_t line;    /* of that script, from 1; 0: not known */
} node_authority;

/* The scripts that the node may have. */
typedef struct {
    const char *const *labels; /* see rpc_list */
    uint32_t count;
    bool exact; /* else also scripts that inherit one of them */
} node_scripts;

/* All of a game. */
typedef struct {
    rpc_project *names;
    const scene_project *scenes;
    const authority_lines *lines;
    uint32_t last_root; /* the highest number of a project */
} authority_game;

/* `path`: of the node, as on the wire. */
node_authority authority_of(authority_game game, const char *path, node_scripts scripts);

#endif
