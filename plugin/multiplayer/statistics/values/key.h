/* key.h
 *
 * Keys of tables: a text that stands for several numbers and texts, and for no others. Put together for every
 * value of a capture: a format would cost ten times as much.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_STATISTICS_KEY_H
#define GODOT_STATISTICS_KEY_H

#include <stdint.h>

#include <wsutil/wmem/wmem.h>

/* Begins anew. `kind`: what it is a key of. */
void godot_key_begin(wmem_strbuf_t *key, char kind);
void godot_key_number(wmem_strbuf_t *key, uint64_t number);
void godot_key_text(wmem_strbuf_t *key, const char *text);

#endif
