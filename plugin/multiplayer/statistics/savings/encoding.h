/* encoding.h
 *
 * Finds values that take fewer bytes as another type, by the rules of Godot 4's encoder (marshalls.cpp).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_ENCODING_H
#define GODOT_ENCODING_H

#include "multiplayer/state/tap.h"

/* The type to use instead: the shorter one if every value allows it, else the other one, if there is one. */
typedef enum {
    ENCODING_NONE,     /* nothing shorter is known */
    ENCODING_ANY,      /* an empty Array */
    ENCODING_INTS,     /* an Array of int: PackedInt32Array, else PackedInt64Array */
    ENCODING_FLOATS,   /* an Array of float: PackedFloat32Array, else PackedFloat64Array */
    ENCODING_INT32,    /* a PackedInt64Array: PackedInt32Array */
    ENCODING_FLOAT32,  /* a PackedFloat64Array: PackedFloat32Array */
    ENCODING_VECTOR2,  /* an Array of Vector2: PackedVector2Array */
    ENCODING_VECTOR3,  /* an Array of Vector3: PackedVector3Array */
    ENCODING_KEYS,     /* a Dictionary with String keys: an Array of its values, else int keys */
    ENCODING_ROTATION, /* a Transform3D that only moves and turns: Vector3 and Quaternion */
    ENCODING_KINDS
} encoding_kind;

enum {
    ENCODED_PARTS = 16, /* of a value */
    ENCODED_PATH = 64,  /* bytes of a part's path, including the NUL */
    ENCODED_KEYS = 32,  /* different keys of dictionaries at one place */
};

/* A value or a container inside of it; after merging, all of them at the same place. */
typedef struct {
    char path[ENCODED_PATH]; /* "": the value itself; `["state"][…]`: entry "state", of this each element */
    encoding_kind kind;
    bool shortest;     /* every value allows the shorter type */
    uint32_t saved[2]; /* bytes: by the shorter type; by the other one */
    uint32_t count;    /* values */
    uint32_t keys;     /* of ENCODING_KEYS: a hash of the keys in their order; else 0 */
    uint32_t key_hashes[ENCODED_KEYS];
    uint32_t key_count; /* different ones; ENCODED_KEYS + 1: more */
} encoded_part;

/* Fills `parts` with the parts of the value that could take fewer bytes here or in other messages; returns
 * their number. */
unsigned shorter_encodings_of(const godot_tap_variant *value, encoded_part parts[ENCODED_PARTS]);

/* Adds `one`, a part at the same place, to `into`. */
void encoded_part_merge(encoded_part *into, const encoded_part *one);

#endif
