/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "project/scenes/link.h"
#include "project/scenes/lookup.h"
#include "project/scenes/node-lists.h"

/* --- synchronizers of a spawned scene ------------------------------------------------------------ */

/* Whether a synchronizer is one of its scene's root. */
static scene_walk is_of_root(const scene_project *project, const scene_node *n)
{
    static const char root[] = "root";
    char base[SCENE_MAX_PATH], path[SCENE_MAX_PATH];
    size_t used = 0;
    if (!n->path || !scene_append(base, &used, root, strlen(root)) ||
        (!n->top && !scene_append(base, &used, n->path, strlen(n->path)))) {
        return SCENE_WALK_UNKNOWN;
    }
    scene_walk result = scene_follow(project, n, base, n->target ? n->target : "..", path);
    return result == SCENE_WALK_FOUND && strcmp(path, root) != 0 ? SCENE_WALK_OUTSIDE : result;
}

/* Adds the contents of the scene's own file. `*base`: the scene that it inherits, if that may have some. */
static bool own_synchronizers(const scene_project *project, const scene *s, scene_synchronizer *list,
                              uint32_t *count, uint32_t *base)
{
    for (uint32_t i = s->first; i < s->first + s->count; i++) {
        const scene_node *n = &project->nodes[i];
        if (n->kind == SCENE_INSTANCE && n->top && n->link != SCENE_NOTHING &&
            scene_may_replicate(project, n)) {
            *base = n->link;
        } else if (n->kind == SCENE_SYNCHRONIZER) {
            scene_walk of_root = is_of_root(project, n);
            if (of_root == SCENE_WALK_UNKNOWN ||
                (of_root == SCENE_WALK_FOUND && *count >= SCENE_MAX_SYNCHRONIZERS)) {
                return false;
            }
            if (of_root == SCENE_WALK_FOUND) {
                list[(*count)++] = (scene_synchronizer){n->path, scene_lists_of(project, n)};
            }
        } else if (scene_may_replicate(project, n)) {
            return false;
        }
    }
    return *count < 2 || s->in_order;
}

/* In the order in which they enter the tree. Returns their number, SCENE_UNKNOWN if that is not certain: a
 * scene may inherit them or have its own, not both; and contains no other scene that has some. */
uint32_t scene_synchronizers(const scene_project *project, const scene *s, scene_synchronizer *list)
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

/* --- which of them a spawn packet announces ------------------------------------------------------ */

uint32_t scene_first_announced(const scene_synchronizer *list, uint32_t count,
                               scene_announcement announcement)
{
    uint32_t total = 0, only = SCENE_NOT_MEANT;
    for (uint32_t i = 0; count != SCENE_UNKNOWN && i < count; i++) {
        uint32_t own = list[i].lists[SCENE_SPAWN].count;
        if (own == SCENE_UNKNOWN) {
            return SCENE_UNKNOWN;
        }
        total += own;
        if (own == announcement.values && announcement.count == 1) {
            if (only != SCENE_NOT_MEANT) {
                return SCENE_UNKNOWN;
            }
            only = i;
        }
    }
    if (count == SCENE_UNKNOWN || (announcement.count > 1 && announcement.count < count)) {
        return SCENE_UNKNOWN;
    }
    if (announcement.count == 1) {
        return only;
    }
    return announcement.count == count && total == announcement.values ? 0 : SCENE_NOT_MEANT;
}
