/* find.h
 *
 * Which nodes of a game's scenes a path on the wire means.
 *
 * A path begins at the multiplayer root, usually with the root of the main scene or an autoload. The first of
 * these that has an answer decides, so that many nodes may have the same name, such as the one that the
 * editor gives them:
 *
 *     1. the scene of the spawned node that the wire shows above it, with the rest of the path
 *     2. a scene whose root has the first name of the path, or an autoload of that name, with the rest; then
 *        the second name, and so on: scenes that scripts add to the tree
 *     3. any scene, its root under any name, with the end of the path
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_FIND_H
#define SCENE_FIND_H

#include "project/scenes/facts.h"
#include "project/scenes/read/store.h"

typedef struct {
    const scene_node *nodes[SCENE_MAX_FOUND];
    uint32_t count;
    bool certain; /* false: a node with properties that are not known is meant, or too many are */
} scene_found;

/* The spawners or synchronizers that may be at this place. `asked`: the properties of them that must be
 * known. */
void scene_find_nodes(const scene_project *project, const scene_shown_node *at, scene_node_kind kind,
                      unsigned asked, scene_found *found);

/* The scenes with this path or uid, of all projects: the next one, NULL at the end. `*position`: 0 to begin
 * with. */
const scene *scene_next_called(const scene_project *project, const char *name, uint32_t *position);

#endif
