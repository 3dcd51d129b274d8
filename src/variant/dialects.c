/* dialects.c
 *
 * Variant types by generation of the engine, as data. Sources: enum Variant::Type (core/variant/variant.h of
 * 4.x, core/variant.h of 3.x and 2.1), encode_variant() and decode_variant() (core/io/marshalls.cpp), and
 * for VARIANT_GODOT4_MANUAL the page "Binary serialization API" of the 4.x manual.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/internal.h"

/* --- types of all generations -------------------------------------------------------------------- */

static const char *const names_xyzw[] = {"x", "y", "z", "w"};
static const char *const names_rect2[] = {"position.x", "position.y", "size.x", "size.y"};
static const char *const names_transform2d[] = {"x.x", "x.y", "y.x", "y.y", "origin.x", "origin.y"};
static const char *const names_plane[] = {"normal.x", "normal.y", "normal.z", "d"};
static const char *const names_aabb[] = {"position.x", "position.y", "position.z",
                                         "size.x",     "size.y",     "size.z"};
/* A Basis is sent row by row, while scripts see its columns as x, y and z. The manual's labels are
 * transposed. */
static const char *const names_transform3d[] = {"x.x", "y.x", "z.x", "x.y",      "y.y",      "z.y",
                                                "x.z", "y.z", "z.z", "origin.x", "origin.y", "origin.z"};
static const char *const names_projection[] = {"x.x", "x.y", "x.z", "x.w", "y.x", "y.y", "y.z", "y.w",
                                               "z.x", "z.y", "z.z", "z.w", "w.x", "w.y", "w.z", "w.w"};
static const char *const names_color[] = {"r", "g", "b", "a"};

