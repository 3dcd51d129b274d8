/* output.h
 *
 * A text that grows while it is written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeroes at first, except for `limit`. */
typedef struct {
    char *text;                 /* to be freed by the caller with free(); NULL: nothing was written */
    size_t length, room, limit; /* bytes: written, allocated, allowed */
    bool failed;                /* no memory, or beyond the limit: nothing is written any more */
} output;

void output_add(output *out, const char *text, size_t length);
void output_text(output *out, const char *text); /* up to its NUL */
void output_spaces(output *out, uint32_t count);
void output_number(output *out, int64_t number);

/* Between quotes, with backslashes as scripts and .tscn files have them. */
void output_quoted(output *out, const char *text, size_t length);

/* One character as UTF-8; U+FFFD if the number is not a character. */
void output_character(output *out, uint32_t character);

#endif
