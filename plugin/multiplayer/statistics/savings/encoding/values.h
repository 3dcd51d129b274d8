/* values.h
 *
 * Values without parts that take fewer bytes as another type.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_VALUES_H
#define GODOT_SAVINGS_VALUES_H

#include "multiplayer/statistics/savings/encoding/part.h"

/* Fills the part of the value; returns false if nothing is known of its type. `options`: of its encoding. */
bool shorter_value(encoded_part *part, const uint8_t *bytes, const variant_event *value,
                   variant_options options);

/* Whether a Transform2D, Transform3D or Basis only turns, and moves; other types do. */
bool is_turned(const uint8_t *bytes, const variant_event *value);

#endif
