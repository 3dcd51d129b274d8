/* info-column.h
 *
 * The Info column when several messages share a frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef INFO_COLUMN_H
#define INFO_COLUMN_H

#include "base/wireshark-compat.h"

#include <epan/charsets.h>

#include "base/utf8.h"

/* Appends a separator if the column has text without one at its end. ENet adds a separator before it calls
 * the dissector of a message, so that any dissector can append; other transports do not. */
static inline void info_column_separate(packet_info *pinfo)
{
    const char *text = col_get_text(pinfo->cinfo, COL_INFO);
    if (text && *text && !g_str_has_suffix(text, ", ")) {
        col_append_str(pinfo->cinfo, COL_INFO, ", ");
    }
}

/* Makes a text one line: control characters become blanks, deceptive ones escapes. `text` is from `pool`; the
 * result is `text` or replaces it. */
static inline char *info_column_line(wmem_allocator_t *pool, char *text)
{
    utf8_one_line(text);
    size_t length = strlen(text), needed = utf8_escape(text, length, NULL, 0);
    if (needed == length) {
        return text;
    }
    char *line = wmem_alloc(pool, needed + 1);
    utf8_escape(text, length, line, needed + 1);
    wmem_free(pool, text);
    return line;
}

/* Converts `length` bytes from the wire to a text for columns, labels and messages: correct UTF-8, one line,
 * at most `limit` bytes; a longer text is cut between characters and ends with "…". From `pool`. */
static inline char *info_column_text(wmem_allocator_t *pool, const void *bytes, size_t length, size_t limit)
{
    char *text = (char *)get_utf_8_string(pool, (const uint8_t *)bytes, (int)MIN(length, limit + 4));
    size_t shown = utf8_cut(text, strlen(text), limit);
    bool cut = text[shown] != '\0';
    text[shown] = '\0';
    text = info_column_line(pool, text);
    return cut ? wmem_strdup_printf(pool, "%s…", text) : text;
}

#endif
