/* config.c
 *
 * Questions about replication as scene files describe it; see scene_config.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scenes/config.h"
#include "project/scenes/link.h"
#include "project/scenes/types.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that are looked at for one path. */
enum { MAX_STEPS = 100000 };

void scene_project_link(scene_project *project)
{
    scene_link(project);
}

/* --- nodes by path ------------------------------------------------------------------------------- */

/* Whether the wire's path can be this node's: it ends with the path inside of the scene, after the name of
 * the scene's root (which is whatever the instance was called). */
static bool may_be(const scene_node *n, const char *path)
{
    size_t inside = n->path ? strlen(n->path) : 0, whole = strlen(path);
    return inside && whole > inside + 1 && path[whole - inside - 1] == '/' &&
           strcmp(path + whole - inside, n->path) == 0;
}

/* The next node of this kind that the path may mean. `*position`: 0 to begin with. `*certain` becomes false
 * if it may mean one of which `asked` is not known. */
static const scene_node *candidate(const scene_project *project, scene_node_kind kind, unsigned asked,
                                   const char *path, uint32_t *position, bool *certain)
{
    *certain = !project->incomplete;
    while (*certain && *position < project->replicated_count) {
        const scene_node *n = &project->nodes[project->replicated[(*position)++]];
        bool opaque = n->opaque & asked;
        if ((!opaque && n->kind != kind) || !may_be(n, path)) {
            continue;
        }
        *certain = !opaque;
        return opaque ? NULL : n;
    }
    return NULL;
}

/* Path of the scene's node %Name inside of it, NULL if there is not exactly one. */
static const char *unique_node(const scene_project *project, uint32_t scene_index, const char *name,
                               size_t length)
{
    char text[SCENE_MAX_PATH];
    if (length >= sizeof text) {
        return NULL;
    }
    memcpy(text, name, length);
    text[length] = 0;
    const scene_name *found = scene_find_name(project->uniques, project->unique_count, scene_index, text);
    if (!found) {
        return NULL;
    }
    const scene_name *first = project->uniques, *last = first + project->unique_count - 1;
    bool several = (found > first && scene_compare_names(found - 1, found) == 0) ||
                   (found < last && scene_compare_names(found + 1, found) == 0);
    const scene_node *n = &project->nodes[found->index];
    return several || n->top ? NULL : n->path;
}

typedef enum { FOUND, OUTSIDE, UNKNOWN } walk_result;

static bool append(char path[SCENE_MAX_PATH], size_t *used, const char *name, size_t length)
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
static walk_result step(const scene_project *project, const scene_node *n, char path[SCENE_MAX_PATH],
                        size_t *used, size_t root, const char *name, size_t length)
{
    if (length == 0 || memchr(name, ':', length)) {
        return UNKNOWN;
    }
    if (length == 1 && *name == '.') {
        return FOUND;
    }
    if (length == 2 && memcmp(name, "..", 2) == 0) {
        const char *slash = strrchr(path, '/');
        if (!slash) {
            return OUTSIDE;
        }
        *used = (size_t)(slash - path);
        path[*used] = 0;
        return FOUND;
    }
    if (*name == '%') {
        const char *inside = root ? unique_node(project, n->scene, name + 1, length - 1) : NULL;
        if (!inside) {
            return UNKNOWN;
        }
        *used = root;
        path[root] = 0;
        return append(path, used, inside, strlen(inside)) ? FOUND : UNKNOWN;
    }
    return append(path, used, name, length) ? FOUND : UNKNOWN;
}

