/* parts.c
 *
 * Items below that of a value: components, elements of packed arrays, strings, names, padding.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/walk.h"

#include <epan/prefs.h>
#include <math.h>

#include "base/columns.h"

#define MAX_FRAME_ITEMS 200000 /* items in a frame from which on nothing is added to containers */

#define JOYSTICK_MOTION 4 /* the InputEvent whose second number is an f32 */

/* Matrices are shown by the rows in which they are sent. Basis is sent row by row (so a row is not an axis
 * vector), Transform2D and Projection column by column. */
static const struct {
    variant_type type;
    uint32_t size;
    const char *names[4];
} matrices[] = {
    {VARIANT_TRANSFORM2D, 2, {"x axis", "y axis", "origin"}},
    {VARIANT_BASIS, 3, {"Row x", "Row y", "Row z"}},
    {VARIANT_TRANSFORM3D, 3, {"Row x", "Row y", "Row z", "origin"}},
    {VARIANT_PROJECTION, 4, {"x axis", "y axis", "z axis", "w axis"}},
};

/* The elements of a packed array are values of these types. */
static const variant_type element_types[VARIANT_TYPE_COUNT] = {
    [VARIANT_PACKED_INT32_ARRAY] = VARIANT_INT,       [VARIANT_PACKED_INT64_ARRAY] = VARIANT_INT,
    [VARIANT_PACKED_FLOAT32_ARRAY] = VARIANT_FLOAT,   [VARIANT_PACKED_FLOAT64_ARRAY] = VARIANT_FLOAT,
    [VARIANT_PACKED_STRING_ARRAY] = VARIANT_STRING,   [VARIANT_PACKED_VECTOR2_ARRAY] = VARIANT_VECTOR2,
    [VARIANT_PACKED_VECTOR3_ARRAY] = VARIANT_VECTOR3, [VARIANT_PACKED_COLOR_ARRAY] = VARIANT_COLOR,
    [VARIANT_PACKED_VECTOR4_ARRAY] = VARIANT_VECTOR4,
};

proto_tree *walk_parent_tree(const variant_walk *w, unsigned depth)
{
    return depth == 0 ? w->top : w->levels[depth - 1].tree;
}

char *walk_string_value(const variant_walk *w, const variant_string *s)
{
    return (char *)tvb_get_string_enc(w->pinfo->pool, w->tvb, (int)(w->base + s->text_offset),
                                      (int)s->text_length, ENC_UTF_8);
}

/* A string for labels and messages, shortened. */
const char *walk_short_string(const variant_walk *w, const variant_string *s)
{
    variant_string cut = *s;

    cut.text_length = MIN(s->text_length, KEY_SIZE);
    const char *text = info_column_line(w->pinfo->pool, walk_string_value(w, &cut));
    return s->text_length <= KEY_SIZE ? text : wmem_strdup_printf(w->pinfo->pool, "%s…", text);
}

void walk_add_padding(const variant_walk *w, proto_tree *tree, uint32_t offset, uint32_t length)
{
    if (length == 0) {
        return;
    }
    proto_item *item =
        proto_tree_add_item(tree, hf_variant_padding, w->tvb, (int)(w->base + offset), (int)length, ENC_NA);
    bool zero = true;
    for (uint32_t i = 0; i < length; i++) {
        zero = zero && w->bytes[offset + i] == 0;
    }
    if (zero && w->visible) { /* an item of an invisible tree may be its parent */
        proto_item_set_hidden(item);
    }
}

/* A padded string inside a value. */
void walk_add_string(const variant_walk *w, proto_tree *tree, int hf, const variant_string *s)
{
    proto_item *item = proto_tree_add_string(tree, hf, w->tvb, (int)(w->base + s->offset), (int)s->length,
                                             walk_string_value(w, s));
    if (s->padding > 0) {
        walk_add_padding(w, proto_item_add_subtree(item, ett_variant_string), s->padding_offset, s->padding);
    }
}

/* A number as the engine prints it: of all values that are the same f32, the one with the fewest digits, so
 * that filters match the displayed digits. */
double walk_readable(double value, bool single)
{
    char text[VARIANT_NUMBER_SIZE];

    if (!single || !isfinite(value) || value == trunc(value)) {
        return value;
    }
    variant_number_text(value, text);
    return g_ascii_strtod(text, NULL);
}

static bool is_single(const variant_event *e)
{
    variant_component_kind kind = variant_type_facts(e->type)->component_kind;

    return kind == VARIANT_FLOAT32 || (kind == VARIANT_REAL && !e->wide);
}

bool walk_too_many_items(const variant_walk *w)
{
    return w->top && PTREE_DATA(w->top)->count > MIN(MAX_FRAME_ITEMS, prefs.gui_max_tree_items / 2);
}

