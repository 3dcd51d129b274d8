/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/encoding/encoding.h"

#include "codec/decompress.h"
#include "multiplayer/statistics/savings/encoding/values.h"

#include <stdio.h>

enum { NUMBER_KEY = 8 /* bytes of an int as a key */ };
enum { MAX_DEPTH = 6 /* depth of containers that are analysed */ };

/* Values of which packed arrays can be made: columns of rows. */
typedef struct {
    uint32_t types; /* a hash of those of one row */
    uint32_t count; /* of columns, in one row */
    uint32_t ints, floats, other_bytes;
    bool wide_ints, wide_floats;
    bool others; /* values of other types */
} packed_columns;

/* A container that is being read. */
typedef struct {
    encoded_part part;
    char entry[ENCODED_PATH]; /* path of the element that comes next; "": it is too long */
    variant_type type;        /* of all elements; VARIANT_INVALID: they differ */
    bool wide;                /* a number takes 64 bits */
    bool bytes;               /* all numbers are from 0 to 255 */
    bool turned;              /* all transforms only move and turn */
    uint32_t count;
    uint32_t keys_length;
    bool text_keys;
    variant_type key_type;    /* of all keys; VARIANT_INVALID: they differ */
    packed_columns values;    /* its own */
    packed_columns columns;   /* those of the Arrays in it, */
    uint32_t rows;            /* which are so many; fewer than `count`: there are others */
    uint32_t inner_keys;      /* a hash of the keys of the Dictionary in it before */
    char inner[ENCODED_PATH]; /* path of that; "": it is that of all elements */
} container;

/* --- columns ------------------------------------------------------------------------------------- */

/* Bytes in a packed array, if they do not depend on other values; 0: it is another type. */
static uint32_t packed_size(variant_type type)
{
    switch (type) {
    case VARIANT_BOOL:
        return 1;
    case VARIANT_VECTOR2:
    case VARIANT_VECTOR2I:
        return 8;
    case VARIANT_VECTOR3:
    case VARIANT_VECTOR3I:
        return 12;
    case VARIANT_COLOR:
    case VARIANT_QUATERNION:
    case VARIANT_VECTOR4:
        return 16;
    default:
        return 0;
    }
}

static void add_value(packed_columns *of, const variant_event *value)
{
    bool is_int = value->type == VARIANT_INT, is_float = value->type == VARIANT_FLOAT;
    uint32_t size = packed_size(value->type);
    of->types = of->types * 31 + value->type;
    of->count++;
    of->ints += is_int;
    of->floats += is_float;
    of->other_bytes += size;
    of->wide_ints |= is_int && value->wide;
    of->wide_floats |= is_float && value->wide;
    of->others |= !is_int && !is_float && (!size || value->wide);
}

/* An Array has ended in another one: a row, if it has the same types as those before it. */
static void add_row(container *of, const container *row)
{
    packed_columns *columns = &of->columns;
    const packed_columns *values = &row->values;
    bool same = !of->rows || (columns->types == values->types && columns->count == values->count);
    if (!values->count || values->others || !same || of->rows + 1 != of->count) {
        return;
    }
    of->rows++;
    of->bytes &= row->bytes;
    encoded_part_add_number(&of->part, row->part.most);
    columns->types = values->types;
    columns->count = values->count;
    columns->ints += values->ints;
    columns->floats += values->floats;
    columns->other_bytes += values->other_bytes;
    columns->wide_ints |= values->wide_ints;
    columns->wide_floats |= values->wide_floats;
}

/* `count` packed arrays. */
static void end_columns(encoded_part *part, encoding_kind kind, uint32_t length, const packed_columns *of,
                        uint32_t count)
{
    enum { NARROW = 4, WIDE = 8 };
    uint64_t packed = (uint64_t)PACKED_HEAD * count + (uint64_t)of->ints * (of->wide_ints ? WIDE : NARROW) +
                      (uint64_t)of->floats * (of->wide_floats ? WIDE : NARROW) + of->other_bytes;
    encoded_part_set(part, kind, ENCODED_SHORT, length, packed);
}

/* --- containers ---------------------------------------------------------------------------------- */

/* All numbers of all rows, one after the other; if these are not only numbers, a packed array for each
 * column. Returns false if there are no rows. */
