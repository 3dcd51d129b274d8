/* dialects.c
 *
 * Variant types by generation of the engine, as data. Sources: enum Variant::Type (core/variant/variant.h of
 * 4.x, core/variant.h of 3.x and 2.1), encode_variant() and decode_variant() (core/io/marshalls.cpp), and
 * for VARIANT_GODOT4_MANUAL the page "Binary serialization API" of the 4.x manual.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/internal.h"

/* --- what the types are, whatever their ids ------------------------------------------------------ */

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

#define PLAIN(name)                                                                                          \
    {                                                                                                        \
        name, VARIANT_NO_COMPONENTS, 0, NULL, false, false                                                   \
    }
#define CONTAINER(name)                                                                                      \
    {                                                                                                        \
        name, VARIANT_NO_COMPONENTS, 0, NULL, false, true                                                    \
    }
#define MATH(name, kind, count, component_names)                                                             \
    {                                                                                                        \
        name, kind, count, component_names, false, false                                                     \
    }
#define PACKED(name, kind, count)                                                                            \
    {                                                                                                        \
        name, kind, count, NULL, true, false                                                                 \
    }

static const variant_type_info types[VARIANT_TYPE_COUNT + 1] = {
    [VARIANT_NIL] = PLAIN("Nil"),
    [VARIANT_BOOL] = PLAIN("bool"),
    [VARIANT_INT] = PLAIN("int"),
    [VARIANT_FLOAT] = PLAIN("float"),
    [VARIANT_STRING] = PLAIN("String"),
    [VARIANT_VECTOR2] = MATH("Vector2", VARIANT_REAL, 2, names_xyzw),
    [VARIANT_VECTOR2I] = MATH("Vector2i", VARIANT_INT32, 2, names_xyzw),
    [VARIANT_RECT2] = MATH("Rect2", VARIANT_REAL, 4, names_rect2),
    [VARIANT_RECT2I] = MATH("Rect2i", VARIANT_INT32, 4, names_rect2),
    [VARIANT_VECTOR3] = MATH("Vector3", VARIANT_REAL, 3, names_xyzw),
    [VARIANT_VECTOR3I] = MATH("Vector3i", VARIANT_INT32, 3, names_xyzw),
    [VARIANT_TRANSFORM2D] = MATH("Transform2D", VARIANT_REAL, 6, names_transform2d),
    [VARIANT_VECTOR4] = MATH("Vector4", VARIANT_REAL, 4, names_xyzw),
    [VARIANT_VECTOR4I] = MATH("Vector4i", VARIANT_INT32, 4, names_xyzw),
    [VARIANT_PLANE] = MATH("Plane", VARIANT_REAL, 4, names_plane),
    [VARIANT_QUATERNION] = MATH("Quaternion", VARIANT_REAL, 4, names_xyzw),
    [VARIANT_AABB] = MATH("AABB", VARIANT_REAL, 6, names_aabb),
    [VARIANT_BASIS] = MATH("Basis", VARIANT_REAL, 9, names_transform3d),
    [VARIANT_TRANSFORM3D] = MATH("Transform3D", VARIANT_REAL, 12, names_transform3d),
    [VARIANT_PROJECTION] = MATH("Projection", VARIANT_REAL, 16, names_projection),
    [VARIANT_COLOR] = MATH("Color", VARIANT_FLOAT32, 4, names_color),
    [VARIANT_STRING_NAME] = PLAIN("StringName"),
    [VARIANT_NODE_PATH] = PLAIN("NodePath"),
    [VARIANT_RID] = PLAIN("RID"),
    [VARIANT_OBJECT] = PLAIN("Object"),
    [VARIANT_CALLABLE] = PLAIN("Callable"),
    [VARIANT_SIGNAL] = PLAIN("Signal"),
    [VARIANT_DICTIONARY] = CONTAINER("Dictionary"),
    [VARIANT_ARRAY] = CONTAINER("Array"),
    [VARIANT_PACKED_BYTE_ARRAY] = PACKED("PackedByteArray", VARIANT_INT8U, 1),
    [VARIANT_PACKED_INT32_ARRAY] = PACKED("PackedInt32Array", VARIANT_INT32, 1),
    [VARIANT_PACKED_INT64_ARRAY] = PACKED("PackedInt64Array", VARIANT_INT64, 1),
    [VARIANT_PACKED_FLOAT32_ARRAY] = PACKED("PackedFloat32Array", VARIANT_FLOAT32, 1),
    [VARIANT_PACKED_FLOAT64_ARRAY] = PACKED("PackedFloat64Array", VARIANT_FLOAT64, 1),
    [VARIANT_PACKED_STRING_ARRAY] = PACKED("PackedStringArray", VARIANT_NO_COMPONENTS, 0),
    [VARIANT_PACKED_VECTOR2_ARRAY] = PACKED("PackedVector2Array", VARIANT_REAL, 2),
    [VARIANT_PACKED_VECTOR3_ARRAY] = PACKED("PackedVector3Array", VARIANT_REAL, 3),
    [VARIANT_PACKED_COLOR_ARRAY] = PACKED("PackedColorArray", VARIANT_FLOAT32, 4),
    [VARIANT_PACKED_VECTOR4_ARRAY] = PACKED("PackedVector4Array", VARIANT_REAL, 4),
    [VARIANT_IMAGE] = PLAIN("Image"),
    [VARIANT_INPUT_EVENT] = PLAIN("InputEvent"),
    [VARIANT_INVALID] = PLAIN("?"),
};