static const variant_type_info types[VARIANT_TYPE_COUNT + 1] = {
    [VARIANT_NIL] = {.name = "Nil"},
    [VARIANT_BOOL] = {.name = "bool"},
    [VARIANT_INT] = {.name = "int"},
    [VARIANT_FLOAT] = {.name = "float"},
    [VARIANT_STRING] = {.name = "String"},
    [VARIANT_VECTOR2] = {"Vector2", VARIANT_REAL, 2, names_xyzw, false, false},
    [VARIANT_VECTOR2I] = {"Vector2i", VARIANT_INT32, 2, names_xyzw, false, false},
    [VARIANT_RECT2] = {"Rect2", VARIANT_REAL, 4, names_rect2, false, false},
    [VARIANT_RECT2I] = {"Rect2i", VARIANT_INT32, 4, names_rect2, false, false},
    [VARIANT_VECTOR3] = {"Vector3", VARIANT_REAL, 3, names_xyzw, false, false},
    [VARIANT_VECTOR3I] = {"Vector3i", VARIANT_INT32, 3, names_xyzw, false, false},
    [VARIANT_TRANSFORM2D] = {"Transform2D", VARIANT_REAL, 6, names_transform2d, false, false},
    [VARIANT_VECTOR4] = {"Vector4", VARIANT_REAL, 4, names_xyzw, false, false},
    [VARIANT_VECTOR4I] = {"Vector4i", VARIANT_INT32, 4, names_xyzw, false, false},
    [VARIANT_PLANE] = {"Plane", VARIANT_REAL, 4, names_plane, false, false},
    [VARIANT_QUATERNION] = {"Quaternion", VARIANT_REAL, 4, names_xyzw, false, false},
    [VARIANT_AABB] = {"AABB", VARIANT_REAL, 6, names_aabb, false, false},
    [VARIANT_BASIS] = {"Basis", VARIANT_REAL, 9, names_transform3d, false, false},
    [VARIANT_TRANSFORM3D] = {"Transform3D", VARIANT_REAL, 12, names_transform3d, false, false},
    [VARIANT_PROJECTION] = {"Projection", VARIANT_REAL, 16, names_projection, false, false},
    [VARIANT_COLOR] = {"Color", VARIANT_FLOAT32, 4, names_color, false, false},
    [VARIANT_STRING_NAME] = {.name = "StringName"},
    [VARIANT_NODE_PATH] = {.name = "NodePath"},
    [VARIANT_RID] = {.name = "RID"},
    [VARIANT_OBJECT] = {.name = "Object"},
    [VARIANT_CALLABLE] = {.name = "Callable"},
    [VARIANT_SIGNAL] = {.name = "Signal"},
    [VARIANT_DICTIONARY] = {.name = "Dictionary", .container = true},
    [VARIANT_ARRAY] = {.name = "Array", .container = true},
    [VARIANT_PACKED_BYTE_ARRAY] = {"PackedByteArray", VARIANT_INT8U, 1, NULL, true, false},
    [VARIANT_PACKED_INT32_ARRAY] = {"PackedInt32Array", VARIANT_INT32, 1, NULL, true, false},
    [VARIANT_PACKED_INT64_ARRAY] = {"PackedInt64Array", VARIANT_INT64, 1, NULL, true, false},
    [VARIANT_PACKED_FLOAT32_ARRAY] = {"PackedFloat32Array", VARIANT_FLOAT32, 1, NULL, true, false},
    [VARIANT_PACKED_FLOAT64_ARRAY] = {"PackedFloat64Array", VARIANT_FLOAT64, 1, NULL, true, false},
    [VARIANT_PACKED_STRING_ARRAY] = {"PackedStringArray", VARIANT_NO_COMPONENTS, 0, NULL, true, false},
    [VARIANT_PACKED_VECTOR2_ARRAY] = {"PackedVector2Array", VARIANT_REAL, 2, NULL, true, false},
    [VARIANT_PACKED_VECTOR3_ARRAY] = {"PackedVector3Array", VARIANT_REAL, 3, NULL, true, false},
    [VARIANT_PACKED_COLOR_ARRAY] = {"PackedColorArray", VARIANT_FLOAT32, 4, NULL, true, false},
    [VARIANT_PACKED_VECTOR4_ARRAY] = {"PackedVector4Array", VARIANT_REAL, 4, NULL, true, false},
    [VARIANT_IMAGE] = {.name = "Image"},
    [VARIANT_INPUT_EVENT] = {.name = "InputEvent"},
    [VARIANT_INVALID] = {.name = "?"},
};

/* --- type ids ------------------------------------------------------------------------------------ */

/* Numbers and math types have twice the size with HEADER_FLAG_64: those of reals if the engine was built with
 * precision=double. */
