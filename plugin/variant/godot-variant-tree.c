/* godot-variant-tree.c
 *
 * Shows one Variant as a tree: a loop over the events of src/variant.h. Fields are generated from the tables
 * there: one per type, one per component of a math type, one expert info per kind of problem.
 *
 * An item covers exactly the bytes of its value. A value is labelled by what it is to its container: key,
 * index or property name. Limits keep any input far away from those of Wireshark (gui.max_tree_items,
 * gui.max_tree_depth): what is beyond them is one item that covers the rest, and is still checked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/godot-variant.h"
#include "variant/godot-variant-tree.h"
#include "common/info-column.h"
#include "common/registration.h"

#include <epan/expert.h>
#include <epan/prefs.h>
#include <wsutil/str_util.h>

#include <math.h>

#define MAX_LEVELS       250        /* nested containers shown */
#define DEPTH_RESERVE    8          /* levels of the tree below a value: row, component, expert info */
#define MAX_FRAME_ITEMS  200000     /* items in a frame from which on nothing is added to containers */
#define MAX_PROBLEMS     50         /* problems shown of one value */
#define MAX_COMPONENTS   16         /* of a math type: Projection */
#define MAX_TEXT         (1u << 20) /* bytes of a top-level value's text */
#define MAX_NESTED_TEXT  2000u      /* bytes of the text of a value inside of others */
#define LABEL_SIZE       240        /* Wireshark cuts labels there */
#define KEY_SIZE         100        /* bytes of a key or a name in a label */
#define PROBLEM_PREFIX   "godot.variant.problem."
#define COMPONENT_PREFIX "godot.variant."

static int proto_godot_variant = -1;

static int hf_type = -1;
static int hf_type_id = -1;
static int hf_wide = -1;
static int hf_dialect = -1;
static int hf_text = -1;
static int hf_error = -1;
static int hf_problem = -1;
static int hf_invalid = -1;
static int hf_length = -1;
static int hf_count = -1;
static int hf_padding = -1;
static int hf_row = -1;
static int hf_more = -1;
static int hf_key_type = -1;
static int hf_element_type = -1;
static int hf_property = -1;
static int hf_object_id = -1;
static int hf_object_class = -1;
static int hf_signal_name = -1;
static int hf_path_name = -1;
static int hf_path_subname = -1;
static int hf_path_absolute = -1;
static int hf_image_format = -1;
static int hf_image_mipmaps = -1;
static int hf_image_width = -1;
static int hf_image_height = -1;
static int hf_image_data = -1;
static int hf_event_type = -1;
static int hf_event_device = -1;
static int hf_event_length = -1;
static int hf_event_number = -1;
static int hf_event_axis_value = -1;
static int hf_value[VARIANT_TYPE_COUNT];
static int hf_component[VARIANT_TYPE_COUNT][MAX_COMPONENTS];

static int ett_value = -1;
static int ett_row = -1;
static int ett_string = -1;

static expert_field ei_problem[VARIANT_PROBLEM_COUNT];
static expert_field ei_more_problems = EI_INIT;
static expert_field ei_not_shown = EI_INIT;
static expert_field ei_object_code = EI_INIT;

/* --- tables ------------------------------------------------------------------------------------------ */

/* How a value of a type is a field; FT_STRING with the text of the value if nothing is said here. */
static const struct {
    enum ftenum type;
    int base;
} value_fields[VARIANT_TYPE_COUNT] = {
    [VARIANT_BOOL] = {FT_BOOLEAN, BASE_NONE},
    [VARIANT_INT] = {FT_INT64, BASE_DEC},
    [VARIANT_FLOAT] = {FT_DOUBLE, BASE_NONE},
    [VARIANT_RID] = {FT_UINT64, BASE_DEC},
    [VARIANT_PACKED_BYTE_ARRAY] = {FT_BYTES, BASE_NONE},
};

/* The elements of a packed array are values of these types. */
static const variant_type element_types[VARIANT_TYPE_COUNT] = {
    [VARIANT_PACKED_INT32_ARRAY] = VARIANT_INT,       [VARIANT_PACKED_INT64_ARRAY] = VARIANT_INT,
    [VARIANT_PACKED_FLOAT32_ARRAY] = VARIANT_FLOAT,   [VARIANT_PACKED_FLOAT64_ARRAY] = VARIANT_FLOAT,
    [VARIANT_PACKED_STRING_ARRAY] = VARIANT_STRING,   [VARIANT_PACKED_VECTOR2_ARRAY] = VARIANT_VECTOR2,
    [VARIANT_PACKED_VECTOR3_ARRAY] = VARIANT_VECTOR3, [VARIANT_PACKED_COLOR_ARRAY] = VARIANT_COLOR,
    [VARIANT_PACKED_VECTOR4_ARRAY] = VARIANT_VECTOR4,
};

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

static const char *const dialect_names[VARIANT_DIALECT_COUNT] = {
    [VARIANT_GODOT4] = "godot4",
    [VARIANT_GODOT4_MANUAL] = "godot4-manual",
    [VARIANT_GODOT3] = "godot3",
    [VARIANT_GODOT2] = "godot2",
};

