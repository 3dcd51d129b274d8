/* config.h
 *
 * What a game's scene files (.tscn) say about replication: which properties a MultiplayerSynchronizer sends
 * (SceneReplicationConfig), which scenes a MultiplayerSpawner makes and where it puts them. None of it is on
 * the wire; with the scene files values and nodes can be named.
 *
 * Names are only given out when they are certain: every node of the game that could be meant has to agree on
 * them; what other scenes change is not certain, nor what a script may do to spawners. (That a script gives a
 * node of a scene file another configuration is not noticed.) A game that makes its configurations in code
 * has nothing in its scene files, and what is found here must not be taken for all there is: matches are by
 * node path or by scene, never by mere count.
 *
 * Not for the hot path: it allocates. Work and memory are bounded for any input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_CONFIG_H
#define SCENE_CONFIG_H

#include "project/scenes/file.h"

/* bytes of a node's path with its NUL; of longer ones nothing is said */
#define SCENE_MAX_PATH          1024u
#define SCENE_MAX_SYNCHRONIZERS 64u  /* of one spawned node, likewise */
#define SCENE_MAX_FITTING       256u /* values of a spawned node that are compared with scenes, likewise */
#define SCENE_UNKNOWN           UINT32_MAX

typedef enum { SCENE_SPAWN, SCENE_ALWAYS, SCENE_ON_CHANGE } scene_list;

scene_project *scene_project_new(void); /* NULL if there is no memory */
void scene_project_free(scene_project *project);

/* To be called once, after everything was added. */
void scene_project_link(scene_project *project);

/* Scene number `index` of the spawner at `path` ("Main/Spawner", as on the wire): "res://player.tscn", or
 * NULL if that is not certain. */
const char *scene_project_spawned(const scene_project *project, const char *path, uint32_t index);

/* Path of the node that gets what the spawner at `path` spawns: its spawn_path, seen from the spawner.
 * Returns false if that is not certain. */
bool scene_project_spawn_parent(const scene_project *project, const char *path, char parent[SCENE_MAX_PATH]);

/* How many properties a synchronizer has by its packets: in the list that is asked for, and in SCENE_ALWAYS
 * (SCENE_UNKNOWN: no full state of it is known). */
typedef struct {
    uint32_t least, most, always;
} scene_counts;

/* Names of the properties that the synchronizer at `path` ("Main/Player/Sync") sends in the given list, in
 * wire order: "position", "Body:rotation". Returns their number; writes up to `room`. 0 if it is not certain.
 * Where several synchronizers could be meant, those with other `counts` are not. */
uint32_t scene_project_properties(const scene_project *project, const char *path, scene_list list,
                                  scene_counts counts, const char **names, uint32_t room);

/* What a spawn packet says of a node's synchronizers: how many are announced, and how many values they send
 * together. */
typedef struct {
    uint32_t count, values;
} scene_announcement;

/* Which of a spawned scene's synchronizers have been announced: returns the number of the first, the others
 * follow. Numbers are in the order in which the synchronizers enter the tree, which is the order in which the
 * engine (4.6) announces them; the first is 0. SCENE_UNKNOWN if it is not certain: a node announces those
 * that its sender has authority over, so either all of them, or the one with this number of values. Of
 * several versions of a scene, those that cannot have been announced so are not meant. */
uint32_t scene_project_announced(const scene_project *project, const char *scene,
                                 scene_announcement announcement);

/* As scene_project_properties() for synchronizer `number` of a scene that was spawned ("res://player.tscn"),
 * as it was announced then. */
uint32_t scene_project_spawned_properties(const scene_project *project, const char *scene,
                                          scene_announcement announcement, uint32_t number, scene_list list,
                                          const char **names, uint32_t room);

/* Path inside of the scene of that synchronizer; NULL if it is not certain. */
const char *scene_project_spawned_synchronizer(const scene_project *project, const char *scene,
                                               scene_announcement announcement, uint32_t number);

/* As scene_project_spawned_properties() for the synchronizer at `path` inside of such a scene ("Body/Sync"), SCENE_UNKNOWN if there is
 * none or it is not certain. Of several versions of a scene, one with other `counts` is not meant. */
uint32_t scene_project_inner_properties(const scene_project *project, const char *scene, const char *path,
                                        scene_list list, scene_counts counts, const char **names,
                                        uint32_t room);

/* The values that a node is spawned with. */
typedef struct {
    const uint8_t *types; /* Variant.Type of Godot 4 */
    uint32_t count;
} scene_spawned_values;

/* Scene of a node that a spawn function has made, which the wire does not say: the only one of the spawner's
 * project that has `count` synchronizers and properties for exactly these values, of the same types as far as
 * they are known. NULL if there is none, or another one that could be meant. `*several`: there are more that
 * send the same properties. It is no proof: a spawn function may also make nodes without a scene. */
const char *scene_project_fitting(const scene_project *project, const char *spawner, uint32_t count,
                                  const scene_spawned_values *values, bool *several);

#endif
