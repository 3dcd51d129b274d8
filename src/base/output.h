/* output.h
 *
 * Text of unknown length that is written piece by piece.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero to begin with, but for `limit`. */
typedef struct {
    char *text; /* to be freed by the caller, NULL: nothing was written */
    size_t length, room, limit;
    bool failed; /* no memory, or beyond the limit: what was written since is missing */
} output;

void output_add(output *out, const char *text, size_t length);
void output_text(output *out, const char *text); /* up to its NUL */
void output_spaces(output *out, uint32_t count);
void output_number(output *out, int64_t number);

/* Between quotes, with backslashes as scripts and .tscn files have them. */
void output_quoted(output *out, const char *text, size_t length);

/* As UTF-8; what is no character as U+FFFD. */
void output_character(output *out, uint32_t character);

#endif