/* Where a NodePath leads that is a property of the node `n`, whose own path is `base`. */
static walk_result follow(const scene_project *project, const scene_node *n, const char *base,
                          const char *target, char path[SCENE_MAX_PATH])
{
    size_t used = 0, inside = n->top ? 0 : strlen(n->path) + 1, first = strcspn(base, "/");
    size_t root = strlen(base) - inside;
    path[0] = 0;
    if (*target == '/') {
        /* From the tree's root; only with the same first node is it certain that the wire's paths begin
         * there. */
        static const char tree[] = "/root/";
        if (strncmp(target, tree, strlen(tree)) != 0) {
            return UNKNOWN;
        }
        target += strlen(tree);
        if (strncmp(target, base, first) != 0 || (target[first] && target[first] != '/')) {
            return UNKNOWN;
        }
        root = 0;
    } else if (!append(path, &used, base, strlen(base))) {
        return UNKNOWN;
    }
    for (bool more = true; more; root = 0) {
        size_t length = strcspn(target, "/");
        walk_result result = step(project, n, path, &used, root, target, length);
        if (result != FOUND) {
            return result;
        }
        more = target[length] == '/';
        target += length + more;
    }
    return FOUND;
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
            follow(project, n, path, n->target, count ? other : parent) != FOUND ||
            (count && strcmp(parent, other) != 0)) {
            return false;
        }
    }
    return certain && count > 0;
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

/* The names of a synchronizer's list; returns their number, SCENE_UNKNOWN if they are not known. */
static uint32_t list_names(const scene_project *project, const scene_node *n, scene_list list,
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

/* Whether one more candidate agrees with what is in `names` already. */
static bool agrees(const scene_project *project, const scene_node *n, scene_list list, const char **names,
                   uint32_t count, uint32_t room)
{
    const char *others[64];
    uint32_t limit = room < 64 ? room : 64;
    if (count > limit || list_names(project, n, list, others, limit) != count) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(names[i], others[i]) != 0) {
            return false;
        }
    }
    return true;
}

/* Adds one more candidate to the answer in `names` and `*count`, which is SCENE_UNKNOWN as long as there was
 * none; false if it disagrees. */
static bool join(const scene_project *project, const scene_node *n, scene_list list, const char **names,
                 uint32_t *count, uint32_t room)
{
    if (*count != SCENE_UNKNOWN) {
        return agrees(project, n, list, names, *count, room);
    }
    *count = list_names(project, n, list, names, room);
    return *count != SCENE_UNKNOWN;
}

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
        if (!n || !join(project, n, list, names, &count, room)) {
            return SCENE_UNKNOWN;
        }
    }
    return count;
}

/* Whether a synchronizer may be one with these counts. */
static bool is_meant(const scene_project *project, const scene_node *n, scene_list list,
                     const scene_counts *counts)
{
    uint32_t own = list_names(project, n, list, NULL, 0),
             always = list_names(project, n, SCENE_ALWAYS, NULL, 0);
    return (own == SCENE_UNKNOWN || (own >= counts->least && own <= counts->most)) &&
           (always == SCENE_UNKNOWN || counts->always == SCENE_UNKNOWN || always == counts->always);
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
        if (is_meant(project, n, list, &counts) && !join(project, n, list, names, &count, room)) {
            return 0;
        }
    }
    return certain && count != SCENE_UNKNOWN ? count : 0;
}

/* --- synchronizers of a spawned scene ------------------------------------------------------------ */

/* Whether a synchronizer is one of its scene's root. */
static walk_result is_of_root(const scene_project *project, const scene_node *n)
{
    static const char root[] = "root";
    char base[SCENE_MAX_PATH], path[SCENE_MAX_PATH];
    size_t used = 0;
    if (!n->path || !append(base, &used, root, strlen(root)) ||
        (!n->top && !append(base, &used, n->path, strlen(n->path)))) {
        return UNKNOWN;
    }
    walk_result result = follow(project, n, base, n->target ? n->target : "..", path);
    return result == FOUND && strcmp(path, root) != 0 ? OUTSIDE : result;
}

/* Adds what stands in the scene's own file. `*base`: the scene that it inherits, if that may have some. */
static bool own_synchronizers(const scene_project *project, const scene *s, const scene_node **list,
                              uint32_t *count, uint32_t *base)
{
    for (uint32_t i = s->first; i < s->first + s->count; i++) {
        const scene_node *n = &project->nodes[i];
        if (n->kind == SCENE_INSTANCE && n->top && n->link != SCENE_NOTHING &&
            scene_may_replicate(project, n)) {
            *base = n->link;
        } else if (n->kind == SCENE_SYNCHRONIZER) {
            walk_result of_root = is_of_root(project, n);
            if (of_root == UNKNOWN || (of_root == FOUND && *count >= SCENE_MAX_SYNCHRONIZERS)) {
                return false;
            }
            if (of_root == FOUND) {
                list[(*count)++] = n;
            }
        } else if (scene_may_replicate(project, n)) {
            return false;
        }
    }
    return *count < 2 || s->in_order;
}

