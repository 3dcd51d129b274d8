/* encoding.c
 *
 * See encoding.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/savings/encoding.h"

#include <math.h>

/* Bytes of a packed array before its elements: type and count. */
enum { PACKED_HEAD = 8 };

/* What the elements of an array, or the entries of a dictionary, have in common. */
typedef struct {
    variant_type type; /* of all elements; VARIANT_INVALID: they differ */
    bool wide;         /* a number takes 64 bits */
    uint32_t count;
    uint32_t keys_length, keys;
    bool text_keys;
} contents;

static void add_key(contents *found, const uint8_t *bytes, const variant_event *key)
{
    found->text_keys &= key->type == VARIANT_STRING || key->type == VARIANT_STRING_NAME;
    found->keys_length += key->length;
    found->keys = found->keys * 31 + wmem_strong_hash(bytes + key->offset, key->length);
}

static void add_element(contents *found, const variant_event *element)
{
    found->type = found->count && found->type != element->type ? VARIANT_INVALID : element->type;
    found->wide |= element->wide;
    found->count++;
}

/* Reads on to the end of a container, at whose beginning `decoder` is. */
static contents read_contents(variant_decoder *decoder, const uint8_t *bytes)
{
    contents found = {.type = VARIANT_INVALID, .text_keys = true};
    variant_event event;
    while (variant_next(decoder, &event)) {
        if (event.depth != 1 || event.kind == VARIANT_FINDING || event.kind == VARIANT_END) {
            continue;
        }
        if (event.role == VARIANT_KEY) {
            event.length = event.kind == VARIANT_VALUE ? event.length : 0;
            add_key(&found, bytes, &event);
        } else {
            add_element(&found, &event);
        }
    }
    return found;
}

/* Of an array of `count` elements in `length` bytes that would take `each`. */
static shorter_encoding packed(encoding_kind kind, uint32_t length, uint32_t count, uint32_t each)
{
    uint64_t shorter = PACKED_HEAD + (uint64_t)count * each;
    bool saves = count > 0 && shorter < length;
    return saves ? (shorter_encoding){kind, (uint32_t)(length - shorter), 0} : (shorter_encoding){0};
}

static shorter_encoding of_array(const contents *found, uint32_t length)
{
    enum { NUMBER = 4, WIDE = 8, VECTOR2 = 8, VECTOR3 = 12 };
    switch (found->type) {
    case VARIANT_INT:
        return packed(found->wide ? ENCODING_INT64_ARRAY : ENCODING_INT32_ARRAY, length, found->count,
                      found->wide ? WIDE : NUMBER);
    case VARIANT_FLOAT:
        return packed(found->wide ? ENCODING_FLOAT64_ARRAY : ENCODING_FLOAT32_ARRAY, length, found->count,
                      found->wide ? WIDE : NUMBER);
    case VARIANT_VECTOR2:
        return packed(ENCODING_VECTOR2_ARRAY, length, found->wide ? 0 : found->count, VECTOR2);
    case VARIANT_VECTOR3:
        return packed(ENCODING_VECTOR3_ARRAY, length, found->wide ? 0 : found->count, VECTOR3);
    default:
        return (shorter_encoding){0};
    }
}

static shorter_encoding of_packed(const uint8_t *bytes, const variant_event *value)
{
    bool ints = value->type == VARIANT_PACKED_INT64_ARRAY, fits = true;
    for (uint32_t i = 0; fits && i < value->count; i++) {
        double number = ints ? 0 : variant_component(bytes, value, i);
        fits = ints ? variant_component_int(bytes, value, i) ==
                          (int32_t)(uint32_t)variant_component_int(bytes, value, i)
                    : isnan(number) || (double)(float)number == number;
    }
    return packed(ints ? ENCODING_INT32_ARRAY : ENCODING_FLOAT32_ARRAY, value->length,
                  fits ? value->count : 0, 4);
}

/* Whether the three columns of a basis are at right angles, of length 1, and not mirrored. */
static bool is_rotation(const double b[9])
{
    const double tolerance = 1e-4;
    bool rotation = true;
    for (int i = 0; i < 3; i++) {
        for (int k = i; k < 3; k++) {
            double product = b[3 * i] * b[3 * k] + b[3 * i + 1] * b[3 * k + 1] + b[3 * i + 2] * b[3 * k + 2];
            rotation &= fabs(product - (i == k)) < tolerance;
        }
    }
    double determinant = b[0] * (b[4] * b[8] - b[5] * b[7]) - b[1] * (b[3] * b[8] - b[5] * b[6]) +
                         b[2] * (b[3] * b[7] - b[4] * b[6]);
    return rotation && determinant > 0;
}

static shorter_encoding of_transform(const uint8_t *bytes, const variant_event *value)
{
    enum { HEAD = 4, NUMBERS = 12, SHORTER = 3 + 4 };
    double basis[9];
    for (uint32_t i = 0; i < 9; i++) {
        basis[i] = variant_component(bytes, value, i);
    }
    uint32_t each = (value->length - HEAD) / NUMBERS, shorter = 2 * HEAD + SHORTER * each;
    return is_rotation(basis) ? (shorter_encoding){ENCODING_ROTATION, value->length - shorter, 0}
                              : (shorter_encoding){0};
}

shorter_encoding shorter_encoding_of(const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    if (value->raw || value->options.dialect != VARIANT_GODOT4) {
        return (shorter_encoding){0};
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind == VARIANT_FINDING) {
        return (shorter_encoding){0};
    }
    switch (event.type) {
    case VARIANT_ARRAY: {
        contents found = read_contents(&decoder, value->bytes);
        return of_array(&found, value->length);
    }
    case VARIANT_DICTIONARY: {
        contents found = read_contents(&decoder, value->bytes);
        bool shorter = found.text_keys && found.keys_length > 0;
        return shorter ? (shorter_encoding){ENCODING_VALUES, found.keys_length, found.keys}
                       : (shorter_encoding){0};
    }
    case VARIANT_PACKED_INT64_ARRAY:
    case VARIANT_PACKED_FLOAT64_ARRAY:
        return of_packed(value->bytes, &event);
    case VARIANT_TRANSFORM3D:
        return of_transform(value->bytes, &event);
    default:
        return (shorter_encoding){0};
    }
}
