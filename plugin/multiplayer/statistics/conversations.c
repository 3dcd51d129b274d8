/* conversations.c
 *
 * Statistics → Conversations and Endpoints, and `-z conv,godot`, `-z endpoints,godot`: traffic between
 * peers, over any transport. A message counts as a packet, once; its bytes are those on the wire, each time
 * it is sent. If it is relayed, on its way to the server, as far as that was captured. Rows and their
 * filters have the names of the peers. And the conversation filter of a session (Conversation Filter and
 * Colorize Conversation in Wireshark).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/conversation_filter.h>
#include <epan/conversation_table.h>

#include "base/allocators.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/state/frame.h"
#include "multiplayer/statistics/register.h"

static const char *filter_name(conv_filter_type_e type)
{
    switch (type) {
    case CONV_FT_SRC_ADDRESS:
        return "godot.source.name";
    case CONV_FT_DST_ADDRESS:
        return "godot.target.name";
    case CONV_FT_ANY_ADDRESS:
        return "godot.peer.name";
    default:
        return CONV_FILTER_INVALID;
    }
}

static const char *conversation_filter(conv_item_t *item _U_, conv_filter_type_e type)
{
    return filter_name(type);
}

static const char *endpoint_filter(endpoint_item_t *item _U_, conv_filter_type_e type)
{
    return filter_name(type);
}

/* From whom to whom; false: that is not known, or the server passes on what has been counted. */
static bool set_ends(const packet_info *pinfo, const godot_tap *message, address *source, address *target)
{
    const char *from = godot_source_name(pinfo->pool, message->from);
    const char *to = godot_target_name(pinfo->pool, message->to);
    bool counted = message->passed_on && godot_session_has_client(message->from);
    if (!from || message->to_unknown || counted) {
        return false;
    }
    set_address(source, AT_STRINGZ, (int)strlen(from) + 1, from);
    set_address(target, AT_STRINGZ, (int)strlen(to) + 1, to);
    return true;
}

/* Of the file: two peers, as one number, to the first session with a message between them. */
static wmem_map_t *pairs;

static unsigned hash_pair(const void *pair)
{
    return wmem_strong_hash((const uint8_t *)pair, sizeof(uint64_t));
}

/* By this number Wireshark 4.6 follows the stream of a row: it is a session of one of the two. */
static conv_id_t session_of_pair(const godot_tap *message)
{
    const uint64_t lower = (uint32_t)MIN(message->from, message->to);
    const uint64_t pair = lower << 32 | (uint32_t)MAX(message->from, message->to);
    const void *known = wmem_map_lookup(pairs, &pair);
    if (!known) {
        uint64_t *key = wmem_new(wmem_file_scope(), uint64_t);
        *key = pair;
        known = GUINT_TO_POINTER(message->session + 1);
        wmem_map_insert(pairs, key, (void *)known);
    }
    return GPOINTER_TO_UINT(known) - 1;
}

static tap_packet_status count_conversation(void *table, packet_info *pinfo, epan_dissect_t *edt _U_,
                                            const void *message, tap_flags_t flags)
{
    static ct_dissector_info_t info = {conversation_filter};
    conv_hash_t *hash = table;
    int bytes = (int)((const godot_tap *)message)->wire_length;
    int messages = ((const godot_tap *)message)->repeated ? 0 : 1;
    address source, target;
    hash->flags = flags;
    if (set_ends(pinfo, message, &source, &target)) {
        add_conversation_table_data_with_conv_id(hash, &source, &target, 0, 0,
                                                 session_of_pair((const godot_tap *)message), messages, bytes,
                                                 &pinfo->rel_ts, &pinfo->abs_ts, &info, CONVERSATION_NONE);
    }
    return TAP_PACKET_REDRAW;
}

static tap_packet_status count_endpoints(void *table, packet_info *pinfo, epan_dissect_t *edt _U_,
                                         const void *message, tap_flags_t flags)
{
    static et_dissector_info_t info = {endpoint_filter};
    conv_hash_t *hash = table;
    int bytes = (int)((const godot_tap *)message)->wire_length;
    int messages = ((const godot_tap *)message)->repeated ? 0 : 1;
    address source, target;
    hash->flags = flags;
    if (set_ends(pinfo, message, &source, &target)) {
        add_endpoint_table_data(hash, &source, 0, TRUE, messages, bytes, &info, ENDPOINT_NONE);
        add_endpoint_table_data(hash, &target, 0, FALSE, messages, bytes, &info, ENDPOINT_NONE);
    }
    return TAP_PACKET_REDRAW;
}

static compat_bool has_session(packet_info *pinfo COMPAT_CONVERSATION_FILTER_DATA)
{
    return godot_frame_get(pinfo)->session != NULL;
}

static char *session_filter(packet_info *pinfo COMPAT_CONVERSATION_FILTER_DATA)
{
    const godot_session *session = godot_frame_get(pinfo)->session;
    return session ? ws_strdup_printf("godot.session eq %u", session->index) : NULL;
}

void godot_conversations_register(int proto)
{
    compat_register_conversation_filter("godot", "Godot session", has_session, session_filter);
    pairs = file_map(hash_pair, g_int64_equal);
    register_conversation_table(proto, TRUE, count_conversation, count_endpoints);
}