static const variant_layout godot4_layouts[] = {
    {VARIANT_NIL, SHAPE_NIL, 0, 0},
    {VARIANT_BOOL, SHAPE_BOOL, 4, 0},
    {VARIANT_INT, SHAPE_INT, 4, HEADER_FLAG_64},
    {VARIANT_FLOAT, SHAPE_FLOAT, 4, HEADER_FLAG_64},
    {VARIANT_STRING, SHAPE_STRING, 0, 0},
    {VARIANT_VECTOR2, SHAPE_COMPONENTS, 8, HEADER_FLAG_64},
    {VARIANT_VECTOR2I, SHAPE_COMPONENTS, 8, 0},
    {VARIANT_RECT2, SHAPE_COMPONENTS, 16, HEADER_FLAG_64},
    {VARIANT_RECT2I, SHAPE_COMPONENTS, 16, 0},
    {VARIANT_VECTOR3, SHAPE_COMPONENTS, 12, HEADER_FLAG_64},
    {VARIANT_VECTOR3I, SHAPE_COMPONENTS, 12, 0},
    {VARIANT_TRANSFORM2D, SHAPE_COMPONENTS, 24, HEADER_FLAG_64},
    {VARIANT_VECTOR4, SHAPE_COMPONENTS, 16, HEADER_FLAG_64},
    {VARIANT_VECTOR4I, SHAPE_COMPONENTS, 16, 0},
    {VARIANT_PLANE, SHAPE_COMPONENTS, 16, HEADER_FLAG_64},
    {VARIANT_QUATERNION, SHAPE_COMPONENTS, 16, HEADER_FLAG_64},
    {VARIANT_AABB, SHAPE_COMPONENTS, 24, HEADER_FLAG_64},
    {VARIANT_BASIS, SHAPE_COMPONENTS, 36, HEADER_FLAG_64},
    {VARIANT_TRANSFORM3D, SHAPE_COMPONENTS, 48, HEADER_FLAG_64},
    {VARIANT_PROJECTION, SHAPE_COMPONENTS, 64, HEADER_FLAG_64},
    {VARIANT_COLOR, SHAPE_COMPONENTS, 16, 0},
    {VARIANT_STRING_NAME, SHAPE_STRING, 0, 0},
    {VARIANT_NODE_PATH, SHAPE_NODE_PATH, 0, 0},
    {VARIANT_RID, SHAPE_ID, 8, 0},
    {VARIANT_OBJECT, SHAPE_OBJECT, 0, HEADER_AS_ID},
    {VARIANT_CALLABLE, SHAPE_NIL, 0, 0},
    {VARIANT_SIGNAL, SHAPE_SIGNAL, 0, 0},
    {VARIANT_DICTIONARY, SHAPE_DICTIONARY, 0, HEADER_KEY_KIND | HEADER_VALUE_KIND},
    {VARIANT_ARRAY, SHAPE_ARRAY, 0, HEADER_KEY_KIND},
    {VARIANT_PACKED_BYTE_ARRAY, SHAPE_PACKED, 1, 0},
    {VARIANT_PACKED_INT32_ARRAY, SHAPE_PACKED, 4, 0},
    {VARIANT_PACKED_INT64_ARRAY, SHAPE_PACKED, 8, 0},
    {VARIANT_PACKED_FLOAT32_ARRAY, SHAPE_PACKED, 4, 0},
    {VARIANT_PACKED_FLOAT64_ARRAY, SHAPE_PACKED, 8, 0},
    {VARIANT_PACKED_STRING_ARRAY, SHAPE_PACKED_STRINGS, 0, 0},
    {VARIANT_PACKED_VECTOR2_ARRAY, SHAPE_PACKED, 8, HEADER_FLAG_64},
    {VARIANT_PACKED_VECTOR3_ARRAY, SHAPE_PACKED, 12, HEADER_FLAG_64},
    {VARIANT_PACKED_COLOR_ARRAY, SHAPE_PACKED, 16, 0},
    {VARIANT_PACKED_VECTOR4_ARRAY, SHAPE_PACKED, 16, HEADER_FLAG_64},
};

/* Rows that the tables before Godot 4 have in common. In Godot 2 there are no flags: the whole word is the
 * type. */
/* clang-format off */
#define BEFORE_4_FIRST                                         \
    {VARIANT_NIL, SHAPE_NIL, 0, 0},                            \
    {VARIANT_BOOL, SHAPE_BOOL, 4, 0},                          \
    {VARIANT_INT, SHAPE_INT, 4, HEADER_FLAG_64},               \
    {VARIANT_FLOAT, SHAPE_FLOAT, 4, HEADER_FLAG_64},           \
    {VARIANT_STRING, SHAPE_STRING, 0, 0},                      \
    {VARIANT_VECTOR2, SHAPE_COMPONENTS, 8, 0},                 \
    {VARIANT_RECT2, SHAPE_COMPONENTS, 16, 0},                  \
    {VARIANT_VECTOR3, SHAPE_COMPONENTS, 12, 0},                \
    {VARIANT_TRANSFORM2D, SHAPE_COMPONENTS, 24, 0},            \
    {VARIANT_PLANE, SHAPE_COMPONENTS, 16, 0},                  \
    {VARIANT_QUATERNION, SHAPE_COMPONENTS, 16, 0},             \
    {VARIANT_AABB, SHAPE_COMPONENTS, 24, 0},                   \
    {VARIANT_BASIS, SHAPE_COMPONENTS, 36, 0},                  \
    {VARIANT_TRANSFORM3D, SHAPE_COMPONENTS, 48, 0},            \
    {VARIANT_COLOR, SHAPE_COMPONENTS, 16, 0}
