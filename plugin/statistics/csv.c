/* SPDX-License-Identifier: GPL-2.0-or-later */
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

/* The field at *at, which then is at the comma or line end after it. */
static char *next_field(const char **at)
{
    GString *field = g_string_new(NULL);
    const char *next = *at;
    bool quoted = *next == '"';
    for (next += quoted; *next; next++) {
        bool quote = quoted && *next == '"';
        if (quote && next[1] != '"') {
            next++;
            break;
        }
        if (!quoted && strchr(",\r\n", *next)) {
            break;
        }
        next += quote;
        g_string_append_c(field, *next);
    }
    *at = next;
    if (*field->str == '\'') {
        g_string_erase(field, 0, 1);
    }
    return g_string_free(field, FALSE);
}

GPtrArray *csv_next_line(const char **at)
{
    if (!**at) {
        return NULL;
    }
    GPtrArray *line = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(line, next_field(at));
    while (**at == ',') {
        ++*at;
        g_ptr_array_add(line, next_field(at));
    }
    *at += strcspn(*at, "\n");
    *at += **at == '\n';
    return line;
}
