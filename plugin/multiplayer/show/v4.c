/* v4.c
 *
 * Packets of Godot 4's SceneMultiplayer in `godot`: remote calls and system messages; dispatches the rest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <wsutil/str_util.h>

#include "base/tcp.h"
#include "multiplayer/packet/names.h"
#include "multiplayer/packet/replies.h"
#include "multiplayer/packet/tap-members.h"
#include "multiplayer/reports/relayed.h"
#include "multiplayer/reports/search.h"
#include "multiplayer/session/nodes.h"
#include "multiplayer/show/call-checks.h"
#include "multiplayer/show/packets.h"
#include "multiplayer/show/path-cache.h"
#include "multiplayer/show/spawn.h"
#include "multiplayer/show/sync.h"

/* --- remote calls -------------------------------------------------------------------------------- */

/* "PackedByteArray(1, 2, 3)" for the bare bytes of a call. */
static void append_bytes(wmem_strbuf_t *line, const uint8_t *bytes, uint32_t length)
{
    enum { SHOWN = 200 };
    wmem_strbuf_append(line, "PackedByteArray(");
    for (uint32_t i = 0; i < length && i < SHOWN; i++) {
        wmem_strbuf_append_printf(line, i ? ", %u" : "%u", bytes[i]);
    }
    wmem_strbuf_append(line, length > SHOWN ? ", …)" : ")");
}

/* The receiver has reported that its methods differ: any call by their numbers may be wrong. */
static void add_refused(const godot_packet *packet, proto_item *item, const godot_path *path)
{
    const godot_confirmation *confirmation =
        packet->to && path ? godot_session_confirmation(packet->message, path, packet->to) : NULL;
    if (confirmation && !confirmation->valid) {
        const godot_moment refused = {confirmation->number, confirmation->frame};
        if (godot_conclude(packet, item, &ei_godot_refused_call,
                           godot_engine_lacks(GODOT_CHECKSUM_FAILED, packet->message, packet->to, refused),
                           "%s has other RPC methods for %s (\"The rpc node checksum failed\", %s): "
                           "the number may stand for another method there",
                           godot_peer_text(packet, packet->to), path->path,
                           frame_text(packet->pinfo->pool, confirmation->frame))) {
            godot_tap_set_problem(packet, &ei_godot_refused_call, NULL);
        }
    }
}

/* Once for each path: where the names would come from. */
static void add_why_no_name(const godot_packet *packet, proto_item *item, const godot_path *path)
{
    bool available = godot_project_available();
    if (available ? godot_names_list(packet, path->checksum, NULL) != NULL : packet->recorded != NULL) {
        return;
    }
    if (!godot_is_first(packet, available ? GODOT_TOPIC_NO_SCRIPT : GODOT_TOPIC_NO_PROJECT, path->owner,
                        path->id)) {
        return;
    }
    if (available) {
        godot_add_no_script(packet, item);
    } else {
        expert_add_info(packet->pinfo, item, &ei_godot_no_project);
    }
}

/* The checksum of the node is known: adds an expert info if the method's name is not. */
static const char *add_method(const godot_packet *packet, const multiplayer_v4_call *call,
                              const godot_path *path)
{
    proto_item *item = proto_tree_add_uint(packet->encoding, hf_godot_rpc_method_id, packet->tvb,
                                           call->method_offset, call->method_size, call->method);
    add_refused(packet, item, path);
    const char *name = path ? godot_names_method(packet, path->checksum, call->method) : NULL;
    if (name) {
        proto_item_append_text(item, " (%s)", name);
        godot_add_generated_string(packet->tree, packet->tvb, hf_godot_rpc_method, name);
        return name;
    }
    if (path && *path->checksum) {
        add_why_no_name(packet, item, path);
    }
    return call->method & MULTIPLAYER_V4_NODE_METHOD
               ? godot_numbered(packet, "#node:", call->method & ~(unsigned)MULTIPLAYER_V4_NODE_METHOD)
               : godot_numbered(packet, "#", call->method);
}

