/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/values.h"

#include "multiplayer/statistics/savings/encoding/texts.h"

#include <math.h>

/* Whether all components of a packed array are whole numbers in these limits. */
static bool are_whole(const uint8_t *bytes, const variant_event *value, uint32_t components, int64_t least,
                      int64_t most)
{
    variant_component_kind kind = variant_type_facts(value->type)->component_kind;
    bool integers = kind == VARIANT_INT32 || kind == VARIANT_INT64, whole = true;
    for (uint32_t i = 0; whole && i < components; i++) {
        double number = integers ? 0 : variant_component(bytes, value, i);
        int64_t integer = integers ? variant_component_int(bytes, value, i) : 0;
        whole = integers ? integer >= least && integer <= most
                         : number >= (double)least && number <= (double)most && number == floor(number);
    }
    return whole;
}

/* Whether all components are from -1 to 1, as those of sounds and directions. */
static bool are_small(const uint8_t *bytes, const variant_event *value, uint32_t components)
{
    bool small = true;
    for (uint32_t i = 0; small && i < components; i++) {
        small = fabs(variant_component(bytes, value, i)) <= 1;
    }
    return small;
}

/* Whether all of a packed array with elements of 64 bits have the same value in 32 bits. */
static bool fit_32_bits(const uint8_t *bytes, const variant_event *value)
{
    bool fit = true;
    for (uint32_t i = 0; fit && value->type == VARIANT_PACKED_FLOAT64_ARRAY && i < value->count; i++) {
        double number = variant_component(bytes, value, i);
        fit = isnan(number) || (double)(float)number == number;
    }
    return fit && (value->type == VARIANT_PACKED_FLOAT64_ARRAY ||
                   are_whole(bytes, value, value->count, INT32_MIN, INT32_MAX));
}

static void end_packed(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    static const encoding_kind kinds[VARIANT_TYPE_COUNT] = {
        [VARIANT_PACKED_INT32_ARRAY] = ENCODING_INT32,     [VARIANT_PACKED_INT64_ARRAY] = ENCODING_INT64,
        [VARIANT_PACKED_FLOAT32_ARRAY] = ENCODING_FLOAT32, [VARIANT_PACKED_FLOAT64_ARRAY] = ENCODING_FLOAT64,
        [VARIANT_PACKED_VECTOR2_ARRAY] = ENCODING_VECTORS, [VARIANT_PACKED_VECTOR3_ARRAY] = ENCODING_VECTORS,
        [VARIANT_PACKED_VECTOR4_ARRAY] = ENCODING_VECTORS,
    };
    enum { INT16 = 2, INT32 = 4, FLOAT32 = 4, HALF = 2 };
    encoding_kind kind = kinds[value->type];
    uint64_t numbers = (uint64_t)value->count * variant_type_facts(value->type)->component_count;
    uint32_t components = (uint32_t)MIN(numbers, value->data_length);
    bool wide = kind == ENCODING_INT64 || kind == ENCODING_FLOAT64;
    bool halves =
        (kind == ENCODING_FLOAT32 || kind == ENCODING_VECTORS) && are_small(bytes, value, components);
    bool fits = wide ? fit_32_bits(bytes, value) : are_whole(bytes, value, components, INT16_MIN, INT16_MAX);
    const uint32_t sizes[ENCODED_FORMS] = {are_whole(bytes, value, components, 0, UINT8_MAX),
                                           !fits  ? 0
                                           : wide ? INT32
                                                  : INT16,
                                           halves                     ? HALF
                                           : kind == ENCODING_FLOAT64 ? FLOAT32
                                                                      : 0};
    for (uint32_t i = 0; sizes[ENCODED_BYTES] && i < components; i++) {
        encoded_part_add_number(part, (int64_t)variant_component(bytes, value, i));
    }
    encoded_part_set_packed(part, kind, value->length, components, sizes);
}

