/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/encoding.h"

#include "multiplayer/statistics/savings/encoding/texts.h"

#include <math.h>
#include <stdio.h>

enum { NUMBER_KEY = 8 /* bytes of an int as a key */ };
enum { MAX_DEPTH = 6 /* depth of containers that are analysed */ };

/* A container that is being read. */
typedef struct {
    encoded_part part;
    char entry[ENCODED_PATH]; /* path of the element that comes next; "": it is too long */
    variant_type type;        /* of all elements; VARIANT_INVALID: they differ */
    bool wide;                /* a number takes 64 bits */
    bool bytes;               /* all numbers are from 0 to 255 */
    uint32_t count;
    uint32_t keys_length;
    bool text_keys;
    variant_type key_type; /* of all keys; VARIANT_INVALID: they differ */
    uint32_t rows;         /* Arrays in it of `row_count` numbers of `row_type` each; 0 also: others */
    uint32_t row_count;
    variant_type row_type;
} container;

/* --- parts --------------------------------------------------------------------------------------- */

static void add_key_hash(encoded_part *part, uint32_t hash)
{
    uint32_t i = 0;
    while (i < MIN(part->key_count, ENCODED_KEYS) && part->key_hashes[i] != hash) {
        i++;
    }
    if (i == part->key_count && i < ENCODED_KEYS) {
        part->key_hashes[part->key_count++] = hash;
    } else if (i == ENCODED_KEYS) {
        part->key_count = ENCODED_KEYS + 1;
    }
}

unsigned encoded_part_form(const encoded_part *part)
{
    return part->forms ? (unsigned)__builtin_ctz(part->forms) : ENCODED_FORMS;
}

void encoded_part_merge(encoded_part *into, const encoded_part *one)
{
    bool any = into->kind == ENCODING_ANY || one->kind == ENCODING_ANY;
    encoding_kind both = any ? MAX(into->kind, one->kind) : ENCODING_NONE;
    bool none = into->kind == ENCODING_NONE || one->kind == ENCODING_NONE;
    into->forms &= into->keys != one->keys ? 1u << ENCODED_LONG : one->forms;
    into->kind = none ? ENCODING_NONE : into->kind == one->kind ? one->kind : both;
    for (int i = 0; i < ENCODED_FORMS; i++) {
        into->saved[i] += one->saved[i];
    }
    into->count += one->count;
    into->texts += one->texts;
    uint32_t known = into->key_count;
    for (uint32_t i = 0; i < MIN(one->key_count, ENCODED_KEYS); i++) {
        add_key_hash(into, one->key_hashes[i]);
    }
    into->newest = into->key_count != known ? into->texts : into->newest;
    into->key_count = MAX(into->key_count, one->key_count);
}

/* An array of `count` elements in `length` bytes, which could be a packed one with elements of `sizes` bytes
 * in these forms; 0: that is not possible. */
static void set_packed(encoded_part *part, encoding_kind kind, uint32_t length, uint32_t count,
                       const uint32_t sizes[ENCODED_FORMS])
{
    part->kind = kind;
    part->forms = 0;
    for (unsigned i = 0; i < ENCODED_FORMS; i++) {
        uint64_t packed = PACKED_HEAD + ((uint64_t)count * sizes[i] + 3) / 4 * 4;
        part->forms |= (unsigned)(sizes[i] > 0) << i;
        part->saved[i] = sizes[i] && packed < length ? (uint32_t)(length - packed) : 0;
    }
}

/* --- containers ---------------------------------------------------------------------------------- */

/* Texts as numbers in a PackedByteArray. */
static void set_texts(encoded_part *part, uint32_t length, uint32_t count)
{
    const uint32_t sizes[ENCODED_FORMS] = {0, 0, 1};
    set_packed(part, count ? ENCODING_TEXTS : ENCODING_ANY, length, count, sizes);
    part->texts = count;
}

