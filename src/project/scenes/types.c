/* types.c
 *
 * See types.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "project/scenes/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

/* What the names of a family's classes end with. (Not "Panel": a PopupPanel is a Window, with a position of
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

uint8_t scene_property_type(const char *class_name, const char *property)
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
