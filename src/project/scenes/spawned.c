/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scenes/spawned.h"

#include <string.h>

#include "project/scenes/link.h"
#include "project/scenes/nodes.h"

/* Nodes that are compared for one lookup. */
enum { MAX_STEPS = 100000 };

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
static bool own_synchronizers(const scene_project *project, const scene *s, const scene_node **list,
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

static int compare_name(const void *element, const void *name)
{
    return strcmp(((const scene_name *)element)->name, name);
}

/* The scenes with this path or uid, of all projects: the next one, NULL at the end. `*position`: 0 to begin
 * with. */
static const scene *next_called(const scene_project *project, const char *name, uint32_t *position)
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

/* Number of the first announced synchronizer; NOT_MEANT: the announcement does not fit this scene. */
static uint32_t announced(const scene_project *project, const scene *s, scene_announcement announcement)
{
    const scene_node *list[SCENE_MAX_SYNCHRONIZERS];
    uint32_t known = synchronizers(project, s, list), total = 0, only = NOT_MEANT;
    for (uint32_t i = 0; known != SCENE_UNKNOWN && i < known; i++) {
        uint32_t own = scene_list_names(project, list[i], SCENE_SPAWN, NULL, 0);
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

/* Synchronizer `number` of the next scene with this path or uid that fits the announcement, NULL at the end.
 * `*position`: 0 at first. `*certain` becomes false if one of them is not known. */
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
        if (!scene_join(project, n, list, names, &result, room)) {
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
        bool meant = !n || !versions || scene_is_meant(project, n, list, &counts);
        if (!n || (meant && !scene_join(project, n, list, names, &result, room))) {
            return SCENE_UNKNOWN;
        }
    }
    return result;
}

/* --- scenes that a spawn function may have made -------------------------------------------------- */

/* Variant.Type of Godot 4. */
enum {
    UNKNOWN = 0,
    BOOLEAN = 1,
    FLOAT = 3,
    STRING = 4,
    VECTOR2 = 5,
    VECTOR3 = 9,
    TRANSFORM2D = 11,
    QUATERNION = 15,
    BASIS = 17,
    TRANSFORM3D = 18,
    COLOR = 20
};

typedef enum { IN_2D, IN_3D, CONTROL, FAMILIES } family;

/* Suffixes of the class names of a family. (Not "Panel": a PopupPanel is a Window, with a position of
 * integers.) */
static const struct {
    const char *ending;
    family of;
} classes[] = {{"2D", IN_2D},         {"3D", IN_3D},        {"Control", CONTROL}, {"Label", CONTROL},
               {"Button", CONTROL},   {"Rect", CONTROL},    {"Bar", CONTROL},     {"Container", CONTROL},
               {"LineEdit", CONTROL}, {"TextEdit", CONTROL}};

/* The type in each family, in the order of `family`. */
static const struct {
    const char *property;
    uint8_t type[FAMILIES];
} properties[] = {{"position", {VECTOR2, VECTOR3, VECTOR2}},
                  {"global_position", {VECTOR2, VECTOR3, VECTOR2}},
                  {"rotation", {FLOAT, VECTOR3, FLOAT}},
                  {"global_rotation", {FLOAT, VECTOR3, UNKNOWN}},
                  {"rotation_degrees", {FLOAT, VECTOR3, FLOAT}},
                  {"global_rotation_degrees", {FLOAT, VECTOR3, UNKNOWN}},
                  {"scale", {VECTOR2, VECTOR3, VECTOR2}},
                  {"global_scale", {VECTOR2, UNKNOWN, UNKNOWN}},
                  {"skew", {FLOAT, UNKNOWN, UNKNOWN}},
                  {"transform", {TRANSFORM2D, TRANSFORM3D, UNKNOWN}},
                  {"global_transform", {TRANSFORM2D, TRANSFORM3D, UNKNOWN}},
                  {"quaternion", {UNKNOWN, QUATERNION, UNKNOWN}},
                  {"basis", {UNKNOWN, BASIS, UNKNOWN}},
                  {"visible", {BOOLEAN, BOOLEAN, BOOLEAN}},
                  {"modulate", {COLOR, UNKNOWN, COLOR}},
                  {"self_modulate", {COLOR, UNKNOWN, COLOR}},
                  {"size", {UNKNOWN, UNKNOWN, VECTOR2}}};

/* Those that only some classes have. */
static const struct {
    const char *class_name, *property;
    uint8_t type;
} others[] = {{"CharacterBody2D", "velocity", VECTOR2},
              {"CharacterBody3D", "velocity", VECTOR3},
              {"RigidBody2D", "linear_velocity", VECTOR2},
              {"RigidBody2D", "angular_velocity", FLOAT},
              {"RigidBody3D", "linear_velocity", VECTOR3},
              {"RigidBody3D", "angular_velocity", VECTOR3},
              {"Sprite2D", "flip_h", BOOLEAN},
              {"AnimatedSprite2D", "flip_h", BOOLEAN},
              {"Label", "text", STRING},
              {"Label3D", "text", STRING},
              {"RichTextLabel", "text", STRING},
              {"Button", "text", STRING},
              {"LineEdit", "text", STRING},
              {"TextEdit", "text", STRING}};

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

/* Type of a property ("position") of a node of this class ("CharacterBody2D") as Godot 4 sends it
 * (Variant.Type, class reference of 4.6); UNKNOWN: such as those of scripts. */
static uint8_t property_type(const char *class_name, const char *property)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(class_name, others[i].class_name) == 0 && strcmp(property, others[i].property) == 0) {
            return others[i].type;
        }
    }
    size_t row = 0;
    while (row < sizeof properties / sizeof *properties && strcmp(property, properties[row].property) != 0) {
        row++;
    }
    for (size_t i = 0; row < sizeof properties / sizeof *properties && i < sizeof classes / sizeof *classes;
         i++) {
        if (ends_with(class_name, classes[i].ending)) {
            return properties[row].type[classes[i].of];
        }
    }
    return UNKNOWN;
}