/* All numbers of all rows, one after the other. */
static void end_rows(container *array, uint32_t length)
{
    bool ints = array->row_type == VARIANT_INT;
    const uint32_t sizes[ENCODED_FORMS] = {ints && array->bytes, array->wide ? 0 : 4, 8};
    set_packed(&array->part, ints ? ENCODING_INT_ROWS : ENCODING_FLOAT_ROWS, length,
               array->rows * array->row_count, sizes);
}

/* An Array has ended in another one. */
static void add_row(container *of, const container *row)
{
    bool numbers = row->count && (row->type == VARIANT_INT || row->type == VARIANT_FLOAT);
    bool same = !of->rows || (row->type == of->row_type && row->count == of->row_count);
    if (numbers && same && of->rows + 1 == of->count) {
        of->rows++;
        of->row_type = row->type;
        of->row_count = row->count;
        of->wide |= row->wide;
        of->bytes &= row->bytes;
    }
}

static void end_array(container *array, uint32_t length)
{
    const struct {
        variant_type type;
        encoding_kind kind;
        uint32_t sizes[ENCODED_FORMS];
    } kinds[] = {
        {VARIANT_INT, ENCODING_INTS, {array->bytes, array->wide ? 0 : 4, 8}},
        {VARIANT_BOOL, ENCODING_BOOLS, {1, 0, 0}},
        {VARIANT_FLOAT, ENCODING_FLOATS, {0, array->wide ? 0 : 4, 8}},
        {VARIANT_VECTOR2, ENCODING_VECTOR2, {0, array->wide ? 0 : 8, 0}},
        {VARIANT_VECTOR3, ENCODING_VECTOR3, {0, array->wide ? 0 : 12, 0}},
        {VARIANT_VECTOR2I, ENCODING_VECTORI, {0, 8, 0}},
        {VARIANT_VECTOR3I, ENCODING_VECTORI, {0, 12, 0}},
        {VARIANT_COLOR, ENCODING_COLOR, {0, 16, 0}},
    };
    if (!array->count) {
        array->part.kind = ENCODING_ANY;
        array->part.forms = (1u << ENCODED_FORMS) - 1;
    } else if (array->type == VARIANT_STRING || array->type == VARIANT_STRING_NAME) {
        set_texts(&array->part, length, array->count);
    } else if (array->rows == array->count) {
        end_rows(array, length);
    }
    for (size_t i = 0; array->count && i < G_N_ELEMENTS(kinds); i++) {
        if (array->type == kinds[i].type) {
            set_packed(&array->part, kinds[i].kind, length, array->count, kinds[i].sizes);
        }
    }
}

/* Numbers of a key that a packed array can have; 0: it is another type. */
static uint32_t numbers_of_key(variant_type type)
{
    return type == VARIANT_INT ? 1 : type == VARIANT_VECTOR2I ? 2 : type == VARIANT_VECTOR3I ? 3 : 0;
}

static void end_dictionary(container *dictionary, uint32_t length)
{
    encoded_part *part = &dictionary->part;
    uint64_t numbers = (uint64_t)NUMBER_KEY * dictionary->count;
    uint32_t places = numbers_of_key(dictionary->key_type);
    if (places && dictionary->type == VARIANT_INT && !dictionary->wide) {
        const uint32_t sizes[ENCODED_FORMS] = {0, 4, 0};
        set_packed(part, ENCODING_PLACES, length, dictionary->count * (places + 1), sizes);
        part->keys = part->key_count = 0; /* they may differ */
    }
    if (dictionary->text_keys) {
        part->kind = ENCODING_KEYS;
        part->forms = 1u << ENCODED_SHORT | 1u << ENCODED_LONG;
        part->saved[ENCODED_SHORT] = dictionary->keys_length;
        part->saved[ENCODED_LONG] =
            dictionary->keys_length > numbers ? (uint32_t)(dictionary->keys_length - numbers) : 0;
    }
}

