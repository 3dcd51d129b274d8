/* variant_bench.c
 *
 * Measures how fast values of Godot 4 are decoded and written as text; see measure.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "measure.h"
#include "variant/variant.h"

static const variant_options options = {.dialect = VARIANT_GODOT4};
static volatile double looked_at; /* so that the compiler removes nothing */

/* Everything that the events of a value contain, as one number. */
static double visit(const uint8_t *bytes, const variant_event *e)
{
    double sum = 0;
    uint32_t position = e->data_offset;
    uint32_t components;
    const variant_type_info *facts;
    switch (e->type) {
    case VARIANT_BOOL:
        return e->value.b;
    case VARIANT_INT:
        return (double)e->value.i;
    case VARIANT_FLOAT:
        return e->value.f;
    case VARIANT_STRING:
    case VARIANT_STRING_NAME:
        return e->text.text_length;
    case VARIANT_PACKED_STRING_ARRAY:
        for (uint32_t i = 0; i < e->count; i++) {
            sum += variant_next_string(bytes, e, &position).text_length;
        }
        return sum;
    default:
        facts = variant_type_facts(e->type);
        components = facts->component_count * (facts->packed ? e->count : 1);
        for (uint32_t i = 0; i < components; i++) {
            sum += variant_component(bytes, e, i);
        }
        return sum;
    }
}

static size_t decode(const input *in)
{
    size_t total = 0;
    for (size_t i = 0; i < in->count; i++) {
        total += variant_skip(in->pieces[i].bytes, in->pieces[i].length, options, NULL);
    }
    return total;
}

static size_t decode_and_visit(const input *in)
{
    static variant_decoder decoder;
    variant_event event;
    double sum = 0;
    size_t total = 0;
    for (size_t i = 0; i < in->count; i++) {
        const uint8_t *bytes = in->pieces[i].bytes;
        variant_init(&decoder, bytes, in->pieces[i].length, options);
        while (variant_next(&decoder, &event)) {
            if (event.kind == VARIANT_VALUE) {
                sum += visit(bytes, &event);
            }
        }
        total += decoder.position;
    }
    looked_at = sum;
    return total;
}

static size_t write_text(const input *in)
{
    static char text[1 << 22];
    size_t total = 0;
    for (size_t i = 0; i < in->count; i++) {
        variant_text(in->pieces[i].bytes, in->pieces[i].length, options, text, sizeof text, NULL);
        looked_at = text[0];
        total += in->pieces[i].length;
    }
    return total;
}

int main(int argc, char **argv)
{
    static const measurement table[] = {
        {"decode", decode}, {"visit", decode_and_visit}, {"text", write_text}};
    return measure_all(argc, argv, table, sizeof table / sizeof table[0], NULL);
}
