/* godot-v3.c
 *
 * Packets of Godot 3's MultiplayerAPI in `godot`, with the header that some transports put before them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/godot-response.h"

static void dissect_v3_call(godot_packet *packet, const multiplayer_v3_packet *parsed)
{
    const variant_options options = {.dialect = VARIANT_GODOT3};
    bool call = parsed->command == MULTIPLAYER_V3_REMOTE_CALL;
    const char *node = NULL;
    bool known = parsed->path.offset != 0;
    if (!parsed->target_offset) {
        return;
    }
    if (parsed->path.offset) {
        proto_tree_add_uint(packet->tree, hf_godot_path_offset, packet->tvb, parsed->target_offset, 4,
                            parsed->path.offset);
        node = godot_text_at(packet, parsed->path);
    } else if (!(parsed->target & MULTIPLAYER_V3_PATH_FLAG)) {
        const godot_path *path = godot_add_path_id(packet, packet->tree, hf_godot_path_id,
                                                   parsed->target_offset, 4, parsed->target);
        node = path ? path->path : wmem_strdup_printf(packet->pinfo->pool, "node %u", parsed->target);
        known = path != NULL;
    }
    if (!parsed->name.offset) {
        return;
    }
    const char *name = godot_text_at(packet, parsed->name);
    uint32_t others;
    proto_item *item = proto_tree_add_item(packet->tree, call ? hf_godot_rpc_method : hf_godot_rset_property,
                                           packet->tvb, parsed->name.offset, parsed->name.length, ENC_UTF_8);
    if (godot_project_available() && parsed->name.length) {
        const char *script = godot_project_declares(name, &others);
        if (script) {
            proto_item_append_text(item, others ? " (%s and %u more)" : " (%s)", script, others);
        } else {
            expert_add_info(packet->pinfo, item, &ei_godot_not_declared);
        }
    }
    wmem_strbuf_t *line = wmem_strbuf_new(packet->pinfo->pool, "");
    wmem_strbuf_append_printf(line, call ? "%s(" : "%s = ", name);
    if (parsed->values_offset) {
        godot_values list = {.offset = parsed->values_offset,
                             .length = parsed->values_length,
                             .expected = call ? parsed->count : 1,
                             .label = call ? "Argument" : "Value",
                             .options = options};
        proto_tree *tree = packet->tree;
        if (parsed->count_offset) {
            proto_tree_add_uint(packet->tree, hf_godot_rpc_count, packet->tvb, parsed->count_offset, 1,
                                parsed->count);
        }
        if (call && parsed->count) {
            tree = godot_add_arguments(packet, parsed->values_offset, parsed->values_length, parsed->count);
        }
        godot_add_values(packet, tree, &list, line, MULTIPLAYER_DROPPED);
    }
    wmem_strbuf_append(line, call ? ")" : "");
    godot_add_text(packet, hf_godot_path, parsed->path);
    if (call) {
        godot_add_generated_string(packet->tree, packet->tvb, hf_godot_rpc_call, wmem_strbuf_get_str(line));
    }
    wmem_strbuf_append_printf(packet->info, "%s → %s", wmem_strbuf_get_str(line), node ? node : "?");
    godot_set_tap(packet, node, name);
    packet->tap->call = call;
    if (call && known) {
        godot_response_call(packet, node, name, parsed->values_offset,
                            parsed->count ? parsed->values_length : 0, &options);
    }
}

static void dissect_v3_simplify(godot_packet *packet, const multiplayer_v3_packet *parsed, bool dropped)
{
    if (!parsed->target_offset) {
        return;
    }
    proto_tree_add_uint(packet->tree, hf_godot_path_id, packet->tvb, parsed->target_offset, 4,
                        parsed->target);
    godot_add_text(packet, hf_godot_path, parsed->path);
    const char *path = godot_text_at(packet, parsed->path);
    if (packet->learn && !dropped) {
        godot_session_learn_path(packet->pinfo, packet->message, packet->from, parsed->target, path, NULL);
    }
    const godot_path *entry = godot_session_path(packet->message, packet->from, parsed->target);
    if (entry) {
        godot_add_confirmed_in(packet, entry);
    }
    wmem_strbuf_append_printf(packet->info, "node %u is %s", parsed->target, path);
    godot_set_tap(packet, path, "path cache");
}

static void dissect_v3_confirm(godot_packet *packet, const multiplayer_v3_packet *parsed, bool dropped)
{
    if (!parsed->path.offset) {
        return;
    }
    proto_item *item = proto_tree_add_item(packet->tree, hf_godot_path, packet->tvb, parsed->path.offset,
                                           parsed->path.length, ENC_UTF_8);
    const char *path = godot_text_at(packet, parsed->path);
    godot_path *entry = godot_session_path_by_name(packet->message, packet->to, path);
    godot_show_confirmation(packet, entry, path, true, item, packet->learn && !dropped);
}

static void dissect_v3_packet(godot_packet *packet)
{
    multiplayer_v3_packet parsed;
    multiplayer_v3_parse(packet->bytes, packet->length, &parsed);
    bool dropped = parsed.findings.dropped || packet->cut;
    const char *name = multiplayer_v3_command_name(parsed.command);
    if (packet->length) {
        proto_tree_add_item(packet->tree, hf_godot_byte, packet->tvb, 0, 1, ENC_NA);
        proto_item_set_generated(proto_tree_add_string(packet->tree, hf_godot_command, packet->tvb, 0, 1,
                                                       name ? name : "Unknown"));
        proto_item_append_text(packet->item, ", %s", name ? name : "Unknown");
    }
    godot_add_findings(packet, packet->tree, &parsed.findings);
    switch (parsed.command) {
    case MULTIPLAYER_V3_REMOTE_CALL:
    case MULTIPLAYER_V3_REMOTE_SET:
        dissect_v3_call(packet, &parsed);
        break;
    case MULTIPLAYER_V3_SIMPLIFY_PATH:
        dissect_v3_simplify(packet, &parsed, dropped);
        break;
    case MULTIPLAYER_V3_CONFIRM_PATH:
        dissect_v3_confirm(packet, &parsed, dropped);
        break;
    case MULTIPLAYER_V3_RAW:
        if (parsed.values_offset) {
            godot_add_application_bytes(packet, hf_godot_raw, parsed.values_offset, parsed.values_length,
                                        VARIANT_GODOT3);
        }
        wmem_strbuf_append_printf(packet->info, "raw, %u bytes", parsed.values_length);
        godot_set_tap(packet, NULL, "raw");
        break;
    default:
        if (packet->length > 1) {
            proto_tree_add_item(packet->tree, hf_godot_undecoded, packet->tvb, 1, packet->length - 1, ENC_NA);
        }
        wmem_strbuf_append_printf(packet->info, "command %u, %u bytes", parsed.command, packet->length);
        godot_set_tap(packet, NULL, "unknown command");
    }
    if (wmem_strbuf_get_len(packet->info) == 0) {
        wmem_strbuf_append_printf(packet->info, "%s, incomplete", name ? name : "Unknown");
    }
}

/* A message of the peer: who is there, and which id the receiver has. */
static void dissect_v3_system(godot_packet *packet, const multiplayer_v3_header *header, bool dropped)
{
    const char *name = multiplayer_v3_message_name(header->message);
    proto_item_set_generated(proto_tree_add_string(packet->tree, hf_godot_sys_command_name, packet->tvb, 0,
                                                   header->message_length, name));
    proto_item_append_text(packet->item, ", %s", name);
    godot_set_tap(packet, NULL, name);
    if (!header->peer_offset) {
        wmem_strbuf_append_printf(packet->info, "%s, incomplete", name);
        return;
    }
    bool assigns = header->message == MULTIPLAYER_V3_ASSIGN_ID;
    proto_item *item = proto_tree_add_int(packet->tree, assigns ? hf_godot_sys_assigned : hf_godot_sys_peer,
                                          packet->tvb, header->peer_offset, 4, header->peer);
    if (godot_session_is_server(packet->message, godot_other_end(packet->from))) {
        expert_add_info(packet->pinfo, item, &ei_godot_only_server);
    } else if (packet->learn && !dropped) {
        godot_session_learn_peer_id(packet->message, packet->from, 1);
        if (assigns) {
            godot_session_learn_peer_id(packet->message, godot_other_end(packet->from), header->peer);
        } else {
            godot_session_learn_presence(packet->message, header->peer,
                                         header->message == MULTIPLAYER_V3_ADD_PEER);
        }
    }
    wmem_strbuf_append_printf(packet->info,
                              assigns                                      ? "you are peer %d"
                              : header->message == MULTIPLAYER_V3_ADD_PEER ? "add peer %d"
                              : header->message == MULTIPLAYER_V3_REMOVE_PEER
                                  ? "remove peer %d"
                                  : "unknown message about peer %d",
                              header->peer);
}