/* Once for each path, if nothing shows that the capture lacks it. */
static void add_unconfirmed(const godot_packet *packet, const godot_path *path)
{
    if (packet->to && path && !godot_is_later(packet, path->number) &&
        !godot_session_confirmation(packet->message, path, packet->to) &&
        godot_session_missing(packet->message, packet->to, (godot_moment){path->number, path->frame},
                              (godot_moment){packet->message->number, packet->message->frame}) ==
            GODOT_MISSING_NOTHING &&
        godot_is_first(packet, GODOT_TOPIC_PATH_UNCONFIRMED, packet->to, path->id)) {
        expert_add_info(packet->pinfo, packet->item, &ei_godot_path_unconfirmed);
    }
}

/* The node that is called, by its path or by its id. */
typedef struct {
    const char *text; /* for the Info column; NULL: the packet ends before it */
    godot_path *path; /* in the path cache, NULL if it is not known there */
} called_node;

static called_node find_called_node(const godot_packet *packet, const multiplayer_v4_call *call)
{
    if (call->path.offset) {
        const char *text = godot_text_at(packet, call->path);
        if (godot_is_cut(packet, call->path)) {
            return (called_node){text, NULL};
        }
        if (packet->learn) {
            godot_session_adopt_path_by_name(packet->message, packet->from, text);
        }
        return (called_node){text, godot_session_path_by_name(packet->message, packet->from, text)};
    }
    if (!call->node_offset || call->node & MULTIPLAYER_V4_PATH_FLAG) {
        return (called_node){NULL, NULL};
    }
    if (packet->learn) {
        godot_session_adopt_path(packet->message, packet->from, call->node);
    }
    godot_path *path = godot_session_path(packet->message, packet->from, call->node);
    if (packet->learn && path) {
        godot_session_learn_use(packet->message, path, packet->to);
    }
    return (called_node){path ? path->path : godot_numbered(packet, "node ", call->node), path};
}

/* Returns whether the receiver does not have the node. */
static bool add_called_node(const godot_packet *packet, const multiplayer_v4_call *call,
                            const called_node *node)
{
    if (call->path.offset) {
        godot_add_text(packet, hf_godot_path, call->path);
        proto_tree_add_uint(packet->encoding, hf_godot_path_offset, packet->tvb, call->node_offset,
                            call->node_size, call->path.offset);
        return godot_check_confirmed(packet, packet->item, node->path, false);
    }
    if (node->text) {
        godot_add_path_id(packet, packet->tree, packet->encoding, hf_godot_path_id, call->node_offset,
                          call->node_size, call->node);
        add_unconfirmed(packet, node->path);
    }
    return false;
}

/* The call was in transit when the receiver removed the node. */
static void add_despawned(const godot_packet *packet, const char *node)
{
    uint32_t number,
        frame = packet->to && node ? godot_session_despawned(packet->message, packet->to, node, &number) : 0;
    if (frame && !packet->message->repeated) { /* the copy before may have arrived */
        const godot_moment despawned = {number, frame};
        if (godot_conclude(
                packet, packet->item, &ei_godot_despawned,
                godot_engine_lacks(GODOT_NODE_DESPAWNED, packet->message, packet->to, despawned),
                "%s has despawned the node in %s: unless it has only been hidden from this "
                "peer, the engine prints \"Failed to get cached node\" or \"Node not found: \"%s\"\"",
                godot_peer_text(packet, packet->to), frame_text(packet->pinfo->pool, frame), node)) {
            godot_tap_set_problem(packet, &ei_godot_despawned, NULL);
        }
    }
}

/* Bytes that are the only argument stand without a type. */
static void add_raw_argument(godot_packet *packet, const multiplayer_v4_call *call, const godot_place *place)
{
    proto_item *item = godot_add_item(packet, packet->tree, hf_godot_rpc_bytes, call->arguments_offset,
                                      call->arguments_length, ENC_NA);
    const char *text = packet->cut ? NULL
                                   : godot_offer_bytes(packet, proto_item_add_subtree(item, ett_godot_own),
                                                       place, call->arguments_offset, call->arguments_length);
    if (text && *text) {
        godot_append(packet->info, text, NULL);
    } else {
        append_bytes(packet->info, packet->bytes + call->arguments_offset, call->arguments_length);
    }
    godot_tap_add(packet->tap->arguments, (godot_tap_variant){.bytes = packet->bytes + call->arguments_offset,
                                                              .length = call->arguments_length,
                                                              .raw = true});
}

