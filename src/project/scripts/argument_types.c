/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "project/scripts/argument_types.h"

#include <string.h>

#define PACKED                                                                                               \
    " PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array "              \
    "PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array "

/* Godot 3 takes anything for an object. */
#define OBJECT " Nil Object ", NULL, "Object"

#define TYPED_ARRAY      "Array[]"
#define TYPED_DICTIONARY "Dictionary[]"

/* Types that are converted to it, with blanks around each. `from3` NULL: Godot 3 has no such type. */
static const struct {
    const char *name, *from4, *from3;
    const char *printed; /* what the engine calls it; NULL: the same */
} types[] = {
    {.name = NULL},
    {"bool", " int float ", " int float ", NULL},
    {"int", " bool float ", " bool float ", NULL},
    {"float", " bool int ", " bool int ", NULL},
    {"String", " NodePath StringName ", " NodePath ", NULL},
    {"StringName", " String ", NULL, NULL},
    {"NodePath", " String ", " String ", NULL},
    {"Vector2", " Vector2i ", "", NULL},
    {"Vector2i", " Vector2 ", NULL, NULL},
    {"Vector3", " Vector3i ", "", NULL},
    {"Vector3i", " Vector3 ", NULL, NULL},
    {"Vector4", " Vector4i ", NULL, NULL},
    {"Vector4i", " Vector4 ", NULL, NULL},
    {"Rect2", " Rect2i ", "", NULL},
    {"Rect2i", " Rect2 ", NULL, NULL},
    {"Color", " String int ", " String int ", NULL},
    {"Dictionary", "", "", NULL},
    {"Array", PACKED, PACKED, NULL},
    {TYPED_DICTIONARY, " Dictionary ", NULL, "Dictionary"},
    {TYPED_ARRAY, PACKED "Array ", NULL, "Array"}, /* whether an Array has that type is not looked at */
    {"Object", " Nil ", NULL, NULL},
    {"Node", OBJECT},
    {"Node2D", OBJECT},
    {"Node3D", OBJECT},
    {"Control", OBJECT},
    {"Resource", OBJECT},
};

uint8_t rpc_argument_type(slice name)
{
    for (uint8_t i = 1; i < sizeof types / sizeof *types; i++) {
        if (slice_equals(name, types[i].name)) {
            return i;
        }
    }
    return 0;
}

uint8_t rpc_typed_argument(uint8_t type)
{
    const char *name = types[type].name ? types[type].name : "";
    return strcmp(name, "Array") == 0        ? rpc_argument_type(slice_of(TYPED_ARRAY))
           : strcmp(name, "Dictionary") == 0 ? rpc_argument_type(slice_of(TYPED_DICTIONARY))
                                             : 0;
}

const char *rpc_argument_type_name(uint8_t type)
{
    return types[type].printed ? types[type].printed : types[type].name;
}

const char *rpc_value_type_name(const char *name, int api)
{
    static const char *const of_godot_3[][2] = {{"Quaternion", "Quat"},
                                                {"Transform3D", "Transform"},
                                                {"PackedByteArray", "PoolByteArray"},
                                                {"PackedInt32Array", "PoolIntArray"},
                                                {"PackedFloat32Array", "PoolRealArray"},
                                                {"PackedStringArray", "PoolStringArray"},
                                                {"PackedVector2Array", "PoolVector2Array"},
                                                {"PackedVector3Array", "PoolVector3Array"},
                                                {"PackedColorArray", "PoolColorArray"}};
    for (size_t i = 0; api == 3 && i < sizeof of_godot_3 / sizeof *of_godot_3; i++) {
        if (strcmp(name, of_godot_3[i][0]) == 0) {
            return of_godot_3[i][1];
        }
    }
    return name;
}

bool rpc_argument_fits(uint8_t type, const char *value, int api)
{
    const char *from = api == 3 ? types[type].from3 : types[type].from4;
    if (!from || strcmp(types[type].name, value) == 0) {
        return true;
    }
    size_t length = strlen(value);
    for (const char *found = from; (found = strstr(found, value)); found++) {
        if (found[-1] == ' ' && found[length] == ' ') { /* a list begins with a blank */
            return true;
        }
    }
    return false;
}
