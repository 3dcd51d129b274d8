/* csv.h
 *
 * Comma-separated values as RFC 4180 has them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CSV_H
#define CSV_H

#include <stdio.h>

/* A field, in quotes where it needs them. NULL: nothing, an empty field; an empty text is "". */
void csv_field(FILE *file, const char *text);

#endif
