/* call-checks.c
 *
 * Reasons why the receiver does not execute a call, as far as scripts and captured packets show them: a wrong
 * number of arguments, a caller that is not allowed, a method number that does not exist. Each text quotes
 * the message that the engine prints.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/engine/missing_node.h"
#include "multiplayer/packet/names.h"
#include "multiplayer/packet/tap-members.h"
#include "multiplayer/show/authority.h"
#include "multiplayer/show/call-checks.h"
#include "multiplayer/show/path-cache.h"

#include "project/scripts/argument_types.h"

enum { SERVER = 1 }; /* what the engine prints of most nodes */

typedef enum { MODE_REFUSES, MODE_ALLOWS, MODE_NOT_JUDGED } call_mode;

/* `bound`: the number of arguments in the engine's message. */
static bool is_wrong_count(const rpc_signature *signature, uint32_t count, uint32_t *bound)
{
    *bound = count < signature->least ? signature->least : signature->most;
    return signature->counted && (count < signature->least || count > signature->most);
}

/* What the engine looks at before, if the capture does not show it: the call is lost with another error
 * then. */
#define OR_NOT_ALLOWED              ", or that it is not allowed"
#define OR_NOT_FOUND                ", or that the node is not found"
#define OR_NOT_FOUND_OR_NOT_ALLOWED ", or that the node is not found or the call not allowed"

static const char *otherwise_of(bool has_node, bool allowed)
{
    return has_node && allowed ? ""
           : has_node          ? OR_NOT_ALLOWED
           : allowed           ? OR_NOT_FOUND
                               : OR_NOT_FOUND_OR_NOT_ALLOWED;
}

/* `otherwise`: one of these, or "". */
static void add_not_allowed(const godot_packet *packet, const char *printed, const char *otherwise)
{
    expert_add_info_format(
        packet->pinfo, packet->item, &ei_godot_not_allowed, "%s refuses the call: \"%s\"%s",
        packet->to ? godot_peer_text(packet, packet->to) : "the receiver", printed, otherwise);
    godot_tap_set_problem(packet, &ei_godot_not_allowed, printed);
}

static void add_wrong_arguments(const godot_packet *packet, const char *printed, const char *otherwise)
{
    expert_add_info_format(packet->pinfo, packet->item, &ei_godot_wrong_arguments,
                           "The call is lost: \"%s\"%s", printed, otherwise);
    godot_tap_set_problem(packet, &ei_godot_wrong_arguments, printed);
}

static godot_expected_types types_of(const rpc_signature *signature, const char *otherwise)
{
    _Static_assert((int)KEPT_TYPES == RPC_TYPED_ARGUMENTS, "a place for each type");
    godot_expected_types expected = {.otherwise = otherwise};
    if (signature->counted) {
        memcpy(expected.types, signature->types, sizeof expected.types);
    }
    return expected;
}

void godot_check_types(const godot_packet *packet, const godot_expected_types *expected, const char *node,
                       const char *name, int api)
{
    for (unsigned i = 0; i < KEPT_TYPES && packet->types[i]; i++) {
        const char *type = variant_type_name((variant_type)(packet->types[i] - 1));
        if (rpc_argument_fits(expected->types[i], type, api)) {
            continue;
        }
        const char *printed = wmem_strdup_printf(
            packet->pinfo->pool, "RPC - '%s::%s': Cannot convert argument %u from %s to %s%s", node, name,
            i + 1, rpc_value_type_name(type, api), rpc_argument_type_name(expected->types[i]),
            api == 3 ? "." : "");
        expert_add_info_format(packet->pinfo, packet->item, &ei_godot_wrong_type,
                               "The call is lost: \"%s\"%s", printed, expected->otherwise);
        godot_tap_set_problem(packet, &ei_godot_wrong_type, printed);
        return;
    }
}

/* --- Godot 4 ------------------------------------------------------------------------------------- */

/* Checksum of the receiver's methods: the one that it announced, or the sender's unless the receiver refused
 * that. NULL: unknown. */
static const char *receivers_checksum(const godot_packet *packet, const godot_path *path)
{
    const godot_path *own =
        packet->to ? godot_session_path_by_name(packet->message, packet->to, path->path) : NULL;
    if (own && !godot_is_later(packet, own->number)) {
        return own->checksum;
    }
    const godot_confirmation *confirmation =
        packet->to ? godot_session_confirmation(packet->message, path, packet->to) : NULL;
    return confirmation && !confirmation->valid ? NULL : path->checksum;
}

