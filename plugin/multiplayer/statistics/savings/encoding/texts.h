/* texts.h
 *
 * Texts that a game has made of another value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_SAVINGS_TEXTS_H
#define GODOT_SAVINGS_TEXTS_H

#include "multiplayer/statistics/savings/encoding/part.h"

/* Fills the part if the text, or these bytes, are a JSON object or array; else returns false. */
bool set_json(encoded_part *part, const uint8_t *bytes, const variant_event *value);

/* Fills the part if the text is JSON, numbers, or bytes in Base64 or hexadecimal; else returns false. */
bool set_written_value(encoded_part *part, const uint8_t *bytes, const variant_event *value);

/* Numbers in a text between its words: the hashes of the first `most`. Returns how many there are. */
uint32_t sentence_numbers(const uint8_t *text, uint32_t length, uint32_t *hashes, uint32_t most);
/* Bytes of so many numbers as a value. */
uint32_t bytes_of_numbers(uint32_t count);

#endif
