/* csv.h
 *
 * Comma-separated values (RFC 4180).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CSV_H
#define CSV_H

#include <glib.h>

/* Appends a field, in quotes if necessary. NULL: an empty field without quotes; an empty text: "". */
void csv_field(GString *line, const char *text);

/* Likewise, for a column of text. A spreadsheet reads a text that begins with = + - @, a tab or a line end
 * as a formula (OWASP: CSV injection), so such a text, and one that begins with an apostrophe, gets an
 * apostrophe in front. A reader has to remove it. Numbers are written unchanged. */
void csv_text(GString *line, const char *text);

/* Reads the fields of the line at *at, without the apostrophes of csv_text(); *at becomes the start of the
 * next line. To be freed with g_ptr_array_free(…, TRUE), which frees the texts, too. NULL: there is no
 * line. */
GPtrArray *csv_next_line(const char **at);

#endif
