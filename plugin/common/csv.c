/* csv.c
 *
 * See common/csv.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/csv.h"

#include <string.h>

void csv_field(FILE *file, const char *text)
{
    if (!text) {
        return;
    }
    if (*text && !strpbrk(text, "\",\r\n")) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"') {
            putc('"', file);
        }
        putc(*text, file);
    }
    putc('"', file);
}
