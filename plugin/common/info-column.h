/* info-column.h
 *
 * The Info column when several messages share a frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef INFO_COLUMN_H
#define INFO_COLUMN_H

#include "common/wireshark-compat.h"

/* Appends a separator where the text so far needs one. ENet ends its text with a separator before it hands a
 * message on (so that any dissector can just write); other transports do not. */
static inline void info_column_separate(packet_info *pinfo)
{
    const char *text = col_get_text(pinfo->cinfo, COL_INFO);
    if (text && *text && !g_str_has_suffix(text, ", ")) {
        col_append_str(pinfo->cinfo, COL_INFO, ", ");
    }
}

/* Text from the wire for columns, labels and statistics: without line breaks and without the control
 * characters (C0, DEL, C1) that could command the terminal tshark writes to. Works in place, on UTF-8. */
static inline char *info_column_one_line(char *text)
{
    for (char *c = text; *c; c++) {
        bool c1 = (uint8_t)c[0] == 0xc2 && (uint8_t)c[1] >= 0x80 && (uint8_t)c[1] < 0xa0;
        if (c1) {
            *c++ = ' ';
        }
        if (c1 || (uint8_t)*c < ' ' || *c == 0x7f) {
            *c = ' ';
        }
    }
    return text;
}

#endif