/* --- type ids ------------------------------------------------------------------------------------ */

/* One row of a dialect's table. FIXED and ARRAY_OF always have the same size; REALS and ARRAY_OF_REALS double
 * it with FLAG_64, as engines built with precision=double send them. */
#define NOTHING(type)                                                                                        \
    {                                                                                                        \
        type, SHAPE_NIL, 0, 0                                                                                \
    }
#define NUMBER(type, shape, flags)                                                                           \
    {                                                                                                        \
        type, shape, 4, flags                                                                                \
    }
#define FIXED(type, size)                                                                                    \
    {                                                                                                        \
        type, SHAPE_COMPONENTS, size, 0                                                                      \
    }
#define REALS(type, size)                                                                                    \
    {                                                                                                        \
        type, SHAPE_COMPONENTS, size, HEADER_FLAG_64                                                         \
    }
#define SHAPED(type, shape)                                                                                  \
    {                                                                                                        \
        type, shape, 0, 0                                                                                    \
    }
#define FLAGGED(type, shape, bits)                                                                           \
    {                                                                                                        \
        type, shape, 0, bits                                                                                 \
    }
#define ARRAY_OF(type, size)                                                                                 \
    {                                                                                                        \
        type, SHAPE_PACKED, size, 0                                                                          \
    }
#define ARRAY_OF_REALS(type, size)                                                                           \
    {                                                                                                        \
        type, SHAPE_PACKED, size, HEADER_FLAG_64                                                             \
    }

