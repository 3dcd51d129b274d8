/* own-bytes.c
 *
 * A plugin for tests with a dissector of a game's own bytes, "owned", registered as plugin/multiplayer/payload/api.h
 * says: for the methods "move", "Main/Player.aim:1" and "player.shoot", the property "bits", the data of send_auth() of
 * servers and the spawner "Main/Spawner". It shows the facts it is told. Bytes that begin with 0xEE make it read
 * beyond their end, 0xED are declined, 0xEC are taken without a text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define WS_BUILD_DLL
#include "base/wireshark-compat.h"

#include <epan/proto_data.h>

#include "multiplayer/payload/api.h"
#include "test-plugin.h"

static int proto_owned = -1, hf_facts = -1, hf_first_byte = -1, ett_owned = -1;

static int dissect_owned(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    const godot_payload *p =
        p_get_proto_data(pinfo->pool, pinfo, proto_get_id_by_filter_name("godot"), GODOT_PAYLOAD_KEY);
    unsigned first = tvb_captured_length(tvb) ? tvb_get_uint8(tvb, 0) : 0;
    if (first == 0xee) {
        (void)tvb_get_ntohl(tvb, (int)tvb_reported_length(tvb));
    }
    if (first == 0xed || data) {
        return 0;
    }
    proto_item *item = proto_tree_add_item(tree, proto_owned, tvb, 0, -1, ENC_NA);
    proto_tree *below = proto_item_add_subtree(item, ett_owned);
    char *facts = wmem_strdup_printf(pinfo->pool, "%s|%s|%s|%d|%s|%s|%u|%d|%d|%d|%d|%u|%d|%d", p->table,
                                     p->node ? p->node : "-", p->name ? p->name : "-", p->argument, p->before,
                                     p->after, p->session, p->source, p->target, p->target_unknown,
                                     p->from_initiator, p->number, p->first, p->repeated);
    proto_tree_add_string(below, hf_facts, tvb, 0, 0, facts);
    proto_tree_add_uint(below, hf_first_byte, tvb, 0, tvb_captured_length(tvb) ? 1 : 0, first);
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Owned");
    if (first != 0xec) {
        col_add_fstr(pinfo->cinfo, COL_INFO, "owned %u", tvb_reported_length(tvb));
        col_set_fence(pinfo->cinfo, COL_INFO);
    }
    return (int)tvb_captured_length(tvb);
}

static void register_protocols(void)
{
    static hf_register_info fields[] = {
        {&hf_facts, {"Facts", "owned.facts", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
        {&hf_first_byte, {"First", "owned.first", FT_UINT8, BASE_HEX, NULL, 0x0, NULL, HFILL}},
    };
    static int *trees[] = {&ett_owned};
    proto_owned = proto_register_protocol("Owned", "Owned", "owned");
    proto_register_field_array(proto_owned, fields, array_length(fields));
    proto_register_subtree_array(trees, array_length(trees));
}

static void register_handoff(void)
{
    static const char *const places[][2] = {
        {"godot.method", "move"},         {"godot.method", "Main/Player.aim:1"},
        {"godot.method", "player.shoot"}, {"godot.property", "bits"},
        {"godot.auth", "server"},         {"godot.spawn", "Main/Spawner"}};
    dissector_handle_t handle = create_dissector_handle(dissect_owned, proto_owned);
    for (size_t i = 0; i < array_length(places); i++) {
        dissector_add_string(places[i][0], places[i][1], handle);
    }
    dissector_add_for_decode_as("godot.raw", handle);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protocols, register_handoff};
    proto_register_plugin(&plugin);
}
