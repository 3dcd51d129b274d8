/* differences.h
 *
 * What differs between a container and the one before it: arrays, dictionaries, texts, bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_DIFFERENCES_H
#define GODOT_SAVINGS_DIFFERENCES_H

#include "multiplayer/api/tap.h"

/* Share of a container's bytes that may change. */
#define CONTAINER_LITTLE 0.25

/* Whether a value is a container of Godot 4 that is worth a comparison: of 64 bytes to 64 KiB. */
bool is_compared_container(const godot_tap_variant *value);

/* `before`: the same argument, or property, `length` bytes; 0: not kept. Returns the bytes of what differs,
 * with its places; `*differing`: without these. */
uint32_t container_differences(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                               uint32_t *differing);

#endif
