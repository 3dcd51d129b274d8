/* internal.h
 *
 * The tables of the Variant decoder: layouts of the types in each generation of the engine, by type id, and
 * what its reader does about problems. For the files of src/variant only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_INTERNAL_H
#define VARIANT_INTERNAL_H

#include "variant/variant.h"

/* How the payload of a type is laid out. */
typedef enum {
    /* A fixed number of bytes without further structure. */
    SHAPE_NIL, /* no bytes: also the RID before Godot 4, and the Object of Godot 2 */
    SHAPE_BOOL,
    SHAPE_INT,
    SHAPE_FLOAT,
    SHAPE_ID,         /* RID */
    SHAPE_COMPONENTS, /* math types */
    SHAPE_LAST_FIXED = SHAPE_COMPONENTS,

    SHAPE_STRING,
    SHAPE_DICTIONARY,
    SHAPE_ARRAY,
    SHAPE_NODE_PATH,
    SHAPE_OBJECT,
    SHAPE_SIGNAL,
    SHAPE_PACKED,
    SHAPE_PACKED_STRINGS,
    SHAPE_IMAGE,
    SHAPE_INPUT_EVENT,
} variant_shape;

/* Header word, Godot 3 and 4. */
#define HEADER_TYPE        0x000000ffu
#define HEADER_FLAG_64     0x00010000u /* numbers and math types */
#define HEADER_AS_ID       0x00010000u /* Object */
#define HEADER_KEY_KIND    0x00030000u /* Array: of its elements */
#define HEADER_VALUE_KIND  0x000c0000u
#define HEADER_KEY_SHIFT   16
#define HEADER_VALUE_SHIFT 18

typedef struct {
    uint8_t type;   /* variant_type */
    uint8_t shape;  /* variant_shape */
    uint8_t size;   /* bytes of the payload, or of an element; twice as many with HEADER_FLAG_64 */
    uint32_t flags; /* header bits that this type uses */
} variant_layout;

typedef struct variant_dialect_facts {
    const char *key, *name;        /* of the preference; for users */
    const variant_layout *layouts; /* by type id */
    uint8_t type_count;
    uint32_t type_mask;     /* bits of the header word that are the type id */
    bool lax_strings;       /* padding at the end of the data and correct UTF-8 are not required */
    bool old_node_paths;    /* plain-string NodePaths and the property flag are accepted */
    bool shared_flag;       /* bit 31 of container counts is in use */
    bool minimal_numbers;   /* numbers are sent in 64 bits only if they need it */
    bool long_int64_counts; /* PackedInt64Array may begin with a 64-bit count */
} variant_dialect_facts;

extern const variant_dialect_facts variant_dialects[VARIANT_DIALECT_COUNT];

/* What the reader of a generation usually does about a problem. */
variant_verdict variant_default_verdict(variant_problem problem, variant_dialect dialect);

/* Whether `f` is exactly an f32, including infinity but not NaN, so that the engine sends it as one. */
bool variant_fits_f32(double f);

#endif
