/* csv.c
 *
 * See common/csv.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/csv.h"

#include <string.h>

void csv_field(GString *line, const char *text)
{
    if (!text) {
        return;
    }
    if (*text && !strpbrk(text, "\",\r\n")) {
        g_string_append(line, text);
        return;
    }
    g_string_append_c(line, '"');
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        g_string_append_len(line, text, quote + 1 - text);
        g_string_append_c(line, '"');
    }
    g_string_append(line, text);
    g_string_append_c(line, '"');
}