static const variant_layout godot4_layouts[] = {
    NOTHING(VARIANT_NIL),
    {VARIANT_BOOL, SHAPE_BOOL, 4, 0},
    NUMBER(VARIANT_INT, SHAPE_INT, HEADER_FLAG_64),
    NUMBER(VARIANT_FLOAT, SHAPE_FLOAT, HEADER_FLAG_64),
    SHAPED(VARIANT_STRING, SHAPE_STRING),
    REALS(VARIANT_VECTOR2, 8),
    FIXED(VARIANT_VECTOR2I, 8),
    REALS(VARIANT_RECT2, 16),
    FIXED(VARIANT_RECT2I, 16),
    REALS(VARIANT_VECTOR3, 12),
    FIXED(VARIANT_VECTOR3I, 12),
    REALS(VARIANT_TRANSFORM2D, 24),
    REALS(VARIANT_VECTOR4, 16),
    FIXED(VARIANT_VECTOR4I, 16),
    REALS(VARIANT_PLANE, 16),
    REALS(VARIANT_QUATERNION, 16),
    REALS(VARIANT_AABB, 24),
    REALS(VARIANT_BASIS, 36),
    REALS(VARIANT_TRANSFORM3D, 48),
    REALS(VARIANT_PROJECTION, 64),
    FIXED(VARIANT_COLOR, 16),
    SHAPED(VARIANT_STRING_NAME, SHAPE_STRING),
    SHAPED(VARIANT_NODE_PATH, SHAPE_NODE_PATH),
    {VARIANT_RID, SHAPE_ID, 8, 0},
    FLAGGED(VARIANT_OBJECT, SHAPE_OBJECT, HEADER_AS_ID),
    NOTHING(VARIANT_CALLABLE),
    SHAPED(VARIANT_SIGNAL, SHAPE_SIGNAL),
    FLAGGED(VARIANT_DICTIONARY, SHAPE_DICTIONARY, HEADER_KEY_KIND | HEADER_VALUE_KIND),
    FLAGGED(VARIANT_ARRAY, SHAPE_ARRAY, HEADER_KEY_KIND),
    ARRAY_OF(VARIANT_PACKED_BYTE_ARRAY, 1),
    ARRAY_OF(VARIANT_PACKED_INT32_ARRAY, 4),
    ARRAY_OF(VARIANT_PACKED_INT64_ARRAY, 8),
    ARRAY_OF(VARIANT_PACKED_FLOAT32_ARRAY, 4),
    ARRAY_OF(VARIANT_PACKED_FLOAT64_ARRAY, 8),
    SHAPED(VARIANT_PACKED_STRING_ARRAY, SHAPE_PACKED_STRINGS),
    ARRAY_OF_REALS(VARIANT_PACKED_VECTOR2_ARRAY, 8),
    ARRAY_OF_REALS(VARIANT_PACKED_VECTOR3_ARRAY, 12),
    ARRAY_OF(VARIANT_PACKED_COLOR_ARRAY, 16),
    ARRAY_OF_REALS(VARIANT_PACKED_VECTOR4_ARRAY, 16),
};

/* The manual's table is Godot 3's with two kinds of packed arrays put in between. */
static const variant_layout godot4_manual_layouts[] = {
    NOTHING(VARIANT_NIL),
    {VARIANT_BOOL, SHAPE_BOOL, 4, 0},
    NUMBER(VARIANT_INT, SHAPE_INT, HEADER_FLAG_64),
    NUMBER(VARIANT_FLOAT, SHAPE_FLOAT, HEADER_FLAG_64),
    SHAPED(VARIANT_STRING, SHAPE_STRING),
    FIXED(VARIANT_VECTOR2, 8),
    FIXED(VARIANT_RECT2, 16),
    FIXED(VARIANT_VECTOR3, 12),
    FIXED(VARIANT_TRANSFORM2D, 24),
    FIXED(VARIANT_PLANE, 16),
    FIXED(VARIANT_QUATERNION, 16),
    FIXED(VARIANT_AABB, 24),
    FIXED(VARIANT_BASIS, 36),
    FIXED(VARIANT_TRANSFORM3D, 48),
    FIXED(VARIANT_COLOR, 16),
    SHAPED(VARIANT_NODE_PATH, SHAPE_NODE_PATH),
    NOTHING(VARIANT_RID),
    FLAGGED(VARIANT_OBJECT, SHAPE_OBJECT, HEADER_AS_ID),
    SHAPED(VARIANT_DICTIONARY, SHAPE_DICTIONARY),
    SHAPED(VARIANT_ARRAY, SHAPE_ARRAY),
    ARRAY_OF(VARIANT_PACKED_BYTE_ARRAY, 1),
    ARRAY_OF(VARIANT_PACKED_INT32_ARRAY, 4),
    ARRAY_OF(VARIANT_PACKED_INT64_ARRAY, 8),
    ARRAY_OF(VARIANT_PACKED_FLOAT32_ARRAY, 4),
    ARRAY_OF(VARIANT_PACKED_FLOAT64_ARRAY, 8),
    SHAPED(VARIANT_PACKED_STRING_ARRAY, SHAPE_PACKED_STRINGS),
    ARRAY_OF(VARIANT_PACKED_VECTOR2_ARRAY, 8),
    ARRAY_OF(VARIANT_PACKED_VECTOR3_ARRAY, 12),
    ARRAY_OF(VARIANT_PACKED_COLOR_ARRAY, 16),
};

