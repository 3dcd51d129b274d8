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

/* Likewise, for a column of text. A spreadsheet reads a text that begins with = + - @, a tab or a line end
 * as a formula (OWASP: CSV injection), so such a text, and one that begins with an apostrophe, gets an
 * apostrophe in front. A reader has to remove it. Numbers are written unchanged. */
void csv_text(GString *line, const char *text);

/* The fields of the line that begins at *at, which then is where the next one begins; as csv_text() has
 * guarded them, without that. To be freed with its texts: g_ptr_array_free(…, TRUE). NULL: there is none. */
GPtrArray *csv_next_line(const char **at);

#endif
