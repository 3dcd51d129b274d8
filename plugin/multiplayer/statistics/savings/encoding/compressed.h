/* compressed.h
 *
 * Bytes that a game has compressed: what they tell, and so whether it changes, is not judged.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_COMPRESSED_H
#define GODOT_SAVINGS_COMPRESSED_H

#include "multiplayer/api/tap.h"

/* Bytes of what PackedByteArray.compress() makes, in a value or in the containers in it. */
uint32_t compressed_bytes_in(const godot_tap_variant *value);

#endif