static const variant_layout godot3_layouts[] = {
    NOTHING(VARIANT_NIL),
    {VARIANT_BOOL, SHAPE_BOOL, 4, 0},
    NUMBER(VARIANT_INT, SHAPE_INT, HEADER_FLAG_64),
    NUMBER(VARIANT_FLOAT, SHAPE_FLOAT, HEADER_FLAG_64),
    SHAPED(VARIANT_STRING, SHAPE_STRING),
    FIXED(VARIANT_VECTOR2, 8),
    FIXED(VARIANT_RECT2, 16),
    FIXED(VARIANT_VECTOR3, 12),
    FIXED(VARIANT_TRANSFORM2D, 24),
    FIXED(VARIANT_PLANE, 16),
    FIXED(VARIANT_QUATERNION, 16),
    FIXED(VARIANT_AABB, 24),
    FIXED(VARIANT_BASIS, 36),
    FIXED(VARIANT_TRANSFORM3D, 48),
    FIXED(VARIANT_COLOR, 16),
    SHAPED(VARIANT_NODE_PATH, SHAPE_NODE_PATH),
    NOTHING(VARIANT_RID),
    FLAGGED(VARIANT_OBJECT, SHAPE_OBJECT, HEADER_AS_ID),
    SHAPED(VARIANT_DICTIONARY, SHAPE_DICTIONARY),
    SHAPED(VARIANT_ARRAY, SHAPE_ARRAY),
    ARRAY_OF(VARIANT_PACKED_BYTE_ARRAY, 1),
    ARRAY_OF(VARIANT_PACKED_INT32_ARRAY, 4),
    ARRAY_OF(VARIANT_PACKED_FLOAT32_ARRAY, 4),
    SHAPED(VARIANT_PACKED_STRING_ARRAY, SHAPE_PACKED_STRINGS),
    ARRAY_OF(VARIANT_PACKED_VECTOR2_ARRAY, 8),
    ARRAY_OF(VARIANT_PACKED_VECTOR3_ARRAY, 12),
    ARRAY_OF(VARIANT_PACKED_COLOR_ARRAY, 16),
};