/* In the order in which they enter the tree. Returns their number, SCENE_UNKNOWN if that is not certain: a
 * scene may inherit them or have its own, not both; and contains no other scene that has some. */
static uint32_t synchronizers(const scene_project *project, const scene *s, const scene_node **list)
{
    uint32_t count = 0;
    for (int level = 0; level < SCENE_MAX_LEVELS; level++) {
        uint32_t base = SCENE_NOTHING;
        if (!own_synchronizers(project, s, list, &count, &base) || (count > 0 && base != SCENE_NOTHING)) {
            return SCENE_UNKNOWN;
        }
        if (base == SCENE_NOTHING) {
            return count;
        }
        s = &project->scenes[base];
    }
    return SCENE_UNKNOWN;
}

/* The scenes with this path or uid, of all projects: the next one, NULL at the end. `*position`: 0 to begin
 * with. */
static const scene *next_called(const scene_project *project, const char *name, uint32_t *position)
{
    const scene_name *names = project->names;
    if (project->incomplete || project->name_count == 0) {
        return NULL;
    }
    if (*position == 0) {
        uint32_t low = 0, high = project->name_count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (strcmp(names[middle].name, name) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        *position = low + 1;
    } else {
        ++*position;
    }
    bool found = *position <= project->name_count && strcmp(names[*position - 1].name, name) == 0;
    return found ? &project->scenes[names[*position - 1].index] : NULL;
}

/* Whether several projects have a scene of this name: versions of one game. */
static bool has_versions(const scene_project *project, const char *name)
{
    uint32_t position = 0, count = 0;
    while (count < 2 && next_called(project, name, &position)) {
        count++;
    }
    return count == 2;
}

enum { NOT_MEANT = SCENE_UNKNOWN - 1 };

/* Number of the first synchronizer that is announced; NOT_MEANT: this scene's cannot have been announced
 * so. */
static uint32_t announced(const scene_project *project, const scene *s, scene_announcement announcement)
{
    const scene_node *list[SCENE_MAX_SYNCHRONIZERS];
    uint32_t known = synchronizers(project, s, list), total = 0, only = NOT_MEANT;
    for (uint32_t i = 0; known != SCENE_UNKNOWN && i < known; i++) {
        uint32_t own = list_names(project, list[i], SCENE_SPAWN, NULL, 0);
        if (own == SCENE_UNKNOWN) {
            return SCENE_UNKNOWN;
        }
        total += own;
        if (own == announcement.values && announcement.count == 1) {
            if (only != NOT_MEANT) {
                return SCENE_UNKNOWN;
            }
            only = i;
        }
    }
    if (known == SCENE_UNKNOWN || (announcement.count > 1 && announcement.count < known)) {
        return SCENE_UNKNOWN;
    }
    if (announcement.count == 1) {
        return only;
    }
    return announcement.count == known && total == announcement.values ? 0 : NOT_MEANT;
}

uint32_t scene_project_announced(const scene_project *project, const char *name,
                                 scene_announcement announcement)
{
    uint32_t result = SCENE_UNKNOWN, position = 0;
    for (const scene *s; (s = next_called(project, name, &position)) != NULL;) {
        uint32_t here = announced(project, s, announcement);
        if (here == SCENE_UNKNOWN || (here != NOT_MEANT && result != SCENE_UNKNOWN && here != result)) {
            return SCENE_UNKNOWN;
        }
        result = here == NOT_MEANT ? result : here;
    }
    return result;
}

/* Synchronizer `number` of the next scene with this path or uid that can have been announced so, NULL at the
 * end. `*position`: 0 to begin with. `*certain` becomes false if one of them does not tell. */
static const scene_node *next_spawned(const scene_project *project, const char *name,
                                      scene_announcement announcement, uint32_t number, uint32_t *position,
                                      bool *certain)
{
    bool versions = has_versions(project, name);
    for (const scene *s; (s = next_called(project, name, position)) != NULL;) {
        const scene_node *all[SCENE_MAX_SYNCHRONIZERS];
        if (versions && announced(project, s, announcement) == NOT_MEANT) {
            continue;
        }
        uint32_t count = synchronizers(project, s, all);
        *certain = count != SCENE_UNKNOWN && number < count;
        return *certain ? all[number] : NULL;
    }
    return NULL;
}

uint32_t scene_project_spawned_properties(const scene_project *project, const char *name,
                                          scene_announcement announcement, uint32_t number, scene_list list,
                                          const char **names, uint32_t room)
{
    uint32_t result = SCENE_UNKNOWN, position = 0;
    bool certain = true;
    for (const scene_node *n;
         (n = next_spawned(project, name, announcement, number, &position, &certain)) != NULL;) {
        if (!join(project, n, list, names, &result, room)) {
            return 0;
        }
    }
    return !certain || result == SCENE_UNKNOWN ? 0 : result;
}

const char *scene_project_spawned_synchronizer(const scene_project *project, const char *name,
                                               scene_announcement announcement, uint32_t number)
{
    const char *result = NULL;
    uint32_t position = 0;
    bool certain = true;
    for (const scene_node *n;
         (n = next_spawned(project, name, announcement, number, &position, &certain)) != NULL;) {
        if (!n->path || (result && strcmp(result, n->path) != 0)) {
            return NULL;
        }
        result = n->path;
    }
    return certain ? result : NULL;
}

/* The synchronizer at a path inside of a scene or of the one that it inherits; NULL if that is not
 * certain. */
static const scene_node *synchronizer_inside(const scene_project *project, const scene *s, const char *path)
{
    for (int level = 0; level < SCENE_MAX_LEVELS; level++) {
        uint32_t base = SCENE_NOTHING;
        for (uint32_t i = s->first; i < s->first + s->count; i++) {
            const scene_node *n = &project->nodes[i];
            if (n->top && n->kind == SCENE_INSTANCE) {
                base = n->link;
            } else if (!n->top && n->path && strcmp(n->path, path) == 0 &&
                       (n->kind == SCENE_SYNCHRONIZER || n->opaque & SCENE_SETS_PROPERTIES)) {
                return n->opaque ? NULL : n;
            }
        }
        if (base == SCENE_NOTHING) {
            return NULL;
        }
        s = &project->scenes[base];
    }
    return NULL;
}

uint32_t scene_project_inner_properties(const scene_project *project, const char *name, const char *path,
                                        scene_list list, scene_counts counts, const char **names,
                                        uint32_t room)
{
    uint32_t result = SCENE_UNKNOWN, position = 0;
    bool versions = has_versions(project, name);
    for (const scene *s; (s = next_called(project, name, &position)) != NULL;) {
        const scene_node *n = synchronizer_inside(project, s, path);
        bool meant = !n || !versions || is_meant(project, n, list, &counts);
        if (!n || (meant && !join(project, n, list, names, &result, room))) {
            return SCENE_UNKNOWN;
        }
    }
    return result;
}

/* --- scenes that a spawn function may have made -------------------------------------------------- */

typedef enum { FITS_NOT, FITS, MAY_FIT } fit;

/* Class of the scene's root, "" if it is not known. `*steps`: nodes that may still be looked at. */
static const char *root_class(const scene_project *project, const scene *s, uint32_t *steps)
{
    for (int level = 0; level < SCENE_MAX_LEVELS && s->count <= *steps; level++) {
        const scene_node *first = s->count ? &project->nodes[s->first] : NULL;
        *steps -= s->count;
        if (s->type || !first || !first->top || first->kind != SCENE_INSTANCE ||
            first->link == SCENE_NOTHING) {
            return s->type ? s->type : "";
        }
        s = &project->scenes[first->link];
    }
    *steps = 0;
    return "";
}

/* Whether a node with these synchronizers can have been spawned with these values. */
static fit fits_values(const scene_project *project, const scene_node *const *list, uint32_t count,
                       const char *class_name, const scene_spawned_values *values)
{
    const char *names[SCENE_MAX_FITTING];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = list_names(project, list[i], SCENE_SPAWN, names, SCENE_MAX_FITTING);
        if (own == SCENE_UNKNOWN) {
            return MAY_FIT;
        }
        if (own > values->count - used) {
            return FITS_NOT;
        }
        for (uint32_t j = 0; j < own; j++) {
            uint8_t type = scene_property_type(class_name, names[j]);
            if (type && type != values->types[used + j]) {
                return FITS_NOT;
            }
        }
        used += own;
    }
    return used == values->count ? FITS : FITS_NOT;
}

