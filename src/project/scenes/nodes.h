/* nodes.h
 *
 * Nodes by path and the properties of synchronizers, for config.c and spawned.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SCENE_NODES_H
#define SCENE_NODES_H

#include "project/scenes/list.h"
#include "project/scenes/read/store.h"

/* Whether a path on the wire can be that of this node: it has to end with the node's path inside of the
 * scene, after the name of the scene's root, which can be any name. */
bool scene_may_be(const scene_node *n, const char *path);

/* Iterates over the nodes for which scene_may_be() is true, of those that replicate or may do so. */
typedef struct {
    const char *rest;     /* rest of the path, from the slash before the next part to look up; NULL: none */
    const scene_name *at; /* the next result; valid if `left` is not 0 */
    uint32_t left;        /* further results for the current part */
} scene_matches;

scene_matches scene_matches_of(const char *path);
/* The next node, NULL: there are no more. */
const scene_node *scene_next_match(const scene_project *project, scene_matches *matches);

/* Target of a NodePath: a node of the scene, outside of the scene, or not known. */
typedef enum { SCENE_WALK_FOUND, SCENE_WALK_OUTSIDE, SCENE_WALK_UNKNOWN } scene_walk;

bool scene_append(char path[SCENE_MAX_PATH], size_t *used, const char *name, size_t length);

/* Resolves the NodePath `target`, a property of the node `n` at the path `base`; writes the result to
 * `path`. */
scene_walk scene_follow(const scene_project *project, const scene_node *n, const char *base,
                        const char *target, char path[SCENE_MAX_PATH]);

/* The names of a synchronizer's list; returns their number, SCENE_UNKNOWN if they are not known. */
uint32_t scene_list_names(const scene_project *project, const scene_node *n, scene_list list,
                          const char **names, uint32_t room);

/* Whether one more candidate agrees with what is in `names` already. */
bool scene_agrees(const scene_project *project, const scene_node *n, scene_list list, const char **names,
                  uint32_t count, uint32_t room);

/* Adds one more candidate to the answer in `names` and `*count`, which is SCENE_UNKNOWN as long as there was
 * none; false if it disagrees. */
bool scene_join(const scene_project *project, const scene_node *n, scene_list list, const char **names,
                uint32_t *count, uint32_t room);

/* Whether a synchronizer may be one with these counts. */
bool scene_is_meant(const scene_project *project, const scene_node *n, scene_list list,
                    const scene_counts *counts);

#endif
