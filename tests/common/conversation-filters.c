/* conversation-filters.c
 *
 * A plugin for tests: `-z conversation-filters` prints for each frame what the window offers in the menus
 * Conversation Filter and Colorize Conversation: frame, protocol, text in the menu, filter. `-z
 * conversation-numbers` prints the rows of Statistics → Conversations of the protocol `godot`: the stream
 * number for Follow Stream, and both ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define WS_BUILD_DLL
#include "base/wireshark-compat.h"

#include <epan/conversation_filter.h>
#include <epan/conversation_table.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

#include "test-plugin.h"

#if WS_AT_LEAST(4, 2)
#define DATA_OF(filter) , (filter)->user_data
#else
#define DATA_OF(filter)
#endif

static tap_packet_status print_filters(void *data _U_, packet_info *pinfo, epan_dissect_t *edt _U_,
                                       const void *tap _U_, tap_flags_t flags _U_)
{
    for (GList *entry = packet_conv_filter_list; entry; entry = entry->next) {
        const conversation_filter_t *filter = entry->data;
        if (filter->is_filter_valid(pinfo DATA_OF(filter))) {
            char *text = filter->build_filter_string(pinfo DATA_OF(filter));
            printf("%u\t%s\t%s\t%s\n", pinfo->num, filter->proto_name, filter->display_name, text);
            g_free(text);
        }
    }
    return TAP_PACKET_DONT_REDRAW;
}

static compat_stat_started start(const char *options _U_, void *data _U_)
{
    GString *error =
        register_tap_listener("frame", (void *)print_filters, NULL, 0, NULL, print_filters, NULL, NULL);
    g_assert(!error);
    return COMPAT_STAT_STARTED;
}

static void print_numbers(void *table)
{
    const GArray *rows = ((conv_hash_t *)table)->conv_array;
    for (unsigned i = 0; rows && i < rows->len; i++) {
        const conv_item_t *row = &g_array_index(rows, conv_item_t, i);
        printf("%u\t%s\t%s\n", row->conv_id, (const char *)row->src_address.data,
               (const char *)row->dst_address.data);
    }
}

static compat_stat_started start_numbers(const char *options _U_, void *data _U_)
{
    static conv_hash_t table;
    register_ct_t *conversations = get_conversation_by_proto_id(proto_get_id_by_filter_name("godot"));
    GString *error = register_tap_listener("godot", &table, NULL, 0, NULL,
                                           get_conversation_packet_func(conversations), print_numbers, NULL);
    g_assert(!error);
    return COMPAT_STAT_STARTED;
}

static void register_protocol(void)
{
}

static void register_handoff(void)
{
    static stat_tap_ui ui = {REGISTER_STAT_GROUP_GENERIC, NULL, "conversation-filters", start, 0, NULL};
    static stat_tap_ui numbers = {
        REGISTER_STAT_GROUP_GENERIC, NULL, "conversation-numbers", start_numbers, 0, NULL};
    register_stat_tap_ui(&ui, NULL);
    register_stat_tap_ui(&numbers, NULL);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protocol, register_handoff};
    proto_register_plugin(&plugin);
}
