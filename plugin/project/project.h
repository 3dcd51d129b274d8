/* project.h
 *
 * Names from the projects of games (the table "Godot projects" and the preference godot.project) and from the
 * user's lists of RPC names. When a name is first needed after a capture file was opened, the projects are
 * read again if files or preferences have changed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_PROJECT_H
#define GODOT_PROJECT_H

#include <epan/prefs.h>

#include "project/game.h"
#include "project/scenes/spawned.h"

void godot_project_register(module_t *preferences);

/* Whether there is a project or a list. */
bool godot_project_available(void);

/* A text about files that could not be read; NULL: all were read. */
const char *godot_project_problem(void);

/* Name of a method on a node with this checksum, NULL if it is not certain. */
const char *godot_project_method(const char *checksum, uint16_t method);

/* How this method may be called, as far as that is certain. */
rpc_signature godot_project_signature(const char *checksum, uint16_t method);

/* Godot 3: likewise, by the name of a method or property. */
rpc_signature godot_project_declared(const char *name);

/* The peer that is the authority of the node at `path`, 0: not known; `*reason`: why, NULL if there is no
 * project. `checksum`: of the node's RPC methods; Godot 3: NULL, and `name` is that of the method or property
 * that is called. See project/authority/nodes.h. */
int32_t godot_project_authority(const char *path, const char *checksum, const char *name,
                                const char **reason);

/* The script(s) with this checksum: see rpc_project_find(). */
const rpc_list *godot_project_list(const char *checksum, const rpc_list *previous);

/* Godot 3: script that declares a method or property as remote. */
const char *godot_project_declares(const char *name, uint32_t *others);

/* Scene number `index` of a spawner, NULL if it is not certain: see scene_project_spawned(). */
const char *godot_project_spawned(const char *spawner, uint32_t index);

/* Path of the parent of a spawner's nodes, false if it is not certain: see scene_project_spawn_parent(). */
bool godot_project_spawn_parent(const char *spawner, char parent[SCENE_MAX_PATH]);

/* Which of its synchronizers a spawned node announces: see scene_project_announced(). */
uint32_t godot_project_announced(const char *scene, scene_announcement announcement);

/* The scene that a spawn function may have made, NULL if that is not certain: see scene_project_fitting(). */
const char *godot_project_fitting(const char *spawner, uint32_t count, const scene_spawned_values *values,
                                  bool *several);

/* Names of replicated properties, 0 if they are not certain: of the synchronizer at a path, and of a spawned
 * scene's synchronizer by its number. */
uint32_t godot_project_properties(const char *path, scene_list list, scene_counts counts, const char **names,
                                  uint32_t room);
uint32_t godot_project_spawned_properties(const char *scene, scene_announcement announcement, uint32_t number,
                                          scene_list list, const char **names, uint32_t room);
/* Path inside of the scene of that synchronizer, NULL if it is not certain. */
const char *godot_project_spawned_synchronizer(const char *scene, scene_announcement announcement,
                                               uint32_t number);
/* Of one at a path inside of a scene; SCENE_UNKNOWN if they are not certain. */
uint32_t godot_project_inner_properties(const char *scene, const char *path, scene_list list,
                                        scene_counts counts, const char **names, uint32_t room);

#endif
