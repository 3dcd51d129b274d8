/* scene_config.h
 *
 * What a game's scene files (.tscn) say about replication: which properties a MultiplayerSynchronizer sends
 * (SceneReplicationConfig) and which scenes a MultiplayerSpawner makes. Neither is on the wire; with the
 * scene files values can be named.
 *
 * Names are only given out when they are certain: every synchronizer of the game that could be meant has to
 * agree on them. A game that makes its configurations in code has nothing in its scene files, and what is
 * found here must not be taken for all there is: matches are by node path or by scene, never by mere count.
 *
 * Not for the hot path: it allocates. Work and memory are bounded for any input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_CONFIG_H
#define SCENE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCENE_MAX_NODES      65536u  /* synchronizers and spawners in all scenes */
#define SCENE_MAX_PROPERTIES 262144u /* in all configurations */

typedef enum { SCENE_SPAWN, SCENE_ALWAYS, SCENE_ON_CHANGE } scene_list;

typedef struct scene_project scene_project;

scene_project *scene_project_new(void); /* NULL if there is no memory */
void scene_project_free(scene_project *project);

/* Reads one scene. `path`: "res://player.tscn". `text` is not needed any more afterwards. */
void scene_project_add(scene_project *project, uint32_t root, const char *path, const char *text,
                       size_t length);

/* To be called once, after everything was added. */
void scene_project_link(scene_project *project);

/* Scene number `index` of the spawner at `path` ("Main/Spawner", as on the wire): "res://player.tscn", or
 * NULL if that is not certain. */
const char *scene_project_spawned(const scene_project *project, const char *path, uint32_t index);

/* Names of the properties that the synchronizer at `path` ("Main/Player/Sync") sends in the given list, in
 * wire order: "position", "Body:rotation". Returns their number; writes up to `room`. 0 if it is not certain.
 */
uint32_t scene_project_properties(const scene_project *project, const char *path, scene_list list,
                                  const char **names, uint32_t room);

/* The same for the only synchronizer of a scene that was spawned ("res://player.tscn"). */
uint32_t scene_project_spawned_properties(const scene_project *project, const char *scene, scene_list list,
                                          const char **names, uint32_t room);

#endif
