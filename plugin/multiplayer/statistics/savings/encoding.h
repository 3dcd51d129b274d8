/* encoding.h
 *
 * Values that another type would hold in fewer bytes, by the rules of Godot 4's encoder (marshalls.cpp).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_ENCODING_H
#define GODOT_ENCODING_H

#include "multiplayer/state/tap.h"

typedef enum {
    ENCODING_NONE,
    ENCODING_INT32_ARRAY,   /* an Array of int, or a PackedInt64Array, that fits */
    ENCODING_INT64_ARRAY,   /* an Array of int */
    ENCODING_FLOAT32_ARRAY, /* an Array of float, or a PackedFloat64Array, that loses nothing */
    ENCODING_FLOAT64_ARRAY, /* an Array of float */
    ENCODING_VECTOR2_ARRAY, /* an Array of Vector2 */
    ENCODING_VECTOR3_ARRAY, /* an Array of Vector3 */
    ENCODING_VALUES,        /* of a Dictionary with texts as keys: an Array of its values */
    ENCODING_ROTATION,      /* of a Transform3D that only moves and turns: Vector3 and Quaternion */
    ENCODING_KINDS
} encoding_kind;

typedef struct {
    encoding_kind kind;
    uint32_t saved; /* bytes */
    uint32_t keys;  /* of ENCODING_VALUES: a hash of the keys in their order; else 0 */
} shorter_encoding;

/* What would hold the value in fewer bytes. ENCODING_NONE: nothing that is known here. */
shorter_encoding shorter_encoding_of(const godot_tap_variant *value);

#endif