static const value_string image_formats[] = {
    {0, "GRAYSCALE"},
    {1, "INTENSITY"},
    {2, "GRAYSCALE_ALPHA"},
    {3, "RGB"},
    {4, "RGBA"},
    {5, "INDEXED"},
    {6, "INDEXED_ALPHA"},
    {7, "YUV_422"},
    {8, "YUV_444"},
    {9, "BC1"},
    {10, "BC2"},
    {11, "BC3"},
    {12, "BC4"},
    {13, "BC5"},
    {14, "PVRTC2"},
    {15, "PVRTC2_ALPHA"},
    {16, "PVRTC4"},
    {17, "PVRTC4_ALPHA"},
    {18, "ETC"},
    {19, "ATC"},
    {20, "ATC_ALPHA_EXPLICIT"},
    {21, "ATC_ALPHA_INTERPOLATED"},
    {22, "CUSTOM"},
    {0, NULL},
};

static const value_string input_event_types[] = {
    {0, "none"},
    {1, "key"},
    {2, "mouse motion"},
    {3, "mouse button"},
    {4, "joystick motion"},
    {5, "joystick button"},
    {6, "screen touch"},
    {7, "screen drag"},
    {8, "action"},
    {0, NULL},
};
#define JOYSTICK_MOTION 4

/* --- one value --------------------------------------------------------------------------------------- */

/* A container that is open. */
typedef struct {
    proto_tree *tree;
    variant_string class_name; /* full Object */
} level;

typedef struct {
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_tree *top;
    unsigned base; /* of the value in the tvb; offsets of events are relative to it */
    const uint8_t *bytes;
    uint32_t length;
    variant_options options;
    const char *label;
    bool building; /* somebody looks at the fields */
    bool visible;  /* somebody looks at the labels */
    bool noted_limit;
    bool cut;   /* by the capture's snap length */
    bool fatal; /* the value could not be read to its end */
    variant_type type;
    unsigned problems;
    unsigned objects; /* full ones, and their scripts */
    unsigned max_depth;
    proto_tree *root; /* of the top-level value */
    proto_tree *here; /* where findings belong */

    /* The key of the Dictionary entry whose value comes next. */
    bool has_key;
    bool leaf_key; /* `key` is to be shown with the entry; a container has items of its own */
    variant_event key;
    char key_text[KEY_SIZE];

    /* Children of the container at `hidden_depth` are not shown from here on; -1: none. */
    int hidden_depth;
    uint32_t hidden_from, hidden_count;

    level *levels; /* MAX_LEVELS + 1 */
} walk;

static proto_tree *parent_tree(const walk *w, unsigned depth)
{
    return depth == 0 ? w->top : w->levels[depth - 1].tree;
}

static char *string_value(const walk *w, const variant_string *s)
{
    return (char *)tvb_get_string_enc(w->pinfo->pool, w->tvb, (int)(w->base + s->text_offset),
                                      (int)s->text_length, ENC_UTF_8);
}

/* Text for labels and messages, cut to what can be read there. */
static const char *short_string(const walk *w, const variant_string *s)
{
    variant_string cut = *s;

    cut.text_length = MIN(s->text_length, KEY_SIZE);
    const char *text = utf8_one_line(string_value(w, &cut));
    return s->text_length <= KEY_SIZE ? text : wmem_strdup_printf(w->pinfo->pool, "%s…", text);
}

static void add_padding(const walk *w, proto_tree *tree, uint32_t offset, uint32_t length)
{
    if (length == 0) {
        return;
    }
    proto_item *item =
        proto_tree_add_item(tree, hf_padding, w->tvb, (int)(w->base + offset), (int)length, ENC_NA);
    bool zero = true;
    for (uint32_t i = 0; i < length; i++) {
        zero = zero && w->bytes[offset + i] == 0;
    }
    if (zero && w->visible) { /* an item of an invisible tree may be its parent */
        proto_item_set_hidden(item);
    }
}

/* A padded string inside a value. */
static void add_string(const walk *w, proto_tree *tree, int hf, const variant_string *s)
{
    proto_item *item = proto_tree_add_string(tree, hf, w->tvb, (int)(w->base + s->offset), (int)s->length,
                                             string_value(w, s));
    if (s->padding > 0) {
        add_padding(w, proto_item_add_subtree(item, ett_string), s->padding_offset, s->padding);
    }
}

/* A number as the engine prints it: of all values that are the same f32 the one with the fewest digits, so
 * that filters compare with what people read. */
static double readable(double value, bool single)
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

static bool too_many_items(const walk *w)
{
    return w->top && PTREE_DATA(w->top)->count > MIN(MAX_FRAME_ITEMS, prefs.gui_max_tree_items / 2);
}

/* One item for `count` values that are not shown, and once per value a note on why. */
static void add_more(walk *w, proto_tree *tree, uint32_t offset, uint32_t length, uint32_t count)
{
    proto_item *item = proto_tree_add_uint_format(tree, hf_more, w->tvb, (int)(w->base + offset), (int)length,
                                                  count, "… %u more", count);
    if (!w->noted_limit) {
        expert_add_info(w->pinfo, item, &ei_not_shown);
    }
    w->noted_limit = true;
}

/* --- math types and packed arrays ---------------------------------------------------------------------- */