static bool end_rows(container *array, uint32_t length)
{
    const packed_columns *columns = &array->columns;
    uint64_t values = (uint64_t)array->rows * columns->count;
    bool ints = columns->ints == values, floats = columns->floats == values;
    bool wide = columns->wide_ints || columns->wide_floats;
    const uint32_t sizes[ENCODED_FORMS] = {ints && array->bytes, wide ? 0 : 4, ints ? 8 : 4};
    if (array->rows != array->count) {
        return false;
    }
    if (ints || floats) {
        encoded_part_set_packed(&array->part, ints ? ENCODING_INT_ROWS : ENCODING_FLOAT_ROWS, length,
                                (uint32_t)values, sizes);
    } else if (columns->count > 1) {
        end_columns(&array->part, ENCODING_COLUMNS, length, columns, columns->count);
    }
    return ints || floats || columns->count > 1;
}

/* An Array of values with as many components each, of which only some are needed for those that turn. */
static void end_components(container *array, uint32_t length)
{
    enum { COMPONENT = 4, POSE = 7, POSE_2D = 3 };
    const variant_type_info *facts = variant_type_facts(array->type);
    bool turned = array->turned && array->type == VARIANT_TRANSFORM3D;
    bool turned_2d = array->turned && array->type == VARIANT_TRANSFORM2D;
    uint32_t count = turned ? POSE : turned_2d ? POSE_2D : facts->component_count;
    const uint32_t sizes[ENCODED_FORMS] = {0, array->wide ? 0 : COMPONENT, 0};
    if (facts->component_kind == VARIANT_REAL && !facts->packed) {
        encoded_part_set_packed(&array->part,
                                turned      ? ENCODING_POSES
                                : turned_2d ? ENCODING_POSES2D
                                            : ENCODING_COMPONENTS,
                                length, array->count * count, sizes);
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
        {VARIANT_FLOAT, ENCODING_FLOATS, {0, array->wide ? 0 : 4, 4}},
        {VARIANT_VECTOR2, ENCODING_VECTOR2, {0, array->wide ? 0 : 8, 0}},
        {VARIANT_VECTOR3, ENCODING_VECTOR3, {0, array->wide ? 0 : 12, 0}},
        {VARIANT_VECTOR2I, ENCODING_VECTORI, {array->bytes ? 2 : 0, 8, 0}},
        {VARIANT_VECTOR3I, ENCODING_VECTORI, {array->bytes ? 3 : 0, 12, 0}},
        {VARIANT_COLOR, ENCODING_COLOR, {0, 16, 0}},
    };
    if (!array->count) {
        array->part.kind = ENCODING_ANY;
        array->part.forms = (1u << ENCODED_FORMS) - 1;
    } else if (array->type == VARIANT_STRING || array->type == VARIANT_STRING_NAME) {
        encoded_part_set_texts(&array->part, length, array->count);
    } else if (!end_rows(array, length)) {
        end_components(array, length);
    }
    for (size_t i = 0; array->count && i < G_N_ELEMENTS(kinds); i++) {
        if (array->type == kinds[i].type) {
            encoded_part_set_packed(&array->part, kinds[i].kind, length, array->count, kinds[i].sizes);
        }
    }
}

/* Numbers of a key that a packed array can have; 0: it is another type. */
static uint32_t numbers_of_key(variant_type type)
{
    return type == VARIANT_INT ? 1 : type == VARIANT_VECTOR2I ? 2 : type == VARIANT_VECTOR3I ? 3 : 0;
}

/* Form of a packed array that all its values allow. */
static unsigned form_of_values(encoding_kind kind)
{
    return kind == ENCODING_FLOATS || kind == ENCODING_FLOAT_ROWS ? ENCODED_LONG : ENCODED_SHORT;
}

/* Values of one type, as an Array without the keys. Returns the bytes that a packed array would take less;
 * 0: there is none. */
static uint32_t end_values(container *dictionary, uint32_t length)
{
    if (dictionary->type == VARIANT_INVALID || !dictionary->count) {
        return 0;
    }
    container values = *dictionary;
    values.part = (encoded_part){.count = 1};
    end_array(&values, length);
    unsigned form = form_of_values(values.part.kind);
    bool texts = values.part.kind == ENCODING_TEXTS || values.part.kind == ENCODING_ANY;
    uint32_t saved = texts ? 0 : values.part.saved[form];
    dictionary->part.values = saved ? values.part.kind : ENCODING_NONE;
    return saved;
}

