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

#endif
