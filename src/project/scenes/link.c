/* link.c
 *
 * See link.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scenes/link.h"

#include <stdlib.h>
#include <string.h>

static int compare_configs(const void *left, const void *right)
{
    const scene_replication *a = left, *b = right;
    if (a->root != b->root) {
        return a->root < b->root ? -1 : 1;
    }
    if (a->scene != b->scene) {
        return a->scene < b->scene ? -1 : 1;
    }
    return strcmp(a->id ? a->id : "", b->id ? b->id : "");
}

static void link_configs(scene_project *project)
{
    if (project->config_count == 0) {
        return;
    }
    qsort(project->configs, project->config_count, sizeof *project->configs, compare_configs);
    for (uint32_t i = 0; i < project->node_count; i++) {
        scene_node *n = &project->nodes[i];
        scene_replication wanted = {.root = project->scenes[n->scene].root,
                                    .scene = n->config_is_file ? SCENE_NOTHING : n->scene,
                                    .id = n->config_id};
        const scene_replication *found = n->config_id
                                             ? bsearch(&wanted, project->configs, project->config_count,
                                                       sizeof *project->configs, compare_configs)
                                             : NULL;
        if (found) {
            n->link = (uint32_t)(found - project->configs);
        }
    }
}

/* By name, then by owner. */
static int compare_names(const void *left, const void *right)
{
    const scene_name *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->owner < b->owner ? -1 : a->owner > b->owner;
}

const char *scene_last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void sort_names(scene_project *project)
{
    project->names =
        pool_take(&project->pool, (2 * (size_t)project->scene_count + 1) * sizeof *project->names);
    project->uniques =
        pool_take(&project->pool, ((size_t)project->node_count + 1) * sizeof *project->uniques);
    if (!project->names || !project->uniques) {
        return;
    }
    for (uint32_t i = 0; i < project->scene_count; i++) {
        const scene *s = &project->scenes[i];
        if (s->path) {
            project->names[project->name_count++] = (scene_name){s->root, i, s->path};
        }
        if (s->uid) {
            project->names[project->name_count++] = (scene_name){s->root, i, s->uid};
        }
    }
    for (uint32_t i = 0; i < project->node_count; i++) {
        const scene_node *n = &project->nodes[i];
        if (n->kind == SCENE_UNIQUE && n->path) {
            project->uniques[project->unique_count++] = (scene_name){n->scene, i, scene_last_name(n->path)};
        }
    }
    qsort(project->names, project->name_count, sizeof *project->names, compare_names);
    qsort(project->uniques, project->unique_count, sizeof *project->uniques, compare_names);
}

/* As compare_names(), but an equal one is before it, too. */
static int compare_with_equal(const void *left, const void *right)
{
    return compare_names(left, right) <= 0 ? -1 : 1;
}

const scene_name *scene_names_of(const scene_name *names, uint32_t count, uint32_t owner, const char *name,
                                 uint32_t *found)
{
    const scene_name wanted = {owner, 0, name};
    uint32_t first = lower_bound(&wanted, names, count, sizeof wanted, compare_names);
    *found = lower_bound(&wanted, names, count, sizeof wanted, compare_with_equal) - first;
    return names ? names + first : NULL;
}

/* Gives scenes that do not tell their uid the one that was found elsewhere. */
static void link_uids(scene_project *project)
{
    uint32_t count = 0;
    scene_name *paths = pool_take(&project->pool, ((size_t)project->scene_count + 1) * sizeof *paths);
    for (uint32_t i = 0; paths && i < project->scene_count; i++) {
        if (project->scenes[i].path) {
            paths[count++] = (scene_name){project->scenes[i].root, i, project->scenes[i].path};
        }
    }
    if (paths) {
        qsort(paths, count, sizeof *paths, compare_names);
    }
    for (uint32_t i = 0; i < project->uid_count; i++) {
        const scene_uid *known = &project->uids[i];
        uint32_t same = 0;
        const scene_name *found =
            known->path ? scene_names_of(paths, count, known->root, known->path, &same) : NULL;
        if (same && !project->scenes[found->index].uid) {
            project->scenes[found->index].uid = known->uid;
        }
    }
}

uint32_t scene_find(const scene_project *project, uint32_t root, const char *name)
{
    uint32_t count = 0;
    const scene_name *found =
        name ? scene_names_of(project->names, project->name_count, root, name, &count) : NULL;
    return count ? found->index : SCENE_NOTHING;
}

