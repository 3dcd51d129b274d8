/* v3.c
 *
 * Packets of Godot 3's MultiplayerAPI in `godot`, with the header that some transports put before them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <wsutil/str_util.h>

#include "multiplayer/packet/replies.h"
#include "multiplayer/packet/tap-members.h"
#include "multiplayer/show/call-checks.h"
#include "multiplayer/show/packets.h"
#include "multiplayer/show/path-cache.h"

/* The node that a call or RSET is about; `*known` is set if its path is. */
static const char *add_v3_node(const godot_packet *packet, const multiplayer_v3_packet *parsed, bool *known)
{
    *known = parsed->path.offset != 0;
    if (*known) {
        const char *text = godot_text_at(packet, parsed->path);
        bool cut = godot_is_cut(packet, parsed->path);
        godot_add_text(packet, hf_godot_path, parsed->path);
        *known = !godot_check_confirmed(
            packet, packet->item,
            cut ? NULL : godot_session_path_by_name(packet->message, packet->from, text), false);
        proto_tree_add_uint(packet->encoding, hf_godot_path_offset, packet->tvb, parsed->target_offset, 4,
                            parsed->path.offset);
        return text;
    }
    if (parsed->target & MULTIPLAYER_V3_PATH_FLAG) {
        return NULL;
    }
    if (packet->learn) {
        godot_session_adopt_path(packet->message, packet->from, parsed->target);
    }
    const godot_path *path = godot_add_path_id(packet, packet->tree, packet->encoding, hf_godot_path_id,
                                               parsed->target_offset, 4, parsed->target);
    *known = path && !godot_check_announced_v3(packet, packet->item, path);
    if (packet->learn && path) {
        godot_session_learn_use(
            packet->message, godot_session_path(packet->message, packet->from, parsed->target), packet->to);
    }
    return path ? path->path : godot_numbered(packet, "node ", parsed->target);
}

/* The name of the method or property, with the script that declares it. */
static const char *add_v3_name(const godot_packet *packet, const multiplayer_v3_packet *parsed, bool call)
{
    const char *name = godot_text_at(packet, parsed->name);
    uint32_t others;
    proto_item *item =
        godot_add_text(packet, call ? hf_godot_rpc_method : hf_godot_rset_property, parsed->name);
    if (godot_project_available() && parsed->name.length) {
        const char *script = godot_project_declares(name, &others);
        if (script) {
            proto_item_append_text(item, others ? " (%s and %u more)" : " (%s)", script, others);
        } else if (!packet->answered && !godot_is_cut(packet, parsed->name)) {
            expert_add_info(packet->pinfo, item, &ei_godot_not_declared);
        }
    }
    return name;
}

static const char *const *script_of_method(const godot_packet *packet, const godot_place *place)
{
    const char **scripts = wmem_alloc0_array(packet->pinfo->pool, const char *, 2);
    uint32_t others;
    scripts[0] = godot_project_available() ? godot_project_declares(place->name, &others) : NULL;
    return scripts;
}

static void add_v3_values(godot_packet *packet, const multiplayer_v3_packet *parsed, size_t line_start,
                          const char *node, const char *name)
{
    bool call = parsed->command == MULTIPLAYER_V3_REMOTE_CALL;
    const godot_place place = {.table = call ? GODOT_METHOD : GODOT_PROPERTY,
                               .argument = -1,
                               .node = node,
                               .name = name,
                               .scripts = call ? script_of_method : NULL};
    godot_values list = {.offset = parsed->values_offset,
                         .length = parsed->values_length,
                         .expected = call ? parsed->count : 1,
                         .label = call ? "Argument " : "Value ",
                         .arguments = call,
                         .place = &place,
                         .line = packet->info,
                         .line_start = line_start,
                         .options = {.dialect = VARIANT_GODOT3}};
    proto_tree *tree = packet->tree;
    if (parsed->count_offset) {
        proto_tree_add_uint(packet->encoding, hf_godot_rpc_count, packet->tvb, parsed->count_offset, 1,
                            parsed->count);
    }
    if (call && parsed->count) {
        tree = godot_add_arguments(packet, parsed->values_offset, parsed->values_length, parsed->count);
    }
    godot_add_values(packet, tree, &list, MULTIPLAYER_DROPPED);
}

