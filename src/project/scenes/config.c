/* config.c
 *
 * See config.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scenes/config.h"

#include <stdlib.h>
#include <string.h>

#include "project/scenes/link.h"
#include "project/scenes/nodes.h"

/* Nodes that are looked at for one path. */
enum { MAX_STEPS = 100000 };

void scene_project_link(scene_project *project)
{
    scene_link(project);
}

/* --- nodes by path ------------------------------------------------------------------------------- */

/* The next node of this kind that the path may mean. `*position`: 0 to begin with. `*certain` becomes false
 * if it may mean one of which `asked` is not known. */
static const scene_node *candidate(const scene_project *project, scene_node_kind kind, unsigned asked,
                                   const char *path, uint32_t *position, bool *certain)
{
    *certain = !project->incomplete;
    while (*certain && *position < project->replicated_count) {
        const scene_node *n = &project->nodes[project->replicated[(*position)++]];
        bool opaque = n->opaque & asked;
        if ((!opaque && n->kind != kind) || !scene_may_be(n, path)) {
            continue;
        }
        *certain = !opaque;
        return opaque ? NULL : n;
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
    uint32_t position = 0, root = 0;
    bool certain;
    if (project->clears_scenes) {
        return NULL;
    }
    for (const scene_node *n;
         (n = candidate(project, SCENE_SPAWNER, SCENE_SETS_SCENES, path, &position, &certain)) != NULL;) {
        const char *listed = listed_scene(n, index);
        if (!listed || (result && strcmp(result, listed) != 0)) {
            return NULL;
        }
        result = listed;
        root = project->scenes[n->scene].root;
    }
    uint32_t found = certain ? scene_find(project, root, result) : SCENE_NOTHING;
    return !certain ? NULL : found == SCENE_NOTHING ? result : project->scenes[found].path;
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
    uint32_t position = 0, count = 0;
    bool certain;
    for (const scene_node *n;
         (n = candidate(project, SCENE_SPAWNER, SCENE_SETS_PLACE, path, &position, &certain)) != NULL;
         count++) {
        /* Without a spawn_path a spawner does not work: a script must have set it. */
        if (!n->target || is_moved(project, n) ||
            scene_follow(project, n, path, n->target, count ? other : parent) != SCENE_WALK_FOUND ||
            (count && strcmp(parent, other) != 0)) {
            return false;
        }
    }
    return certain && count > 0;
}

/* --- properties ---------------------------------------------------------------------------------- */

/* The synchronizer at a path inside of a scene, of the scenes that it inherits and those that it contains.
 * NULL: there is none, or what it is is not told by the files. */
static const scene_node *explain(const scene_project *project, uint32_t index, const char *path, int level,
                                 uint32_t *steps)
{
    const scene *s = &project->scenes[index];
    const scene_node *found = NULL;
    for (uint32_t i = s->first; i < s->first + s->count; i++) {
        if (*steps == 0) {
            return NULL;
        }
        --*steps;
        const scene_node *n = &project->nodes[i];
        size_t length = n->path && !n->top ? strlen(n->path) : 0;
        bool here = length && strcmp(n->path, path) == 0;
        if (here && (n->opaque & SCENE_SETS_PROPERTIES)) {
            return NULL;
        }
        if (here && n->kind == SCENE_SYNCHRONIZER) {
            found = n;
        } else if (!found && n->kind == SCENE_INSTANCE && n->link != SCENE_NOTHING &&
                   level < SCENE_MAX_LEVELS) {
            bool inside = length && strncmp(path, n->path, length) == 0 && path[length] == '/';
            found = n->top   ? explain(project, n->link, path, level + 1, steps)
                    : inside ? explain(project, n->link, path + length + 1, level + 1, steps)
                             : NULL;
        }
    }
    return found;
}

/* As scene_project_properties(), of a synchronizer that belongs to a scene from the path's first name on: the
 * game's main scene. All scenes whose root has that name have to agree. */
static uint32_t whole_path_properties(const scene_project *project, const char *path, scene_list list,
                                      const char **names, uint32_t room)
{
    uint32_t count = SCENE_UNKNOWN, steps = MAX_STEPS;
    size_t first = strcspn(path, "/");
    for (uint32_t i = 0; path[first] && !project->incomplete && i < project->scene_count; i++) {
        const char *name = project->scenes[i].name;
        if (!name || strlen(name) != first || strncmp(name, path, first) != 0) {
            continue;
        }
        const scene_node *n = explain(project, i, path + first + 1, 0, &steps);
        if (!n || !scene_join(project, n, list, names, &count, room)) {
            return SCENE_UNKNOWN;
        }
    }
    return count;
}

uint32_t scene_project_properties(const scene_project *project, const char *path, scene_list list,
                                  scene_counts counts, const char **names, uint32_t room)
{
    uint32_t count = whole_path_properties(project, path, list, names, room), position = 0;
    bool certain;
    if (count != SCENE_UNKNOWN) {
        return count;
    }
    for (const scene_node *n; (n = candidate(project, SCENE_SYNCHRONIZER, SCENE_SETS_PROPERTIES, path,
                                             &position, &certain)) != NULL;) {
        if (scene_is_meant(project, n, list, &counts) && !scene_join(project, n, list, names, &count, room)) {
            return 0;
        }
    }
    return certain && count != SCENE_UNKNOWN ? count : 0;
}

/* --- life ---------------------------------------------------------------------------------------- */

scene_project *scene_project_new(void)
{
    return calloc(1, sizeof(scene_project));
}

void scene_project_free(scene_project *project)
{
    if (!project) {
        return;
    }
    for (uint32_t i = 0; i < project->scene_count; i++) {
        free(project->scenes[i].path);
        free(project->scenes[i].uid);
        free(project->scenes[i].name);
        free(project->scenes[i].type);
    }
    for (uint32_t i = 0; i < project->node_count; i++) {
        free(project->nodes[i].path);
        if (!project->nodes[i].shares) {
            free(project->nodes[i].borrows ? project->nodes[i].own_target : project->nodes[i].target);
            free(project->nodes[i].instance_id);
        }
        free(project->nodes[i].config_id);
        free(project->nodes[i].scenes);
    }
    for (uint32_t i = 0; i < project->config_count; i++) {
        free(project->configs[i].id);
    }
    for (uint32_t i = 0; i < project->property_count; i++) {
        free(project->properties[i].name);
    }
    for (uint32_t i = 0; i < project->moved_count; i++) {
        free(project->moved[i]);
    }
    free(project->moved);
    for (uint32_t i = 0; i < project->uid_count; i++) {
        free(project->uids[i].uid);
        free(project->uids[i].path);
    }
    free(project->uids);
    free(project->scenes);
    free(project->nodes);
    free(project->configs);
    free(project->properties);
    free(project->names);
    free(project->uniques);
    free(project->replicated);
    free(project);
}