static void end_packed_texts(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    uint32_t position = value->data_offset;
    for (uint32_t i = 0; i < value->count; i++) {
        variant_string one = variant_next_string(bytes, value, &position);
        encoded_part_add_key(part, wmem_strong_hash(bytes + one.text_offset, one.text_length));
    }
    encoded_part_set_texts(part, value->length, value->count);
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

/* Whether the two columns are at right angles, of length 1, and not mirrored. */
static bool is_rotation_2d(const double b[4])
{
    const double tolerance = 1e-4;
    return fabs(b[0] - b[3]) < tolerance && fabs(b[1] + b[2]) < tolerance &&
           fabs(b[0] * b[0] + b[1] * b[1] - 1) < tolerance;
}

bool is_turned(const uint8_t *bytes, const variant_event *value)
{
    enum { BASIS = 9, BASIS_2D = 4 };
    double basis[BASIS];
    bool flat = value->type == VARIANT_TRANSFORM2D;
    if (!flat && value->type != VARIANT_BASIS && value->type != VARIANT_TRANSFORM3D) {
        return true;
    }
    for (uint32_t i = 0; i < (flat ? BASIS_2D : BASIS); i++) {
        basis[i] = variant_component(bytes, value, i);
    }
    return flat ? is_rotation_2d(basis) : is_rotation(basis);
}

/* A Transform3D has three numbers for the position, and two values instead of it need two heads; a
 * Transform2D becomes a position and an angle. */
static void end_transform(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { HEAD = 4 };
    static const struct {
        encoding_kind kind;
        uint32_t numbers, fewer, heads;
    } transforms[VARIANT_TYPE_COUNT] = {
        [VARIANT_TRANSFORM2D] = {ENCODING_ROTATION2D, 6, 6 - 2 - 1, 1},
        [VARIANT_BASIS] = {ENCODING_BASIS, 9, 9 - 4, 0},
        [VARIANT_TRANSFORM3D] = {ENCODING_ROTATION, 12, 12 - 3 - 4, 1},
    };
    uint32_t each = (value->length - HEAD) / transforms[value->type].numbers;
    uint32_t fewer = transforms[value->type].fewer * each - transforms[value->type].heads * HEAD;
    if (is_turned(bytes, value)) {
        encoded_part_set(part, transforms[value->type].kind, ENCODED_SHORT, value->length,
                         value->length - fewer);
    }
}

/* A text, a NodePath or a large number as a number, which takes two bytes by itself. */
static void set_number(encoded_part *part, encoding_kind kind, const uint8_t *bytes,
                       const variant_event *value)
{
    encoded_part_set(part, kind, ENCODED_LONG, value->length, encoded_int_length(value, 8));
    encoded_part_count_text(part, bytes, value);
}

static void end_text(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    if (!set_written_value(part, bytes, value)) {
        set_number(part, ENCODING_TEXT, bytes, value);
    }
    part->text = bytes + value->data_offset;
    part->text_length = value->data_length;
    part->text_size = value->length;
    part->text_number = encoded_int_length(value, 8);
    part->text_long_number = encoded_int_length(value, 32);
}

enum { CHANNELS = 4 /* of a Color */ };

static bool have_8_bits(const uint8_t *bytes, const variant_event *value, uint32_t channels)
{
    const double tolerance = 1e-6;
    bool short_channels = true;
    for (uint32_t i = 0; short_channels && i < channels; i++) {
        double number = variant_component(bytes, value, i), step = number * UINT8_MAX;
        short_channels = number >= 0 && number <= 1 && fabs(step - floor(step + 0.5)) < UINT8_MAX * tolerance;
    }
    return short_channels;
}

/* The int that to_rgba32() makes has 64 bits if red is more than a half. */
static void end_color(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    bool wide = variant_component(bytes, value, 0) > 0.5;
    if (have_8_bits(bytes, value, CHANNELS)) {
        encoded_part_set(part, ENCODING_COLOR8, ENCODED_SHORT, value->length,
                         encoded_int_length(value, wide ? 64 : 32));
    }
}

static void end_packed_colors(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    bool short_channels = have_8_bits(bytes, value, CHANNELS * value->count);
    const uint32_t sizes[ENCODED_FORMS] = {0, short_channels ? CHANNELS : 0, 0};
    encoded_part_set_packed(part, ENCODING_COLORS8, value->length, value->count, sizes);
}

static void end_bits(encoded_part *part, const uint8_t *bytes, uint32_t count)
{
    enum { LEAST = 16, MOST_IN_4_BITS = 15, BITS = 8 };
    uint8_t most = count < LEAST ? UINT8_MAX : 0;
    for (uint32_t i = 0; i < count && most <= MOST_IN_4_BITS; i++) {
        most = MAX(most, bytes[i]);
    }
    part->kind = ENCODING_BITS;
    if (most <= 1) {
        encoded_part_set(part, ENCODING_BITS, ENCODED_BYTES, count, (count + BITS - 1) / BITS);
    }
    if (most <= MOST_IN_4_BITS) {
        encoded_part_set(part, ENCODING_BITS, ENCODED_SHORT, count, (count + 1) / 2);
    }
}

/* Bytes that are one Variant, or JSON, or have few bits each. */
static void end_bytes(encoded_part *part, const uint8_t *bytes, const variant_event *value,
                      variant_options options)
{
    const uint8_t *inside = bytes + value->data_offset;
    const variant_options plain = {.dialect = options.dialect, .objects_allowed = options.objects_allowed};
    variant_verdict error = VARIANT_IGNORED;
    uint32_t length = value->data_length ? variant_skip(inside, value->data_length, plain, &error) : 0;
    if (length && length == value->data_length && !VARIANT_REJECTS(error)) {
        encoded_part_set(part, ENCODING_VARIANT, ENCODED_LONG, value->length, length);
    } else if (!set_json(part, bytes, value)) {
        end_bits(part, inside, value->data_length);
    }
}

bool shorter_value(encoded_part *part, const uint8_t *bytes, const variant_event *value,
                   variant_options options)
{
    switch (value->type) {
    case VARIANT_PACKED_INT32_ARRAY:
    case VARIANT_PACKED_INT64_ARRAY:
    case VARIANT_PACKED_FLOAT32_ARRAY:
    case VARIANT_PACKED_FLOAT64_ARRAY:
    case VARIANT_PACKED_VECTOR2_ARRAY:
    case VARIANT_PACKED_VECTOR3_ARRAY:
    case VARIANT_PACKED_VECTOR4_ARRAY:
        end_packed(part, bytes, value);
        return true;
    case VARIANT_PACKED_COLOR_ARRAY:
        end_packed_colors(part, bytes, value);
        return true;
    case VARIANT_PACKED_BYTE_ARRAY:
        end_bytes(part, bytes, value, options);
        return true;
    case VARIANT_PACKED_STRING_ARRAY:
        end_packed_texts(part, bytes, value);
        return true;
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        end_text(part, bytes, value);
        return true;
    case VARIANT_INT:
        set_number(part, ENCODING_NUMBER, bytes, value);
        return true;
    case VARIANT_NODE_PATH:
        set_number(part, ENCODING_NODE_PATH, bytes, value);
        return true;
    case VARIANT_COLOR:
        end_color(part, bytes, value);
        return true;
    case VARIANT_BASIS:
        end_transform(part, bytes, value);
        return true;
    case VARIANT_TRANSFORM2D:
    case VARIANT_TRANSFORM3D:
        end_transform(part, bytes, value);
        return value->depth == 0; /* in a container two values need another key or index */
    default:
        return false;
    }
}