/* Sender and receiver by the header. The server passes packets on unchanged. */
static void add_v3_ends(godot_packet *packet, const multiplayer_v3_header *header)
{
    if (!header->target_offset) {
        godot_add_ends(packet);
        return;
    }
    proto_item *item = proto_tree_add_int(packet->tree, hf_godot_source, packet->tvb, header->source_offset,
                                          4, header->source);
    proto_item *target_item = proto_tree_add_int(packet->tree, hf_godot_target, packet->tvb,
                                                 header->target_offset, 4, header->target);
    int32_t expected = godot_session_peer_id(packet->message, packet->from);
    bool from_server = godot_session_is_server(packet->message, packet->from);
    if (expected > 0 && header->source != expected && !from_server) {
        expert_add_info_format(packet->pinfo, item, &ei_godot_source,
                               "Source %d is not this end's peer id %d: the server drops the packet",
                               header->source, expected);
    }
    if (from_server && header->source > 1) {
        packet->tap->relayed = true;
        proto_item_set_generated(
            proto_tree_add_boolean(packet->tree, hf_godot_relayed, packet->tvb, 0, 0, 1));
        wmem_strbuf_append_printf(packet->info, "relayed from %d: ", header->source);
    }
    if (!from_server && expected != 0 && header->target > 1) {
        wmem_strbuf_append_printf(packet->info, "relay to %d: ", header->target);
        godot_check_presence(packet, target_item, header->target);
    }
    packet->from = header->source;
    packet->to = header->target > 0 ? header->target : 0;
}