static const variant_layout godot2_layouts[] = {
    NOTHING(VARIANT_NIL),
    {VARIANT_BOOL, SHAPE_BOOL, 4, 0},
    NUMBER(VARIANT_INT, SHAPE_INT, 0),
    NUMBER(VARIANT_FLOAT, SHAPE_FLOAT, 0),
    SHAPED(VARIANT_STRING, SHAPE_STRING),
    FIXED(VARIANT_VECTOR2, 8),
    FIXED(VARIANT_RECT2, 16),
    FIXED(VARIANT_VECTOR3, 12),
    FIXED(VARIANT_TRANSFORM2D, 24),
    FIXED(VARIANT_PLANE, 16),
    FIXED(VARIANT_QUATERNION, 16),
    FIXED(VARIANT_AABB, 24),
    FIXED(VARIANT_BASIS, 36),
    FIXED(VARIANT_TRANSFORM3D, 48),
    FIXED(VARIANT_COLOR, 16),
    SHAPED(VARIANT_IMAGE, SHAPE_IMAGE),
    SHAPED(VARIANT_NODE_PATH, SHAPE_NODE_PATH),
    NOTHING(VARIANT_RID),
    NOTHING(VARIANT_OBJECT),
    SHAPED(VARIANT_INPUT_EVENT, SHAPE_INPUT_EVENT),
    SHAPED(VARIANT_DICTIONARY, SHAPE_DICTIONARY),
    SHAPED(VARIANT_ARRAY, SHAPE_ARRAY),
    ARRAY_OF(VARIANT_PACKED_BYTE_ARRAY, 1),
    ARRAY_OF(VARIANT_PACKED_INT32_ARRAY, 4),
    ARRAY_OF(VARIANT_PACKED_FLOAT32_ARRAY, 4),
    SHAPED(VARIANT_PACKED_STRING_ARRAY, SHAPE_PACKED_STRINGS),
    ARRAY_OF(VARIANT_PACKED_VECTOR2_ARRAY, 8),
    ARRAY_OF(VARIANT_PACKED_VECTOR3_ARRAY, 12),
    ARRAY_OF(VARIANT_PACKED_COLOR_ARRAY, 16),
};

#define LAYOUTS(table) .layouts = table, .type_count = sizeof table / sizeof table[0]

const variant_dialect_facts variant_dialects[VARIANT_DIALECT_COUNT] = {
    [VARIANT_GODOT4] =
        {
            .name = "Godot 4",
            LAYOUTS(godot4_layouts),
            .type_mask = HEADER_TYPE,
            .minimal_numbers = true,
        },
    [VARIANT_GODOT4_MANUAL] =
        {
            .name = "Godot 4 manual",
            LAYOUTS(godot4_manual_layouts),
            .type_mask = HEADER_TYPE,
            .long_int64_counts = true,
        },
    [VARIANT_GODOT3] =
        {
            .name = "Godot 3",
            LAYOUTS(godot3_layouts),
            .type_mask = HEADER_TYPE,
            .minimal_numbers = true,
        },
    [VARIANT_GODOT2] =
        {
            .name = "Godot 2",
            LAYOUTS(godot2_layouts),
            .type_mask = 0xffffffffu,
            .lax_strings = true,
            .old_node_paths = true,
            .shared_flag = true,
        },
};

/* --- problems ------------------------------------------------------------------------------------ */