/* Of a scene with more synchronizers than are announced the others may be another peer's: which, nothing
 * says. */
static fit fits_scene(const scene_project *project, const scene *s, uint32_t announced_count,
                      const scene_spawned_values *values, uint32_t *steps)
{
    const scene_node *list[SCENE_MAX_SYNCHRONIZERS];
    const char *class_name = root_class(project, s, steps);
    uint32_t known = *steps ? synchronizers(project, s, list) : SCENE_UNKNOWN;
    if (known == SCENE_UNKNOWN || (known > announced_count && announced_count > 1)) {
        return MAY_FIT;
    }
    if (known == announced_count) {
        return fits_values(project, list, known, class_name, values);
    }
    for (uint32_t i = 0; i < known && announced_count == 1; i++) {
        if (fits_values(project, list + i, 1, class_name, values) != FITS_NOT) {
            return MAY_FIT;
        }
    }
    return FITS_NOT;
}

/* Whether the scene has the spawner in it: it does not spawn its own scene. */
static bool contains_spawner(const scene_project *project, const scene *s, const char *spawner)
{
    size_t first = strcspn(spawner, "/");
    bool found = s->name && strlen(s->name) == first && strncmp(s->name, spawner, first) == 0;
    for (uint32_t i = s->first; !found && i < s->first + s->count; i++) {
        found = project->nodes[i].kind == SCENE_SPAWNER && may_be(&project->nodes[i], spawner);
    }
    return found;
}