static void end_dictionary(container *dictionary, uint32_t length)
{
    encoded_part *part = &dictionary->part;
    uint64_t numbers = (uint64_t)NUMBER_KEY * dictionary->count;
    uint32_t places = numbers_of_key(dictionary->key_type);
    if (places && dictionary->type == VARIANT_INT && !dictionary->wide) {
        const uint32_t sizes[ENCODED_FORMS] = {0, 4, 0};
        encoded_part_set_packed(part, ENCODING_PLACES, length, dictionary->count * (places + 1), sizes);
        part->keys = part->key_count = 0; /* they may differ */
    } else if (dictionary->key_type == VARIANT_INT && dictionary->type != VARIANT_INVALID &&
               dictionary->count && !dictionary->values.others) {
        packed_columns both = dictionary->values;
        both.ints += dictionary->count;
        end_columns(part, ENCODING_PAIRS, length, &both, 2);
        part->keys = part->key_count = 0;
    }
    if (dictionary->text_keys) {
        uint32_t without = length - dictionary->keys_length, saved = end_values(dictionary, length);
        if (saved) {
            encoded_part_set(part, ENCODING_KEYS, ENCODED_BYTES, length, length - saved);
        }
        encoded_part_set(part, ENCODING_KEYS, ENCODED_SHORT, length, without);
        encoded_part_set(part, ENCODING_KEYS, ENCODED_LONG, length, without + numbers);
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
    encoded_part_add_key(&of->part, hash);
    set_entry(of, bytes, key);
}

/* While all elements are texts. */
static void add_text(container *of, const uint8_t *bytes, const variant_event *child)
{
    if (of->type == VARIANT_STRING || of->type == VARIANT_STRING_NAME) {
        encoded_part_add_key(&of->part, wmem_strong_hash(bytes + child->offset, child->length));
    }
}

static void add_number(container *of, int64_t number)
{
    of->bytes &= number >= 0 && number <= UINT8_MAX;
    if (of->bytes) {
        encoded_part_add_number(&of->part, number);
    }
}

/* An int, or each component of a Vector2i or Vector3i. */
static void add_numbers(container *of, const uint8_t *bytes, const variant_event *value)
{
    uint32_t count = value->type == VARIANT_VECTOR2I ? 2 : value->type == VARIANT_VECTOR3I ? 3 : 0;
    for (uint32_t i = 0; i < count; i++) {
        add_number(of, variant_component_int(bytes, value, i));
    }
    if (value->type == VARIANT_INT) {
        add_number(of, value->value.i);
    }
}

/* A value, or the beginning of a container, in `of`. */
static void add_child(container *of, const uint8_t *bytes, const variant_event *child)
{
    if (child->kind == VARIANT_VALUE) {
        add_numbers(of, bytes, child);
    }
    if (child->role == VARIANT_KEY && child->kind == VARIANT_VALUE) {
        add_key(of, bytes, child);
    } else if (child->role == VARIANT_KEY) {
        of->text_keys = false;
    } else {
        of->type = of->count && of->type != child->type ? VARIANT_INVALID : child->type;
        of->wide |= child->wide;
        of->turned &= child->kind != VARIANT_VALUE || is_turned(bytes, child);
        of->count++;
        add_value(&of->values, child);
        if (child->role == VARIANT_ELEMENT) {
            set_entry(of, bytes, NULL);
            add_text(of, bytes, child);
        }
    }
}

/* --- all of it ----------------------------------------------------------------------------------- */

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
    default:
        return shorter_value(&of->part, bytes, value, options);
    }
}