/* One item for `count` values that are not shown, and once per value a note on why. */
void walk_add_more(variant_walk *w, proto_tree *tree, uint32_t offset, uint32_t length, uint32_t count)
{
    proto_item *item = proto_tree_add_uint_format(tree, hf_variant_more, w->tvb, (int)(w->base + offset),
                                                  (int)length, count, "… %u more", count);
    if (!w->noted_limit) {
        expert_add_info(w->pinfo, item, &ei_variant_not_shown);
    }
    w->noted_limit = true;
}

/* --- math types and packed arrays ---------------------------------------------------------------- */

static void add_component(const variant_walk *w, proto_tree *tree, const variant_event *e, uint32_t i,
                          uint32_t size)
{
    int hf = hf_variant_component[e->type][i];
    int offset = (int)(w->base + e->data_offset + i * size);

    if (variant_type_facts(e->type)->component_kind == VARIANT_INT32) {
        proto_tree_add_int(tree, hf, w->tvb, offset, (int)size,
                           (int32_t)variant_component_int(w->bytes, e, i));
    } else {
        proto_tree_add_double(tree, hf, w->tvb, offset, (int)size,
                              walk_readable(variant_component(w->bytes, e, i), is_single(e)));
    }
}

/* "" if the tree is not visible. */
static const char *row_text(const variant_walk *w, const variant_event *e, uint32_t first, uint32_t count)
{
    if (!w->visible) {
        return "";
    }
    wmem_strbuf_t *text = wmem_strbuf_new(w->pinfo->pool, NULL);
    for (uint32_t i = first; i < first + count; i++) {
        char number[VARIANT_NUMBER_SIZE];
        variant_number_text(walk_readable(variant_component(w->bytes, e, i), is_single(e)), number);
        wmem_strbuf_append_printf(text, "%s%s", i > first ? ", " : "", number);
    }
    return wmem_strbuf_get_str(text);
}

void walk_add_components(const variant_walk *w, proto_tree *tree, const variant_event *e)
{
    uint32_t count = variant_type_facts(e->type)->component_count;
    uint32_t size = e->data_length / count;
    uint32_t width = count;
    const char *const *names = NULL;

    for (size_t m = 0; m < array_length(matrices); m++) {
        if (matrices[m].type == e->type) {
            width = matrices[m].size;
            names = matrices[m].names;
        }
    }
    for (uint32_t first = 0; first < count; first += width) {
        proto_tree *row = tree;
        if (names) {
            int offset = (int)(w->base + e->data_offset + first * size);
            proto_item *item =
                proto_tree_add_none_format(tree, hf_variant_row, w->tvb, offset, (int)(width * size),
                                           "%s: %s", names[first / width], row_text(w, e, first, width));
            row = proto_item_add_subtree(item, ett_variant_row);
        }
        for (uint32_t i = first; i < first + width; i++) {
            add_component(w, row, e, i, size);
        }
    }
}

/* Element `i` of a packed array of numbers as an event of its own. */
static variant_event packed_element(const variant_walk *w, const variant_event *e, uint32_t i)
{
    variant_event element = *e;

    element.type = element_types[e->type];
    element.offset = element.data_offset = e->data_offset + i * e->element_size;
    element.length = element.data_length = e->element_size;
    element.padding = 0;
    if (element.type == VARIANT_INT) {
        element.value.i = variant_component_int(w->bytes, e, i);
    }
    if (element.type == VARIANT_FLOAT) {
        element.value.f = variant_component(w->bytes, e, i);
        element.wide = e->type == VARIANT_PACKED_FLOAT64_ARRAY;
    }
    return element;
}

/* The next string of a PackedStringArray as an event of its own. */
static variant_event packed_string(const variant_walk *w, const variant_event *e, uint32_t *position)
{
    variant_event element = *e;

    element.type = VARIANT_STRING;
    element.text = variant_next_string(w->bytes, e, position);
    element.offset = element.text.offset;
    element.length = element.text.length;
    element.data_offset = element.text.text_offset;
    element.data_length = element.text.text_length;
    element.padding = element.text.padding;
    return element;
}

