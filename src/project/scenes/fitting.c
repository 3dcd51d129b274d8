/* fitting.c
 *
 * Whether a node can be an instance of a scene, by the values that it is spawned with.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "project/scenes/find.h"
#include "project/scenes/link.h"
#include "project/scenes/lookup.h"
#include "project/scenes/node-lists.h"

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
static fit fits_values(const scene_synchronizer *list, uint32_t count, const char *class_name,
                       const scene_spawned_values *values)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        const scene_name_list *own = &list[i].lists[SCENE_SPAWN];
        if (own->count == SCENE_UNKNOWN) {
            return MAY_FIT;
        }
        if (own->count > values->count - used) {
            return FITS_NOT;
        }
        for (uint32_t j = 0; j < own->count; j++) {
            uint8_t type = property_type(class_name, own->names[j]);
            if (type && type != values->types[used + j]) {
                return FITS_NOT;
            }
        }
        used += own->count;
    }
    return used == values->count ? FITS : FITS_NOT;
}

/* If a scene has more synchronizers than are announced, another peer may have authority over the others, and
 * it is not known which these are. */
static fit fits_scene(const scene_project *project, const scene *s, uint32_t announced_count,
                      const scene_spawned_values *values, uint32_t *steps)
{
    scene_synchronizer list[SCENE_MAX_SYNCHRONIZERS];
    const char *class_name = root_class(project, s, steps);
    uint32_t known = *steps ? scene_synchronizers(project, s, list) : SCENE_UNKNOWN;
    if (known == SCENE_UNKNOWN || (known > announced_count && announced_count > 1)) {
        return MAY_FIT;
    }
    if (known == announced_count) {
        return fits_values(list, known, class_name, values);
    }
    for (uint32_t i = 0; i < known && announced_count == 1; i++) {
        if (fits_values(list + i, 1, class_name, values) != FITS_NOT) {
            return MAY_FIT;
        }
    }
    return FITS_NOT;
}

/* Whether the scene has the spawner in it: it does not spawn its own scene. */
static bool contains_spawner(const scene_project *project, const scene *s, const scene_found *spawners,
                             const char *path)
{
    size_t first = strcspn(path, "/");
    bool found = s->name && strlen(s->name) == first && strncmp(s->name, path, first) == 0;
    for (uint32_t i = 0; !found && i < spawners->count; i++) {
        found = s == &project->scenes[spawners->nodes[i]->scene];
    }
    return found;
}

/* Whether the synchronizers of two scenes send the same properties. */
static bool same_properties(const scene_project *project, const scene *a, const scene *b)
{
    scene_synchronizer of_a[SCENE_MAX_SYNCHRONIZERS], of_b[SCENE_MAX_SYNCHRONIZERS];
    uint32_t count = scene_synchronizers(project, a, of_a);
    bool same = count == scene_synchronizers(project, b, of_b) && count != SCENE_UNKNOWN;
    for (uint32_t i = 0; same && i < count; i++) {
        for (int list = 0; same && list < SCENE_LISTS; list++) {
            scene_name_list one = of_a[i].lists[list];
            same = one.count != SCENE_UNKNOWN && scene_join(&one, &of_b[i].lists[list]);
        }
    }
    return same;
}

/* The project that has these spawners, SCENE_NOTHING if that is not exactly one. */
static uint32_t root_of(const scene_project *project, const scene_found *spawners)
{
    uint32_t root = SCENE_NOTHING;
    for (uint32_t i = 0; i < spawners->count; i++) {
        uint32_t own = project->scenes[spawners->nodes[i]->scene].root;
        if (i > 0 && root != own) {
            return SCENE_NOTHING;
        }
        root = own;
    }
    return spawners->certain ? root : SCENE_NOTHING;
}

const char *scene_project_fitting(const scene_project *project, const scene_shown_node *spawner,
                                  uint32_t count, const scene_spawned_values *values, bool *several)
{
    const scene *found = NULL;
    scene_found spawners;
    scene_find_nodes(project, spawner, SCENE_SPAWNER, 0, &spawners);
    uint32_t steps = SCENE_MAX_STEPS, root = root_of(project, &spawners);
    *several = false;
    if (root == SCENE_NOTHING || values->count == 0 || values->count > SCENE_MAX_FITTING) {
        return NULL;
    }
    for (uint32_t i = 0; i < project->scene_count; i++) {
        const scene *s = &project->scenes[i];
        if (s->root != root || !s->replicates || contains_spawner(project, s, &spawners, spawner->path)) {
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

bool scene_project_contradicts(const scene_project *project, const char *name, uint32_t count,
                               const scene_spawned_values *values)
{
    uint32_t position = 0, steps = SCENE_MAX_STEPS;
    bool contradicts = false;
    if (count == 0 || project->configures) { /* others may have authority over all of them */
        return false;
    }
    for (const scene *s; (s = scene_next_called(project, name, &position)) != NULL;) {
        if (fits_scene(project, s, count, values, &steps) != FITS_NOT) {
            return false;
        }
        contradicts = true;
    }
    return contradicts;
}
