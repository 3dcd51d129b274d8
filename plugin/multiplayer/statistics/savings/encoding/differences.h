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

/* Bytes of containers of which it is worth to send less; of those that may have a clock. */
enum { CONTAINER_LEAST = 64, CONTAINER_SMALL = 16 };

/* What differs. */
typedef struct {
    uint32_t bytes;         /* without their places */
    uint32_t plain, common; /* of bytes: how many; of these: the same at the same place before */
    bool moved;     /* elements of an array have other places, as it has got or lost some before them */
    bool is_number; /* nothing but one int or float, */
    double number;  /* which is that now, */
    uint32_t place; /* in bytes from the beginning */
    double step;   /* of the first float, if nothing but floats differs, all by as much, up or down; else 0 */
    uint32_t news; /* bytes of what it tells: what differs, or what has come */
} container_change;

/* Whether a value is a container of Godot 4 of `least` bytes to 64 KiB. */
bool is_compared_container(const godot_tap_variant *value, uint32_t least);

/* `before`: the same argument, or property, `length` bytes; 0: not kept. Returns the bytes of what differs,
 * with its places. */
uint32_t container_differences(const uint8_t *before, uint32_t length, const godot_tap_variant *now,
                               container_change *change);

#endif
