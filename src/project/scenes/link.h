/* link.h
 *
 * Resolves references between scenes: synchronizers to their configurations, instances to their scenes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_LINK_H
#define SCENE_LINK_H

#include "project/scenes/read/store.h"

/* See scene_project_link(). */
void scene_link(scene_project *project);

/* The first of the names with this owner, `*found`: how many they are. `names` are sorted. */
const scene_name *scene_names_of(const scene_index *names, uint32_t owner, const char *name, uint32_t *found);

/* Index of a project's scene by path or uid, SCENE_NOTHING if there is none. */
uint32_t scene_find(const scene_project *project, uint32_t root, const char *name);

const char *scene_last_name(const char *path); /* of a node, after the last slash */

/* Whether the node is a synchronizer, or may contain some. */
bool scene_may_replicate(const scene_project *project, const scene_node *n);

#endif
