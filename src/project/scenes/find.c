/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/find.h"

#include <string.h>

#include "project/scenes/link.h"

static int compare_name(const void *element, const void *name)
{
    return strcmp(((const scene_name *)element)->name, name);
}

const scene *scene_next_called(const scene_project *project, const char *name, uint32_t *position)
{
    const scene_index *names = &project->names;
    if (project->incomplete) {
        return NULL;
    }
    if (*position == 0) {
        *position = lower_bound(name, names->entries, names->count, sizeof *names->entries, compare_name);
    }
    const scene_name *next = *position < names->count ? &names->entries[(*position)++] : NULL;
    return next && strcmp(next->name, name) == 0 ? &project->scenes[next->index] : NULL;
}

/* --- nodes in scenes ----------------------------------------------------------------------------- */

/* What is searched for, and what was found. */
typedef struct {
    const scene_project *project;
    scene_node_kind kind;
    unsigned asked;
    uint32_t scenes; /* that may still be searched */
    scene_found *found;
} search;

static void add_found(search *s, const scene_node *n)
{
    if (n->opaque & s->asked || s->found->count == SCENE_MAX_FOUND) {
        s->found->certain = false;
    } else if (n->kind == s->kind) {
        s->found->nodes[s->found->count++] = n;
    }
}

static bool is_done(const search *s)
{
    return s->found->count > 0 || !s->found->certain;
}

static bool search_scene(search *s, uint32_t index, const char *path, int level);

/* The same in the scene of which a node is an instance. */
static bool search_instance(search *s, const scene_node *n, const char *path, int level)
{
    bool known = n->kind == SCENE_INSTANCE && n->link != SCENE_NOTHING && level < SCENE_MAX_LEVELS;
    return known && search_scene(s, n->link, path, level + 1);
}

/* Adds the node at a path inside of a scene, including inherited and contained scenes. False: the files show
 * none. */
static bool search_scene(search *s, uint32_t index, const char *path, int level)
{
    const scene_project *project = s->project;
    const scene *in = &project->scenes[index];
    const uint32_t before = s->found->count;
    char outer[SCENE_MAX_PATH];
    uint32_t count;
    if (s->scenes == 0 || strlen(path) >= sizeof outer) {
        s->found->certain = false;
        return true;
    }
    s->scenes--;
    const scene_name *here = scene_names_of(&project->places, index, path, &count);
    for (uint32_t i = 0; i < count; i++) {
        add_found(s, &project->nodes[here[i].index]);
    }
    bool done = s->found->count > before || !s->found->certain;
    if (!done && in->count > 0 && project->nodes[in->first].top) {
        done = search_instance(s, &project->nodes[in->first], path, level);
    }
    strcpy(outer, path);
    for (char *slash = strchr(outer, '/'); slash && !done; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        here = scene_names_of(&project->places, index, outer, &count);
        *slash = '/';
        for (uint32_t i = 0; i < count && !done; i++) {
            done = search_instance(s, &project->nodes[here[i].index], slash + 1, level);
        }
    }
    return done;
}

/* --- nodes by path ------------------------------------------------------------------------------- */

static void search_spawned(search *s, const scene_shown_node *at)
{
    uint32_t position = 0;
    for (const scene *in;
         s->found->certain && (in = scene_next_called(s->project, at->scene, &position)) != NULL;) {
        search_scene(s, (uint32_t)(in - s->project->scenes), at->inside, 0);
    }
}

static void search_named_roots(search *s, const char *path)
{
    char name[SCENE_MAX_PATH];
    for (const char *rest; !is_done(s) && (rest = strchr(path, '/')) != NULL; path = rest + 1) {
        size_t length = (size_t)(rest - path);
        uint32_t count = 0;
        if (length >= sizeof name) {
            continue;
        }
        memcpy(name, path, length);
        name[length] = 0;
        const scene_name *roots = scene_names_of(&s->project->roots, 0, name, &count);
        for (uint32_t i = 0; i < count && s->found->certain; i++) {
            search_scene(s, roots[i].index, rest + 1, 0);
        }
    }
}

/* Nodes that replicate, or may do so, in any scene: what is before them may have any name. */
static void search_endings(search *s, const char *path)
{
    uint32_t left = SCENE_MAX_FOUND, count;
    for (path = strchr(path, '/'); path && path[1]; path = strchr(path + 1, '/')) {
        const scene_name *ends = scene_names_of(&s->project->replicated, 0, path + 1, &count);
        for (uint32_t i = 0; i < count && s->found->certain; i++) {
            add_found(s, &s->project->nodes[ends[i].index]);
            s->found->certain &= left-- > 0;
        }
    }
}

void scene_find_nodes(const scene_project *project, const scene_shown_node *at, scene_node_kind kind,
                      unsigned asked, scene_found *found)
{
    search s = {project, kind, asked, SCENE_MAX_SEARCHED, found};
    found->count = 0;
    found->certain = !project->incomplete;
    if (at->scene && at->inside) {
        search_spawned(&s, at);
    }
    if (at->path && !is_done(&s)) {
        search_named_roots(&s, at->path);
    }
    if (at->path && !is_done(&s)) {
        search_endings(&s, at->path);
    }
}
