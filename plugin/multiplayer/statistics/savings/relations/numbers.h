/* numbers.h
 *
 * Values that are numbers or vectors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_NUMBERS_H
#define GODOT_SAVINGS_NUMBERS_H

#include "multiplayer/api/tap.h"

/* Reads a Vector2 or Vector3; returns the number of its components, 0: it is another type. */
unsigned savings_vector_at(const godot_tap_variant *value, double at[3]);
/* Reads an int or a float. */
bool savings_number_at(const godot_tap_variant *value, double *number);
bool savings_whole_at(const godot_tap_variant *value, double *number); /* without a fraction */
/* A float, a vector, or a Color without its alpha channel: what can run along a line. */
bool savings_point_at(const godot_tap_variant *value, double at[3]);
bool savings_float_at(const godot_tap_variant *value, double *number);

/* Seconds of a text that is a clock: "1:05". */
bool savings_clock_at(const godot_tap_variant *value, double *number);

/* An int, a float, a Vector2, a Vector3; `count` 0: another type. Components that it does not have are 0. */
typedef struct {
    double at[3];
    unsigned count;
} savings_numbers;

savings_numbers savings_numbers_at(const godot_tap_variant *value);
double savings_length_of(const savings_numbers *of);

#endif
