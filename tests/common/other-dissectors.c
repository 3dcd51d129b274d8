/* other-dissectors.c
 *
 * A plugin for tests with two other dissectors:
 * - "other" is registered for TCP port 6000, X11's first one. It accepts ENet messages that begin with 0xEF, and reads
 *   beyond the end of those that begin with 0xEE, like a dissector with a bug;
 * - "greedy" accepts ENet messages that begin with 0xEE or 0xF0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define WS_BUILD_DLL
#include "base/wireshark-compat.h"

#include "test-plugin.h"

static int proto_other = -1, proto_greedy = -1;

static int dissect_other(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Other");
    proto_tree_add_item(tree, proto_other, tvb, 0, -1, ENC_NA);
    return (int)tvb_captured_length(tvb);
}

static int first_byte(tvbuff_t *tvb)
{
    return tvb_captured_length(tvb) > 1 ? tvb_get_ntohs(tvb, 0) >> 8 : 0;
}

static compat_bool other_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (first_byte(tvb) == 0xee) {
        (void)tvb_get_ntohl(tvb, (int)tvb_reported_length(tvb));
    }
    return first_byte(tvb) == 0xef && dissect_other(tvb, pinfo, tree, data) > 0;
}

static compat_bool greedy_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    if (first_byte(tvb) != 0xee && first_byte(tvb) != 0xf0) {
        return false;
    }
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Greedy");
    proto_tree_add_item(tree, proto_greedy, tvb, 0, -1, ENC_NA);
    return true;
}

static void register_protocols(void)
{
    proto_other = proto_register_protocol("Other", "Other", "other");
    proto_greedy = proto_register_protocol("Greedy", "Greedy", "greedy");
}

static void register_handoff(void)
{
    dissector_add_uint("tcp.port", 6000, create_dissector_handle(dissect_other, proto_other));
    heur_dissector_add("enet", other_heuristic, "Other over ENet", "other_enet", proto_other,
                       HEURISTIC_ENABLE);
    heur_dissector_add("enet", greedy_heuristic, "Greedy over ENet", "greedy_enet", proto_greedy,
                       HEURISTIC_ENABLE);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protocols, register_handoff};
    proto_register_plugin(&plugin);
}
