/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/config.h"

#include <stdlib.h>
#include <string.h>

#include "project/scenes/link.h"
#include "project/scenes/nodes.h"

/* Nodes that are compared for one path. */
enum {
    MAX_CANDIDATES = 256, /* nodes with the same path in scenes of their own */
    MAX_EXPLAINED = 256,  /* scenes in scenes */
};

void scene_project_link(scene_project *project)
{
    scene_link(project);
}

/* --- nodes by path ------------------------------------------------------------------------------- */

typedef struct {
    scene_matches matches;
    uint32_t looked_at;
    bool certain; /* false: there is a fitting node with unknown properties, or too many nodes */
} candidates;

static candidates candidates_of(const char *path)
{
    return (candidates){.matches = scene_matches_of(path)};
}

/* The next node of this kind. `asked`: the properties of it that must be known. */
static const scene_node *candidate(const scene_project *project, scene_node_kind kind, unsigned asked,
                                   candidates *c)
{
    const scene_node *n;
    c->certain = !project->incomplete;
    while (c->certain && (n = scene_next_match(project, &c->matches)) != NULL) {
        bool opaque = n->opaque & asked;
        c->certain = !opaque && c->looked_at++ < MAX_CANDIDATES;
        if (c->certain && n->kind == kind) {
            return n;
        }
    }
    return NULL;
}

/* --- spawners ------------------------------------------------------------------------------------ */

static const char *listed_scene(const scene_node *n, uint32_t index)
{
    const char *item = n->scenes;
    while (item && *item && index-- > 0) {
        item += strlen(item) + 1;
    }
    return item && *item ? item : NULL;
}

const char *scene_project_spawned(const scene_project *project, const char *path, uint32_t index)
{
    const char *result = NULL;
    uint32_t root = 0;
    candidates spawners = candidates_of(path);
    if (project->clears_scenes) {
        return NULL;
    }
    for (const scene_node *n;
         (n = candidate(project, SCENE_SPAWNER, SCENE_SETS_SCENES, &spawners)) != NULL;) {
        const char *listed = listed_scene(n, index);
        if (!listed || (result && strcmp(result, listed) != 0)) {
            return NULL;
        }
        result = listed;
        root = project->scenes[n->scene].root;
    }
    uint32_t found = spawners.certain ? scene_find(project, root, result) : SCENE_NOTHING;
    return !spawners.certain ? NULL : found == SCENE_NOTHING ? result : project->scenes[found].path;
}

/* Whether a script may have set the spawner's spawn_path. */
static bool is_moved(const scene_project *project, const scene_node *n)
{
    bool moved = project->moves_spawners || (project->moves_own && n->scripted) || !n->path;
    for (uint32_t i = 0; !moved && i < project->moved_count; i++) {
        moved = strcmp(project->moved[i], scene_last_name(n->path)) == 0;
    }
    return moved;
}

bool scene_project_spawn_parent(const scene_project *project, const char *path, char parent[SCENE_MAX_PATH])
{
    char other[SCENE_MAX_PATH];
    uint32_t count = 0;
    candidates spawners = candidates_of(path);
    for (const scene_node *n; (n = candidate(project, SCENE_SPAWNER, SCENE_SETS_PLACE, &spawners)) != NULL;
         count++) {
        /* Without a spawn_path a spawner does not work: a script must have set it. */
        if (!n->target || is_moved(project, n) ||
            scene_follow(project, n, path, n->target, count ? other : parent) != SCENE_WALK_FOUND ||
            (count && strcmp(parent, other) != 0)) {
            return false;
        }
    }
    return spawners.certain && count > 0;
}

/* --- properties ---------------------------------------------------------------------------------- */

static const scene_node *explain(const scene_project *project, uint32_t index, const char *path, int level,
                                 uint32_t *scenes);

