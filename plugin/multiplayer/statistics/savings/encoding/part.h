/* part.h
 *
 * A value, or a container inside of one, and the bytes that it would take less in another form.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_ENCODED_PART_H
#define GODOT_ENCODED_PART_H

#include "multiplayer/api/tap.h"

/* What values are, and so which types could be used instead. */
typedef enum {
    ENCODING_NONE,       /* nothing shorter is known */
    ENCODING_ANY,        /* an empty Array */
    ENCODING_INTS,       /* an Array of int */
    ENCODING_BOOLS,      /* an Array of bool */
    ENCODING_FLOATS,     /* an Array of float */
    ENCODING_INT32,      /* a PackedInt32Array */
    ENCODING_INT64,      /* a PackedInt64Array */
    ENCODING_FLOAT32,    /* a PackedFloat32Array */
    ENCODING_FLOAT64,    /* a PackedFloat64Array */
    ENCODING_VECTOR2,    /* an Array of Vector2 */
    ENCODING_VECTOR3,    /* an Array of Vector3 */
    ENCODING_VECTORI,    /* an Array of Vector2i or Vector3i */
    ENCODING_COLOR,      /* an Array of Color */
    ENCODING_COMPONENTS, /* an Array of another type with 32-bit components */
    ENCODING_POSES,      /* an Array of Transform3D that only move and turn */
    ENCODING_POSES2D,    /* an Array of Transform2D that only move and turn */
    ENCODING_KEYS,       /* a Dictionary with String keys */
    ENCODING_TEXT,       /* a String */
    ENCODING_NODE_PATH,  /* a NodePath */
    ENCODING_NUMBER,     /* an int of 64 bits */
    ENCODING_COLOR8,     /* a Color whose channels have 8 bits */
    ENCODING_COLORS8,    /* a PackedColorArray of these */
    ENCODING_VECTORS,    /* a PackedVector2Array, PackedVector3Array or PackedVector4Array */
    ENCODING_VARIANT,    /* a PackedByteArray that is one Variant */
    ENCODING_ROTATION,   /* a Transform3D that only moves and turns */
    ENCODING_ROTATION2D, /* a Transform2D that only moves and turns */
    ENCODING_BASIS,      /* a Basis that only turns */
    ENCODING_JSON,       /* a String, or bytes, with a JSON object or array */
    ENCODING_NUMBERS,    /* a String with numbers and what separates them */
    ENCODING_SENTENCE,   /* a String with words and numbers */
    ENCODING_COLOR_TEXT, /* a String with a Color: "#ff8800", "ff8800ff" */
    ENCODING_DATE,       /* a String with a date and time: "2026-11-27T12:00:00" */
    ENCODING_HEX,        /* a String with the hexadecimal digits of bytes, or a UUID */
    ENCODING_BASE64,     /* a String with bytes in Base64 */
    ENCODING_TEXTS,      /* an Array of String, or a PackedStringArray */
    ENCODING_INT_ROWS,   /* an Array of Arrays of as many int each */
    ENCODING_FLOAT_ROWS, /* likewise, of float */
    ENCODING_COLUMNS,    /* an Array of Arrays with the same types, of which packed arrays can be made */
    ENCODING_PAIRS,      /* a Dictionary of int to values of one such type */
    ENCODING_BITS,       /* a PackedByteArray */
    ENCODING_PLACES,     /* a Dictionary of int, whose keys are int, Vector2i or Vector3i */
    ENCODING_KINDS
} encoding_kind;

/* Forms in which values could be sent, the shortest one first: as bytes; in 16 or 32 bits, or without keys;
 * in 64 bits, as halves, or with numbers as keys. */
enum { ENCODED_BYTES, ENCODED_SHORT, ENCODED_LONG, ENCODED_FORMS };

enum {
    ENCODED_PARTS = 16, /* of a value */
    ENCODED_PATH = 64,  /* bytes of a part's path, including the NUL */
    ENCODED_KEYS = 64,  /* different keys of dictionaries, or texts, at one place */
    PACKED_HEAD = 8,    /* bytes of a packed array before its elements: type and count */
};

/* A value or a container inside of it; after merging, all of them at the same place. */
typedef struct {
    char path[ENCODED_PATH]; /* "": the value itself; `["state"][…]`: entry "state", of this each element */
    encoding_kind kind;
    unsigned forms;                /* bits of those that every value allows */
    uint32_t saved[ENCODED_FORMS]; /* bytes; 0: not possible */
    uint32_t count;                /* values */
    uint32_t most, risen; /* largest number of those that fit into bytes; times that there was a larger one */
    encoding_kind values; /* of a Dictionary: how its values() could be a packed array */
    uint32_t texts;       /* in them, of which there are `key_count` different ones */
    uint32_t newest;      /* number of the text that was the last new one */
    uint32_t keys;        /* a hash of a Dictionary's keys in their order; else 0 */
    uint32_t key_hashes[ENCODED_KEYS];
    uint32_t key_count;              /* different keys, or texts; ENCODED_KEYS + 1: more */
    const uint8_t *text;             /* of one value, as long as that; NULL: there is none, or several */
    uint32_t text_length, text_size; /* bytes; with its head */
    uint32_t text_number, text_long_number; /* bytes of an int there, of 8 and 32 bits */
} encoded_part;

/* The shortest form; ENCODED_FORMS: none. */
unsigned encoded_part_form(const encoded_part *part);

/* Adds `one`, a part at the same place, to `into`. */
void encoded_part_merge(encoded_part *into, const encoded_part *one);

/* Bytes of an int of `bits`, 8, 32 or 64, in the place of the value. */
uint32_t encoded_int_length(const variant_event *value, unsigned bits);

/* Bytes of an argument of a call as an element of an Array. */
uint32_t encoded_element_length(const godot_tap_variant *argument);

/* Counts a key, or a text, by its hash. Returns its number; ENCODED_KEYS: there are too many. */
uint32_t encoded_part_add_key(encoded_part *part, uint32_t hash);

/* Counts it as one of the texts, or numbers, of which there may be few. */
void encoded_part_count_text(encoded_part *part, const uint8_t *bytes, const variant_event *value);
/* The value in `length` bytes can be sent in this form, of `instead` bytes. */
void encoded_part_set(encoded_part *part, encoding_kind kind, unsigned form, uint32_t length,
                      uint64_t instead);

/* An array of `count` elements in `length` bytes, which could be a packed one with elements of `sizes` bytes
 * in these forms; 0: that is not possible. */
void encoded_part_set_packed(encoded_part *part, encoding_kind kind, uint32_t length, uint32_t count,
                             const uint32_t sizes[ENCODED_FORMS]);

/* `count` texts in `length` bytes, as numbers in a PackedByteArray. */
void encoded_part_set_texts(encoded_part *part, uint32_t length, uint32_t count);

/* Notes a number that fits into a byte. */
void encoded_part_add_number(encoded_part *part, int64_t number);

/* Whether the value is a PackedByteArray in that form. */
bool encoded_part_becomes_bytes(const encoded_part *part, unsigned form);

#endif