static void add_arguments(godot_packet *packet, const multiplayer_v4_call *call, size_t line_start,
                          const godot_place *place)
{
    if (call->count_offset) {
        proto_tree_add_uint(packet->encoding, hf_godot_rpc_count, packet->tvb, call->count_offset, 1,
                            call->count);
    } else {
        godot_add_generated_number(packet->encoding, packet->tvb, hf_godot_rpc_count, call->count);
    }
    if (call->raw && call->count) {
        packet->types[0] = VARIANT_PACKED_BYTE_ARRAY + 1;
        add_raw_argument(packet, call, place);
    } else if (!call->raw && call->count_offset) {
        godot_values list = {.offset = call->arguments_offset,
                             .length = call->arguments_length,
                             .expected = call->count,
                             .label = "Argument ",
                             .arguments = true,
                             .place = place,
                             .line = packet->info,
                             .line_start = line_start,
                             .options = {.dialect = VARIANT_GODOT4, .compact = true}};
        proto_tree *tree = packet->tree;
        if (call->count) {
            tree = godot_add_arguments(packet, call->arguments_offset, call->arguments_length, call->count);
        }
        godot_add_values(packet, tree, &list, MULTIPLAYER_NULLED);
    }
}

static void dissect_call(godot_packet *packet, const multiplayer_v4_call *call)
{
    const variant_options options = {.dialect = VARIANT_GODOT4, .compact = true};
    called_node node = find_called_node(packet, call);
    if (!call->method_offset) {
        /* The engine drops what is too short before it looks for the node. */
        if (node.path || call->path.offset || packet->cut) {
            add_called_node(packet, call, &node);
        } else if (node.text) {
            proto_tree_add_uint(packet->encoding, hf_godot_path_id, packet->tvb, call->node_offset,
                                call->node_size, call->node);
        }
        godot_add_delivery(packet);
        return;
    }
    const char *method = add_method(packet, call, node.path);
    bool lost = add_called_node(packet, call, &node);
    add_despawned(packet, node.text);
    godot_expected_types expected = {.otherwise = ""};
    if (!lost && !(call->path.offset && godot_is_node_unknown(packet, node.path))) {
        expected = godot_check_call(packet, node.path, call->method, call->count);
    }
    godot_add_delivery(packet);
    size_t start = wmem_strbuf_get_len(packet->info);
    godot_append(packet->info, method, "(", NULL);
    godot_place place = {.table = GODOT_METHOD,
                         .node = node.path || call->path.offset ? node.text : NULL,
                         .name = method,
                         .checksum = node.path ? node.path->checksum : "",
                         .scripts = godot_names_scripts};
    add_arguments(packet, call, start, &place);
    godot_check_types(packet, &expected, node.text, method, 4);
    wmem_strbuf_append_len(packet->info, ")", 1);
    godot_add_call(packet, wmem_strbuf_get_str(packet->info) + start);
    godot_append(packet->info, " → ", node.text ? node.text : "?", NULL);
    godot_set_tap(packet, node.text, method);
    packet->tap->call = true;
    packet->tap->checksum = node.path ? node.path->checksum : "";
    packet->tap->method = call->method;
    packet->tap->full_path = call->path.offset > 0;
    if (*method != '#' && (node.path || call->path.offset)) {
        godot_response_call(packet, node.text, method, call->arguments_offset, call->arguments_length,
                            call->raw || call->count == 0 ? NULL : &options);
    }
}

/* --- system messages ----------------------------------------------------------------------------- */

/* The parties of a relayed packet: from a client, the peer in it is the receiver; from the server, the
 * sender. `*assumed` is set if this is a guess. */
static bool relay_from_server(const godot_packet *packet, int32_t peer, bool *assumed, proto_item *item)
{
    if (godot_session_is_server(packet->message, packet->from)) {
        return true;
    }
    if (godot_session_is_server(packet->message, godot_other_end(packet->from)) || peer <= 0) {
        return false;
    }
    *assumed = true;
    if (godot_is_first(packet, GODOT_TOPIC_DIRECTION, 0, 0)) {
        expert_add_info(packet->pinfo, item, &ei_godot_direction);
    }
    return !packet->message->from_initiator;
}

static proto_item *add_relay(const godot_packet *packet, const multiplayer_v4_sys *sys)
{
    proto_item *item = proto_tree_add_int(packet->encoding, hf_godot_relay_peer, packet->tvb,
                                          sys->peer_offset, 4, sys->peer);
    godot_add_peer(packet->encoding, packet->tvb, hf_godot_relay_source,
                   godot_session_peer_id(packet->message, packet->from));
    godot_add_peer(packet->encoding, packet->tvb, hf_godot_relay_target,
                   packet->to ? godot_session_peer_id(packet->message, packet->to) : 0);
    return item;
}

