/* value.c
 *
 * The item of one value: its field, its label, and how it is encoded.
 *
 * An item covers exactly the bytes of its value. Its label is the key, index or property name in the
 * container.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/walk.h"

#include "base/columns.h"

#define MAX_TEXT        (1u << 20) /* bytes of a top-level value's text */
#define MAX_NESTED_TEXT 2000u      /* bytes of the text of a value inside of others */
#define LABEL_SIZE      240        /* Wireshark cuts labels there */

/* --- text and labels ----------------------------------------------------------------------------- */

/* Types whose field is something else than their text. */
static const bool has_own_field[VARIANT_TYPE_COUNT] = {
    [VARIANT_BOOL] = true,        [VARIANT_INT] = true,
    [VARIANT_FLOAT] = true,       [VARIANT_STRING] = true,
    [VARIANT_STRING_NAME] = true, [VARIANT_NODE_PATH] = true,
    [VARIANT_RID] = true,         [VARIANT_PACKED_BYTE_ARRAY] = true};

/* No type needs more than eight characters a byte; unused memory is freed. */
static size_t room_for(uint64_t bytes, size_t limit)
{
    return (size_t)MIN(limit, 8 * bytes + 256);
}

/* A value of `bytes` bytes from the pool, at most `limit` of its text. `first`: its VALUE or BEGIN, or the
 * FINDING in its place; `cursor` is after that. */
static const char *text_of(const variant_walk *w, const variant_event *first, variant_cursor *cursor,
                           uint64_t bytes, size_t limit)
{
    size_t size = room_for(bytes, limit);
    char *text = wmem_alloc(w->pinfo->pool, size);
    variant_writer writer;

    variant_writer_init(&writer, text, size, w->length);
    variant_writer_add(&writer, w->bytes, first);
    while (first->kind == VARIANT_BEGIN && !writer.cut) { /* until its END, which always comes */
        const variant_event *e = variant_cursor_next(cursor);
        variant_writer_add(&writer, w->bytes, e);
        if (e->kind == VARIANT_END && e->depth == first->depth) {
            break;
        }
    }
    return wmem_realloc(w->pinfo->pool, text, variant_writer_end(&writer) + 1);
}

/* All events: findings may come before the value. */
const char *walk_whole_text(const variant_walk *w)
{
    size_t size = room_for(w->length, MAX_TEXT);
    char *text = wmem_alloc(w->pinfo->pool, size);
    variant_cursor cursor;
    variant_writer writer;
    const variant_event *event;

    variant_cursor_begin(&cursor, w->value);
    variant_writer_init(&writer, text, size, w->length);
    while (!writer.cut && (event = variant_cursor_next(&cursor))) {
        variant_writer_add(&writer, w->bytes, event);
    }
    return wmem_realloc(w->pinfo->pool, text, variant_writer_end(&writer) + 1);
}

/* The value as GDScript would print it, from the pool: as much of it as a field may have. */
static const char *value_text(const variant_walk *w, const variant_event *e)
{
    variant_cursor cursor;

    if (w->value->whole && e->depth == 0 && e->offset == 0) {
        return w->value->whole;
    }
    variant_cursor_copy(&cursor, w->cursor);
    return text_of(w, e, &cursor, e->kind == VARIANT_VALUE ? e->length : w->length - e->offset,
                   e->depth == 0 ? MAX_TEXT : MAX_NESTED_TEXT);
}

/* The role of the value in its container. */
const char *walk_label_of(const variant_walk *w, const variant_event *e)
{
    switch (e->role) {
    case VARIANT_ELEMENT:
        return wmem_strdup_printf(w->pinfo->pool, "[%u]", e->index);
    case VARIANT_KEY:
        return wmem_strdup_printf(w->pinfo->pool, "Key [%u]", e->index);
    case VARIANT_ENTRY_VALUE:
        return w->key_text;
    case VARIANT_PROPERTY:
        return walk_short_string(w, &e->name);
    default:
        return w->label ? w->label : "Value";
    }
}

/* --- a value ------------------------------------------------------------------------------------- */

/* `text`: of a type whose field it is. */
static proto_item *add_item(const variant_walk *w, proto_tree *tree, const variant_event *e, const char *text)
{
    int hf = hf_variant_value[e->type], offset = (int)(w->base + e->offset), length = (int)e->length;

    switch (e->type) {
    case VARIANT_BOOL:
        return proto_tree_add_boolean(tree, hf, w->tvb, offset, length, e->value.b);
    case VARIANT_INT:
        return proto_tree_add_int64(tree, hf, w->tvb, offset, length, e->value.i);
    case VARIANT_FLOAT:
        return proto_tree_add_double(tree, hf, w->tvb, offset, length, walk_readable(e->value.f, !e->wide));
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        return proto_tree_add_string(tree, hf, w->tvb, offset, length, walk_string_value(w, &e->text));
    case VARIANT_NODE_PATH:
        return proto_tree_add_string(tree, hf, w->tvb, offset, length, walk_path_value(w, e));
    case VARIANT_RID:
        return proto_tree_add_uint64(tree, hf, w->tvb, offset, length, e->value.id);
    case VARIANT_PACKED_BYTE_ARRAY:
        return proto_tree_add_bytes_with_length(tree, hf, w->tvb, offset, length, w->bytes + e->data_offset,
                                                (int)e->data_length);
    default: /* a container's length is set at its end */
        return proto_tree_add_string(tree, hf, w->tvb, offset, length, text);
    }
}