/* Values whose encoding is analysed; others have no parts. Texts in an Array are a part of that. */
static bool is_container(const variant_event *event)
{
    enum { LARGE_INT = 9 /* bytes, of 64 bits: less is hardly worth it */ };
    switch (event->type) {
    case VARIANT_INT:
        return event->compact && event->length >= LARGE_INT;
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

/* The parts at a path, and in it, become those of an element of the container at `base`. */
static void join_parts(part_list *list, const char *base, const char *path)
{
    size_t length = strlen(path);
    for (unsigned i = 0, left = *path ? list->count : 0; left; left--) {
        encoded_part one = list->parts[i];
        const char *rest = one.path + length;
        bool inside = strncmp(one.path, path, length) == 0 && (!*rest || *rest == '[' || *rest == ',');
        char *joined = g_strdup_printf("%s[…]%s", base, inside ? rest : "");
        if (inside && strlen(joined) < ENCODED_PATH) {
            memmove(&list->parts[i], &list->parts[i + 1], (--list->count - i) * sizeof one);
            g_strlcpy(one.path, joined, sizeof one.path);
            list->count = add_part(list->parts, list->count, &one);
        } else {
            i++;
        }
        g_free(joined);
    }
}

/* Dictionaries one after the other in another one, with the same keys, are like elements of an Array. */
static void join_dictionary(part_list *list, container *above, const container *here)
{
    if (above->inner_keys != here->part.keys) {
        above->inner_keys = here->part.keys;
        g_strlcpy(above->inner, here->part.path, sizeof above->inner);
        return;
    }
    join_parts(list, above->part.path, above->inner);
    join_parts(list, above->part.path, here->part.path);
    above->inner[0] = '\0';
}

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
    *here = (container){.part = {.count = 1}, .text_keys = true, .bytes = true, .turned = true};
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
        if (is_part && above && event->role == VARIANT_ENTRY_VALUE && event->type == VARIANT_DICTIONARY &&
            here->text_keys && here->count) {
            join_dictionary(list, above, here);
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

/* What to_utf8_buffer() makes of a line of a protocol; small numbers can be letters, but not most of them. */
static bool is_plain_text(const uint8_t *bytes, uint32_t length)
{
    enum { LEAST = 4 };
    uint32_t letters = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (!g_ascii_isprint(bytes[i]) && !g_ascii_isspace(bytes[i])) {
            return false;
        }
        letters += g_ascii_isalnum(bytes[i]) != 0;
    }
    return length >= LEAST && letters >= length / 2;
}

/* The only argument of a call, a PackedByteArray, is sent without a head, and without their number, 1. */
static void read_only_bytes(part_list *list, const godot_tap_variant *value)
{
    const variant_event bytes = {
        .kind = VARIANT_VALUE,
        .type = is_plain_text(value->bytes, value->length) ? VARIANT_STRING : VARIANT_PACKED_BYTE_ARRAY,
        .length = value->length ? value->length - 1 : 0,
        .data_length = value->length};
    const variant_decoder decoder = {.bytes = value->bytes, .options = value->options};
    encoded_part part = {.count = 1};
    if (shorter_value(&part, value->bytes, &bytes, value->options)) {
        list->count = add_part(list->parts, list->count, &part);
        read_bytes(list, &part, &decoder, &bytes);
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
                parts[i].saved[form] && encoded_part_becomes_bytes(&parts[i], form) ? PACKED_HEAD + 1 : 0;
        }
    }
    return list.count;
}

/* --- compressed ----------------------------------------------------------------------------------- */

enum { LEAST_COMPRESSED = 32, MOST_OUTPUT = 1 << 16 };
/* FastLZ has no header: what only looks like it gets no longer. */
#define GROWS 1.25

static bool is_fastlz(const uint8_t *bytes, uint32_t length)
{
    uint8_t out[MOST_OUTPUT];
    size_t count;
    return fastlz_decompress(bytes, length, out, sizeof out, &count) == DECOMPRESSED &&
           (double)count >= GROWS * length;
}

/* Godot's zlib streams have a window of 32 KiB. */
static bool is_compressed(const uint8_t *bytes, uint32_t length)
{
    enum { WINDOW = 0x78, CHECK = 31 };
    bool zlib = length >= LEAST_COMPRESSED && bytes[0] == WINDOW && (bytes[0] << 8 | bytes[1]) % CHECK == 0;
    bool gzip = length >= LEAST_COMPRESSED && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8;
    return length >= LEAST_COMPRESSED && (zlib || gzip || is_zstd(bytes, length) || is_fastlz(bytes, length));
}

uint32_t compressed_bytes_in(const godot_tap_variant *value)
{
    variant_decoder decoder;
    variant_event event;
    uint32_t found = 0;
    if (value->raw || value->length < LEAST_COMPRESSED) {
        return value->raw && is_compressed(value->bytes, value->length) ? value->length : 0;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    while (variant_next(&decoder, &event)) {
        bool bytes = event.kind == VARIANT_VALUE && event.type == VARIANT_PACKED_BYTE_ARRAY;
        found +=
            bytes && is_compressed(value->bytes + event.data_offset, event.data_length) ? event.length : 0;
    }
    return found;
}
