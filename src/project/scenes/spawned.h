/* spawned.h
 *
 * Lookups for the scenes of spawned nodes. As in config.h, only certain results are returned.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_SPAWNED_H
#define SCENE_SPAWNED_H

#include "project/scenes/config.h"

#define SCENE_MAX_SYNCHRONIZERS 64u  /* of one spawned node, likewise */
#define SCENE_MAX_FITTING       256u /* values of a spawned node that are compared with scenes, likewise */

/* The synchronizers in a spawn packet: how many are announced, and how many values they have together. */
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

/* Same as scene_project_properties(), for synchronizer `number` of a spawned scene ("res://player.tscn") with
 * this announcement. */
uint32_t scene_project_spawned_properties(const scene_project *project, const char *scene,
                                          scene_announcement announcement, uint32_t number, scene_list list,
                                          const char **names, uint32_t room);

/* Path inside of the scene of that synchronizer; NULL if it is not certain. */
const char *scene_project_spawned_synchronizer(const scene_project *project, const char *scene,
                                               scene_announcement announcement, uint32_t number);

/* Same as scene_project_spawned_properties(), for the synchronizer at `path` inside of such a scene
 * ("Body/Sync"); SCENE_UNKNOWN if there is none or it is not certain. Versions of a scene that do not have
 * these `counts` are excluded. */
uint32_t scene_project_inner_properties(const scene_project *project, const char *scene, const char *path,
                                        scene_list list, scene_counts counts, const char **names,
                                        uint32_t room);

/* The values that a node is spawned with. */
typedef struct {
    const uint8_t *types; /* Variant.Type of Godot 4 */
    uint32_t count;
} scene_spawned_values;

/* Scene of a node that a spawn function has made, which is not on the wire: the only one of the spawner's
 * project that has `count` synchronizers and properties for exactly these values, of the same types as far as
 * they are known. NULL if there is none or several. `*several`: there are more, with the same properties. It
 * is not a proof: a spawn function may also make nodes without a scene. */
const char *scene_project_fitting(const scene_project *project, const char *spawner, uint32_t count,
                                  const scene_spawned_values *values, bool *several);

#endif