/* A key that can be displayed is part of the path, any other one is treated like an array element. */
static void set_entry(container *of, const uint8_t *bytes, const variant_event *key)
{
    bool plain = key && (key->type == VARIANT_STRING || key->type == VARIANT_STRING_NAME);
    for (uint32_t i = 0; plain && i < key->data_length; i++) {
        uint8_t byte = bytes[key->data_offset + i];
        plain = byte >= ' ' && byte < 0x7f && byte != '"';
    }
    int length = plain ? snprintf(of->entry, sizeof of->entry, "%s[\"%.*s\"]", of->part.path,
                                  (int)key->data_length, (const char *)bytes + key->data_offset)
                       : snprintf(of->entry, sizeof of->entry, "%s[…]", of->part.path);
    if (length >= (int)sizeof of->entry) {
        of->entry[0] = '\0';
    }
}

static void add_key(container *of, const uint8_t *bytes, const variant_event *key)
{
    uint32_t hash = wmem_strong_hash(bytes + key->offset, key->length);
    of->key_type = of->count && of->key_type != key->type ? VARIANT_INVALID : key->type;
    of->wide |= key->wide;
    of->text_keys &= key->type == VARIANT_STRING || key->type == VARIANT_STRING_NAME;
    of->keys_length += key->length;
    of->part.keys = of->part.keys * 31 + hash;
    add_key_hash(&of->part, hash);
    set_entry(of, bytes, key);
}

/* While all elements are texts. */
static void add_text(container *of, const uint8_t *bytes, const variant_event *child)
{
    if (of->type == VARIANT_STRING || of->type == VARIANT_STRING_NAME) {
        add_key_hash(&of->part, wmem_strong_hash(bytes + child->offset, child->length));
    }
}

/* A value, or the beginning of a container, in `of`. */
static void add_child(container *of, const uint8_t *bytes, const variant_event *child)
{
    if (child->kind == VARIANT_VALUE && child->type == VARIANT_INT) {
        of->bytes &= child->value.i >= 0 && child->value.i <= UINT8_MAX;
    }
    if (child->role == VARIANT_KEY && child->kind == VARIANT_VALUE) {
        add_key(of, bytes, child);
    } else if (child->role == VARIANT_KEY) {
        of->text_keys = false;
    } else {
        of->type = of->count && of->type != child->type ? VARIANT_INVALID : child->type;
        of->wide |= child->wide;
        of->count++;
        if (child->role == VARIANT_ELEMENT) {
            set_entry(of, bytes, NULL);
            add_text(of, bytes, child);
        }
    }
}

/* --- values -------------------------------------------------------------------------------------- */

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
    enum { INT16 = 2, INT32 = 4, HALF = 2 };
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
                                           halves ? HALF : 0};
    set_packed(part, kind, value->length, components, sizes);
}

