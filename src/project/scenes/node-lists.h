/* node-lists.h
 *
 * What a spawner or synchronizer of a scene file says: the node that a NodePath means, and lists of
 * properties. For lookup.c, spawned.c and fitting.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_NODE_LISTS_H
#define SCENE_NODE_LISTS_H

#include "project/scenes/facts.h"
#include "project/scenes/read/store.h"

/* Target of a NodePath: a node of the scene, outside of the scene, or not known. */
typedef enum { SCENE_WALK_FOUND, SCENE_WALK_OUTSIDE, SCENE_WALK_UNKNOWN } scene_walk;

bool scene_append(char path[SCENE_MAX_PATH], size_t *used, const char *name, size_t length);

/* Resolves the NodePath `target`, a property of the node `n` at the path `base`; writes the result to
 * `path`. */
scene_walk scene_follow(const scene_project *project, const scene_node *n, const char *base,
                        const char *target, char path[SCENE_MAX_PATH]);

/* The lists of a synchronizer, by scene_list. */
const scene_name_list *scene_lists_of(const scene_project *project, const scene_node *n);

/* Adds one more candidate to the answer, whose count is SCENE_UNKNOWN as long as there was none; false if
 * it disagrees, or is not known. */
bool scene_join(scene_name_list *answer, const scene_name_list *one);

/* Whether a synchronizer may be one with these counts. */
bool scene_is_meant(const scene_name_list *lists, scene_list list, const scene_counts *counts);

/* The synchronizers of the root of a scene, in the order in which they enter the tree; `list` has room for
 * SCENE_MAX_SYNCHRONIZERS. Returns their number, SCENE_UNKNOWN if that is not certain. */
uint32_t scene_synchronizers(const scene_project *project, const scene *s, scene_synchronizer *list);

#endif
