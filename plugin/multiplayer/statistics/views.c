/* views.c
 *
 * The conversation filter of a session (Conversation Filter and Colorize Conversation in Wireshark).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/conversation_filter.h>

#include "multiplayer/state/frame.h"
#include "multiplayer/statistics/register.h"

static compat_bool has_session(packet_info *pinfo COMPAT_CONVERSATION_FILTER_DATA)
{
    return godot_session_of_frame(pinfo) != NULL;
}

static char *session_filter(packet_info *pinfo COMPAT_CONVERSATION_FILTER_DATA)
{
    const godot_session *session = godot_session_of_frame(pinfo);
    return session ? ws_strdup_printf("godot.session eq %u", godot_session_index(session)) : NULL;
}

void godot_views_register(int proto _U_)
{
    compat_register_conversation_filter("godot", "Godot session", has_session, session_filter);
}
