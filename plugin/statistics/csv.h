/* csv.h
 *
 * Comma-separated values as RFC 4180 has them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CSV_H
#define CSV_H

#include <glib.h>

/* Appends a field, in quotes where it needs them. NULL: nothing, an empty field; an empty text is "". */
void csv_field(GString *line, const char *text);

/* Likewise of a column of text, where a spreadsheet would take what begins with = + - @ or a tab or line end
 * for a formula (OWASP: CSV injection): an apostrophe comes before it, and before one that the text begins
 * with. So whoever takes one apostrophe from the beginning of every text has the text. A number stays as it
 * is. */
void csv_text(GString *line, const char *text);

/* The fields of the line that begins at *at, which then is where the next one begins; as csv_text() has
 * guarded them, without that. To be freed with its texts: g_ptr_array_free(…, TRUE). NULL: there is none. */
GPtrArray *csv_next_line(const char **at);

#endif