static const problem_facts problems[VARIANT_PROBLEM_COUNT] = {
    [VARIANT_PROBLEM_TRUNCATED] = {"truncated", "The value is cut off", PROBLEM_ERROR,
                                   VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_UNKNOWN_TYPE] = {"unknown type", "There is no such Variant type", PROBLEM_ERROR,
                                      VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_RESERVED_BITS] = {"reserved header bits", "Header bits are set that no engine sets",
                                       PROBLEM_WARNING, VARIANT_IGNORED},
    [VARIANT_PROBLEM_STRING_OVERRUN] = {"string overrun", "A string or its padding runs past the end",
                                        PROBLEM_ERROR, VARIANT_ERR_FILE_EOF},
    [VARIANT_PROBLEM_INVALID_UTF8] = {"invalid UTF-8", "Text is not correct UTF-8", PROBLEM_ERROR,
                                      VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_EMBEDDED_NUL] = {"embedded NUL", "Text contains a NUL and is cut there", PROBLEM_WARNING,
                                      VARIANT_TOLERATED},
    [VARIANT_PROBLEM_PADDING_MISSING] = {"padding missing",
                                         "Padding is missing; accepted only at the very end of the data",
                                         PROBLEM_WARNING, VARIANT_TOLERATED},
    [VARIANT_PROBLEM_PADDING_NOT_ZERO] = {"padding not zero", "Padding bytes are not zero", PROBLEM_NOTE,
                                          VARIANT_IGNORED},
    [VARIANT_PROBLEM_BAD_COUNT] = {"bad count",
                                   "The element count is negative or more than the data can hold",
                                   PROBLEM_ERROR, VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_BAD_BOOL] = {"bad bool", "A bool is neither 0 nor 1", PROBLEM_WARNING,
                                  VARIANT_TOLERATED},
    [VARIANT_PROBLEM_OLD_NODE_PATH] = {"old NodePath", "The NodePath is a plain string, as before Godot 3.1",
                                       PROBLEM_ERROR, VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_NODE_PATH_COUNTS] = {"NodePath counts",
                                          "The NodePath's string counts wrap around 32 bits", PROBLEM_WARNING,
                                          VARIANT_TOLERATED},
    [VARIANT_PROBLEM_NODE_PATH_FLAGS] = {"NodePath flags", "The NodePath has flags that no engine sets",
                                         PROBLEM_WARNING, VARIANT_IGNORED},
    [VARIANT_PROBLEM_CONTAINER_TYPE] = {"container type", "The type of a typed container is not valid",
                                        PROBLEM_ERROR, VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_ELEMENT_TYPE] =
        {"element type", "The value has another type than its container announces; it is dropped",
         PROBLEM_WARNING, VARIANT_TOLERATED},
    [VARIANT_PROBLEM_SHARED_FLAG] = {"shared flag", "The count has the flag of a shared container of Godot 2",
                                     PROBLEM_NOTE, VARIANT_IGNORED},
    [VARIANT_PROBLEM_FULL_OBJECT] = {"full object",
                                     "A full object, accepted only where object decoding is allowed",
                                     PROBLEM_SECURITY, VARIANT_ERR_UNAUTHORIZED},
    [VARIANT_PROBLEM_OBJECT_CLASS] = {"object class", "The class name cannot be that of a class",
                                      PROBLEM_ERROR, VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_OBJECT_SCRIPT] = {"object script",
                                       "The property script is neither null nor the res:// path of a script",
                                       PROBLEM_ERROR, VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_COMPACT_NULL_OBJECT] =
        {"compact null object", "A null Object, which the engine encodes wrongly and cannot read",
         PROBLEM_WARNING, VARIANT_ERR_UNAUTHORIZED},
    [VARIANT_PROBLEM_COMPACT_MODE] = {"compact mode", "Mode bits are set on a type that has no short form",
                                      PROBLEM_ERROR, VARIANT_ERR_INVALID_DATA},
    [VARIANT_PROBLEM_NOT_MINIMAL] = {"not minimal", "The number is sent in a longer form than it needs",
                                     PROBLEM_NOTE, VARIANT_IGNORED},
    [VARIANT_PROBLEM_INPUT_EVENT_LENGTH] = {"InputEvent length",
                                            "The length word disagrees with the type of the InputEvent",
                                            PROBLEM_WARNING, VARIANT_IGNORED},
    [VARIANT_PROBLEM_TOO_DEEP] = {"too deep", "More than 1025 nested levels", PROBLEM_ERROR,
                                  VARIANT_ERR_OUT_OF_MEMORY},
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

const char *variant_dialect_name(variant_dialect dialect)
{
    return variant_dialects[dialect].name;
}

const char *variant_verdict_name(variant_verdict verdict)
{
    return verdict_names[verdict];
}

const problem_facts *variant_problem_facts(variant_problem problem)
{
    return &problems[problem];
}

variant_verdict variant_default_verdict(variant_problem problem, variant_dialect dialect)
{
    for (size_t i = 0; dialect == VARIANT_GODOT2 && i < sizeof godot2_verdicts / sizeof godot2_verdicts[0];
         i++) {
        if (godot2_verdicts[i].problem == problem) {
            return godot2_verdicts[i].verdict;
        }
    }
    return (variant_verdict)problems[problem].verdict;
}