typedef enum { FITS_NOT, FITS, MAY_FIT } fit;

/* Class of the scene's root, "" if it is not known. `*steps`: nodes that may still be visited. */
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
        uint32_t own = scene_list_names(project, list[i], SCENE_SPAWN, names, SCENE_MAX_FITTING);
        if (own == SCENE_UNKNOWN) {
            return MAY_FIT;
        }
        if (own > values->count - used) {
            return FITS_NOT;
        }
        for (uint32_t j = 0; j < own; j++) {
            uint8_t type = property_type(class_name, names[j]);
            if (type && type != values->types[used + j]) {
                return FITS_NOT;
            }
        }
        used += own;
    }
    return used == values->count ? FITS : FITS_NOT;
}

/* If a scene has more synchronizers than are announced, another peer may have authority over the others, and
 * it is not known which these are. */
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
        found = project->nodes[i].kind == SCENE_SPAWNER && scene_may_be(&project->nodes[i], spawner);
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
            uint32_t own = scene_list_names(project, of_a[i], list, names, 64);
            same = own != SCENE_UNKNOWN && scene_agrees(project, of_b[i], list, names, own, 64);
        }
    }
    return same;
}

/* The project that has the spawner at this path, SCENE_NOTHING if that is not exactly one. */
static uint32_t root_of_spawner(const scene_project *project, const char *spawner)
{
    uint32_t root = SCENE_NOTHING;
    scene_matches matches = scene_matches_of(spawner);
    for (const scene_node *n; (n = scene_next_match(project, &matches)) != NULL;) {
        uint32_t own = project->scenes[n->scene].root;
        if (n->kind == SCENE_SPAWNER && root != SCENE_NOTHING && root != own) {
            return SCENE_NOTHING;
        }
        root = n->kind == SCENE_SPAWNER ? own : root;
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