/* Whether no list with this checksum is known to have a method with this number. */
static bool lacks_method(const godot_packet *packet, const char *checksum, uint16_t method)
{
    static const char no_methods[] = "d41d8cd98f00b204e9800998ecf8427e";
    const rpc_list *list = godot_names_list(packet, checksum, NULL);
    bool known = list || strcmp(checksum, no_methods) == 0;
    for (; list; list = godot_names_list(packet, checksum, list)) {
        if (rpc_list_method(list, method)) {
            return false;
        }
    }
    return known;
}

/* Whether the receiver has shown that it has the node, on the first pass. Later ones do not come here for a
 * call whose node is not known. */
static bool receiver_has_node(const godot_packet *packet, const godot_path *path)
{
    return frame_visited(packet->pinfo) || !packet->to ||
           godot_engine_shows_node(packet->message, path, packet->to);
}

/* Whether the mode allows the call, as far as that is known. */
static call_mode check_mode(const godot_packet *packet, const godot_path *path, const char *checksum,
                            const char *name, uint8_t mode)
{
    int32_t caller = godot_session_peer_id(packet->message, packet->from), authority = SERVER;
    bool disabled = mode == RPC_MODE_DISABLED;
    if (mode == RPC_MODE_AUTHORITY && !caller) {
        godot_authority_not_known(packet, "the capture does not show the peer ID of its sender");
    }
    if (mode == RPC_MODE_AUTHORITY) {
        authority = caller ? godot_authority_show(packet, path->path, checksum, name) : 0;
    }
    if (authority == 0) {
        return MODE_NOT_JUDGED;
    }
    bool refused = disabled || (mode == RPC_MODE_AUTHORITY && caller != authority);
    if (refused) {
        add_not_allowed(packet,
                        wmem_strdup_printf(packet->pinfo->pool,
                                           "RPC '%s' is not allowed on node /root/%s from: %d. Mode is "
                                           "\"%s\", authority is %d.",
                                           name, path->path, caller, disabled ? "disabled" : "authority",
                                           authority),
                        otherwise_of(receiver_has_node(packet, path), true));
    }
    return refused ? MODE_REFUSES : MODE_ALLOWS;
}

godot_expected_types godot_check_call(const godot_packet *packet, const godot_path *path, uint16_t method,
                                      uint32_t count)
{
    const godot_expected_types nothing = {.otherwise = ""};
    packet->tap->argument_count = (int32_t)count;
    const char *checksum = path && !packet->answered ? receivers_checksum(packet, path) : NULL;
    if (!checksum || !*checksum || packet->message->repeated || path->cut ||
        godot_packet_lacks(packet, GODOT_CALL_REFUSED)) {
        return nothing;
    }
    if (lacks_method(packet, checksum, method)) {
        expert_add_info_format(packet->pinfo, packet->item, &ei_godot_method_not_found,
                               "%s has no RPC method with the number %u: \"Condition "
                               "\"!cache_config.configs.has(p_rpc_method_id)\" is true.\"",
                               packet->to ? godot_peer_text(packet, packet->to) : "The receiver", method);
        godot_tap_set_problem(packet, &ei_godot_method_not_found,
                              "The receiver has no RPC method with this number");
        return nothing;
    }
    const char *name = godot_names_method(packet, checksum, method);
    rpc_signature signature = godot_names_signature(packet, checksum, method);
    uint32_t bound;
    call_mode mode = name ? check_mode(packet, path, checksum, name, signature.mode) : MODE_REFUSES;
    if (mode == MODE_REFUSES) {
        return nothing;
    }
    const char *otherwise = otherwise_of(receiver_has_node(packet, path), mode == MODE_ALLOWS);
    if (is_wrong_count(&signature, count, &bound)) {
        add_wrong_arguments(packet,
                            wmem_strdup_printf(packet->pinfo->pool,
                                               "RPC - '%s::%s': Method expected %u argument(s), but "
                                               "called with %u",
                                               path->path, name, bound, count),
                            otherwise);
        return nothing;
    }
    if (signature.missing) {
        expert_add_info_format(packet->pinfo, packet->item, &ei_godot_method_missing,
                               "No script of the project has this function. If no class of the engine has it "
                               "either, the receiver prints \"RPC - '%s::%s': Method not found\"",
                               path->path, name);
        godot_tap_set_problem(packet, &ei_godot_method_missing, NULL);
    }
    return types_of(&signature, otherwise);
}