void walk_add_packed_elements(variant_walk *w, proto_tree *tree, const variant_event *e)
{
    bool strings = e->type == VARIANT_PACKED_STRING_ARRAY;
    uint32_t position = e->data_offset;
    uint32_t i;

    if (element_types[e->type] == VARIANT_NIL) { /* bytes are the array's own value */
        return;
    }
    for (i = 0; i < e->count && i < godot_variant_max_elements && !walk_too_many_items(w); i++) {
        variant_event element = strings ? packed_string(w, e, &position) : packed_element(w, e, i);
        char label[16];

        snprintf(label, sizeof label, "[%u]", i);
        proto_tree *element_tree = walk_add_labelled(w, tree, &element, label);
        if (variant_type_facts(element.type)->component_count > 0) {
            walk_add_components(w, element_tree, &element);
        }
        if (strings) {
            walk_add_padding(w, element_tree, element.text.padding_offset, element.padding);
        }
    }
    if (i < e->count) {
        uint32_t from = strings ? position : e->data_offset + i * e->element_size;
        walk_add_more(w, tree, from, e->data_offset + e->data_length - from, e->count - i);
    }
}

/* --- other types --------------------------------------------------------------------------------- */

/* "/root/Player:position:x" */
const char *walk_path_value(const variant_walk *w, const variant_event *e)
{
    wmem_strbuf_t *path = wmem_strbuf_new(w->pinfo->pool, e->value.path.flags & 1 ? "/" : "");
    uint32_t position = e->data_offset;
    uint32_t names = e->value.path.names, count = names + e->value.path.subnames;

    if (e->value.path.old_format) {
        return walk_string_value(w, &e->text);
    }
    for (uint32_t i = 0; i < count; i++) {
        variant_string part = variant_next_string(w->bytes, e, &position);
        wmem_strbuf_append(path, i >= names ? ":" : i > 0 ? "/" : "");
        wmem_strbuf_append(path, walk_string_value(w, &part));
    }
    return wmem_strbuf_get_str(path);
}

void walk_add_path(variant_walk *w, proto_tree *tree, const variant_event *e)
{
    uint32_t position = e->data_offset;
    uint32_t names = e->value.path.names, count = names + e->value.path.subnames, i;

    if (e->value.path.old_format) {
        return;
    }
    proto_tree_add_boolean(tree, hf_variant_path_absolute, w->tvb, (int)(w->base + e->offset + 12), 4,
                           e->value.path.flags & 1);
    for (i = 0; i < count && i < godot_variant_max_elements && !walk_too_many_items(w); i++) {
        variant_string part = variant_next_string(w->bytes, e, &position);
        walk_add_string(w, tree, i < names ? hf_variant_path_name : hf_variant_path_subname, &part);
    }
    if (i < count) {
        walk_add_more(w, tree, position, e->offset + e->length - position, count - i);
    }
}

void walk_add_object_id(const variant_walk *w, proto_tree *tree, const variant_event *e)
{
    if (e->data_length < 8) { /* a null Object: no id is sent */
        return;
    }
    proto_tree_add_int64(tree, hf_variant_object_id, w->tvb, (int)(w->base + e->offset + e->length - 8), 8,
                         (int64_t)e->value.id);
}

static void add_word(const variant_walk *w, proto_tree *tree, int hf, const variant_event *e, uint32_t offset)
{
    proto_tree_add_item(tree, hf, w->tvb, (int)(w->base + e->offset + 4 + offset), 4, ENC_LITTLE_ENDIAN);
}

void walk_add_image(const variant_walk *w, proto_tree *tree, const variant_event *e)
{
    static int *const words[] = {&hf_variant_image_format, &hf_variant_image_mipmaps, &hf_variant_image_width,
                                 &hf_variant_image_height};

    for (uint32_t i = 0; i < array_length(words); i++) {
        add_word(w, tree, *words[i], e, 4 * i);
    }
    proto_tree_add_item(tree, hf_variant_image_data, w->tvb, (int)(w->base + e->offset + 24),
                        (int)(e->length - 24 - e->padding), ENC_NA);
}

void walk_add_input_event(const variant_walk *w, proto_tree *tree, const variant_event *e)
{
    static int *const words[] = {&hf_variant_event_type, &hf_variant_event_device, &hf_variant_event_length};

    for (uint32_t i = 0; i < array_length(words); i++) {
        add_word(w, tree, *words[i], e, 4 * i);
    }
    for (uint32_t i = 0; i < e->value.input_event.fields; i++) {
        bool axis_value = i == 1 && e->value.input_event.type == JOYSTICK_MOTION;
        add_word(w, tree, axis_value ? hf_variant_event_axis_value : hf_variant_event_number, e, 12 + 4 * i);
    }
}

void walk_add_type_info(const variant_walk *w, proto_tree *tree, int hf, const variant_container_type *t)
{
    if (t->kind == VARIANT_UNTYPED) {
        return;
    }
    const char *name =
        t->kind == VARIANT_TYPED_BUILTIN ? variant_type_name(t->type) : walk_string_value(w, &t->name);
    proto_tree_add_string(tree, hf, w->tvb, (int)(w->base + t->offset), (int)t->length, name);
}