/* The same as explain(), in the scene of which a node is an instance. */
static const scene_node *explain_instance(const scene_project *project, const scene_node *n, const char *path,
                                          int level, uint32_t *scenes)
{
    bool known = n->kind == SCENE_INSTANCE && n->link != SCENE_NOTHING && level < SCENE_MAX_LEVELS;
    return known ? explain(project, n->link, path, level + 1, scenes) : NULL;
}

/* The synchronizer at a path inside of a scene, including inherited and contained scenes. NULL: there is
 * none, or it is not known from the files. `*scenes`: scenes that may still be searched. */
static const scene_node *explain(const scene_project *project, uint32_t index, const char *path, int level,
                                 uint32_t *scenes)
{
    const scene *s = &project->scenes[index];
    const scene_node *found = NULL;
    char outer[SCENE_MAX_PATH];
    uint32_t count;
    if (*scenes == 0 || strlen(path) >= sizeof outer) {
        return NULL;
    }
    --*scenes;
    const scene_name *here = scene_names_of(&project->places, index, path, &count);
    for (uint32_t i = 0; i < count; i++) {
        const scene_node *n = &project->nodes[here[i].index];
        if (n->opaque & SCENE_SETS_PROPERTIES) {
            return NULL;
        }
        found = n->kind == SCENE_SYNCHRONIZER ? n : found;
    }
    if (!found && s->count > 0 && project->nodes[s->first].top) {
        found = explain_instance(project, &project->nodes[s->first], path, level, scenes);
    }
    strcpy(outer, path);
    for (char *slash = strchr(outer, '/'); slash && !found; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        here = scene_names_of(&project->places, index, outer, &count);
        *slash = '/';
        for (uint32_t i = 0; i < count && !found; i++) {
            found = explain_instance(project, &project->nodes[here[i].index], slash + 1, level, scenes);
        }
    }
    return found;
}

/* As scene_project_properties(), of a synchronizer that belongs to a scene from the path's first name on: the
 * game's main scene. All scenes whose root has that name have to agree. */
static uint32_t whole_path_properties(const scene_project *project, const char *path, scene_list list,
                                      const char **names, uint32_t room)
{
    uint32_t count = SCENE_UNKNOWN, scenes = MAX_EXPLAINED, called;
    char first[SCENE_MAX_PATH];
    size_t length = strcspn(path, "/");
    if (project->incomplete || !path[length] || length >= sizeof first) {
        return SCENE_UNKNOWN;
    }
    memcpy(first, path, length);
    first[length] = 0;
    const scene_name *roots = scene_names_of(&project->roots, 0, first, &called);
    for (uint32_t i = 0; i < called; i++) {
        const scene_node *n = explain(project, roots[i].index, path + length + 1, 0, &scenes);
        if (!n || !scene_join(project, n, list, names, &count, room)) {
            return SCENE_UNKNOWN;
        }
    }
    return count;
}

uint32_t scene_project_properties(const scene_project *project, const char *path, scene_list list,
                                  scene_counts counts, const char **names, uint32_t room)
{
    uint32_t count = whole_path_properties(project, path, list, names, room);
    candidates synchronizers = candidates_of(path);
    if (count != SCENE_UNKNOWN) {
        return count;
    }
    for (const scene_node *n;
         (n = candidate(project, SCENE_SYNCHRONIZER, SCENE_SETS_PROPERTIES, &synchronizers)) != NULL;) {
        if (scene_is_meant(project, n, list, &counts) && !scene_join(project, n, list, names, &count, room)) {
            return 0;
        }
    }
    return synchronizers.certain && count != SCENE_UNKNOWN ? count : 0;
}

/* --- life ---------------------------------------------------------------------------------------- */

scene_project *scene_project_new(void)
{
    scene_project *project = calloc(1, sizeof *project);
    if (project) {
        project->pool.limit = SIZE_MAX;
    }
    return project;
}

void scene_project_free(scene_project *project)
{
    if (!project) {
        return;
    }
    pool_free(&project->pool);
    free(project->moved);
    free(project->uids);
    free(project->scenes);
    free(project->nodes);
    free(project->all_nodes);
    free(project->configs);
    free(project->properties);
    free(project);
}
