/* columns.h
 *
 * Columns of a frame that several messages share: Info, and godot.from and godot.to, whom a row comes from
 * and goes to. Of these a transport adds what it knows, then the packet inside of it does; the last ones are
 * shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COLUMNS_H
#define COLUMNS_H

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

/* --- From and To -------------------------------------------------------------------------------- */

/* The fields, for the protocol "godot". Without them (enet.so) nothing is added. */
void ends_register(int proto);

/* Whether a column, a filter or a statistic uses one of the fields. */
bool ends_wanted(proto_tree *tree);

/* "127.0.0.1:50000", "[2001:db8::2]:5000"; from `pool`. */
char *ends_socket_text(wmem_allocator_t *pool, const address *of, uint32_t port);

/* Adds them, hidden. NULL: not known; then, if `pinfo` is not NULL and they are wanted, the packet's
 * socket. */
void ends_add(const packet_info *pinfo, proto_tree *tree, tvbuff_t *tvb, const char *from, const char *to);

#endif