/* The server passes the packet on, another peer reads it. Whether that has said what it did with it. */
static bool is_answered_by_receiver(const godot_packet *packet, const godot_packet *inner, int32_t peer,
                                    bool passed_on)
{
    const godot_message *message = packet->message;
    const report_packet here = {message->frame, message->place};
    if (!frame_visited(packet->pinfo) && !message->repeated && godot_report_wants_candidates()) {
        const relayed_contents contents = {.from = godot_session_peer_id(message, inner->from),
                                           .to = godot_session_peer_id(message, inner->to),
                                           .bytes = inner->bytes,
                                           .length = inner->length};
        godot_relayed_learn(here, &contents, passed_on);
    }
    return passed_on ? packet->answered
                     : godot_reports_are_of_peer(packet->pinfo, peer) || godot_relayed_reports(here);
}

static void dissect_relay(godot_packet *packet, const multiplayer_v4_sys *sys)
{
    proto_item *item = packet->encoding ? add_relay(packet, sys) : NULL;
    godot_packet inner = *packet;
    bool from_server = relay_from_server(packet, sys->peer, &inner.ends_assumed, item);
    const char *name = sys->peer ? godot_name_peer(packet, NULL, godot_peer_meant(sys->peer)) : "all";
    if (item) {
        proto_item_append_text(item,
                               from_server     ? " (sent by %s)"
                               : sys->peer < 0 ? " (to all but %s)"
                                               : " (to %s)",
                               name);
    }
    if (from_server) {
        inner.from = sys->peer;
    } else {
        inner.to = sys->peer > 1 ? sys->peer : sys->peer == 1 ? packet->to : 0;
        inner.broadcast = sys->peer < 0 ? sys->peer : 0;
    }
    if (sys->peer > 1) {
        godot_check_presence(packet, item, sys->peer);
    }
    const char *how = from_server ? " [relayed from " : sys->peer < 0 ? " [relay to all but " : " [relay to ";
    packet->tap->relay = wmem_strconcat(packet->pinfo->pool, how, name, "]", NULL);
    packet->tap->relayed = true;
    packet->tap->passed_on = from_server;
    godot_tap_set_ends(&inner);
    bool system = sys->data_length == 0 ||
                  (packet->bytes[sys->data_offset] & MULTIPLAYER_V4_COMMAND_MASK) == MULTIPLAYER_V4_SYS;
    if (system) {
        wmem_strbuf_append(packet->info, "nothing that can be relayed");
        return;
    }
    inner.tvb = tvb_new_subset_remaining(packet->tvb, sys->data_offset);
    inner.bytes = packet->bytes + sys->data_offset;
    inner.length = sys->data_length;
    inner.answered = is_answered_by_receiver(packet, &inner, sys->peer, from_server);
    inner.encoding = proto_item_add_subtree(godot_add_item(packet, packet->encoding, hf_godot_relay_packet,
                                                           sys->data_offset, sys->data_length, ENC_NA),
                                            ett_godot_relay);
    godot_dissect_v4(&inner);
}

/* Messages about peers come from the server only. */
static void dissect_peer(godot_packet *packet, const multiplayer_v4_sys *sys, bool dropped)
{
    bool added = sys->subcommand == MULTIPLAYER_V4_ADD_PEER;
    if (!sys->peer_offset) {
        return;
    }
    proto_item *item =
        proto_tree_add_int(packet->tree, hf_godot_sys_peer, packet->tvb, sys->peer_offset, 4, sys->peer);
    const char *name = godot_name_peer(packet, item, sys->peer);
    godot_add_delivery(packet);
    if (godot_session_is_server(packet->message, godot_other_end(packet->from))) {
        if (godot_conclude(packet, item, &ei_godot_only_server,
                           godot_packet_lacks(packet, GODOT_NOT_FROM_SERVER),
                           "Only the server may send this: the engine drops it")) {
            godot_tap_set_problem(packet, &ei_godot_only_server, NULL);
        }
    } else if (packet->learn && !dropped) {
        godot_session_learn_peer_id(packet->message, packet->from, 1);
        godot_session_learn_presence(packet->message, sys->peer, added);
        godot_tap_set_ends(packet); /* later passes know the server from the beginning */
    }
    godot_append(packet->info, added ? "add " : "delete ", name, NULL);
}