static void end_packed_texts(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    uint32_t position = value->data_offset;
    for (uint32_t i = 0; i < value->count; i++) {
        variant_string one = variant_next_string(bytes, value, &position);
        add_key_hash(part, wmem_strong_hash(bytes + one.text_offset, one.text_length));
    }
    set_texts(part, value->length, value->count);
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

/* A Transform3D has three numbers for the position, and two values instead of it need two heads. */
static void end_transform(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { HEAD = 4, BASIS = 9, POSITION = 3, QUATERNION = 4 };
    double basis[BASIS];
    for (uint32_t i = 0; i < BASIS; i++) {
        basis[i] = variant_component(bytes, value, i);
    }
    bool moves = value->type == VARIANT_TRANSFORM3D;
    uint32_t each = (value->length - HEAD) / (moves ? BASIS + POSITION : BASIS);
    if (is_rotation(basis)) {
        part->kind = moves ? ENCODING_ROTATION : ENCODING_BASIS;
        part->forms = 1u << ENCODED_SHORT;
        part->saved[ENCODED_SHORT] = (BASIS - QUATERNION) * each - (moves ? HEAD : 0);
    }
}

/* Whether the two columns are at right angles, of length 1, and not mirrored. Two numbers become an angle. */
static void end_transform_2d(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { HEAD = 4, NUMBERS = 6, SHORTER = 2 + 1 };
    const double tolerance = 1e-4;
    double b[4];
    for (uint32_t i = 0; i < 4; i++) {
        b[i] = variant_component(bytes, value, i);
    }
    bool turned = fabs(b[0] - b[3]) < tolerance && fabs(b[1] + b[2]) < tolerance &&
                  fabs(b[0] * b[0] + b[1] * b[1] - 1) < tolerance;
    if (turned) {
        part->kind = ENCODING_ROTATION2D;
        part->forms = 1u << ENCODED_SHORT;
        part->saved[ENCODED_SHORT] = value->length - 2 * HEAD - SHORTER * ((value->length - HEAD) / NUMBERS);
    }
}

/* A text or a NodePath as a number, which takes two bytes by itself. */
static void set_number(encoded_part *part, encoding_kind kind, const uint8_t *bytes,
                       const variant_event *value)
{
    enum { NUMBER = 2, NUMBER_IN_CONTAINER = 8 };
    uint32_t number = value->depth ? NUMBER_IN_CONTAINER : NUMBER;
    part->kind = kind;
    part->forms = 1u << ENCODED_LONG;
    part->saved[ENCODED_LONG] = value->length > number ? value->length - number : 0;
    part->texts = 1;
    add_key_hash(part, wmem_strong_hash(bytes + value->offset, value->length));
}

static void end_text(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    if (!set_written_value(part, bytes, value)) {
        set_number(part, ENCODING_TEXT, bytes, value);
    }
}

enum { CHANNELS = 4 /* of a Color */ };

static bool has_8_bits(const uint8_t *bytes, const variant_event *value, uint32_t channel)
{
    const double tolerance = 1e-6;
    double number = variant_component(bytes, value, channel), step = number * UINT8_MAX;
    return number >= 0 && number <= 1 && fabs(step - floor(step + 0.5)) < UINT8_MAX * tolerance;
}

/* The int that to_rgba32() makes has 64 bits if red is more than a half. */
static void end_color(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { INT32 = 5, INT64 = 9, INT32_IN_CONTAINER = 8, INT64_IN_CONTAINER = 12 };
    bool wide = variant_component(bytes, value, 0) > 0.5, short_channels = true;
    uint32_t number = value->depth ? (wide ? INT64_IN_CONTAINER : INT32_IN_CONTAINER) : wide ? INT64 : INT32;
    for (uint32_t i = 0; short_channels && i < CHANNELS; i++) {
        short_channels = has_8_bits(bytes, value, i);
    }
    if (short_channels) {
        part->kind = ENCODING_COLOR8;
        part->forms = 1u << ENCODED_SHORT;
        part->saved[ENCODED_SHORT] = value->length - MIN(value->length, number);
    }
}

static void end_packed_colors(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    bool short_channels = true;
    for (uint32_t i = 0; short_channels && i < CHANNELS * value->count; i++) {
        short_channels = has_8_bits(bytes, value, i);
    }
    const uint32_t sizes[ENCODED_FORMS] = {0, short_channels ? CHANNELS : 0, 0};
    set_packed(part, ENCODING_COLORS8, value->length, value->count, sizes);
}

/* Bytes that are one Variant, or JSON. */
static bool end_bytes(encoded_part *part, const uint8_t *bytes, const variant_event *value,
                      variant_options options)
{
    const uint8_t *inside = bytes + value->data_offset;
    const variant_options plain = {.dialect = options.dialect, .objects_allowed = options.objects_allowed};
    variant_verdict error;
    uint32_t length = value->data_length ? variant_skip(inside, value->data_length, plain, &error) : 0;
    if (!length || length != value->data_length || VARIANT_REJECTS(error)) {
        return set_json(part, bytes, value);
    }
    part->kind = ENCODING_VARIANT;
    part->forms = 1u << ENCODED_LONG;
    part->saved[ENCODED_LONG] = value->length - MIN(value->length, length);
    return true;
}

/* The end of a value: how it could be written. Returns false if nothing is known of its type. */
static bool end_value(container *of, const uint8_t *bytes, const variant_event *value,
                      variant_options options)
{
    switch (value->type) {
    case VARIANT_ARRAY:
        end_array(of, value->length);
        return true;
    case VARIANT_DICTIONARY:
        end_dictionary(of, value->length);
        return true;
    case VARIANT_PACKED_INT32_ARRAY:
    case VARIANT_PACKED_INT64_ARRAY:
    case VARIANT_PACKED_FLOAT32_ARRAY:
    case VARIANT_PACKED_FLOAT64_ARRAY:
    case VARIANT_PACKED_VECTOR2_ARRAY:
    case VARIANT_PACKED_VECTOR3_ARRAY:
    case VARIANT_PACKED_VECTOR4_ARRAY:
        end_packed(&of->part, bytes, value);
        return true;
    case VARIANT_PACKED_COLOR_ARRAY:
        end_packed_colors(&of->part, bytes, value);
        return true;
    case VARIANT_PACKED_BYTE_ARRAY:
        return end_bytes(&of->part, bytes, value, options);
    case VARIANT_PACKED_STRING_ARRAY:
        end_packed_texts(&of->part, bytes, value);
        return true;
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        end_text(&of->part, bytes, value);
        return true;
    case VARIANT_NODE_PATH:
        set_number(&of->part, ENCODING_NODE_PATH, bytes, value);
        return true;
    case VARIANT_COLOR:
        end_color(&of->part, bytes, value);
        return true;
    case VARIANT_TRANSFORM2D:
        end_transform_2d(&of->part, bytes, value);
        return value->depth == 0;
    case VARIANT_BASIS:
        end_transform(&of->part, bytes, value);
        return true;
    case VARIANT_TRANSFORM3D:
        end_transform(&of->part, bytes, value);
        return value->depth == 0; /* in a container two values need another key or index */
    default:
        return false;
    }
}

/* Values whose encoding is analysed; others have no parts. Texts in an Array are a part of that. */
static bool is_container(const variant_event *event)
{
    switch (event->type) {
    case VARIANT_PACKED_INT32_ARRAY:
    case VARIANT_PACKED_INT64_ARRAY:
    case VARIANT_PACKED_FLOAT32_ARRAY:
    case VARIANT_PACKED_FLOAT64_ARRAY:
    case VARIANT_PACKED_STRING_ARRAY:
    case VARIANT_PACKED_VECTOR2_ARRAY:
    case VARIANT_PACKED_VECTOR3_ARRAY:
    case VARIANT_PACKED_VECTOR4_ARRAY:
    case VARIANT_PACKED_COLOR_ARRAY:
    case VARIANT_PACKED_BYTE_ARRAY:
    case VARIANT_BASIS:
    case VARIANT_TRANSFORM2D:
    case VARIANT_TRANSFORM3D:
        return true;
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
    case VARIANT_NODE_PATH:
    case VARIANT_COLOR:
        return event->depth == 0 || event->role == VARIANT_ENTRY_VALUE;
    default:
        return event->kind == VARIANT_BEGIN;
    }
}

/* Returns the new number of parts. */
static unsigned add_part(encoded_part *parts, unsigned count, const encoded_part *one)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(parts[i].path, one->path) == 0) {
            encoded_part_merge(&parts[i], one);
            return count;
        }
    }
    if (count < ENCODED_PARTS) {
        parts[count++] = *one;
    }
    return count;
}