static void add_component(const walk *w, proto_tree *tree, const variant_event *e, uint32_t i, uint32_t size)
{
    int hf = hf_component[e->type][i];
    int offset = (int)(w->base + e->data_offset + i * size);

    if (variant_type_facts(e->type)->component_kind == VARIANT_INT32) {
        proto_tree_add_int(tree, hf, w->tvb, offset, (int)size,
                           (int32_t)variant_component_int(w->bytes, e, i));
    } else {
        proto_tree_add_double(tree, hf, w->tvb, offset, (int)size,
                              readable(variant_component(w->bytes, e, i), is_single(e)));
    }
}

static proto_tree *add_row(const walk *w, proto_tree *tree, const variant_event *e, const char *name,
                           uint32_t first, uint32_t count, uint32_t size)
{
    wmem_strbuf_t *text = NULL;

    if (w->visible) {
        text = wmem_strbuf_new(w->pinfo->pool, NULL);
        for (uint32_t i = first; i < first + count; i++) {
            char number[VARIANT_NUMBER_SIZE];
            variant_number_text(readable(variant_component(w->bytes, e, i), is_single(e)), number);
            wmem_strbuf_append_printf(text, "%s%s", i > first ? ", " : "", number);
        }
    }
    proto_item *item = proto_tree_add_none_format(
        tree, hf_row, w->tvb, (int)(w->base + e->data_offset + first * size), (int)(count * size), "%s: %s",
        name, text ? wmem_strbuf_get_str(text) : "");
    return proto_item_add_subtree(item, ett_row);
}

static void add_components(const walk *w, proto_tree *tree, const variant_event *e)
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
        proto_tree *row = names ? add_row(w, tree, e, names[first / width], first, width, size) : tree;
        for (uint32_t i = first; i < first + width; i++) {
            add_component(w, row, e, i, size);
        }
    }
}

/* Element `i` of a packed array of numbers as an event of its own. */
static variant_event packed_element(const walk *w, const variant_event *e, uint32_t i)
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
static variant_event packed_string(const walk *w, const variant_event *e, uint32_t *position)
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

static proto_tree *add_labelled(const walk *w, proto_tree *parent, const variant_event *e, const char *label);

static void add_packed_elements(walk *w, proto_tree *tree, const variant_event *e)
{
    bool strings = e->type == VARIANT_PACKED_STRING_ARRAY;
    uint32_t position = e->data_offset;
    uint32_t i;

    if (element_types[e->type] == VARIANT_NIL) { /* bytes are the array's own value */
        return;
    }
    for (i = 0; i < e->count && i < godot_variant_max_elements && !too_many_items(w); i++) {
        variant_event element = strings ? packed_string(w, e, &position) : packed_element(w, e, i);
        char label[16];

        snprintf(label, sizeof label, "[%u]", i);
        proto_tree *element_tree = add_labelled(w, tree, &element, label);
        if (variant_type_facts(element.type)->component_count > 0) {
            add_components(w, element_tree, &element);
        }
        if (strings) {
            add_padding(w, element_tree, element.text.padding_offset, element.padding);
        }
    }
    if (i < e->count) {
        uint32_t from = strings ? position : e->data_offset + i * e->element_size;
        add_more(w, tree, from, e->data_offset + e->data_length - from, e->count - i);
    }
}

/* --- other types ---------------------------------------------------------------------------------------- */

/* "/root/Player:position:x" */
static const char *path_value(const walk *w, const variant_event *e)
{
    wmem_strbuf_t *path = wmem_strbuf_new(w->pinfo->pool, e->value.path.flags & 1 ? "/" : "");
    uint32_t position = e->data_offset;
    uint32_t names = e->value.path.names, count = names + e->value.path.subnames;

    if (e->value.path.old_format) {
        return string_value(w, &e->text);
    }
    for (uint32_t i = 0; i < count; i++) {
        variant_string part = variant_next_string(w->bytes, e, &position);
        wmem_strbuf_append(path, i >= names ? ":" : i > 0 ? "/" : "");
        wmem_strbuf_append(path, string_value(w, &part));
    }
    return wmem_strbuf_get_str(path);
}

static void add_path(walk *w, proto_tree *tree, const variant_event *e)
{
    uint32_t position = e->data_offset;
    uint32_t names = e->value.path.names, count = names + e->value.path.subnames, i;

    if (e->value.path.old_format) {
        return;
    }
    proto_tree_add_boolean(tree, hf_path_absolute, w->tvb, (int)(w->base + e->offset + 12), 4,
                           e->value.path.flags & 1);
    for (i = 0; i < count && i < godot_variant_max_elements && !too_many_items(w); i++) {
        variant_string part = variant_next_string(w->bytes, e, &position);
        add_string(w, tree, i < names ? hf_path_name : hf_path_subname, &part);
    }
    if (i < count) {
        add_more(w, tree, position, e->offset + e->length - position, count - i);
    }
}

static void add_object_id(const walk *w, proto_tree *tree, const variant_event *e)
{
    if (e->data_length < 8) { /* a null Object: no id is sent */
        return;
    }
    proto_tree_add_int64(tree, hf_object_id, w->tvb, (int)(w->base + e->offset + e->length - 8), 8,
                         (int64_t)e->value.id);
}