/* Later passes: an authentication that is not completed. If the capture has the end of the connection, that
 * is what is said, and over ENet, which end closes it. */
static void add_never_admitted(const godot_packet *packet, proto_item *item)
{
    const enet_payload_info *enet = packet->enet;
    bool closed = enet ? enet->closed_in != 0 : tcp_is_closed(packet->pinfo);
    const godot_verdict verdict = godot_engine_never_admits(packet->message, closed);
    bool first = godot_is_first(packet, GODOT_TOPIC_AUTHENTICATION, 0, 0); /* of both ends */
    if (!frame_visited(packet->pinfo) || !first || !verdict.holds) {
        return;
    }
    const char *what = "is never finished in this capture: after auth_timeout (3 s by default) the engine "
                       "disconnects";
    if (closed && enet) {
        what = wmem_strdup_printf(
            packet->pinfo->pool,
            "failed: %s closes the connection in %s: it leaves, by disconnect_peer(), or after auth_timeout "
            "(peer_authentication_failed)",
            godot_peer_text(packet, enet->closed_by_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR),
            frame_text(packet->pinfo->pool, enet->closed_in));
    } else if (closed) {
        what = "failed: the connection is closed before both ends have completed it "
               "(peer_authentication_failed)";
    }
    const char *client = godot_peer_text(packet, godot_session_client_end(packet->message->session));
    expert_field *conclusion = closed ? &ei_godot_auth_failed : &ei_godot_never_admitted;
    if (godot_conclude(packet, item, conclusion, verdict.missing, "Authentication of %s %s", client, what)) {
        godot_tap_set_problem(packet, conclusion, NULL);
    }
}

static proto_item *add_subcommand(const godot_packet *packet, const multiplayer_v4_sys *sys, const char *name)
{
    proto_item *item = proto_tree_add_uint(packet->encoding, hf_godot_sys_command, packet->tvb,
                                           sys->subcommand_offset, 1, sys->subcommand);
    proto_item_append_text(item, " (%s)", name ? name : "unknown");
    proto_item_set_hidden(proto_tree_add_string(packet->encoding, hf_godot_sys_command_name, packet->tvb,
                                                sys->subcommand_offset, 1, name ? name : "Unknown"));
    return item;
}

static void dissect_sys(godot_packet *packet, const multiplayer_v4_sys *sys, bool dropped)
{
    if (!sys->subcommand_offset) {
        return;
    }
    const char *name = multiplayer_v4_subcommand_name(sys->subcommand);
    proto_item *item = packet->encoding ? add_subcommand(packet, sys, name) : NULL;
    godot_set_tap(packet, NULL, name ? name : "unknown system message");
    switch (sys->subcommand) {
    case MULTIPLAYER_V4_AUTH:
        godot_add_delivery(packet);
        add_never_admitted(packet, item);
        godot_response_authentication(packet, sys->data_length == 0);
        if (sys->data_length) {
            wmem_strbuf_append(packet->info, "authentication ");
            godot_add_application_bytes(packet, hf_godot_sys_auth, sys->data_offset, sys->data_length,
                                        VARIANT_GODOT4);
            wmem_strbuf_append_printf(packet->info, "(%u bytes)", sys->data_length);
        } else {
            wmem_strbuf_append(packet->info, "authentication complete");
        }
        break;
    case MULTIPLAYER_V4_ADD_PEER:
    case MULTIPLAYER_V4_DEL_PEER:
        dissect_peer(packet, sys, dropped);
        break;
    case MULTIPLAYER_V4_RELAY:
        if (sys->peer_offset) {
            dissect_relay(packet, sys);
        }
        break;
    default:
        if (sys->data_length) {
            proto_tree_add_item(packet->tree, hf_godot_sys_data, packet->tvb, sys->data_offset,
                                sys->data_length, ENC_NA);
        }
        wmem_strbuf_append_printf(packet->info, "system message %u, %u bytes", sys->subcommand,
                                  sys->data_length);
    }
}

/* Whether the fields of the byte and its bits are needed: so many fields take long even if they are not
 * shown. */