void godot_dissect_v3(godot_packet *packet)
{
    multiplayer_v3_header header;
    multiplayer_v3_parse_header(packet->message->carrier, packet->bytes, packet->length, &header);
    if (header.message_length) {
        proto_tree_add_uint(packet->tree, hf_godot_header_message, packet->tvb, header.message_offset,
                            header.message_length, header.message_value);
    }
    add_v3_ends(packet, &header);
    if (header.flags_offset) {
        proto_tree_add_item(packet->tree, hf_godot_header_flags, packet->tvb, header.flags_offset, 4,
                            ENC_LITTLE_ENDIAN);
    }
    godot_add_findings(packet, packet->tree, &header.findings);
    if (header.message != MULTIPLAYER_V3_DATA) {
        godot_packet system = *packet;
        if (header.has_source) { /* by connection, not by the number that stands there */
            system.from = packet->message->from_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR;
        }
        dissect_v3_system(&system, &header, header.findings.dropped || packet->cut);
        return;
    }
    if (header.findings.dropped && header.length == packet->length) {
        wmem_strbuf_append(packet->info, "header incomplete");
        return;
    }
    godot_packet inner = *packet;
    inner.tvb = tvb_new_subset_remaining(packet->tvb, header.length);
    inner.bytes += header.length;
    inner.length -= header.length;
    dissect_v3_packet(&inner);
}
