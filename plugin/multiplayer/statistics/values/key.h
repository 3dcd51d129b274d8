/* key.h
 *
 * Keys of hash tables: a text that encodes several numbers and texts uniquely. Not built with a format
 * string, which would take ten times as long, because every value of a capture needs one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_STATISTICS_KEY_H
#define GODOT_STATISTICS_KEY_H

#include <stdint.h>

#include <wsutil/wmem/wmem.h>

/* Empties `key` and begins a key of this kind. */
void godot_key_begin(wmem_strbuf_t *key, char kind);
void godot_key_number(wmem_strbuf_t *key, uint64_t number);
void godot_key_text(wmem_strbuf_t *key, const char *text);

#endif