static void dissect_v3_call(godot_packet *packet, const multiplayer_v3_packet *parsed)
{
    const variant_options options = {.dialect = VARIANT_GODOT3};
    bool call = parsed->command == MULTIPLAYER_V3_REMOTE_CALL, known = false;
    if (!parsed->target_offset) {
        godot_add_delivery(packet);
        return;
    }
    const char *name = parsed->name.offset ? add_v3_name(packet, parsed, call) : NULL;
    const char *node = add_v3_node(packet, parsed, &known);
    godot_add_delivery(packet);
    if (!name) {
        return;
    }
    const godot_path *announced =
        known && parsed->path.offset ? godot_session_path_by_name(packet->message, packet->from, node) : NULL;
    godot_expected_types expected = {.otherwise = ""};
    if (known && parsed->values_offset && !godot_is_node_unknown(packet, announced)) {
        expected = godot_check_v3_call(packet, node, name, call, parsed->count);
    }
    size_t start = wmem_strbuf_get_len(packet->info);
    godot_append(packet->info, name, call ? "(" : " = ", NULL);
    if (parsed->values_offset) {
        add_v3_values(packet, parsed, start, known ? node : NULL, name);
    }
    if (call) {
        godot_check_types(packet, &expected, node, name, 3);
        wmem_strbuf_append(packet->info, ")");
        godot_add_call(packet, wmem_strbuf_get_str(packet->info) + start);
    }
    godot_append(packet->info, " → ", node ? node : "?", NULL);
    godot_set_tap(packet, node, name);
    packet->tap->call = call;
    packet->tap->set = !call;
    packet->tap->full_path = parsed->path.offset > 0;
    if (!call && parsed->values_offset && parsed->values_length) {
        godot_tap_add(packet->tap->values, (godot_tap_variant){.node = node,
                                                               .property = name,
                                                               .bytes = packet->bytes + parsed->values_offset,
                                                               .length = parsed->values_length,
                                                               .options = options});
    }
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
    godot_add_text(packet, hf_godot_path, parsed->path);
    proto_tree_add_uint(packet->tree, hf_godot_path_id, packet->tvb, parsed->target_offset, 4,
                        parsed->target);
    godot_add_delivery(packet);
    const char *path = godot_text_at(packet, parsed->path);
    if (packet->learn && !dropped) {
        godot_session_learn_path(packet->message, packet->from, packet->to, parsed->target, path, false,
                                 NULL);
    }
    godot_path *entry = godot_session_path(packet->message, packet->from, parsed->target);
    if (entry) {
        godot_add_confirmed_in(packet, entry);
        godot_check_confirmed(packet, packet->item, entry, true);
    }
    wmem_strbuf_append_printf(packet->info, "node %u is %s", parsed->target, path);
    godot_set_tap(packet, path, "path cache");
    packet->tap->full_path = true;
}

static void dissect_v3_confirm(godot_packet *packet, const multiplayer_v3_packet *parsed, bool dropped)
{
    if (!parsed->path.offset) {
        return;
    }
    proto_item *item = godot_add_text(packet, hf_godot_path, parsed->path);
    const char *path = godot_text_at(packet, parsed->path);
    godot_path *entry = godot_is_cut(packet, parsed->path)
                            ? NULL
                            : godot_session_path_by_name(packet->message, packet->to, path);
    godot_add_delivery(packet);
    if (packet->learn && !dropped) {
        godot_learn_confirmation(packet, entry, true);
    }
    godot_show_confirmation(packet, entry, path, true, item);
}

/* send_bytes(), or put_packet() of a game that uses the WebSocket peer without MultiplayerAPI: a String as
 * var2bytes() writes it begins with the same byte. */
static void dissect_v3_raw(godot_packet *packet, const multiplayer_v3_packet *parsed)
{
    uint32_t offset = parsed->values_offset;
    godot_add_delivery(packet);
    if (packet->message->session->transport == GODOT_OVER_WEBSOCKET && !packet->cut) {
        variant_guess guess = variant_detect(packet->bytes, packet->length, VARIANT_GODOT3);
        if (guess.strong && guess.score > 0 && guess.consumed == packet->length) {
            offset = 0;
        }
    }
    wmem_strbuf_append(packet->info, parsed->values_offset && !offset ? "put_packet " : "raw ");
    if (parsed->values_offset) {
        godot_add_application_bytes(packet, hf_godot_raw, offset, packet->length - offset, VARIANT_GODOT3);
    }
    wmem_strbuf_append_printf(packet->info, "(%u bytes)",
                              parsed->values_offset ? packet->length - offset : 0);
    godot_set_tap(packet, NULL, "raw");
}

