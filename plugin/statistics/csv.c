/* csv.c
 *
 * See csv.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "statistics/csv.h"

#include <stdbool.h>
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

static bool is_number(const char *text)
{
    char *end;
    (void)g_ascii_strtod(text, &end);
    return *text && *end == '\0' && strspn(text, "+-.0123456789") == strlen(text);
}

void csv_text(GString *line, const char *text)
{
    if (!text || !*text || !strchr("=+-@\t\r\n'", *text) || is_number(text)) {
        csv_field(line, text);
        return;
    }
    char *guarded = g_strconcat("'", text, NULL);
    csv_field(line, guarded);
    g_free(guarded);
}
