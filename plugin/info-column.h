/* info-column.h
 *
 * The Info column when several messages share a frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef INFO_COLUMN_H
#define INFO_COLUMN_H

#include "wireshark-compat.h"

/* Appends a separator where the text so far needs one. ENet ends its text with a separator before it hands a
 * message on (so that any dissector can just write); other transports do not. */
static inline void info_column_separate(packet_info *pinfo)
{
    const char *text = col_get_text(pinfo->cinfo, COL_INFO);
    if (text && *text && !g_str_has_suffix(text, ", "))
        col_append_str(pinfo->cinfo, COL_INFO, ", ");
}

#endif
