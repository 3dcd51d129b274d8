/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/link.h"

#include "project/scenes/facts.h"

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

static bool in_list(const scene_property *p, scene_list list)
{
    switch (list) {
    case SCENE_SPAWN:
        return p->spawn;
    case SCENE_ALWAYS:
        return p->mode < 0 ? p->sync : p->mode == 1;
    case SCENE_ON_CHANGE:
        return p->mode < 0 ? p->watch : p->mode == 2;
    }
    return false;
}

static scene_name_list make_list(scene_project *project, const scene_replication *c, scene_list list)
{
    const char **names = pool_take(&project->pool, (c->count + 1) * sizeof *names);
    uint32_t count = 0;
    for (uint32_t i = 0; names && i < c->count; i++) {
        const scene_property *p = &project->properties[c->first + i];
        if (in_list(p, list)) {
            if (!p->name) {
                return (scene_name_list){NULL, SCENE_UNKNOWN};
            }
            names[count++] = p->name;
        }
    }
    return (scene_name_list){names, count};
}

static void make_lists(scene_project *project)
{
    for (uint32_t i = 0; i < project->config_count; i++) {
        scene_replication *c = &project->configs[i];
        scene_name_list *lists = c->broken ? NULL : pool_take(&project->pool, SCENE_LISTS * sizeof *lists);
        for (int list = 0; lists && list < SCENE_LISTS; list++) {
            lists[list] = make_list(project, c, (scene_list)list);
        }
        c->lists = lists;
    }
}

static void link_configs(scene_project *project)
{
    make_lists(project);
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

/* As compare_names(), but an equal one is before it, too. */
static int compare_with_equal(const void *left, const void *right)
{
    return compare_names(left, right) <= 0 ? -1 : 1;
}

const scene_name *scene_names_of(const scene_index *names, uint32_t owner, const char *name, uint32_t *found)
{
    const scene_name wanted = {owner, 0, name};
    uint32_t first = lower_bound(&wanted, names->entries, names->count, sizeof wanted, compare_names);
    *found = lower_bound(&wanted, names->entries, names->count, sizeof wanted, compare_with_equal) - first;
    return names->entries ? names->entries + first : NULL;
}

uint32_t scene_find(const scene_project *project, uint32_t root, const char *name)
{
    uint32_t count = 0;
    const scene_name *found = name ? scene_names_of(&project->names, root, name, &count) : NULL;
    return count ? found->index : SCENE_NOTHING;
}

static void begin_index(scene_project *project, scene_index *names, size_t room)
{
    names->entries = pool_take(&project->pool, (room + 1) * sizeof *names->entries);
}

static void add_name(scene_index *names, uint32_t owner, uint32_t index, const char *name)
{
    if (names->entries && name) {
        names->entries[names->count++] = (scene_name){owner, index, name};
    }
}

static void sort_index(scene_index *names)
{
    if (names->count) {
        qsort(names->entries, names->count, sizeof *names->entries, compare_names);
    }
}

const char *scene_last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Scenes without a uid get the one that was found elsewhere. */
static void index_scenes(scene_project *project)
{
    scene_index *names = &project->names;
    begin_index(project, names, 2 * (size_t)project->scene_count);
    for (uint32_t i = 0; i < project->scene_count; i++) {
        add_name(names, project->scenes[i].root, i, project->scenes[i].path);
    }
    sort_index(names);
    for (uint32_t i = 0; i < project->uid_count; i++) {
        const scene_uid *known = &project->uids[i];
        uint32_t found = scene_find(project, known->root, known->path);
        if (found != SCENE_NOTHING && !project->scenes[found].uid) {
            project->scenes[found].uid = known->uid;
        }
    }
    for (uint32_t i = 0; i < project->scene_count; i++) {
        add_name(names, project->scenes[i].root, i, project->scenes[i].uid);
    }
    sort_index(names);
}

static void link_instances(scene_project *project)
{
    for (uint32_t i = 0; i < project->node_count; i++) {
        scene_node *n = &project->nodes[i];
        if (n->kind != SCENE_INSTANCE) {
            continue;
        }
        /* The engine, too, looks up the uid first. */
        n->link = scene_find(project, project->scenes[n->scene].root, n->instance_id);
        if (n->link == SCENE_NOTHING) {
            n->link = scene_find(project, project->scenes[n->scene].root, n->target);
        }
    }
    for (uint32_t i = 0; i < project->all_count; i++) {
        scene_place *place = &project->all_nodes[i];
        place->made = place->node != SCENE_NOTHING ? project->nodes[place->node].link : SCENE_NOTHING;
    }
}

/* An instance of a scene that is only a synchronizer is a synchronizer. */
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

static void index_nodes(scene_project *project)
{
    begin_index(project, &project->uniques, project->node_count);
    begin_index(project, &project->replicated, project->node_count);
    begin_index(project, &project->places, project->node_count);
    begin_index(project, &project->roots, (size_t)project->scene_count + project->autoload_count);
    begin_index(project, &project->tree, project->all_count);
    for (uint32_t i = 0; i < project->all_count; i++) {
        add_name(&project->tree, project->all_nodes[i].scene, i, project->all_nodes[i].path);
    }
    for (uint32_t i = 0; i < project->node_count; i++) {
        scene_node *n = &project->nodes[i];
        if (may_be_opaque(project, n)) {
            n->opaque = SCENE_SETS_ALL;
        }
        if (n->kind == SCENE_UNIQUE && n->path) {
            add_name(&project->uniques, n->scene, i, scene_last_name(n->path));
        }
        if (n->opaque || n->kind == SCENE_SPAWNER || n->kind == SCENE_SYNCHRONIZER) {
            add_name(&project->replicated, 0, i, n->path);
        }
        if (!n->top) {
            add_name(&project->places, n->scene, i, n->path);
        }
    }
    for (uint32_t i = 0; i < project->scene_count; i++) {
        add_name(&project->roots, 0, i, project->scenes[i].name);
    }
    for (uint32_t i = 0; i < project->autoload_count; i++) {
        const scene_uid *named = &project->autoloads[i];
        uint32_t made = scene_find(project, named->root, named->path);
        if (made != SCENE_NOTHING) {
            add_name(&project->roots, 0, made, named->uid);
        }
    }
    sort_index(&project->uniques);
    sort_index(&project->replicated);
    sort_index(&project->places);
    sort_index(&project->roots);
    sort_index(&project->tree);
}

void scene_link(scene_project *project)
{
    link_configs(project);
    index_scenes(project);
    link_instances(project);
    link_synchronizers(project);
    spread_replication(project);
    index_nodes(project);
    project->incomplete |= project->pool.failed;
}
