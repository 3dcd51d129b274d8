/* lookup.h
 *
 * Names of values and nodes, from the scene files of a game: the properties that a MultiplayerSynchronizer
 * sends (SceneReplicationConfig), the scenes that a MultiplayerSpawner spawns, and their parent node. They
 * are not on the wire.
 *
 * A name is returned only if it is certain: all nodes of the game that a path can refer to (find.h) must have
 * it. Properties that other scenes or scripts change are not certain. (If a script assigns another
 * configuration to a node of a scene file, this is not detected.) Configurations that are created in code are
 * not in scene files, so nodes are matched by path or by scene, never by the number of values alone.
 *
 * Do not call it for each packet: a lookup may visit all nodes. Time and memory are limited for any input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_LOOKUP_H
#define SCENE_LOOKUP_H

#include "project/scenes/facts.h"
#include "project/scenes/read/file.h"

scene_project *scene_project_new(void); /* NULL if there is no memory */
void scene_project_free(scene_project *project);

/* To be called once, after everything was added. */
void scene_project_link(scene_project *project);

/* Scene number `index` of a spawner: "res://player.tscn", or NULL if that is not certain. */
const char *scene_project_spawned(const scene_project *project, const scene_shown_node *spawner,
                                  uint32_t index);

/* Path of the parent node of the nodes that a spawner spawns: its spawn_path, resolved. Returns false if that
 * is not certain. */
bool scene_project_spawn_parent(const scene_project *project, const scene_shown_node *spawner,
                                char parent[SCENE_MAX_PATH]);

/* Names of the properties in the list. Of one with a path, those with other counts are not meant; of one with
 * a number, versions of the scene that cannot have been announced so. `*inside`: its path inside of the
 * scene, if it has a number; NULL: not certain. May be NULL. */
scene_name_list scene_project_properties(const scene_project *project, const scene_shown_synchronizer *which,
                                         const char **inside);

/* scene_first_announced() of a scene, "res://player.tscn", as far as all its versions that can have been
 * announced so agree; SCENE_UNKNOWN if there is none. */
uint32_t scene_project_announced(const scene_project *project, const char *scene,
                                 scene_announcement announcement);

/* The values that a node is spawned with. */
typedef struct {
    const uint8_t *types; /* Variant.Type of Godot 4 */
    uint32_t count;
} scene_spawned_values;

/* Scene of a node that a spawn function has made, which is not on the wire: the only one of the spawner's
 * project that has `count` synchronizers and properties for exactly these values, of the same types as far as
 * they are known. NULL if there is none or several. `*several`: there are more, with the same properties. It
 * is not a proof: a spawn function may also make nodes without a scene. */
const char *scene_project_fitting(const scene_project *project, const scene_shown_node *spawner,
                                  uint32_t count, const scene_spawned_values *values, bool *several);

/* Whether a node of this scene cannot have been spawned with these values and `count` synchronizers: the
 * project is not that of the capture. Not if there is another version of the scene that can, nor if scripts
 * change synchronizers. */
bool scene_project_contradicts(const scene_project *project, const char *scene, uint32_t count,
                               const scene_spawned_values *values);

#endif