/* Whether the synchronizers of two scenes send the same properties. */
static bool same_properties(const scene_project *project, const scene *a, const scene *b)
{
    const scene_node *of_a[SCENE_MAX_SYNCHRONIZERS], *of_b[SCENE_MAX_SYNCHRONIZERS];
    const char *names[64];
    uint32_t count = synchronizers(project, a, of_a);
    bool same = count == synchronizers(project, b, of_b);
    for (uint32_t i = 0; same && i < count; i++) {
        for (scene_list list = SCENE_SPAWN; same && list <= SCENE_ON_CHANGE; list++) {
            uint32_t own = list_names(project, of_a[i], list, names, 64);
            same = own != SCENE_UNKNOWN && agrees(project, of_b[i], list, names, own, 64);
        }
    }
    return same;
}

/* The project that has the spawner at this path, SCENE_NOTHING if that is not exactly one. */
static uint32_t root_of_spawner(const scene_project *project, const char *spawner)
{
    uint32_t root = SCENE_NOTHING;
    for (uint32_t i = 0; i < project->replicated_count; i++) {
        const scene_node *n = &project->nodes[project->replicated[i]];
        if (n->kind == SCENE_SPAWNER && may_be(n, spawner)) {
            uint32_t own = project->scenes[n->scene].root;
            if (root != SCENE_NOTHING && root != own) {
                return SCENE_NOTHING;
            }
            root = own;
        }
    }
    return root;
}

const char *scene_project_fitting(const scene_project *project, const char *spawner, uint32_t count,
                                  const scene_spawned_values *values, bool *several)
{
    const scene *found = NULL;
    uint32_t steps = MAX_STEPS, root = root_of_spawner(project, spawner);
    *several = false;
    if (project->incomplete || root == SCENE_NOTHING || values->count == 0 ||
        values->count > SCENE_MAX_FITTING) {
        return NULL;
    }
    for (uint32_t i = 0; i < project->scene_count; i++) {
        const scene *s = &project->scenes[i];
        if (s->root != root || !s->replicates || contains_spawner(project, s, spawner)) {
            continue;
        }
        fit how = fits_scene(project, s, count, values, &steps);
        if (how == MAY_FIT || (how == FITS && found && !same_properties(project, found, s))) {
            return NULL;
        }
        if (how == FITS) {
            *several = found != NULL;
            found = found ? found : s;
        }
    }
    return found ? found->path : NULL;
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
