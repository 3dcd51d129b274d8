/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/nodes.h"

#include <string.h>

#include "project/scenes/link.h"

bool scene_may_be(const scene_node *n, const char *path)
{
    size_t inside = n->path ? strlen(n->path) : 0, whole = strlen(path);
    return inside && whole > inside + 1 && path[whole - inside - 1] == '/' &&
           strcmp(path + whole - inside, n->path) == 0;
}

scene_matches scene_matches_of(const char *path)
{
    return (scene_matches){.rest = *path ? strchr(path + 1, '/') : NULL};
}

const scene_node *scene_next_match(const scene_project *project, scene_matches *m)
{
    while (m->left == 0 && m->rest && m->rest[1]) {
        m->at = scene_names_of(&project->replicated, 0, m->rest + 1, &m->left);
        m->rest = strchr(m->rest + 1, '/');
    }
    if (m->left == 0) {
        return NULL;
    }
    m->left--;
    return &project->nodes[m->at++->index];
}

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

/* One step of a NodePath from the node `path`, which the step changes. `root`: length of the path of the
 * scene's root, 0 if unique names make no sense here. */
static scene_walk step(const scene_project *project, const scene_node *n, char path[SCENE_MAX_PATH],
                       size_t *used, size_t root, const char *name, size_t length)
{
    if (length == 0 || memchr(name, ':', length)) {
        return SCENE_WALK_UNKNOWN;
    }
    if (length == 1 && *name == '.') {
        return SCENE_WALK_FOUND;
    }
    if (length == 2 && memcmp(name, "..", 2) == 0) {
        const char *slash = strrchr(path, '/');
        if (!slash) {
            return SCENE_WALK_OUTSIDE;
        }
        *used = (size_t)(slash - path);
        path[*used] = 0;
        return SCENE_WALK_FOUND;
    }
    if (*name == '%') {
        const char *inside = root ? unique_node(project, n->scene, name + 1, length - 1) : NULL;
        if (!inside) {
            return SCENE_WALK_UNKNOWN;
        }
        *used = root;
        path[root] = 0;
        return scene_append(path, used, inside, strlen(inside)) ? SCENE_WALK_FOUND : SCENE_WALK_UNKNOWN;
    }
    return scene_append(path, used, name, length) ? SCENE_WALK_FOUND : SCENE_WALK_UNKNOWN;
}

scene_walk scene_follow(const scene_project *project, const scene_node *n, const char *base,
                        const char *target, char path[SCENE_MAX_PATH])
{
    size_t used = 0, inside = n->top ? 0 : strlen(n->path) + 1, first = strcspn(base, "/");
    size_t root = strlen(base) - inside;
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
        root = 0;
    } else if (!scene_append(path, &used, base, strlen(base))) {
        return SCENE_WALK_UNKNOWN;
    }
    for (bool more = true; more; root = 0) {
        size_t length = strcspn(target, "/");
        scene_walk result = step(project, n, path, &used, root, target, length);
        if (result != SCENE_WALK_FOUND) {
            return result;
        }
        more = target[length] == '/';
        target += length + more;
    }
    return SCENE_WALK_FOUND;
}

/* --- properties ---------------------------------------------------------------------------------- */

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

uint32_t scene_list_names(const scene_project *project, const scene_node *n, scene_list list,
                          const char **names, uint32_t room)
{
    uint32_t count = 0;
    if (n->link == SCENE_NOTHING || project->configs[n->link].broken) {
        return SCENE_UNKNOWN;
    }
    const scene_replication *c = &project->configs[n->link];
    for (uint32_t i = 0; i < c->count; i++) {
        const scene_property *p = &project->properties[c->first + i];
        if (!in_list(p, list)) {
            continue;
        }
        if (!p->name) {
            return SCENE_UNKNOWN;
        }
        if (count < room) {
            names[count] = p->name;
        }
        count++;
    }
    return count;
}

bool scene_agrees(const scene_project *project, const scene_node *n, scene_list list, const char **names,
                  uint32_t count, uint32_t room)
{
    const char *others[64];
    uint32_t limit = room < 64 ? room : 64;
    if (count > limit || scene_list_names(project, n, list, others, limit) != count) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(names[i], others[i]) != 0) {
            return false;
        }
    }
    return true;
}

bool scene_join(const scene_project *project, const scene_node *n, scene_list list, const char **names,
                uint32_t *count, uint32_t room)
{
    if (*count != SCENE_UNKNOWN) {
        return scene_agrees(project, n, list, names, *count, room);
    }
    *count = scene_list_names(project, n, list, names, room);
    return *count != SCENE_UNKNOWN;
}

bool scene_is_meant(const scene_project *project, const scene_node *n, scene_list list,
                    const scene_counts *counts)
{
    uint32_t own = scene_list_names(project, n, list, NULL, 0),
             always = scene_list_names(project, n, SCENE_ALWAYS, NULL, 0);
    return (own == SCENE_UNKNOWN || (own >= counts->least && own <= counts->most)) &&
           (always == SCENE_UNKNOWN || counts->always == SCENE_UNKNOWN || always == counts->always);
}
