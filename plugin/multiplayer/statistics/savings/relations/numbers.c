/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/savings/relations/numbers.h"

#include <math.h>
#include <string.h>

#include <glib.h>

/* Bytes of a value before its components, of one of these, and of the longest number. */
enum { VALUE_HEAD = 4, COMPONENT = 4, LONG_COMPONENT = 8, LONGEST_NUMBER = 16 };

/* Most values are no vector, and most vectors have 32 bits. */
unsigned savings_vector_at(const godot_tap_variant *value, double at[3])
{
    variant_decoder decoder;
    variant_event event;
    if (value->raw || value->length < VALUE_HEAD + 2 * COMPONENT ||
        value->length > VALUE_HEAD + 3 * LONG_COMPONENT) {
        return 0;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE ||
        (event.type != VARIANT_VECTOR2 && event.type != VARIANT_VECTOR3)) {
        return 0;
    }
    unsigned count = event.type == VARIANT_VECTOR3 ? 3 : 2;
    at[2] = 0;
    for (unsigned i = 0; i < count; i++) {
        at[i] = variant_component(value->bytes, &event, i);
    }
    return count;
}

/* Reads an int or a float; returns its type, VARIANT_INVALID: another one. */
static variant_type number_at(const godot_tap_variant *value, double *number)
{
    variant_decoder decoder;
    variant_event event;
    if (value->raw || value->length > LONGEST_NUMBER) {
        return VARIANT_INVALID;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE) {
        return VARIANT_INVALID;
    }
    *number = event.type == VARIANT_INT ? (double)event.value.i : event.value.f;
    return event.type == VARIANT_INT || event.type == VARIANT_FLOAT ? event.type : VARIANT_INVALID;
}

bool savings_number_at(const godot_tap_variant *value, double *number)
{
    return number_at(value, number) != VARIANT_INVALID;
}

bool savings_whole_at(const godot_tap_variant *value, double *number)
{
    return savings_number_at(value, number) && *number == floor(*number);
}

bool savings_float_at(const godot_tap_variant *value, double *number)
{
    return number_at(value, number) == VARIANT_FLOAT;
}

bool savings_point_at(const godot_tap_variant *value, double at[3])
{
    enum { COLOR = VALUE_HEAD + 4 * COMPONENT };
    variant_decoder decoder;
    variant_event event;
    at[0] = at[1] = at[2] = 0;
    if (savings_vector_at(value, at) || savings_float_at(value, &at[0])) {
        return true;
    }
    at[0] = 0; /* an int */
    if (value->raw || value->length != COLOR) {
        return false;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE || event.type != VARIANT_COLOR) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        at[i] = variant_component(value->bytes, &event, i);
    }
    return true;
}

/* Reads a text such as "01:07.250", as seconds. */
bool savings_clock_at(const godot_tap_variant *value, double *number)
{
    enum { MOST = 16, SIXTY = 60 };
    variant_decoder decoder;
    variant_event event;
    char text[MOST + 1] = "";
    if (value->raw || value->length > 8 + MOST) {
        return false;
    }
    variant_init(&decoder, value->bytes, value->length, value->options);
    if (!variant_next(&decoder, &event) || event.kind != VARIANT_VALUE || event.type != VARIANT_STRING ||
        event.data_length > MOST) {
        return false;
    }
    memcpy(text, value->bytes + event.data_offset, event.data_length);
    *number = 0;
    for (const char *at = text; g_ascii_isdigit(*at);) {
        char *end;
        *number = *number * SIXTY + g_ascii_strtod(at, &end);
        at = *end == ':' ? end + 1 : end;
        if (*at == '\0') {
            return true;
        }
    }
    return false;
}

savings_numbers savings_numbers_at(const godot_tap_variant *value)
{
    savings_numbers found = {.at = {0, 0, 0}};
    found.count = savings_vector_at(value, found.at);
    if (!found.count && savings_number_at(value, &found.at[0])) {
        found.count = 1;
    }
    return found;
}

double savings_length_of(const savings_numbers *of)
{
    return sqrt(of->at[0] * of->at[0] + of->at[1] * of->at[1] + of->at[2] * of->at[2]);
}
