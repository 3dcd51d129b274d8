/* json-texts.h
 *
 * How many bytes a text with JSON would take as the value that it describes, and what differs between two.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_JSON_TEXTS_H
#define GODOT_SAVINGS_JSON_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t with_keys,
        values;    /* bytes as Dictionary and Array; with an Array of its values for each Dictionary */
    uint32_t keys; /* a hash of all keys in their order */
} json_sizes;

/* By the rules of Godot 4's encoder, inside of a container. False: this is not one JSON object or array, or
 * one that is nested more than 16 deep, longer than 64 KiB, or has more than 4096 values and keys. */
bool json_sizes_of(const uint8_t *text, uint32_t length, json_sizes *sizes);

/* Bytes of JSON that has only those values of `now` that differ from `before`, with the keys above them, and,
 * in `*differing`, of these values. `length`, and `*differing` as it was: one is no JSON, as above, or they
 * have other containers or keys. */
uint32_t json_differences(const uint8_t *before, uint32_t old_length, const uint8_t *now, uint32_t length,
                          uint32_t *differing);

#endif
