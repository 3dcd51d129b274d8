/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/node-lists.h"

#include <string.h>

#include "project/scenes/link.h"

/* Path of the scene's node %Name inside of it, NULL if there is not exactly one. */
static const char *unique_node(const scene_project *project, uint32_t owner, const char *name, size_t length)
{
    char text[SCENE_MAX_PATH];
    if (length >= sizeof text) {
        return NULL;
    }
    memcpy(text, name, length);
    text[length] = 0;
    uint32_t count;
    const scene_name *found = scene_names_of(&project->uniques, owner, text, &count);
    const scene_node *n = count == 1 ? &project->nodes[found->index] : NULL;
    return n && !n->top ? n->path : NULL;
}

bool scene_append(char path[SCENE_MAX_PATH], size_t *used, const char *name, size_t length)
{
    bool slash = *used > 0;
    if (*used + slash + length >= SCENE_MAX_PATH) {
        return false;
    }
    if (slash) {
        path[(*used)++] = '/';
    }
    memcpy(path + *used, name, length);
    *used += length;
    path[*used] = 0;
    return true;
}

/* A NodePath that is followed. */
typedef struct {
    const scene_project *project;
    const scene_node *n; /* that has it */
    char *path;          /* reached so far; SCENE_MAX_PATH bytes */
    size_t used;         /* of these */
    size_t root;         /* length of the path of the scene's root, 0 if unique names make no sense here */
} walk;

static scene_walk append(walk *w, const char *name, size_t length)
{
    return scene_append(w->path, &w->used, name, length) ? SCENE_WALK_FOUND : SCENE_WALK_UNKNOWN;
}

static scene_walk step(walk *w, const char *name, size_t length)
{
    if (length == 0 || memchr(name, ':', length)) {
        return SCENE_WALK_UNKNOWN;
    }
    if (length == 1 && *name == '.') {
        return SCENE_WALK_FOUND;
    }
    if (length == 2 && memcmp(name, "..", 2) == 0) {
        const char *slash = strrchr(w->path, '/');
        if (!slash) {
            return SCENE_WALK_OUTSIDE;
        }
        w->used = (size_t)(slash - w->path);
        w->path[w->used] = 0;
        return SCENE_WALK_FOUND;
    }
    if (*name == '%') {
        const char *inside = w->root ? unique_node(w->project, w->n->scene, name + 1, length - 1) : NULL;
        if (!inside) {
            return SCENE_WALK_UNKNOWN;
        }
        w->used = w->root;
        w->path[w->root] = 0;
        return append(w, inside, strlen(inside));
    }
    return append(w, name, length);
}

scene_walk scene_follow(const scene_project *project, const scene_node *n, const char *base,
                        const char *target, char path[SCENE_MAX_PATH])
{
    size_t inside = n->top ? 0 : strlen(n->path) + 1, first = strcspn(base, "/");
    walk w = {project, n, path, 0, strlen(base) - inside};
    path[0] = 0;
    if (*target == '/') {
        /* From the tree's root; only with the same first node it is certain that the paths in packets begin
         * there. */
        static const char tree[] = "/root/";
        if (strncmp(target, tree, strlen(tree)) != 0) {
            return SCENE_WALK_UNKNOWN;
        }
        target += strlen(tree);
        if (strncmp(target, base, first) != 0 || (target[first] && target[first] != '/')) {
            return SCENE_WALK_UNKNOWN;
        }
        w.root = 0;
    } else if (append(&w, base, strlen(base)) != SCENE_WALK_FOUND) {
        return SCENE_WALK_UNKNOWN;
    }
    for (bool more = true; more; w.root = 0) {
        size_t length = strcspn(target, "/");
        scene_walk result = step(&w, target, length);
        if (result != SCENE_WALK_FOUND) {
            return result;
        }
        more = target[length] == '/';
        target += length + more;
    }
    return SCENE_WALK_FOUND;
}

/* --- properties ---------------------------------------------------------------------------------- */

const scene_name_list *scene_lists_of(const scene_project *project, const scene_node *n)
{
    static const scene_name_list unknown[SCENE_LISTS] = {
        {NULL, SCENE_UNKNOWN}, {NULL, SCENE_UNKNOWN}, {NULL, SCENE_UNKNOWN}};
    const scene_name_list *lists = n->link == SCENE_NOTHING ? NULL : project->configs[n->link].lists;
    return lists ? lists : unknown;
}

bool scene_join(scene_name_list *answer, const scene_name_list *one)
{
    bool first = answer->count == SCENE_UNKNOWN;
    if (one->count == SCENE_UNKNOWN || (!first && answer->count != one->count)) {
        return false;
    }
    for (uint32_t i = 0; !first && i < one->count; i++) {
        if (strcmp(answer->names[i], one->names[i]) != 0) {
            return false;
        }
    }
    *answer = *one;
    return true;
}

static bool is_between(uint32_t count, uint32_t least, uint32_t most)
{
    return count == SCENE_UNKNOWN || (count >= least && count <= most);
}

bool scene_is_meant(const scene_name_list *lists, scene_list list, const scene_counts *counts)
{
    uint32_t always = counts->always;
    return is_between(lists[list].count, counts->least, counts->most) &&
           (always == SCENE_UNKNOWN || is_between(lists[SCENE_ALWAYS].count, always, always));
}