#define BEFORE_4_OBJECTS                                       \
    {VARIANT_NODE_PATH, SHAPE_NODE_PATH, 0, 0},                \
    {VARIANT_RID, SHAPE_NIL, 0, 0},                            \
    {VARIANT_OBJECT, SHAPE_OBJECT, 0, HEADER_AS_ID},           \
    {VARIANT_DICTIONARY, SHAPE_DICTIONARY, 0, 0},              \
    {VARIANT_ARRAY, SHAPE_ARRAY, 0, 0}
#define BEFORE_4_LAST                                          \
    {VARIANT_PACKED_STRING_ARRAY, SHAPE_PACKED_STRINGS, 0, 0}, \
    {VARIANT_PACKED_VECTOR2_ARRAY, SHAPE_PACKED, 8, 0},        \
    {VARIANT_PACKED_VECTOR3_ARRAY, SHAPE_PACKED, 12, 0},       \
    {VARIANT_PACKED_COLOR_ARRAY, SHAPE_PACKED, 16, 0}
/* clang-format on */

/* The manual's table is Godot 3's with two kinds of packed arrays put in between. */
static const variant_layout godot4_manual_layouts[] = {
    BEFORE_4_FIRST,
    BEFORE_4_OBJECTS,
    {VARIANT_PACKED_BYTE_ARRAY, SHAPE_PACKED, 1, 0},
    {VARIANT_PACKED_INT32_ARRAY, SHAPE_PACKED, 4, 0},
    {VARIANT_PACKED_INT64_ARRAY, SHAPE_PACKED, 8, 0},
    {VARIANT_PACKED_FLOAT32_ARRAY, SHAPE_PACKED, 4, 0},
    {VARIANT_PACKED_FLOAT64_ARRAY, SHAPE_PACKED, 8, 0},
    BEFORE_4_LAST,
};

static const variant_layout godot3_layouts[] = {
    BEFORE_4_FIRST,
    BEFORE_4_OBJECTS,
    {VARIANT_PACKED_BYTE_ARRAY, SHAPE_PACKED, 1, 0},
    {VARIANT_PACKED_INT32_ARRAY, SHAPE_PACKED, 4, 0},
    {VARIANT_PACKED_FLOAT32_ARRAY, SHAPE_PACKED, 4, 0},
    BEFORE_4_LAST,
};

static const variant_layout godot2_layouts[] = {
    BEFORE_4_FIRST,
    {VARIANT_IMAGE, SHAPE_IMAGE, 0, 0},
    {VARIANT_NODE_PATH, SHAPE_NODE_PATH, 0, 0},
    {VARIANT_RID, SHAPE_NIL, 0, 0},
    {VARIANT_OBJECT, SHAPE_NIL, 0, 0},
    {VARIANT_INPUT_EVENT, SHAPE_INPUT_EVENT, 0, 0},
    {VARIANT_DICTIONARY, SHAPE_DICTIONARY, 0, 0},
    {VARIANT_ARRAY, SHAPE_ARRAY, 0, 0},
    {VARIANT_PACKED_BYTE_ARRAY, SHAPE_PACKED, 1, 0},
    {VARIANT_PACKED_INT32_ARRAY, SHAPE_PACKED, 4, 0},
    {VARIANT_PACKED_FLOAT32_ARRAY, SHAPE_PACKED, 4, 0},
    BEFORE_4_LAST,
};

#define LAYOUTS(table) .layouts = table, .type_count = sizeof table / sizeof table[0]