static void link_instances(scene_project *project)
{
    for (uint32_t i = 0; i < project->node_count; i++) {
        scene_node *n = &project->nodes[i];
        if (n->kind != SCENE_INSTANCE) {
            continue;
        }
        /* The engine, too, asks for the uid first. */
        n->link = scene_find(project, project->scenes[n->scene].root, n->instance_id);
        if (n->link == SCENE_NOTHING) {
            n->link = scene_find(project, project->scenes[n->scene].root, n->target);
        }
    }
}

/* An instance of a scene that is nothing but a synchronizer is one. */
static void link_synchronizers(scene_project *project)
{
    for (uint32_t i = 0; i < project->node_count; i++) {
        scene_node *n = &project->nodes[i];
        const scene *made = n->kind == SCENE_INSTANCE && !n->top && n->link != SCENE_NOTHING
                                ? &project->scenes[n->link]
                                : NULL;
        const scene_node *root = made && made->count == 1 ? &project->nodes[made->first] : NULL;
        if (root && root->top && root->kind == SCENE_SYNCHRONIZER) {
            n->kind = SCENE_SYNCHRONIZER;
            n->target = root->target;
            n->link = root->link;
        }
    }
}

/* Whether there may be nodes in it that replicate: imported models have none. */
static bool is_scene_file(const char *path)
{
    static const char *const endings[] = {".tscn", ".scn", ".res", ".tres"};
    size_t length = path ? strlen(path) : 0;
    for (size_t i = 0; path && i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        if (length >= size && strcmp(path + length - size, endings[i]) == 0) {
            return true;
        }
    }
    return !path;
}

bool scene_may_replicate(const scene_project *project, const scene_node *n)
{
    if (n->kind == SCENE_INSTANCE) {
        return n->link == SCENE_NOTHING ? is_scene_file(n->target) : project->scenes[n->link].replicates;
    }
    return n->kind == SCENE_SYNCHRONIZER || (n->opaque & SCENE_SETS_PROPERTIES);
}

/* Marks the scenes with synchronizers, and those that contain such scenes. */
static void spread_replication(scene_project *project)
{
    bool changed = true;
    for (int level = 0; changed && level < SCENE_MAX_LEVELS; level++) {
        changed = false;
        for (uint32_t i = 0; i < project->node_count; i++) {
            const scene_node *n = &project->nodes[i];
            scene *container = &project->scenes[n->scene];
            if (!container->replicates && scene_may_replicate(project, n)) {
                container->replicates = changed = true;
            }
        }
    }
    for (uint32_t i = 0; changed && i < project->scene_count; i++) {
        project->scenes[i].replicates = true;
    }
}

/* Whether an instance is itself a spawner or synchronizer, as far as known. */
static bool may_be_opaque(const scene_project *project, const scene_node *n)
{
    if (n->kind != SCENE_INSTANCE) {
        return false;
    }
    if (n->link == SCENE_NOTHING) {
        return is_scene_file(n->target);
    }
    const scene *made = &project->scenes[n->link];
    return made->count > 0 && project->nodes[made->first].top &&
           project->nodes[made->first].kind != SCENE_UNIQUE;
}

static void collect_replicated(scene_project *project)
{
    size_t room = (size_t)project->node_count + 1;
    project->replicated = pool_take(&project->pool, room * sizeof *project->replicated);
    project->places = pool_take(&project->pool, room * sizeof *project->places);
    project->roots = pool_take(&project->pool, ((size_t)project->scene_count + 1) * sizeof *project->roots);
    if (!project->replicated || !project->places || !project->roots) {
        return;
    }
    for (uint32_t i = 0; i < project->node_count; i++) {
        scene_node *n = &project->nodes[i];
        if (may_be_opaque(project, n)) {
            n->opaque = SCENE_SETS_ALL;
        }
        if (!n->path) {
            continue;
        }
        if (n->opaque || n->kind == SCENE_SPAWNER || n->kind == SCENE_SYNCHRONIZER) {
            project->replicated[project->replicated_count++] = (scene_name){0, i, n->path};
        }
        if (!n->top) {
            project->places[project->place_count++] = (scene_name){n->scene, i, n->path};
        }
    }
    for (uint32_t i = 0; i < project->scene_count; i++) {
        if (project->scenes[i].name) {
            project->roots[project->root_count++] = (scene_name){0, i, project->scenes[i].name};
        }
    }
    qsort(project->replicated, project->replicated_count, sizeof *project->replicated, compare_names);
    qsort(project->places, project->place_count, sizeof *project->places, compare_names);
    qsort(project->roots, project->root_count, sizeof *project->roots, compare_names);
}

void scene_link(scene_project *project)
{
    link_configs(project);
    link_uids(project);
    sort_names(project);
    link_instances(project);
    link_synchronizers(project);
    spread_replication(project);
    collect_replicated(project);
    project->incomplete |= project->pool.failed;
}