/* The parts of one value, and of the Variant that bytes in it may be. */
typedef struct {
    encoded_part *parts;
    unsigned count;
    const char *beginning; /* of their paths */
    bool in_bytes;
} part_list;

static void read_value(part_list *list, const uint8_t *bytes, uint32_t length, variant_options options);

static void read_bytes(part_list *list, const encoded_part *part, const variant_decoder *decoder,
                       const variant_event *value)
{
    char beginning[ENCODED_PATH];
    variant_options plain = decoder->options;
    plain.compact = false;
    int length = snprintf(beginning, sizeof beginning, "%s, %s", part->path,
                          plain.dialect == VARIANT_GODOT3 ? "bytes2var()" : "bytes_to_var()");
    if (!list->in_bytes && part->kind == ENCODING_VARIANT && length < (int)sizeof beginning) {
        part_list inside = {list->parts, list->count, beginning, true};
        read_value(&inside, decoder->bytes + value->data_offset, value->data_length, plain);
        list->count = inside.count;
    }
}

static void begin_container(container *here, const part_list *list, const container *above)
{
    *here = (container){.part = {.count = 1}, .text_keys = true, .bytes = true};
    g_strlcpy(here->part.path, above ? above->entry : list->beginning, sizeof here->part.path);
}

/* Continues after the first event of the value. */
static void read_parts(part_list *list, variant_decoder *decoder, variant_event *event)
{
    container open[MAX_DEPTH];
    do {
        unsigned depth = event->depth;
        if (event->kind == VARIANT_FINDING || depth >= MAX_DEPTH) {
            continue;
        }
        container *above = depth ? &open[depth - 1] : NULL, *here = &open[depth];
        bool ends = event->kind == VARIANT_END || (event->kind == VARIANT_VALUE && is_container(event));
        if (above && event->kind != VARIANT_END) {
            add_child(above, decoder->bytes, event);
        }
        if (above && event->kind == VARIANT_END && event->type == VARIANT_ARRAY) {
            add_row(above, here);
        }
        if (is_container(event)) {
            begin_container(here, list, above);
        }
        bool is_part = ends && (!above || (here->part.path[0] && event->role != VARIANT_KEY));
        if (is_part && end_value(here, decoder->bytes, event, decoder->options)) {
            list->count = add_part(list->parts, list->count, &here->part);
            read_bytes(list, &here->part, decoder, event);
        }
    } while (variant_next(decoder, event));
}

