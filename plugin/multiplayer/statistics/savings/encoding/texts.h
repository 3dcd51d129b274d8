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

#endif
