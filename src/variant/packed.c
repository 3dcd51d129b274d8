/* packed.c
 *
 * Packed arrays and the images and input events of Godot 2, see reader.h; the numbers in packed arrays and
 * math types, see variant.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "variant/reader.h"

/* Packed arrays with a 64-bit count exist only in the manual's text (for PackedInt64Array), which contradicts
 * itself there: such an array is recognised only if it fills the data exactly. */
static bool has_long_count(const variant_decoder *d, const variant_event *e)
{
    return d->facts->long_int64_counts && e->type == VARIANT_PACKED_INT64_ARRAY && e->depth == 0 &&
           bytes_left(d) >= 4 && le32(here(d)) == 0 && bytes_left(d) == 4 + (uint64_t)e->count * 8;
}

bool variant_read_packed(variant_decoder *d, variant_event *e, const variant_layout *layout)
{
    e->wide = (e->header & layout->flags & HEADER_FLAG_64) != 0;
    e->element_size = (uint32_t)layout->size << e->wide;
    e->count_offset = d->position;
    if (!read_u32(d, &e->count)) {
        return false;
    }
    if (has_long_count(d, e)) {
        d->position += 4;
    }
    uint64_t size = (uint64_t)e->count * e->element_size;
    if (size > bytes_left(d)) {
        return variant_fail(d, VARIANT_PROBLEM_BAD_COUNT, e->count_offset, 4);
    }
    e->data_offset = d->position;
    e->data_length = (uint32_t)size;
    d->position += e->data_length;
    if (e->element_size == 1) {
        e->padding = variant_read_padding(d, e->data_length, d->facts->lax_strings);
    }
    return true;
}

bool variant_read_image(variant_decoder *d, variant_event *e)
{
    if (!need(d, 20)) {
        return false;
    }
    const uint8_t *p = here(d);
    e->value.image = (variant_image){le32(p), le32(p + 4), le32(p + 8), le32(p + 12)};
    e->count_offset = d->position + 16;
    e->count = le32(p + 16);
    d->position += 20;
    if (e->count > bytes_left(d)) {
        return variant_fail(d, VARIANT_PROBLEM_BAD_COUNT, e->count_offset, 4);
    }
    d->position += e->count;
    e->data_length = 20 + e->count;
    e->padding = variant_read_padding(d, e->count, true);
    return true;
}

bool variant_read_input_event(variant_decoder *d, variant_event *e)
{
    /* How many numbers follow for each type: key, mouse button, joystick motion and button, touch. */
    static const uint8_t fields[] = {[1] = 2, [3] = 1, [4] = 2, [5] = 1, [6] = 1};
    if (!need(d, 12)) {
        return false;
    }
    variant_input_event *v = &e->value.input_event;
    v->type = le32(here(d));
    v->device = le32(here(d) + 4);
    v->length = le32(here(d) + 8);
    v->fields = v->type < sizeof fields ? fields[v->type] : 0;
    v->number[0] = v->number[1] = 0;
    d->position += 12;
    /* The reader goes by the type alone. */
    if (v->length != 12 + 4 * v->fields) {
        variant_report(d, VARIANT_PROBLEM_INPUT_EVENT_LENGTH, d->position - 4, 4);
    }
    for (uint32_t i = 0; i < v->fields; i++) {
        if (!read_u32(d, &v->number[i])) {
            return false;
        }
    }
    memcpy(&v->axis_value, &v->number[1], sizeof v->axis_value);
    e->data_length = d->position - e->data_offset;
    return true;
}

/* --- numbers of math types and packed arrays ----------------------------------------------------- */

static const uint8_t *component_at(const uint8_t *bytes, const variant_event *event, uint32_t i,
                                   uint32_t size)
{
    return bytes + event->data_offset + (size_t)i * size;
}

double variant_component(const uint8_t *bytes, const variant_event *event, uint32_t i)
{
    switch (variant_type_facts(event->type)->component_kind) {
    case VARIANT_REAL:
        return event->wide ? le_f64(component_at(bytes, event, i, 8))
                           : le_f32(component_at(bytes, event, i, 4));
    case VARIANT_FLOAT32:
        return le_f32(component_at(bytes, event, i, 4));
    case VARIANT_FLOAT64:
        return le_f64(component_at(bytes, event, i, 8));
    default:
        return (double)variant_component_int(bytes, event, i);
    }
}

int64_t variant_component_int(const uint8_t *bytes, const variant_event *event, uint32_t i)
{
    switch (variant_type_facts(event->type)->component_kind) {
    case VARIANT_INT8U:
        return *component_at(bytes, event, i, 1);
    case VARIANT_INT32:
        return (int32_t)le32(component_at(bytes, event, i, 4));
    case VARIANT_INT64:
        return (int64_t)le64(component_at(bytes, event, i, 8));
    default:
        return 0;
    }
}