static void add_word(const walk *w, proto_tree *tree, int hf, const variant_event *e, uint32_t offset)
{
    proto_tree_add_item(tree, hf, w->tvb, (int)(w->base + e->offset + 4 + offset), 4, ENC_LITTLE_ENDIAN);
}

static void add_image(const walk *w, proto_tree *tree, const variant_event *e)
{
    static int *const words[] = {&hf_image_format, &hf_image_mipmaps, &hf_image_width, &hf_image_height};

    for (uint32_t i = 0; i < array_length(words); i++) {
        add_word(w, tree, *words[i], e, 4 * i);
    }
    proto_tree_add_item(tree, hf_image_data, w->tvb, (int)(w->base + e->offset + 24),
                        (int)(e->length - 24 - e->padding), ENC_NA);
}

static void add_input_event(const walk *w, proto_tree *tree, const variant_event *e)
{
    static int *const words[] = {&hf_event_type, &hf_event_device, &hf_event_length};

    for (uint32_t i = 0; i < array_length(words); i++) {
        add_word(w, tree, *words[i], e, 4 * i);
    }
    for (uint32_t i = 0; i < e->value.input_event.fields; i++) {
        bool axis_value = i == 1 && e->value.input_event.type == JOYSTICK_MOTION;
        add_word(w, tree, axis_value ? hf_event_axis_value : hf_event_number, e, 12 + 4 * i);
    }
}

static void add_type_info(const walk *w, proto_tree *tree, int hf, const variant_container_type *t)
{
    if (t->kind == VARIANT_UNTYPED) {
        return;
    }
    const char *name =
        t->kind == VARIANT_TYPED_BUILTIN ? variant_type_name(t->type) : string_value(w, &t->name);
    proto_tree_add_string(tree, hf, w->tvb, (int)(w->base + t->offset), (int)t->length, name);
}

/* --- text and labels ------------------------------------------------------------------------------------ */

/* The value as GDScript would print it, with everything in it. */
static void write_value(const walk *w, const variant_event *e, char *text, size_t size)
{
    if (e->kind == VARIANT_VALUE) {
        variant_event_text(w->bytes, e, text, size);
    } else {
        variant_options options = w->options;
        options.compact = options.compact && e->depth == 0;
        variant_text(w->bytes + e->offset, w->length - e->offset, options, text, size, NULL);
    }
}

/* The same from the pool: as much of it as a field may have. */
static const char *value_text(const walk *w, const variant_event *e)
{
    /* No type needs more than eight characters a byte; what is not needed is given back. */
    uint64_t bytes = e->kind == VARIANT_VALUE ? e->length : w->length - e->offset;
    size_t size = (size_t)MIN(e->depth == 0 ? MAX_TEXT : MAX_NESTED_TEXT, 8 * bytes + 256);
    char *text = (char *)wmem_alloc(w->pinfo->pool, size);
    write_value(w, e, text, size);
    return (char *)wmem_realloc(w->pinfo->pool, text, strlen(text) + 1);
}

/* What the value is to the container around it. */
static const char *label_of(const walk *w, const variant_event *e)
{
    switch (e->role) {
    case VARIANT_ELEMENT:
        return wmem_strdup_printf(w->pinfo->pool, "[%u]", e->index);
    case VARIANT_KEY:
        return wmem_strdup_printf(w->pinfo->pool, "Key [%u]", e->index);
    case VARIANT_ENTRY_VALUE:
        return w->key_text;
    case VARIANT_PROPERTY:
        return short_string(w, &e->name);
    default:
        return w->label ? w->label : "Value";
    }
}

/* --- a value ----------------------------------------------------------------------------------------------
 */

static proto_item *add_item(const walk *w, proto_tree *tree, const variant_event *e)
{
    int hf = hf_value[e->type], offset = (int)(w->base + e->offset), length = (int)e->length;

    switch (e->type) {
    case VARIANT_BOOL:
        return proto_tree_add_boolean(tree, hf, w->tvb, offset, length, e->value.b);
    case VARIANT_INT:
        return proto_tree_add_int64(tree, hf, w->tvb, offset, length, e->value.i);
    case VARIANT_FLOAT:
        return proto_tree_add_double(tree, hf, w->tvb, offset, length, readable(e->value.f, !e->wide));
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        return proto_tree_add_string(tree, hf, w->tvb, offset, length, string_value(w, &e->text));
    case VARIANT_NODE_PATH:
        return proto_tree_add_string(tree, hf, w->tvb, offset, length, path_value(w, e));
    case VARIANT_RID:
        return proto_tree_add_uint64(tree, hf, w->tvb, offset, length, e->value.id);
    case VARIANT_PACKED_BYTE_ARRAY:
        return proto_tree_add_bytes_with_length(tree, hf, w->tvb, offset, length, w->bytes + e->data_offset,
                                                (int)e->data_length);
    default: /* a container's length is set at its end */
        return proto_tree_add_string(tree, hf, w->tvb, offset, length,
                                     proto_field_is_referenced(tree, hf) ? value_text(w, e) : "");
    }
}

