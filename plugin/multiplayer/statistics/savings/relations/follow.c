/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/follow.h"

#include <math.h>
#include <string.h>

#include <glib.h>

enum { MOST_PATHS = 32, MOST_POINTS = 1024 };
/* Least updates of others, or of later rounds, that fit; least share of those that are judged. */
enum { LEAST_HITS = 40 };
#define MOSTLY 0.95
/* By so much of the way between two points a value may be off the line: paths bend. Likewise, of 1 and of
 * larger numbers; and of an angle, which may turn back. */
#define BENDS   0.5
#define ROUNDED 1e-3
#define TURNS   0.02

typedef struct {
    double progress;
    savings_numbers value;
} path_point;

/* Points by their progress: those of the first node, on its first way along the path. */
struct followed_path {
    followed_path *next;
    uint32_t parent, leader; /* hashes of paths of nodes */
    uint32_t count;
    path_point points[MOST_POINTS];
};

/* --- names ---------------------------------------------------------------------------------------- */

/* Bytes of the path of another node before the name of the property: "Sprite:rotation". */
static size_t node_length(const char *property)
{
    const char *name = strrchr(property, ':');
    return name ? (size_t)(name + 1 - property) : 0;
}

static bool is_one_of(const char *property, const char *const *names, size_t count)
{
    const char *name = property + node_length(property);
    size_t i = 0;
    while (i < count && strcmp(name, names[i]) != 0) {
        i++;
    }
    return i < count;
}

static bool is_angle(const char *property)
{
    return g_str_has_suffix(property, "rotation");
}

uint32_t follow_progress(const godot_tap_variant *values, uint32_t count, uint32_t index)
{
    static const char *const followers[] = {"position", "rotation", "global_position", "global_rotation"};
    static const char *const names[] = {"progress", "progress_ratio", "offset", "unit_offset"}; /* Godot 3 */
    const char *property = values[index].property;
    if (!property || !is_one_of(property, followers, G_N_ELEMENTS(followers))) {
        return count;
    }
    size_t length = node_length(property);
    uint32_t i = 0;
    while (i < count && (!values[i].property || node_length(values[i].property) != length ||
                         strncmp(values[i].property, property, length) != 0 ||
                         !is_one_of(values[i].property, names, G_N_ELEMENTS(names)))) {
        i++;
    }
    return i;
}

/* --- paths ---------------------------------------------------------------------------------------- */

/* NULL: there are too many. */
static followed_path *path_of(wmem_allocator_t *pool, follow_count *of, const char *node)
{
    const char *name = strrchr(node, '/');
    uint32_t parent = wmem_strong_hash((const uint8_t *)node, name ? (size_t)(name - node) : 0);
    followed_path *path = of->paths;
    while (path && path->parent != parent) {
        path = path->next;
    }
    if (!path && of->count < MOST_PATHS) {
        path = wmem_new(pool, followed_path);
        *path = (followed_path){.next = of->paths, .parent = parent, .leader = wmem_str_hash(node)};
        of->paths = path;
        of->count++;
    }
    return path;
}

/* Whether a value is where the line between two points is, as far as the path may bend there. */
static bool is_between(const path_point *one, const path_point *other, double progress,
                       const savings_numbers *value, bool angle)
{
    double part = (progress - one->progress) / (other->progress - one->progress);
    savings_numbers way = {.count = value->count}, off = {.count = value->count};
    for (int i = 0; i < 3; i++) {
        way.at[i] = other->value.at[i] - one->value.at[i];
        way.at[i] = angle ? remainder(way.at[i], 2 * G_PI) : way.at[i];
        off.at[i] = value->at[i] - one->value.at[i] - part * way.at[i];
        off.at[i] = angle ? remainder(off.at[i], 2 * G_PI) : off.at[i];
    }
    double rounded = angle ? TURNS : ROUNDED * MAX(1, savings_length_of(value));
    return savings_length_of(&off) <= BENDS * savings_length_of(&way) + rounded;
}

static bool moves(const path_point *one, const path_point *other)
{
    bool same = true;
    for (int i = 0; i < 3; i++) {
        same &= one->value.at[i] == other->value.at[i];
    }
    return !same;
}

/* The first point that is not before it. */
static uint32_t point_at(const followed_path *path, double progress)
{
    uint32_t from = 0, to = path->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (path->points[middle].progress < progress) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

static void judge(follow_count *of, const followed_path *path, double progress, const savings_numbers *value,
                  bool angle)
{
    uint32_t place = point_at(path, progress);
    if (place == 0 || place == path->count) {
        return;
    }
    const path_point *one = &path->points[place - 1], *other = &path->points[place];
    bool fits = value->count == one->value.count && is_between(one, other, progress, value, angle);
    of->hits += fits && moves(one, other); /* what never changes proves nothing */
    of->misses += !fits;
}

void follow_add(wmem_allocator_t *pool, follow_count *of, const char *node, const godot_tap_variant *values,
                uint32_t progress, uint32_t index)
{
    double along;
    savings_numbers value = savings_numbers_at(&values[index]);
    followed_path *path = of->misses > LEAST_HITS && !follow_holds(of) ? NULL : path_of(pool, of, node);
    if (!path || !savings_number_at(&values[progress], &along) || !isfinite(along) || !value.count ||
        !isfinite(savings_length_of(&value))) {
        return;
    }
    double last = path->count ? path->points[path->count - 1].progress : -INFINITY;
    bool leads = wmem_str_hash(node) == path->leader;
    of->progress = of->progress ? of->progress : wmem_strdup(pool, values[progress].property);
    if (leads && along > last && path->count < MOST_POINTS) {
        path->points[path->count++] = (path_point){along, value};
    } else if (!leads || along < last) { /* the same again may be to another receiver */
        judge(of, path, along, &value, is_angle(values[index].property));
    }
}

bool follow_holds(const follow_count *of)
{
    return of->hits >= LEAST_HITS && of->hits >= MOSTLY * (of->hits + of->misses);
}
