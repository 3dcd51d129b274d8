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

#include <glib.h>

/* Begins anew. `kind`: what it is a key of. */
void godot_key_begin(GString *key, char kind);
void godot_key_number(GString *key, uint64_t number);
void godot_key_text(GString *key, const char *text);

#endif