/* The item and its label, without what is below it. */
static proto_tree *add_labelled(const walk *w, proto_tree *parent, const variant_event *e, const char *label)
{
    proto_item *item = add_item(w, parent, e);

    if (w->visible) {
        char text[LABEL_SIZE];
        size_t before = strlen(label) + strlen(": ");
        write_value(w, e, text, LABEL_SIZE - MIN(before, LABEL_SIZE / 2));
        proto_item_set_text(item, "%s: %s", label, utf8_one_line(text));
    }
    return proto_item_add_subtree(item, ett_value);
}

static void hide_if(const walk *w, bool hide, proto_item *item)
{
    if (hide && w->visible) { /* an item of an invisible tree may be its parent */
        proto_item_set_hidden(item);
    }
}

static void add_dialect(const walk *w, proto_tree *tree, bool hide)
{
    proto_item *item =
        proto_tree_add_string(tree, hf_dialect, w->tvb, (int)w->base, 0, dialect_names[w->options.dialect]);
    if (w->visible) {
        proto_item_set_generated(item);
    }
    hide_if(w, hide, item);
}

/* A value of one row: what is below it says how it is encoded and is hidden, but there for filters. */
static bool is_simple(const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);
    return facts->component_count == 0 && !facts->packed && e->type != VARIANT_SIGNAL &&
           e->type != VARIANT_IMAGE && e->type != VARIANT_INPUT_EVENT;
}

/* How the value is encoded: after what it is. */
static void add_header(const walk *w, proto_tree *tree, const variant_event *e, bool hide)
{
    int offset = (int)(w->base + e->offset);

    hide_if(w, hide, proto_tree_add_string(tree, hf_type, w->tvb, offset, 1, variant_type_name(e->type)));
    hide_if(w, hide, proto_tree_add_uint(tree, hf_type_id, w->tvb, offset, 1, e->type_id));
    if (e->wide) {
        hide_if(
            w, hide,
            proto_tree_add_boolean(tree, hf_wide, w->tvb, offset + (e->header_length == 4 ? 2 : 0), 1, 1));
    }
    if (e->depth == 0) {
        add_dialect(w, tree, hide);
    }
}

/* What is below the item of a value, containers' children excepted. */
static void add_parts(walk *w, proto_tree *tree, const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);

    if (facts->packed || facts->container || (e->type == VARIANT_OBJECT && e->kind == VARIANT_BEGIN)) {
        proto_tree_add_uint(tree, hf_count, w->tvb, (int)(w->base + e->count_offset), 4, e->count);
    }
    if (facts->packed) {
        add_packed_elements(w, tree, e);
    } else if (facts->component_count > 0) {
        add_components(w, tree, e);
    }

    switch (e->type) {
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        hide_if(w, true,
                proto_tree_add_uint(tree, hf_length, w->tvb, (int)(w->base + e->text.offset), 4,
                                    e->text.wire_length));
        break;
    case VARIANT_NODE_PATH:
        add_path(w, tree, e);
        break;
    case VARIANT_OBJECT:
        if (e->kind == VARIANT_BEGIN) {
            add_string(w, tree, hf_object_class, &e->text);
        } else {
            add_object_id(w, tree, e);
        }
        break;
    case VARIANT_SIGNAL:
        add_string(w, tree, hf_signal_name, &e->text);
        add_object_id(w, tree, e);
        break;
    case VARIANT_DICTIONARY:
        add_type_info(w, tree, hf_key_type, &e->key_type);
        add_type_info(w, tree, hf_element_type, &e->element_type);
        break;
    case VARIANT_ARRAY:
        add_type_info(w, tree, hf_element_type, &e->element_type);
        break;
    case VARIANT_IMAGE:
        add_image(w, tree, e);
        break;
    case VARIANT_INPUT_EVENT:
        add_input_event(w, tree, e);
        break;
    default:
        break;
    }
    if (e->kind == VARIANT_VALUE) {
        add_padding(w, tree, e->offset + e->length - e->padding, e->padding);
    }
}

/* The whole value once more under a name that does not depend on its type; the row of the value shows it already. */
static void add_text(walk *w, proto_tree *tree)
{
    if (!proto_field_is_referenced(tree, hf_text)) {
        return;
    }
    const variant_event root = {.kind = VARIANT_BEGIN};
    proto_item *item = proto_tree_add_string(tree, hf_text, w->tvb, (int)w->base, 0, value_text(w, &root));
    if (w->visible) {
        proto_item_set_generated(item);
        proto_item_set_hidden(item);
    }
}

/* A value of any kind with everything that is known when its event comes. */
static proto_tree *add_value(walk *w, proto_tree *parent, const variant_event *e, const char *label)
{
    proto_tree *tree = add_labelled(w, parent, e, label);

    if (e->role == VARIANT_ENTRY_VALUE && w->leaf_key) {
        add_value(w, tree, &w->key, "Key");
    }
    if (e->role == VARIANT_PROPERTY) {
        add_string(w, tree, hf_property, &e->name);
    }
    if (e->depth == 0) {
        w->root = tree;
        add_text(w, tree);
    }
    if (e->kind == VARIANT_BEGIN) { /* what follows its children is far away */
        add_header(w, tree, e, true);
    }
    add_parts(w, tree, e);
    if (e->kind == VARIANT_VALUE) {
        add_header(w, tree, e, is_simple(e));
    }
    return tree;
}

/* --- findings ------------------------------------------------------------------------------------------- */

