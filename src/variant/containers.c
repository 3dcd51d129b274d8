/* containers.c
 *
 * Variants with children: Array, Dictionary, full Object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/reader.h"

#include "base/utf8.h"

/* Counts of Dictionaries and Arrays are not compared with the length: the elements that are present can be
 * read. */
static bool read_container_count(variant_decoder *d, variant_event *e)
{
    e->count_offset = d->position;
    if (!read_u32(d, &e->count)) {
        return false;
    }
    if ((e->count & SHARED_FLAG) && !d->facts->shared_flag) {
        variant_report(d, VARIANT_PROBLEM_SHARED_FLAG, e->count_offset, 4);
    }
    e->count &= ~SHARED_FLAG;
    e->data_offset = d->position;
    return true;
}

/* Type of a typed container's elements, keys or values. */
static bool read_container_type(variant_decoder *d, variant_container_type *t, uint32_t kind)
{
    set_untyped(t);
    if (kind == VARIANT_UNTYPED) {
        return true;
    }

    t->kind = (variant_container_kind)kind;
    t->offset = d->position;
    if (kind == VARIANT_TYPED_BUILTIN) {
        if (!read_u32(d, &t->type_id)) {
            return false;
        }
        t->type = variant_type_of_id(d->options.dialect, t->type_id);
        if (t->type == VARIANT_INVALID) {
            variant_report(d, VARIANT_PROBLEM_CONTAINER_TYPE, t->offset, 4);
        }
    } else {
        if (!variant_read_string(d, &t->name, 0)) {
            return false;
        }
        t->type = VARIANT_OBJECT;
        /* The reader checks names only if it may create objects, and then only scripts can be wrong. */
        if (kind == VARIANT_TYPED_SCRIPT && !variant_text_begins(d, &t->name, "res://")) {
            variant_report_as(d, VARIANT_PROBLEM_CONTAINER_TYPE,
                              d->options.objects_allowed ? VARIANT_ERR_INVALID_DATA : VARIANT_IGNORED,
                              t->offset, d->position - t->offset);
        }
    }
    t->length = d->position - t->offset;
    return true;
}

bool variant_read_array(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    uint32_t kinds = e->header & layout->flags;
    if (!read_container_type(d, &e->element_type, (kinds & HEADER_KEY_KIND) >> HEADER_KEY_SHIFT) ||
        !read_container_count(d, e)) {
        return false;
    }
    variant_level *level = open_level(d, e, VARIANT_ELEMENT);
    level->want[0] = (uint8_t)e->element_type.type;
    level->plain = level->plain && kinds == 0;
    return true;
}

bool variant_read_dictionary(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    uint32_t kinds = e->header & layout->flags;
    if (!read_container_type(d, &e->key_type, (kinds & HEADER_KEY_KIND) >> HEADER_KEY_SHIFT) ||
        !read_container_type(d, &e->element_type, (kinds & HEADER_VALUE_KIND) >> HEADER_VALUE_SHIFT) ||
        !read_container_count(d, e)) {
        return false;
    }
    variant_level *level = open_level(d, e, VARIANT_KEY);
    level->want[0] = (uint8_t)e->key_type.type;
    level->want[1] = (uint8_t)e->element_type.type;
    level->plain = level->plain && kinds == 0;
    return true;
}

/* In the compact form the engine writes a null Object as its header alone. A class name after that would
 * make it a full object; an empty one does not, since the engine never sends it. */
static bool is_compact_null(const variant_decoder *d, const variant_event *e)
{
    if (!e->compact || e->header != e->type_id) {
        return false;
    }
    if (bytes_left(d) < 4) {
        return true;
    }
    uint32_t length = le32(here(d));
    return length > bytes_left(d) - 4 || !is_identifier(here(d) + 4, length, IDENTIFIER_ASCII);
}

static bool read_full_object(variant_decoder *d, variant_event *e)
{
    if (!d->options.objects_allowed) {
        variant_report(d, VARIANT_PROBLEM_FULL_OBJECT, e->offset, 4);
    }
    if (!variant_read_string(d, &e->text, 0)) {
        return false;
    }
    if (e->text.text_length == 0) { /* null */
        e->value.id = 0;
        e->data_length = d->position - e->data_offset;
        return true;
    }
    if (!is_identifier(d->bytes + e->text.text_offset, e->text.text_length, IDENTIFIER_ASCII)) {
        variant_report_as(d, VARIANT_PROBLEM_OBJECT_CLASS,
                          d->options.dialect == VARIANT_GODOT3 ? VARIANT_ERR_UNAVAILABLE
                                                               : VARIANT_ERR_INVALID_DATA,
                          e->text.offset, e->text.length);
    }
    if (!variant_read_loop_count(d, e)) {
        return false;
    }
    open_level(d, e, VARIANT_PROPERTY);
    return true;
}

bool variant_read_object(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    if (e->header & layout->flags & HEADER_AS_ID) {
        return variant_read_id(d, e);
    }
    if (!is_compact_null(d, e)) {
        return read_full_object(d, e);
    }
    variant_report_as(d, VARIANT_PROBLEM_COMPACT_NULL_OBJECT,
                      d->options.objects_allowed ? VARIANT_ERR_INVALID_DATA : VARIANT_ERR_UNAUTHORIZED,
                      e->offset, 4);
    e->value.id = 0;
    e->data_length = 0;
    return true;
}
