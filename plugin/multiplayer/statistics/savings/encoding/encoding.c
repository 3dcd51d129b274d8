/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/encoding.h"

#include "multiplayer/statistics/savings/encoding/json-texts.h"

#include <math.h>
#include <stdio.h>

/* Bytes of a packed array before its elements, type and count; of an int as a key. */
enum { PACKED_HEAD = 8, NUMBER_KEY = 8 };
enum { MAX_DEPTH = 6 /* depth of containers that are analysed */ };
enum { MAX_NUMBER_TEXT = 512 /* bytes of a text with numbers, and a NUL */ };

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

void encoded_part_merge(encoded_part *into, const encoded_part *one)
{
    bool any = into->kind == ENCODING_ANY || one->kind == ENCODING_ANY;
    encoding_kind both = any ? MAX(into->kind, one->kind) : ENCODING_NONE;
    bool none = into->kind == ENCODING_NONE || one->kind == ENCODING_NONE;
    into->form = MAX(into->form, into->keys != one->keys ? ENCODED_LONG : one->form);
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
    part->form = ENCODED_FORMS;
    for (unsigned i = ENCODED_FORMS; i-- > 0;) {
        uint64_t packed = PACKED_HEAD + ((uint64_t)count * sizes[i] + 3) / 4 * 4;
        part->form = sizes[i] ? i : part->form;
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
        part->form = ENCODED_SHORT;
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

static void end_packed(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    bool doubles = value->type == VARIANT_PACKED_FLOAT64_ARRAY;
    bool floats = doubles || value->type == VARIANT_PACKED_FLOAT32_ARRAY, fits = true, small = true;
    for (uint32_t i = 0; (fits || small) && i < value->count; i++) {
        double number = floats ? variant_component(bytes, value, i) : 0;
        int64_t integer = floats ? 0 : variant_component_int(bytes, value, i);
        fits &= floats ? isnan(number) || (double)(float)number == number
                       : integer >= INT32_MIN && integer <= INT32_MAX;
        small &= floats ? number >= 0 && number <= UINT8_MAX && number == floor(number)
                        : integer >= 0 && integer <= UINT8_MAX;
    }
    bool wide = doubles || value->type == VARIANT_PACKED_INT64_ARRAY;
    const uint32_t sizes[ENCODED_FORMS] = {small, fits && wide ? 4 : 0, 0};
    set_packed(part,
               doubles  ? ENCODING_FLOAT64
               : floats ? ENCODING_FLOAT32
               : wide   ? ENCODING_INT64
                        : ENCODING_INT32,
               value->length, value->count, sizes);
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
        part->form = ENCODED_SHORT;
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
        part->form = ENCODED_SHORT;
        part->saved[ENCODED_SHORT] = value->length - 2 * HEAD - SHORTER * ((value->length - HEAD) / NUMBERS);
    }
}

/* JSON as what it describes: without keys, if these are always the same. */
static bool end_json(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    json_sizes sizes;
    const char first = value->data_length ? (char)bytes[value->data_offset] : '\0';
    if ((first != '{' && first != '[') ||
        !json_sizes_of(bytes + value->data_offset, value->data_length, &sizes)) {
        return false;
    }
    part->kind = ENCODING_JSON;
    part->form = ENCODED_SHORT;
    part->keys = sizes.keys;
    part->saved[ENCODED_SHORT] = value->length - MIN(sizes.values, value->length);
    part->saved[ENCODED_LONG] = value->length - MIN(sizes.with_keys, value->length);
    return true;
}

/* Numbers in a text, between which there are only such signs; 0: something else is in it. */
static uint32_t count_numbers(const char *text, uint32_t length)
{
    char copy[MAX_NUMBER_TEXT];
    uint32_t count = 0;
    if (length >= sizeof copy) {
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (const char *at = copy; *at;) {
        size_t signs = strspn(at, " ,;|:()");
        const char *number = at + signs;
        size_t digits = strspn(number, "+-.0123456789eE");
        char *end;
        (void)g_ascii_strtod(number, &end);
        if (digits ? end != number + digits || (count && !signs) : *number || !signs) {
            return 0;
        }
        count += digits > 0;
        at = number + digits;
    }
    return count;
}

/* One number takes up to 12 bytes, up to four are a vector, more a PackedFloat32Array. */
static bool end_numbers(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { HEAD = 4, FLOAT32 = 4, FLOAT64 = 8, VECTOR = 4 };
    uint32_t count = count_numbers((const char *)bytes + value->data_offset, value->data_length);
    uint32_t length = count == 1 ? HEAD + FLOAT64 : (count > VECTOR ? PACKED_HEAD : HEAD) + FLOAT32 * count;
    if (count) {
        part->kind = ENCODING_NUMBERS;
        part->form = ENCODED_SHORT;
        part->saved[ENCODED_SHORT] = value->length - MIN(value->length, length);
    }
    return count > 0;
}

/* A text or a NodePath as a number, which takes two bytes by itself. */
static void set_number(encoded_part *part, encoding_kind kind, const uint8_t *bytes,
                       const variant_event *value)
{
    enum { NUMBER = 2, NUMBER_IN_CONTAINER = 8 };
    uint32_t number = value->depth ? NUMBER_IN_CONTAINER : NUMBER;
    part->kind = kind;
    part->form = ENCODED_LONG;
    part->saved[ENCODED_LONG] = value->length > number ? value->length - number : 0;
    part->texts = 1;
    add_key_hash(part, wmem_strong_hash(bytes + value->offset, value->length));
}

static void end_text(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    if (!end_json(part, bytes, value) && !end_numbers(part, bytes, value)) {
        set_number(part, ENCODING_TEXT, bytes, value);
    }
}

/* The int that to_rgba32() makes has 64 bits if red is more than a half. */
static void end_color(encoded_part *part, const uint8_t *bytes, const variant_event *value)
{
    enum { CHANNELS = 4, INT32 = 5, INT64 = 9, INT32_IN_CONTAINER = 8, INT64_IN_CONTAINER = 12 };
    const double tolerance = 1e-6;
    bool wide = variant_component(bytes, value, 0) > 0.5;
    uint32_t number = value->depth ? (wide ? INT64_IN_CONTAINER : INT32_IN_CONTAINER) : wide ? INT64 : INT32;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        double channel = variant_component(bytes, value, i), step = channel * UINT8_MAX;
        if (!(channel >= 0 && channel <= 1 && fabs(step - floor(step + 0.5)) < UINT8_MAX * tolerance)) {
            return;
        }
    }
    part->kind = ENCODING_COLOR8;
    part->form = ENCODED_SHORT;
    part->saved[ENCODED_SHORT] = value->length - MIN(value->length, number);
}

/* The end of a value: how it could be written. Returns false if nothing is known of its type. */
static bool end_value(container *of, const uint8_t *bytes, const variant_event *value)
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
        end_packed(&of->part, bytes, value);
        return true;
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

/* Continues after the first event of the value. */
static unsigned read_parts(variant_decoder *decoder, variant_event *event, encoded_part *parts)
{
    container open[MAX_DEPTH];
    unsigned count = 0;
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
            *here = (container){.part = {.count = 1}, .text_keys = true, .bytes = true};
            g_strlcpy(here->part.path, above ? above->entry : "", sizeof here->part.path);
        }
        bool is_part = ends && (!above || (here->part.path[0] && event->role != VARIANT_KEY));
        if (is_part && end_value(here, decoder->bytes, event)) {
            count = add_part(parts, count, &here->part);
        }
    } while (variant_next(decoder, event));
    return decoder->rejected ? 0 : count;
}

unsigned shorter_encodings_of(const godot_tap_variant *value, encoded_part parts[ENCODED_PARTS])
{
    variant_decoder decoder;
    variant_event event;
    bool known = value->options.dialect == VARIANT_GODOT4 || value->options.dialect == VARIANT_GODOT3;
    if (value->raw || !known) {
        return 0;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind == VARIANT_FINDING) {
        return 0;
    }
    return is_container(&event) ? read_parts(&decoder, &event, parts) : 0;
}
