/* config.h
 *
 * Replication settings in the scene files (.tscn) of a game: the properties that a MultiplayerSynchronizer
 * sends (SceneReplicationConfig), the scenes that a MultiplayerSpawner spawns, and their parent node. They
 * are not on the wire; they provide the names of values and nodes.
 *
 * A name is returned only if it is certain: all nodes of the game that a path can refer to must have it.
 * Properties that other scenes or scripts change are not certain. (If a script assigns another configuration
 * to a node of a scene file, this is not detected.) Configurations that are created in code are not in scene
 * files, so nodes are matched by path or by scene, never by the number of values alone.
 *
 * Do not call it for each packet: it allocates. Time and memory are limited for any input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_CONFIG_H
#define SCENE_CONFIG_H

#include "project/scenes/list.h"
#include "project/scenes/read/file.h"
#include "project/scenes/read/moved.h"

scene_project *scene_project_new(void); /* NULL if there is no memory */
void scene_project_free(scene_project *project);

/* To be called once, after everything was added. */
void scene_project_link(scene_project *project);

/* Scene number `index` of the spawner at `path` ("Main/Spawner", as on the wire): "res://player.tscn", or
 * NULL if that is not certain. */
const char *scene_project_spawned(const scene_project *project, const char *path, uint32_t index);

/* Path of the parent node of the nodes that the spawner at `path` spawns: its spawn_path, resolved. Returns
 * false if that is not certain. */
bool scene_project_spawn_parent(const scene_project *project, const char *path, char parent[SCENE_MAX_PATH]);

/* Names of the properties that the synchronizer at `path` ("Main/Player/Sync") sends in the given list, in
 * wire order: "position", "Body:rotation". Returns their number and writes up to `room` of them; 0 if it is
 * not certain. If the path fits several synchronizers, those that do not have these `counts` are excluded. */
uint32_t scene_project_properties(const scene_project *project, const char *path, scene_list list,
                                  scene_counts counts, const char **names, uint32_t room);

#endif