static bool is_byte_wanted(proto_tree *tree, int *const *bits)
{
    bool wanted = proto_field_is_referenced(tree, hf_godot_byte);
    for (; *bits && !wanted; bits++) {
        wanted = proto_field_is_referenced(tree, **bits);
    }
    return wanted;
}

/* The command byte with the bits that the command uses. */
static void add_command_byte(const godot_packet *packet, const multiplayer_v4_packet *parsed)
{
    if (!packet->encoding && !packet->cut) {
        return;
    }
    static int *const plain[] = {&hf_godot_byte_command, NULL};
    static int *const call[] = {&hf_godot_byte_raw, &hf_godot_byte_method_size, &hf_godot_byte_node_size,
                                &hf_godot_byte_command, NULL};
    static int *const sync[] = {&hf_godot_byte_delta, &hf_godot_byte_command, NULL};
    int *const *bits = parsed->command == MULTIPLAYER_V4_REMOTE_CALL ? call
                       : parsed->command == MULTIPLAYER_V4_SYNC      ? sync
                                                                     : plain;
    const char *name = multiplayer_v4_command_name(parsed->byte);
    /* For filters and columns: the tree has the command once, among the bits of the byte. */
    proto_item *item = proto_tree_add_string(packet->encoding, hf_godot_command, packet->tvb, 0, 1, name);
    proto_item_set_generated(item);
    proto_item_set_hidden(item);
    if (is_byte_wanted(packet->encoding, bits)) {
        proto_tree_add_bitmask_with_flags(packet->encoding, packet->tvb, 0, hf_godot_byte, ett_godot_byte,
                                          bits, ENC_NA, BMT_NO_APPEND);
    }
}

static bool is_authentication(const multiplayer_v4_packet *parsed)
{
    return parsed->command == MULTIPLAYER_V4_SYS && parsed->u.sys.subcommand == MULTIPLAYER_V4_AUTH;
}

void godot_dissect_v4(godot_packet *packet)
{
    multiplayer_v4_packet parsed;
    multiplayer_v4_parse(packet->bytes, packet->length, &parsed);
    bool dropped = parsed.findings.dropped || packet->cut;
    if (packet->learn && !is_authentication(&parsed)) {
        packet->message->session->admitted = true;
    }
    if (packet->length) {
        add_command_byte(packet, &parsed);
    }
    godot_add_findings(packet, packet->tree, &parsed.findings);
    switch (parsed.command) {
    case MULTIPLAYER_V4_REMOTE_CALL:
        dissect_call(packet, &parsed.u.call);
        break;
    case MULTIPLAYER_V4_SIMPLIFY_PATH:
        godot_dissect_simplify(packet, &parsed.u.simplify, dropped);
        if (packet->learn) {
            godot_resolve_spawns(packet, parsed.u.simplify.id);
        }
        break;
    case MULTIPLAYER_V4_CONFIRM_PATH:
        godot_dissect_confirm(packet, &parsed.u.confirm, dropped);
        break;
    case MULTIPLAYER_V4_RAW:
        godot_add_delivery(packet);
        wmem_strbuf_append(packet->info, "raw ");
        if (packet->length > 1) {
            godot_add_application_bytes(packet, hf_godot_raw, 1, packet->length - 1, VARIANT_GODOT4);
        }
        wmem_strbuf_append_printf(packet->info, "(%u bytes)", packet->length ? packet->length - 1 : 0);
        godot_set_tap(packet, NULL, "raw");
        break;
    case MULTIPLAYER_V4_SPAWN:
        godot_dissect_spawn(packet, &parsed.u.spawn, dropped);
        break;
    case MULTIPLAYER_V4_DESPAWN:
        godot_dissect_despawn(packet, parsed.u.despawn.net_id_offset, parsed.u.despawn.net_id);
        break;
    case MULTIPLAYER_V4_SYNC:
        godot_dissect_sync(packet, &parsed);
        break;
    case MULTIPLAYER_V4_SYS:
        dissect_sys(packet, &parsed.u.sys, dropped);
        break;
    case MULTIPLAYER_V4_COMMAND_COUNT:
        break;
    }
    if (wmem_strbuf_get_len(packet->info) == 0) {
        wmem_strbuf_append_printf(packet->info, "%s, incomplete", multiplayer_v4_command_name(parsed.byte));
    }
}