const variant_dialect_facts variant_dialects[VARIANT_DIALECT_COUNT] = {
    [VARIANT_GODOT4] = {.key = "godot4",
                        .name = "Godot 4",
                        LAYOUTS(godot4_layouts),
                        .type_mask = HEADER_TYPE,
                        .minimal_numbers = true},
    [VARIANT_GODOT4_MANUAL] = {.key = "godot4-manual",
                               .name = "Godot 4 manual",
                               LAYOUTS(godot4_manual_layouts),
                               .type_mask = HEADER_TYPE,
                               .long_int64_counts = true},
    [VARIANT_GODOT3] = {.key = "godot3",
                        .name = "Godot 3",
                        LAYOUTS(godot3_layouts),
                        .type_mask = HEADER_TYPE,
                        .minimal_numbers = true},
    [VARIANT_GODOT2] = {.key = "godot2",
                        .name = "Godot 2",
                        LAYOUTS(godot2_layouts),
                        .type_mask = 0xffffffffu,
                        .lax_strings = true,
                        .old_node_paths = true,
                        .shared_flag = true},
};

/* --- problems ------------------------------------------------------------------------------------ */

#define FACTS(problem, name, text, severity, verdict)                                                        \
    [VARIANT_PROBLEM_##problem] = {name, text, PROBLEM_##severity, VARIANT_##verdict}

const problem_facts variant_problems[VARIANT_PROBLEM_COUNT] = {
    FACTS(TRUNCATED, "truncated", "The value is cut off", ERROR, ERR_INVALID_DATA),
    FACTS(UNKNOWN_TYPE, "unknown type", "There is no such Variant type", ERROR, ERR_INVALID_DATA),
    FACTS(RESERVED_BITS, "reserved header bits", "Header bits are set that no engine sets", WARNING, IGNORED),
    FACTS(STRING_OVERRUN, "string overrun", "A string or its padding runs past the end", ERROR, ERR_FILE_EOF),
    FACTS(INVALID_UTF8, "invalid UTF-8", "Text is not correct UTF-8", ERROR, ERR_INVALID_DATA),
    FACTS(EMBEDDED_NUL, "embedded NUL", "Text contains a NUL and is cut there", WARNING, TOLERATED),
    FACTS(PADDING_MISSING, "padding missing", "Padding is missing; accepted only at the very end of the data",
          WARNING, TOLERATED),
    FACTS(PADDING_NOT_ZERO, "padding not zero", "Padding bytes are not zero", NOTE, IGNORED),
    FACTS(BAD_COUNT, "bad count", "The element count is negative or more than the data can hold", ERROR,
          ERR_INVALID_DATA),
    FACTS(BAD_BOOL, "bad bool", "A bool is neither 0 nor 1", WARNING, TOLERATED),
    FACTS(OLD_NODE_PATH, "old NodePath", "The NodePath is a plain string, as before Godot 3.1", ERROR,
          ERR_INVALID_DATA),
    FACTS(NODE_PATH_COUNTS, "NodePath counts", "The NodePath's string counts wrap around 32 bits", WARNING,
          TOLERATED),
    FACTS(NODE_PATH_FLAGS, "NodePath flags", "The NodePath has flags that no engine sets", WARNING, IGNORED),
    FACTS(CONTAINER_TYPE, "container type", "The type of a typed container is not valid", ERROR,
          ERR_INVALID_DATA),
    FACTS(ELEMENT_TYPE, "element type",
          "The value has another type than its container announces; it is dropped", WARNING, TOLERATED),
    FACTS(SHARED_FLAG, "shared flag", "The count has the flag of a shared container of Godot 2", NOTE,
          IGNORED),
    FACTS(FULL_OBJECT, "full object", "A full object, accepted only where object decoding is allowed",
          SECURITY, ERR_UNAUTHORIZED),
    FACTS(OBJECT_CLASS, "object class", "The class name cannot be that of a class", ERROR, ERR_INVALID_DATA),
    FACTS(OBJECT_SCRIPT, "object script",
          "The property script is neither null nor the res:// path of a script", ERROR, ERR_INVALID_DATA),
    FACTS(COMPACT_NULL_OBJECT, "compact null object",
          "A null Object, which the engine encodes wrongly and cannot read", WARNING, ERR_UNAUTHORIZED),
    FACTS(COMPACT_MODE, "compact mode", "Mode bits are set on a type that has no short form", ERROR,
          ERR_INVALID_DATA),
    FACTS(NOT_MINIMAL, "not minimal", "The number is sent in a longer form than it needs", NOTE, IGNORED),
    FACTS(INPUT_EVENT_LENGTH, "InputEvent length",
          "The length word disagrees with the type of the InputEvent", WARNING, IGNORED),
    FACTS(TOO_DEEP, "too deep", "More than 1025 nested levels", ERROR, ERR_OUT_OF_MEMORY),
};

/* Where Godot 2.1 differs. */
static const struct {
    variant_problem problem;
    variant_verdict verdict;
} godot2_verdicts[] = {
    {VARIANT_PROBLEM_RESERVED_BITS, VARIANT_ERR_INVALID_DATA},
    {VARIANT_PROBLEM_INVALID_UTF8, VARIANT_TOLERATED},
    {VARIANT_PROBLEM_OLD_NODE_PATH, VARIANT_TOLERATED},
    {VARIANT_PROBLEM_OBJECT_CLASS, VARIANT_ERR_UNAVAILABLE},
};

static const char *const verdict_names[] = {
    [VARIANT_IGNORED] = "ignored",
    [VARIANT_TOLERATED] = "tolerated",
    [VARIANT_ERR_UNAUTHORIZED] = "ERR_UNAUTHORIZED",
    [VARIANT_ERR_OUT_OF_MEMORY] = "ERR_OUT_OF_MEMORY",
    [VARIANT_ERR_FILE_EOF] = "ERR_FILE_EOF",
    [VARIANT_ERR_INVALID_DATA] = "ERR_INVALID_DATA",
    [VARIANT_ERR_UNAVAILABLE] = "ERR_UNAVAILABLE",
};

/* --- lookups ------------------------------------------------------------------------------------- */

const variant_type_info *variant_type_facts(variant_type type)
{
    return &types[(unsigned)type < VARIANT_TYPE_COUNT ? type : VARIANT_INVALID];
}

const char *variant_type_name(variant_type type)
{
    return variant_type_facts(type)->name;
}

variant_type variant_type_of_id(variant_dialect dialect, uint32_t type_id)
{
    const variant_dialect_facts *facts = &variant_dialects[dialect];
    return type_id < facts->type_count ? (variant_type)facts->layouts[type_id].type : VARIANT_INVALID;
}

int variant_id_of_type(variant_dialect dialect, variant_type type)
{
    const variant_dialect_facts *facts = &variant_dialects[dialect];
    for (int id = 0; id < facts->type_count; id++) {
        if (facts->layouts[id].type == type) {
            return id;
        }
    }
    return -1;
}

uint32_t variant_type_count(variant_dialect dialect)
{
    return variant_dialects[dialect].type_count;
}

const char *variant_dialect_key(variant_dialect dialect)
{
    return variant_dialects[dialect].key;
}

const char *variant_dialect_name(variant_dialect dialect)
{
    return variant_dialects[dialect].name;
}

const char *variant_verdict_name(variant_verdict verdict)
{
    return verdict_names[verdict];
}

variant_verdict variant_default_verdict(variant_problem problem, variant_dialect dialect)
{
    for (size_t i = 0; dialect == VARIANT_GODOT2 && i < sizeof godot2_verdicts / sizeof godot2_verdicts[0];
         i++) {
        if (godot2_verdicts[i].problem == problem) {
            return godot2_verdicts[i].verdict;
        }
    }
    return (variant_verdict)variant_problems[problem].verdict;
}
