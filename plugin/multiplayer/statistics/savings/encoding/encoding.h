/* encoding.h
 *
 * Finds values that take fewer bytes as another type, by the rules of Godot 4's encoder (marshalls.cpp).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_ENCODING_H
#define GODOT_ENCODING_H

#include "multiplayer/statistics/savings/encoding/part.h"

/* Fills `parts` with the parts of the value that could take fewer bytes here or in other messages; returns
 * their number. `is_only_argument`: of a call of Godot 4, which sends one PackedByteArray as it is. */
unsigned shorter_encodings_of(const godot_tap_variant *value, bool is_only_argument,
                              encoded_part parts[ENCODED_PARTS]);

/* Bytes of what PackedByteArray.compress() makes, in a value or in the containers in it: what they tell, and
 * so whether it changes, is not judged. */
uint32_t compressed_bytes_in(const godot_tap_variant *value);

#endif
