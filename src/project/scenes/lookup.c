/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "project/scenes/find.h"
#include "project/scenes/link.h"
#include "project/scenes/node-lists.h"

void scene_project_link(scene_project *project)
{
    scene_link(project);
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

const char *scene_project_spawned(const scene_project *project, const scene_shown_node *spawner,
                                  uint32_t index)
{
    const char *result = NULL;
    uint32_t root = 0;
    scene_found found;
    scene_find_nodes(project, spawner, SCENE_SPAWNER, SCENE_SETS_SCENES, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        const char *listed = listed_scene(found.nodes[i], index);
        if (!listed || (result && strcmp(result, listed) != 0)) {
            return NULL;
        }
        result = listed;
        root = project->scenes[found.nodes[i]->scene].root;
    }
    if (!found.certain || project->clears_scenes) {
        return NULL;
    }
    uint32_t known = scene_find(project, root, result);
    return known == SCENE_NOTHING ? result : project->scenes[known].path;
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

bool scene_project_spawn_parent(const scene_project *project, const scene_shown_node *spawner,
                                char parent[SCENE_MAX_PATH])
{
    char other[SCENE_MAX_PATH];
    scene_found found;
    scene_find_nodes(project, spawner, SCENE_SPAWNER, SCENE_SETS_PLACE, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        const scene_node *n = found.nodes[i];
        /* Without a spawn_path a spawner does not work: a script must have set it. */
        if (!n->target || is_moved(project, n) ||
            scene_follow(project, n, spawner->path, n->target, i ? other : parent) != SCENE_WALK_FOUND ||
            (i && strcmp(parent, other) != 0)) {
            return false;
        }
    }
    return found.certain && found.count > 0;
}

/* --- synchronizers ------------------------------------------------------------------------------- */

/* Of one with a path. */
static scene_name_list properties_at(const scene_project *project, const scene_shown_synchronizer *which)
{
    scene_name_list answer = {NULL, SCENE_UNKNOWN};
    scene_found found;
    scene_find_nodes(project, &which->at, SCENE_SYNCHRONIZER, SCENE_SETS_PROPERTIES, &found);
    for (uint32_t i = 0; found.certain && i < found.count; i++) {
        const scene_name_list *lists = scene_lists_of(project, found.nodes[i]);
        found.certain =
            !scene_is_meant(lists, which->list, &which->counts) || scene_join(&answer, &lists[which->list]);
    }
    return found.certain ? answer : (scene_name_list){NULL, SCENE_UNKNOWN};
}

/* The synchronizers of a scene, and the first that has been announced; SCENE_NOT_MEANT: this version of the
 * scene is not meant. */
static uint32_t announced_in(const scene_project *project, const scene *s, scene_announcement announcement,
                             scene_synchronizer *list, uint32_t *count)
{
    *count = scene_synchronizers(project, s, list);
    return scene_first_announced(list, *count, announcement);
}

/* Whether several projects have a scene of this name: versions of one game. */
static bool has_versions(const scene_project *project, const char *name)
{
    uint32_t position = 0;
    bool found = scene_next_called(project, name, &position) != NULL;
    return found && scene_next_called(project, name, &position) != NULL;
}

scene_name_list scene_project_properties(const scene_project *project, const scene_shown_synchronizer *which,
                                         const char **inside)
{
    static const scene_name_list unknown = {NULL, SCENE_UNKNOWN};
    scene_name_list answer = unknown;
    const char *path = NULL;
    uint32_t position = 0, count;
    bool versions = !which->at.path && has_versions(project, which->at.scene), certain = true;
    if (which->at.path) {
        return properties_at(project, which);
    }
    for (const scene *s; (s = scene_next_called(project, which->at.scene, &position)) != NULL;) {
        scene_synchronizer list[SCENE_MAX_SYNCHRONIZERS];
        uint32_t first = announced_in(project, s, which->announcement, list, &count);
        if (versions && first == SCENE_NOT_MEANT) {
            continue;
        }
        if (count == SCENE_UNKNOWN || which->number >= count) {
            return unknown;
        }
        const scene_synchronizer *one = &list[which->number];
        certain = certain && one->path && (!path || strcmp(path, one->path) == 0);
        path = one->path;
        if (!scene_join(&answer, &one->lists[which->list])) {
            return unknown;
        }
    }
    if (inside) {
        *inside = certain ? path : NULL;
    }
    return answer;
}

uint32_t scene_project_announced(const scene_project *project, const char *name,
                                 scene_announcement announcement)
{
    scene_synchronizer list[SCENE_MAX_SYNCHRONIZERS];
    uint32_t result = SCENE_UNKNOWN, position = 0, count;
    for (const scene *s; (s = scene_next_called(project, name, &position)) != NULL;) {
        uint32_t here = announced_in(project, s, announcement, list, &count);
        if (here == SCENE_UNKNOWN || (here != SCENE_NOT_MEANT && result != SCENE_UNKNOWN && here != result)) {
            return SCENE_UNKNOWN;
        }
        result = here == SCENE_NOT_MEANT ? result : here;
    }
    return result;
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
    free(project->autoloads);
    free(project->scenes);
    free(project->nodes);
    free(project->all_nodes);
    free(project->configs);
    free(project->properties);
    free(project);
}
