/* json.h
 *
 * Values as JSON, in the form of Godot 4.4's JSON.from_native(): JSON.to_native() in a script reads it back.
 * Numbers keep their type ("i:1", "f:1.5"), 64-bit integers their digits, dictionaries their order and the
 * types of their keys. Beyond the engine: a RID has its `id`, a Signal its `name` and `object_id`
 * (from_native() drops them), an object sent by its id is the EncodedObjectAsID that a receiver would get. A
 * NaN inside a vector or packed array is null, as the engine writes it: JSON has no number for it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARIANT_JSON_H
#define VARIANT_JSON_H

#include "variant/variant.h"

/* Receives the next piece of the JSON text: `length` bytes of UTF-8, not NUL-terminated. */
typedef void (*variant_json_sink)(void *context, const char *text, size_t length);

/* Writes one value on one line. What cannot be read is left out (null if that is all), brackets are closed;
 * *error (may be NULL) is the engine's verdict, VARIANT_IGNORED if it accepts the value. Returns the bytes
 * the value takes, 0 if it cannot be read to its end. */
uint32_t variant_json(const uint8_t *bytes, size_t length, variant_options options, variant_json_sink sink,
                      void *context, variant_verdict *error);

/* Writes a text as a JSON string, with its quotes. Invalid UTF-8 becomes U+FFFD. */
void variant_json_text(const char *text, size_t length, variant_json_sink sink, void *context);

#endif