/* The item and its label, without the items below it. */
proto_tree *walk_add_labelled(const variant_walk *w, proto_tree *parent, const variant_event *e,
                              const char *label)
{
    bool wanted = !has_own_field[e->type] && proto_field_is_referenced(parent, hf_variant_value[e->type]);
    const char *value = wanted ? value_text(w, e) : "";
    proto_item *item = add_item(w, parent, e, value);

    if (w->visible) {
        char text[LABEL_SIZE];
        size_t room = LABEL_SIZE - MIN(strlen(label) + strlen(": "), LABEL_SIZE / 2);
        if (wanted) {
            variant_text_cut(value, text, room);
        } else {
            variant_event_text(w->bytes, e, text, room);
        }
        proto_item_set_text(item, "%s: %s", label, utf8_one_line(text));
    }
    return proto_item_add_subtree(item, ett_variant_value);
}

static void hide_if(const variant_walk *w, bool hide, proto_item *item)
{
    if (hide && w->visible) { /* an item of an invisible tree may be its parent */
        proto_item_set_hidden(item);
    }
}

void walk_add_dialect(const variant_walk *w, proto_tree *tree, bool hide)
{
    proto_item *item = proto_tree_add_string(tree, hf_variant_dialect, w->tvb, (int)w->base, 0,
                                             variant_dialect_key(w->options.dialect));
    if (w->visible) {
        proto_item_set_generated(item);
    }
    hide_if(w, hide, item);
}

/* A value of one row: the items below it, about its encoding, are hidden, but can be used in filters. */
static bool is_simple(const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);
    return facts->component_count == 0 && !facts->packed && e->type != VARIANT_SIGNAL &&
           e->type != VARIANT_IMAGE && e->type != VARIANT_INPUT_EVENT;
}

/* The encoding of the value, below its content. */
void walk_add_header(const variant_walk *w, proto_tree *tree, const variant_event *e, bool hide)
{
    int offset = (int)(w->base + e->offset);

    hide_if(w, hide,
            proto_tree_add_string(tree, hf_variant_type, w->tvb, offset, 1, variant_type_name(e->type)));
    hide_if(w, hide, proto_tree_add_uint(tree, hf_variant_type_id, w->tvb, offset, 1, e->type_id));
    if (e->wide) {
        hide_if(w, hide,
                proto_tree_add_boolean(tree, hf_variant_wide, w->tvb,
                                       offset + (e->header_length == 4 ? 2 : 0), 1, 1));
    }
    if (e->depth == 0) {
        walk_add_dialect(w, tree, hide);
    }
}

/* The items below that of a value, except for the children of containers. */
static void add_parts(variant_walk *w, proto_tree *tree, const variant_event *e)
{
    const variant_type_info *facts = variant_type_facts(e->type);

    if (facts->packed || facts->container || (e->type == VARIANT_OBJECT && e->kind == VARIANT_BEGIN)) {
        proto_tree_add_uint(tree, hf_variant_count, w->tvb, (int)(w->base + e->count_offset), 4, e->count);
    }
    if (facts->packed) {
        walk_add_packed_elements(w, tree, e);
    } else if (facts->component_count > 0) {
        walk_add_components(w, tree, e);
    }

    switch (e->type) {
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        hide_if(w, true,
                proto_tree_add_uint(tree, hf_variant_length, w->tvb, (int)(w->base + e->text.offset), 4,
                                    e->text.wire_length));
        break;
    case VARIANT_NODE_PATH:
        walk_add_path(w, tree, e);
        break;
    case VARIANT_OBJECT:
        if (e->kind == VARIANT_BEGIN) {
            walk_add_string(w, tree, hf_variant_object_class, &e->text);
        } else {
            walk_add_object_id(w, tree, e);
        }
        break;
    case VARIANT_SIGNAL:
        walk_add_string(w, tree, hf_variant_signal_name, &e->text);
        walk_add_object_id(w, tree, e);
        break;
    case VARIANT_DICTIONARY:
        walk_add_type_info(w, tree, hf_variant_key_type, &e->key_type);
        walk_add_type_info(w, tree, hf_variant_element_type, &e->element_type);
        break;
    case VARIANT_ARRAY:
        walk_add_type_info(w, tree, hf_variant_element_type, &e->element_type);
        break;
    case VARIANT_IMAGE:
        walk_add_image(w, tree, e);
        break;
    case VARIANT_INPUT_EVENT:
        walk_add_input_event(w, tree, e);
        break;
    default:
        break;
    }
    if (e->kind == VARIANT_VALUE) {
        walk_add_padding(w, tree, e->offset + e->length - e->padding, e->padding);
    }
}

/* The whole value once more under a name that does not depend on its type; the row of the value shows it
 * already. */
void walk_add_text(variant_walk *w, proto_tree *tree)
{
    if (!proto_field_is_referenced(tree, hf_variant_text)) {
        return;
    }
    proto_item *item = proto_tree_add_string(tree, hf_variant_text, w->tvb, (int)w->base, 0, w->value->whole);
    if (w->visible) {
        proto_item_set_generated(item);
        proto_item_set_hidden(item);
    }
}

/* A value of any kind with everything that is known when its event comes. */
proto_tree *walk_add_value(variant_walk *w, proto_tree *parent, const variant_event *e, const char *label)
{
    proto_tree *tree = walk_add_labelled(w, parent, e, label);

    if (e->role == VARIANT_ENTRY_VALUE && w->leaf_key) {
        walk_add_value(w, tree, &w->key, "Key");
    }
    if (e->role == VARIANT_PROPERTY) {
        walk_add_string(w, tree, hf_variant_property, &e->name);
    }
    if (e->depth == 0) {
        w->root = tree;
        walk_add_text(w, tree);
    }
    if (e->kind == VARIANT_BEGIN) { /* before its children */
        walk_add_header(w, tree, e, true);
    }
    add_parts(w, tree, e);
    if (e->kind == VARIANT_VALUE) {
        walk_add_header(w, tree, e, is_simple(e));
    }
    return tree;
}
