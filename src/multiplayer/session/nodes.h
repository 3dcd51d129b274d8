/* nodes.h
 *
 * The nodes of a session that a MultiplayerSpawner has spawned: their net ids, paths and scenes, and when
 * they were despawned.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_NODES_H
#define GODOT_NODES_H

#include "multiplayer/session/session.h"
#include "project/scenes/facts.h"

typedef struct {
    struct godot_pending_spawn *first; /* see multiplayer/show/spawn.c; NULL: the list is empty */
} godot_pending_spawns;

/* The node or synchronizer that a net id refers to. */
typedef struct {
    const char *path; /* of the spawned node, as far as known: see multiplayer/show/spawn.c */
    /* If it is a synchronizer: "res://player.tscn", or the path of a node that is recorded as a scene; NULL
     * if not certain. */
    const char *scene;
    uint32_t synchronizer;           /* its number in `scene`, from 0; valid if `scene` is not NULL */
    scene_announcement announcement; /* of the SPAWN; valid if `scene` is not NULL */
    uint32_t number, frame;          /* of the SPAWN or DESPAWN */
    bool gone;                       /* despawned; `path` is NULL if it was not known */
} godot_node;

/* Sets the meaning of a net id of `owner` from this message on. */
void godot_session_learn_node(const godot_message *message, godot_party owner, uint32_t net_id,
                              godot_node node);
/* The meaning of a net id as of this message. NULL: not known, or despawned; with `gone`, only a despawned
 * one is returned, with the path it had. */
const godot_node *godot_session_node(const godot_message *message, godot_party owner, uint32_t net_id,
                                     bool gone);
/* Number of values in a full state of the synchronizer with this path id; 0: not known. */
void godot_session_learn_state(const godot_message *message, godot_party owner, uint32_t id, uint32_t values);
uint32_t godot_session_state(const godot_message *message, godot_party owner, uint32_t id);
/* The list of nodes whose spawner's path is not known yet; multiplayer/show/spawn.c fills it in.
 * NULL: there is no list or, with `create`, none can be added. */
godot_pending_spawns *godot_session_pending_spawns(const godot_message *message, godot_party owner,
                                                   uint32_t spawner, bool create);
/* The node at `path` was spawned from `scene`, NULL if not known. Both are copied. */
void godot_session_learn_scene(const godot_message *message, const char *path, const char *scene);
/* The node at `path` was despawned by `owner` (`gone`), or spawned again. */
void godot_session_learn_despawn(const godot_message *message, godot_party owner, const char *path,
                                 bool gone);
/* Frame and (`*number`) message of the DESPAWN by `owner` of the node at `path` or of one above it; 0: it was
 * not. */
uint32_t godot_session_despawned(const godot_message *message, godot_party owner, const char *path,
                                 uint32_t *number);
/* The scene of the spawned node that contains the node at `path`; `*inside` becomes the part of `path` below
 * the spawned node. NULL: not known. */
const char *godot_session_scene_above(const godot_message *message, const char *path, const char **inside);

#endif