static void read_value(part_list *list, const uint8_t *bytes, uint32_t length,
                       variant_options options) /* NOLINT(misc-no-recursion): once, in_bytes */
{
    variant_decoder decoder;
    variant_event event;
    unsigned before = list->count;
    variant_init(&decoder, bytes, length, options);
    if (variant_next(&decoder, &event) && event.kind != VARIANT_FINDING && is_container(&event)) {
        read_parts(list, &decoder, &event);
    }
    list->count = decoder.rejected ? before : list->count;
}

/* The only argument of a call, a PackedByteArray, is sent without a head, and without their number, 1. */
static void read_only_bytes(part_list *list, const godot_tap_variant *value)
{
    const variant_event bytes = {.kind = VARIANT_VALUE,
                                 .type = VARIANT_PACKED_BYTE_ARRAY,
                                 .length = value->length ? value->length - 1 : 0,
                                 .data_length = value->length};
    const variant_decoder decoder = {.bytes = value->bytes, .options = value->options};
    encoded_part part = {.count = 1};
    if (end_bytes(&part, value->bytes, &bytes, value->options)) {
        list->count = add_part(list->parts, list->count, &part);
        read_bytes(list, &part, &decoder, &bytes);
    }
}

/* Whether a value in that form is a PackedByteArray. */
static bool becomes_bytes(const encoded_part *part, unsigned form)
{
    switch (part->kind) {
    case ENCODING_INTS:
    case ENCODING_BOOLS:
    case ENCODING_INT64:
    case ENCODING_INT_ROWS:
        return form == ENCODED_BYTES;
    case ENCODING_INT32:
    case ENCODING_FLOAT32:
    case ENCODING_VECTORS:
    case ENCODING_HEX:
    case ENCODING_BASE64:
    case ENCODING_TEXTS:
        return true;
    default:
        return false;
    }
}

unsigned shorter_encodings_of(const godot_tap_variant *value, bool is_only_argument,
                              encoded_part parts[ENCODED_PARTS])
{
    bool known = value->options.dialect == VARIANT_GODOT4 || value->options.dialect == VARIANT_GODOT3;
    part_list list = {parts, 0, "", false};
    if (value->raw) {
        read_only_bytes(&list, value);
    } else if (known) {
        read_value(&list, value->bytes, value->length, value->options);
    }
    for (unsigned i = 0; is_only_argument && i < list.count; i++) {
        for (unsigned form = 0; parts[i].path[0] == '\0' && form < ENCODED_FORMS; form++) {
            parts[i].saved[form] +=
                parts[i].saved[form] && becomes_bytes(&parts[i], form) ? PACKED_HEAD + 1 : 0;
        }
    }
    return list.count;
}