static const char *consequence(const walk *w, variant_verdict verdict)
{
    const char *engine = variant_dialect_name(
        w->options.dialect == VARIANT_GODOT4_MANUAL ? VARIANT_GODOT4 : w->options.dialect);

    if (VARIANT_REJECTS(verdict)) {
        return wmem_strdup_printf(w->pinfo->pool, "%s rejects the value: %s", engine,
                                  variant_verdict_name(verdict));
    }
    return wmem_strdup_printf(w->pinfo->pool,
                              verdict == VARIANT_TOLERATED ? "%s tolerates it" : "%s ignores it", engine);
}

/* Where not even the type can be read: an item to say so. */
static void add_invalid(walk *w, const variant_event *e)
{
    proto_item *item =
        proto_tree_add_none_format(w->top, hf_invalid, w->tvb, (int)w->base, (int)w->length, "%s: <%s>",
                                   w->label ? w->label : "Value", variant_problem_facts(e->problem)->name);
    w->root = w->here = proto_item_add_subtree(item, ett_value);
    add_text(w, w->root);
    if (e->type != VARIANT_INVALID) {
        variant_event value = *e;
        value.offset = e->value_offset;
        add_header(w, w->root, &value, false);
    } else {
        add_dialect(w, w->root, false);
    }
}

static bool caused_by_cut(const walk *w, const variant_event *e)
{
    return w->cut && (e->fatal || e->problem == VARIANT_PROBLEM_PADDING_MISSING);
}

static void add_finding(walk *w, const variant_event *e)
{
    w->fatal = w->fatal || e->fatal;
    if (caused_by_cut(w, e)) {
        return;
    }
    if (w->building && !w->root) {
        add_invalid(w, e);
    }
    w->problems++;

    uint32_t offset = MIN(e->offset, w->length);
    uint32_t length = MIN(e->length, w->length - offset);
    const char *name = variant_problem_facts(e->problem)->name,
               *text = variant_problem_facts(e->problem)->text;
    if (w->problems > MAX_PROBLEMS) {
        if (w->problems == MAX_PROBLEMS + 1) {
            expert_add_info(w->pinfo, proto_tree_get_parent(w->root ? w->root : w->top), &ei_more_problems);
        }
        return;
    }
    const char *verdict = consequence(w, e->verdict);
    proto_item *item = proto_tree_add_string_format(w->here, hf_problem, w->tvb, (int)(w->base + offset),
                                                    (int)length, name, "Problem: %s", name);
    expert_add_info_format(w->pinfo, item, &ei_problem[e->problem], "%s. %s", text, verdict);
}

static bool is_script(const walk *w, const variant_event *e)
{
    static const char script[] = "script";

    return e->role == VARIANT_PROPERTY && e->type == VARIANT_STRING &&
           e->name.text_length == strlen(script) &&
           memcmp(w->bytes + e->name.text_offset, script, strlen(script)) == 0;
}

/* Where a receiver allows objects, a full Object runs code there: its class's and its script's. */
static void warn_of_object(walk *w, const variant_event *e)
{
    bool object = e->kind == VARIANT_BEGIN && e->type == VARIANT_OBJECT;

    if (!object && !is_script(w, e)) {
        return;
    }
    if (w->objects++ >= MAX_PROBLEMS) {
        return;
    }
    if (object) {
        expert_add_info_format(w->pinfo, w->here, &ei_object_code,
                               "Full object of class %s: a receiver that allows objects creates it",
                               short_string(w, &e->text));
    } else if (w->hidden_depth >= 0 && w->hidden_depth < e->depth - 1) { /* the object is not shown */
        expert_add_info_format(w->pinfo, w->here, &ei_object_code,
                               "Object with the script %s: a receiver that allows objects runs it",
                               short_string(w, &e->text));
    } else {
        expert_add_info_format(
            w->pinfo, w->here, &ei_object_code,
            "Object of class %s with the script %s: a receiver that allows objects runs it",
            short_string(w, &w->levels[e->depth - 1].class_name), short_string(w, &e->text));
    }
}

/* --- the walk ---------------------------------------------------------------------------------------------
 */

/* Children of an open container are shown until one of the limits is reached. */
static bool may_show(const walk *w, const variant_event *e)
{
    return e->depth == 0 ||
           (e->depth <= w->max_depth && e->index < godot_variant_max_elements && !too_many_items(w));
}

static void hide_from(walk *w, const variant_event *e)
{
    w->hidden_depth = e->depth - 1;
    w->hidden_count = 0;
    w->hidden_from = w->has_key ? w->key.offset : e->role == VARIANT_PROPERTY ? e->name.offset : e->offset;
    w->here = w->levels[w->hidden_depth].tree;
}

static void count_hidden(walk *w, const variant_event *e)
{
    if (e->depth == w->hidden_depth + 1 && e->role != VARIANT_KEY) {
        w->hidden_count++;
    }
}

/* Keeps a key until its value comes: that is labelled by it. */
static void keep_key(walk *w, const variant_event *key)
{
    w->has_key = true;
    w->leaf_key = key->kind == VARIANT_VALUE;
    w->key = *key;
    if (!w->visible) {
        return;
    }
    if (w->leaf_key) {
        variant_event_text(w->bytes, key, w->key_text, sizeof w->key_text);
    } else {
        variant_text(w->bytes + key->offset, key->length, w->options, w->key_text, sizeof w->key_text, NULL);
    }
    utf8_one_line(w->key_text);
}