static void dissect_v3_packet(godot_packet *packet)
{
    multiplayer_v3_packet parsed;
    multiplayer_v3_parse(packet->bytes, packet->length, &parsed);
    bool dropped = parsed.findings.dropped || packet->cut;
    const char *name = multiplayer_v3_command_name(parsed.command);
    if (packet->length) {
        proto_item_set_generated(proto_tree_add_string(packet->encoding, hf_godot_command, packet->tvb, 0, 1,
                                                       name ? name : "Unknown"));
        proto_tree_add_item(packet->encoding, hf_godot_byte, packet->tvb, 0, 1, ENC_NA);
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
        dissect_v3_raw(packet, &parsed);
        break;
    default:
        godot_add_delivery(packet);
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

/* A message of the peer itself: peers that join or leave, and the id of the receiver. */
static void dissect_v3_system(godot_packet *packet, const multiplayer_v3_header *header, bool dropped)
{
    const char *name = multiplayer_v3_message_name(header->message);
    proto_item_set_generated(proto_tree_add_string(packet->tree, hf_godot_sys_command_name, packet->tvb, 0,
                                                   header->message_length, name));
    godot_set_tap(packet, NULL, name);
    if (!header->peer_offset) {
        godot_add_delivery(packet);
        wmem_strbuf_append_printf(packet->info, "%s, incomplete", name);
        return;
    }
    bool assigns = header->message == MULTIPLAYER_V3_ASSIGN_ID;
    proto_item *item = proto_tree_add_int(packet->tree, assigns ? hf_godot_sys_assigned : hf_godot_sys_peer,
                                          packet->tvb, header->peer_offset, 4, header->peer);
    godot_add_delivery(packet);
    if (godot_session_is_server(packet->message, godot_other_end(packet->from))) {
        if (godot_conclude(packet, item, &ei_godot_only_server,
                           godot_packet_lacks(packet, GODOT_NOT_FROM_SERVER),
                           "Only the server may send this: the engine drops it")) {
            godot_tap_set_problem(packet, &ei_godot_only_server, NULL);
        }
    } else if (packet->learn && !dropped) {
        godot_session_learn_peer_id(packet->message, packet->from, 1);
        if (assigns) {
            godot_session_learn_peer_id(packet->message, godot_other_end(packet->from), header->peer);
        } else {
            godot_session_learn_presence(packet->message, header->peer,
                                         header->message == MULTIPLAYER_V3_ADD_PEER);
        }
    }
    godot_append(packet->info,
                 assigns                                         ? "you are "
                 : header->message == MULTIPLAYER_V3_ADD_PEER    ? "add "
                 : header->message == MULTIPLAYER_V3_REMOVE_PEER ? "remove "
                                                                 : "unknown message about ",
                 godot_name_peer(packet, item, header->peer), NULL);
}

/* Sender and receiver by the header. The server passes packets on unchanged. */
static void set_v3_ends(godot_packet *packet, const multiplayer_v3_header *header)
{
    if (!header->target_offset) {
        return;
    }
    bool from_server = godot_session_is_server(packet->message, packet->from);
    const char *source = godot_name_peer(packet, NULL, header->source);
    const char *target = godot_name_peer(packet, NULL, header->target);
    if (from_server && header->source > 1) {
        packet->tap->relayed = packet->tap->passed_on = true;
        packet->tap->relay = wmem_strconcat(packet->pinfo->pool, " [relayed from ", source, "]", NULL);
    }
    if (!from_server && godot_session_peer_id(packet->message, packet->from) != 0 && header->target > 1) {
        packet->tap->relay = wmem_strconcat(packet->pinfo->pool, " [relay to ", target, "]", NULL);
    }
    packet->v3_header = header;
    packet->v3_tvb = packet->tvb;
    packet->from = header->source;
    packet->to = header->target > 0 ? header->target : 0;
    packet->broadcast = header->target < 0 ? header->target : 0;
}

void godot_dissect_v3(godot_packet *packet)
{
    multiplayer_v3_header header;
    multiplayer_v3_parse_header(packet->message->carrier, packet->bytes, packet->length, &header);
    if (header.message_length) {
        proto_tree_add_uint(packet->encoding, hf_godot_header_message, packet->tvb, header.message_offset,
                            header.message_length, header.message_value);
    }
    set_v3_ends(packet, &header);
    if (header.flags_offset) {
        proto_tree_add_item(packet->encoding, hf_godot_header_flags, packet->tvb, header.flags_offset, 4,
                            ENC_LITTLE_ENDIAN);
    }
    godot_add_findings(packet, packet->tree, &header.findings);
    if (header.message != MULTIPLAYER_V3_DATA) {
        godot_packet system = *packet;
        if (header.has_source) { /* from the connection, not from the number in the packet */
            system.from = godot_sending_end(packet->message);
        }
        dissect_v3_system(&system, &header, header.findings.dropped || packet->cut);
        system.from = godot_sending_end(packet->message);
        system.to = godot_other_end(system.from);
        system.broadcast = 0;
        godot_tap_set_ends(
            &system); /* the message contains ids: on later passes these were known from its beginning */
        return;
    }
    if (header.findings.dropped && header.length == packet->length) {
        godot_add_delivery(packet);
        wmem_strbuf_append(packet->info, header.findings.list[0].problem == MULTIPLAYER_PROBLEM_TOO_SHORT
                                             ? "header incomplete"
                                             : "header without a message");
        return;
    }
    godot_tap_set_ends(packet);
    godot_packet inner = *packet;
    inner.tvb = tvb_new_subset_remaining(packet->tvb, header.length);
    inner.bytes += header.length;
    inner.length -= header.length;
    dissect_v3_packet(&inner);
    packet->v3_header = NULL; /* the packet ends here */
}