/* --- Godot 3 ------------------------------------------------------------------------------------- */

/* The engine's number of the mode; 0: every peer may call. */
static unsigned v3_mode(rpc_mode mode)
{
    static const uint8_t numbers[] = {
        [RPC_MODE_MASTER] = 2, [RPC_MODE_PUPPET] = 3, [RPC_MODE_MASTERSYNC] = 5, [RPC_MODE_PUPPETSYNC] = 6};
    return (size_t)mode < array_length(numbers) ? numbers[mode] : 0;
}

/* The master calls puppets, everybody the master. */
static bool is_refused_by_v3(const godot_packet *packet, rpc_mode mode, int32_t master)
{
    int32_t caller = godot_session_peer_id(packet->message, packet->from);
    int32_t receiver = packet->to ? godot_session_peer_id(packet->message, packet->to) : 0;
    bool puppet = mode == RPC_MODE_PUPPET || mode == RPC_MODE_PUPPETSYNC;
    if (master == 0) {
        return false;
    }
    return puppet ? (caller != 0 && caller != master) || receiver == master
                  : receiver != 0 && receiver != master;
}

/* Whether the receiver has shown that it has the node. That it confirms the path shows nothing: Godot 3
 * confirms those of nodes that it does not have. */
static bool receiver_has_node_v3(const godot_packet *packet, const char *node)
{
    const godot_path *own = packet->to ? godot_session_path_by_name(packet->message, packet->to, node) : NULL;
    return own && !godot_is_later(packet, own->number);
}

/* `allowed`: its mode, as far as that is declared. */
static const char *otherwise_by_v3(const godot_packet *packet, const char *node, const char *name,
                                   bool allowed)
{
    return otherwise_of(receiver_has_node_v3(packet, node), allowed && !godot_project_has_local(name));
}

/* Who gets it: what the server sends to all peers goes to the client at the other end of the connection, too,
 * also what it relays. Of what a client sends to all it is not judged what the server does itself. */
static godot_party receiver_of_v3(const godot_packet *packet)
{
    const godot_message *message = packet->message;
    bool from_server = godot_session_is_server(message, godot_sending_end(message));
    return packet->to || !from_server ? packet->to
                                      : godot_session_peer_id(message, godot_receiving_end(message));
}

godot_expected_types godot_check_v3_call(const godot_packet *sent, const char *node, const char *name,
                                         bool call, uint32_t count)
{
    const godot_expected_types nothing = {.otherwise = ""};
    godot_packet received = *sent;
    const godot_packet *packet = &received;
    uint32_t bound;
    received.to = receiver_of_v3(sent);
    packet->tap->argument_count = (int32_t)count;
    if (packet->message->repeated || packet->answered || !godot_project_available() ||
        godot_packet_lacks(packet, GODOT_CALL_REFUSED)) {
        return nothing;
    }
    rpc_signature signature = godot_project_declared(name);
    int32_t master = v3_mode(signature.mode) ? godot_authority_show(packet, node, NULL, name) : 0;
    if (is_refused_by_v3(packet, signature.mode, master)) { /* what the engine prints */
        char *text = wmem_strdup_printf(
            packet->pinfo->pool, "%s '%s' is not allowed on node /root/%s from: %d.", call ? "RPC" : "RSET",
            name, node, godot_session_peer_id(packet->message, packet->from));
        /* The node may have another script, with a function that is not remote at all: then its mode is 0. */
        if (!godot_project_has_local(name)) {
            text = wmem_strdup_printf(packet->pinfo->pool, "%s Mode is %u, master is %d.", text,
                                      v3_mode(signature.mode), master);
        }
        add_not_allowed(packet, text, otherwise_of(receiver_has_node_v3(packet, node), true));
        return nothing;
    }
    if (!call) {
        return nothing;
    }
    const char *otherwise = otherwise_by_v3(packet, node, name, !v3_mode(signature.mode) || master);
    if (is_wrong_count(&signature, count, &bound)) {
        add_wrong_arguments(packet,
                            wmem_strdup_printf(packet->pinfo->pool,
                                               "RPC - '%s::%s': Method expected %u arguments, but called "
                                               "with %u.",
                                               node, name, bound, count),
                            otherwise);
        return nothing;
    }
    return types_of(&signature, otherwise);
}