static void begin_or_value(walk *w, const variant_event *e)
{
    if (e->depth == 0) {
        w->type = e->type;
    }
    if (w->hidden_depth < 0 && !may_show(w, e)) {
        hide_from(w, e);
    }
    if (w->hidden_depth >= 0) {
        count_hidden(w, e);
    } else if (e->role == VARIANT_KEY && e->kind == VARIANT_VALUE) {
        w->here = parent_tree(w, e->depth);
        keep_key(w, e);
        return;
    } else {
        w->here = w->building ? add_value(w, parent_tree(w, e->depth), e, label_of(w, e)) : w->top;
        if (e->kind == VARIANT_BEGIN) {
            w->levels[e->depth].tree = w->here;
            if (e->type == VARIANT_OBJECT) {
                w->levels[e->depth].class_name = e->text;
            }
        }
    }
    w->has_key = w->leaf_key = false;
    warn_of_object(w, e);
}

static void end(walk *w, const variant_event *e)
{
    if (w->hidden_depth > e->depth) { /* cannot be: its own END comes first */
        w->hidden_depth = -1;
    }
    if (w->hidden_depth >= 0 && w->hidden_depth < e->depth) {
        return;
    }
    proto_tree *tree = w->levels[e->depth].tree;
    uint32_t to = MIN(e->offset + e->length, w->length);
    if (w->hidden_depth >= 0 && to > w->hidden_from && w->building) {
        add_more(w, tree, w->hidden_from, to - w->hidden_from, w->hidden_count);
    }
    w->hidden_depth = -1;
    w->has_key = w->leaf_key = false;
    if (w->visible) {
        proto_item_set_len(proto_tree_get_parent(tree), (int)(to - e->offset));
    }
    if (e->role == VARIANT_KEY) {
        keep_key(w, e);
    }
    w->here = parent_tree(w, e->depth);
}

static void handle(walk *w, const variant_event *e)
{
    switch (e->kind) {
    case VARIANT_VALUE:
    case VARIANT_BEGIN:
        begin_or_value(w, e);
        break;
    case VARIANT_END:
        end(w, e);
        break;
    case VARIANT_FINDING:
        add_finding(w, e);
        break;
    }
}

/* How many nested containers fit into the tree below `tree`. */
static unsigned depth_left(const proto_tree *tree)
{
    unsigned depth = DEPTH_RESERVE;

    for (; tree; tree = tree->parent) {
        depth++;
    }
    return depth < prefs.gui_max_tree_depth ? MIN(MAX_LEVELS, prefs.gui_max_tree_depth - depth) : 0;
}

godot_variant_result godot_variant_add(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, unsigned offset,
                                       unsigned length, variant_options options, const char *label,
                                       const char **text, size_t text_size)
{
    int captured = tvb_captured_length_remaining(tvb, (int)offset);
    int reported = tvb_reported_length_remaining(tvb, (int)offset);
    walk w = {.tvb = tvb, .pinfo = pinfo, .top = tree, .base = offset, .options = options, .label = label};
    level levels[MAX_LEVELS + 1]; /* not in `w`, which is cleared */
    variant_decoder decoder;
    variant_event event;

    w.levels = levels;
    w.length = MIN(MIN(length, (unsigned)MAX(captured, 0)), VARIANT_MAX_LENGTH);
    w.cut = w.length < MIN(length, (unsigned)MAX(reported, 0));
    w.bytes = w.length > 0 ? tvb_get_ptr(tvb, (int)offset, (int)w.length) : (const uint8_t *)"";
    w.building = proto_field_is_referenced(tree, proto_godot_variant);
    w.visible = w.building && PTREE_DATA(tree)->visible;
    w.max_depth = depth_left(tree);
    w.type = VARIANT_INVALID;
    w.hidden_depth = -1;
    w.here = tree;

    variant_init(&decoder, w.bytes, w.length, options);
    while (variant_next(&decoder, &event)) {
        handle(&w, &event);
    }
    if (text) {
        char *written = (char *)wmem_alloc(pinfo->pool, text_size);
        variant_text(w.bytes, w.length, options, written, text_size, NULL);
        *text = utf8_one_line(written);
    }
    if (w.cut && w.fatal) {
        tvb_ensure_bytes_exist(tvb, (int)offset, (int)length);
    }
    if (decoder.rejected && w.root) {
        proto_item *item =
            proto_tree_add_string(w.root, hf_error, tvb, (int)offset, 0, variant_verdict_name(decoder.error));
        if (w.visible) {
            proto_item_set_generated(item);
        }
    }
    return (godot_variant_result){
        .consumed = w.fatal ? 0 : decoder.position,
        .type = w.type,
        .error = decoder.rejected ? decoder.error : VARIANT_IGNORED,
    };
}

/* --- registration ------------------------------------------------------------------------------------------
 */

static void register_field(int *hf, const char *name, const char *abbreviation, enum ftenum type, int base)
{
    hf_register_info *info = wmem_new(wmem_epan_scope(), hf_register_info);

    *info = (hf_register_info){hf, {name, abbreviation, type, base, NULL, 0, NULL, HFILL}};
    *hf = -1;
    proto_register_field_array(proto_godot_variant, info, 1);
}

