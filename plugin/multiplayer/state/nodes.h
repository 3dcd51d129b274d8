/* nodes.h
 *
 * The nodes of a session that a MultiplayerSpawner made: what their net ids stand for, which scenes they are,
 * when they are gone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_NODES_H
#define GODOT_NODES_H

#include "multiplayer/state/session.h"
#include "project/scenes/spawned.h"

typedef struct godot_pending_spawn godot_pending_spawn; /* see multiplayer/show/spawn.c */

/* What a net id stands for. */
typedef struct {
    const char *path; /* of the spawned node, as far as known: see multiplayer/show/spawn.c */
    /* Of a synchronizer: "res://player.tscn", or the path of a node that is recorded as a scene; NULL if not
     * certain. */
    const char *scene;
    uint32_t synchronizer; /* its number in there, from 0; valid if `scene` is not NULL, as what follows */
    scene_announcement announcement; /* that it was among */
    uint32_t number, frame;          /* SPAWN */
    bool gone;                       /* DESPAWN: nothing any more; `path` is NULL if it was not known */
} godot_node;

void godot_session_learn_node(const godot_message *message, godot_party owner, uint32_t net_id,
                              godot_node node);
/* `gone`: what it stood for before the DESPAWN. */
const godot_node *godot_session_node(const godot_message *message, godot_party owner, uint32_t net_id,
                                     bool gone);
/* How many values the full states of the synchronizer with this path id have; 0: none is known. */
void godot_session_learn_state(const godot_message *message, godot_party owner, uint32_t id, uint32_t values);
uint32_t godot_session_state(const godot_message *message, godot_party owner, uint32_t id);
/* Spawned nodes whose spawner's path is not known yet, kept by multiplayer/show/spawn.c: where the list
 * of those of this spawner begins. NULL: there are none, and (with `create`) there cannot be any more. */
godot_pending_spawn **godot_session_pending_spawns(const godot_message *message, godot_party owner,
                                                   uint32_t spawner, bool create);
/* A node at `path` was spawned from `scene`, NULL if that is not known; both are copied. */
void godot_session_learn_scene(const godot_message *message, const char *path, const char *scene);
/* The node at `path` was despawned by `owner` (`gone`), or is there again. */
void godot_session_learn_despawn(const godot_message *message, godot_party owner, const char *path,
                                 bool gone);
/* The frame in which `owner` despawned the node at `path` or one above it, 0: it did not. */
uint32_t godot_session_despawned(const godot_message *message, godot_party owner, const char *path);
/* The scene of the spawned node that the node at `path` is below of; `*inside` is set to the rest of the
 * path. NULL: not known. */
const char *godot_session_scene_above(const godot_message *message, const char *path, const char **inside);

#endif