static void register_type_fields(void)
{
    for (int type = 0; type < VARIANT_TYPE_COUNT; type++) {
        const variant_type_info *facts = variant_type_facts((variant_type)type);
        bool whole = facts->component_kind == VARIANT_INT32;

        register_field(&hf_value[type], facts->name, filter_name(COMPONENT_PREFIX, facts->name, NULL),
                       value_fields[type].type == FT_NONE ? FT_STRING : value_fields[type].type,
                       value_fields[type].base);
        for (int i = 0; facts->component_names && i < facts->component_count; i++) {
            register_field(&hf_component[type][i], facts->component_names[i],
                           filter_name(COMPONENT_PREFIX, facts->name, facts->component_names[i]),
                           whole ? FT_INT32 : FT_DOUBLE, whole ? BASE_DEC : BASE_NONE);
        }
    }
}

void godot_variant_register_fields(int proto)
{
    static hf_register_info hf[] = {
        {&hf_type, {"Type", "godot.variant.type", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_type_id, {"Type id", "godot.variant.type_id", FT_UINT8, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_wide,
         {"64-bit numbers", "godot.variant.wide", FT_BOOLEAN, BASE_NONE, NULL, 0,
          "64-bit int or float, or math type of an engine built with double precision", HFILL}},
        {&hf_dialect,
         {"Dialect", "godot.variant.dialect", FT_STRING, BASE_NONE, NULL, 0, "Which table of types was used",
          HFILL}},
        {&hf_text,
         {"Text", "godot.variant.text", FT_STRING, BASE_NONE, NULL, 0, "The value as GDScript would print it",
          HFILL}},
        {&hf_error,
         {"Error", "godot.variant.error", FT_STRING, BASE_NONE, NULL, 0,
          "The error with which the engine rejects the value", HFILL}},
        {&hf_problem, {"Problem", "godot.variant.problem", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_invalid, {"Invalid value", "godot.variant.invalid", FT_NONE, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_length, {"Length", "godot.variant.length", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_count, {"Count", "godot.variant.count", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_padding, {"Padding", "godot.variant.padding", FT_BYTES, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_row, {"Row", "godot.variant.row", FT_NONE, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_more, {"Values not shown", "godot.variant.more", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_key_type, {"Key type", "godot.variant.key_type", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_element_type,
         {"Element type", "godot.variant.element_type", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_property, {"Property", "godot.variant.property", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_object_id, {"Object id", "godot.variant.object.id", FT_INT64, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_object_class,
         {"Class", "godot.variant.object.class", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_signal_name,
         {"Signal name", "godot.variant.signal.name", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_path_name, {"Name", "godot.variant.node_path.name", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_path_subname,
         {"Sub-name", "godot.variant.node_path.subname", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_path_absolute,
         {"Absolute", "godot.variant.node_path.absolute", FT_BOOLEAN, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_image_format,
         {"Format", "godot.variant.image.format", FT_UINT32, BASE_DEC, VALS(image_formats), 0, NULL, HFILL}},
        {&hf_image_mipmaps,
         {"Mipmaps", "godot.variant.image.mipmaps", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_image_width, {"Width", "godot.variant.image.width", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_image_height,
         {"Height", "godot.variant.image.height", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_image_data, {"Pixels", "godot.variant.image.data", FT_BYTES, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_event_type,
         {"Event type", "godot.variant.input_event.type", FT_UINT32, BASE_DEC, VALS(input_event_types), 0,
          NULL, HFILL}},
        {&hf_event_device,
         {"Device", "godot.variant.input_event.device", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_event_length,
         {"Event length", "godot.variant.input_event.length", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_event_number,
         {"Number", "godot.variant.input_event.number", FT_UINT32, BASE_DEC, NULL, 0,
          "Modifiers and scancode, button, touch index or axis", HFILL}},
        {&hf_event_axis_value,
         {"Axis value", "godot.variant.input_event.axis_value", FT_FLOAT, BASE_NONE, NULL, 0, NULL, HFILL}},
    };
    static int *ett[] = {&ett_value, &ett_row, &ett_string};
    static ei_register_info ei[] = {
        {&ei_more_problems,
         {"godot.variant.more_problems", PI_UNDECODED, PI_NOTE, "More problems in this value are not shown",
          EXPFILL}},
        {&ei_not_shown,
         {"godot.variant.not_shown", PI_UNDECODED, PI_NOTE,
          "Values are not shown one by one (preference godot.variant.max_elements, or too many items)",
          EXPFILL}},
        {&ei_object_code,
         {"godot.variant.object.code", PI_SECURITY, PI_WARN,
          "A full object: a receiver that allows objects runs its code", EXPFILL}},
    };

    proto_godot_variant = proto;
    proto_register_field_array(proto, hf, array_length(hf));
    register_type_fields();
    proto_register_subtree_array(ett, array_length(ett));
    expert_module_t *module = expert_register_protocol(proto);
    expert_register_field_array(module, ei, array_length(ei));
    register_problems(module, PROBLEM_PREFIX, variant_problem_facts((variant_problem)0), ei_problem,
                      VARIANT_PROBLEM_COUNT);
}
