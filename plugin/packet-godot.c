/* packet-godot.c
 *
 * Godot's high-level multiplayer: remote calls, the path cache, spawning and synchronizing of nodes, system
 * messages, of Godot 3 (MultiplayerAPI) and Godot 4 (SceneMultiplayer). One message of the transport is one
 * packet: over ENet, over WebSocket, on a WebRTC data channel, or wherever Decode As says.
 *
 * src/multiplayer_v4.h and src/multiplayer_v3.h read the packets, godot-session.h remembers what they refer
 * to, godot-project.h knows names that are not on the wire. This file shows it all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "wireshark-compat.h"

#include <epan/expert.h>
#include <epan/proto_data.h>
#include <epan/tap.h>

#include "godot-preferences.h"
#include "godot-project.h"
#include "godot-session.h"
#include "godot-tap.h"
#include "godot-variant.h"
#include "info-column.h"
#include "stat-godot.h"

/* Limits of what is shown of one packet. */
enum {
    MAX_ENTRIES = 2000,  /* synchronizers in a packet */
    MAX_VALUES = 1000,   /* values of a synchronizer or spawned node */
    MAX_SYNC_IDS = 1000, /* of a spawned node */
    MAX_PACKET_VALUES = 20000,
    MAX_CALL_TEXT = 1000,  /* bytes of a call as one line */
    MAX_VALUE_TEXT = 400,  /* bytes of an argument in it */
    MAX_INFO_MESSAGES = 8, /* messages of a frame in the Info column */
    MAX_INFO_ENTRIES = 4,  /* synchronizers of a packet in it */
    MAX_INFO_TEXT = 200,   /* bytes of each */
    MAX_DIFFERENCE = 16,   /* methods named when two lists differ */
};

static int proto_godot = -1;
static int godot_tap_id = -1;

static int hf_api = -1, hf_command = -1, hf_byte = -1, hf_byte_command = -1, hf_byte_node_size = -1,
           hf_byte_method_size = -1, hf_byte_raw = -1, hf_byte_delta = -1, hf_source = -1, hf_target = -1,
           hf_relayed = -1, hf_wire_length = -1, hf_session = -1;
static int hf_path = -1, hf_path_id = -1, hf_path_offset = -1, hf_path_checksum = -1, hf_path_defined_in = -1,
           hf_path_confirmed_in = -1, hf_path_confirms = -1, hf_path_valid = -1, hf_path_time = -1;
static int hf_rpc_method_id = -1, hf_rpc_method = -1, hf_rpc_count = -1, hf_rpc_call = -1, hf_rpc_script = -1,
           hf_rpc_bytes = -1, hf_rset_property = -1, hf_raw = -1;
static int hf_spawn_scene_id = -1, hf_spawn_scene = -1, hf_property = -1, hf_spawn_spawner = -1,
           hf_spawn_net_id = -1, hf_spawn_sync_count = -1, hf_spawn_sync_id = -1, hf_spawn_name_length = -1,
           hf_spawn_name = -1, hf_spawn_argument_length = -1, hf_spawn_state = -1, hf_despawn_net_id = -1,
           hf_spawned_in = -1;
static int hf_sync_time = -1, hf_sync_net_id = -1, hf_sync_path_id = -1, hf_sync_mask = -1, hf_sync_size = -1,
           hf_sync_entry = -1;
static int hf_sys_command = -1, hf_sys_command_name = -1, hf_sys_peer = -1, hf_sys_auth = -1,
           hf_sys_assigned = -1, hf_sys_data = -1, hf_relay_peer = -1;
static int hf_header_message = -1, hf_header_flags = -1, hf_undecoded = -1;

static int ett_godot = -1, ett_byte = -1, ett_relay = -1, ett_arguments = -1, ett_state = -1, ett_entry = -1,
           ett_ids = -1;

static expert_field ei_problem[MULTIPLAYER_PROBLEM_COUNT];
static expert_field ei_path_undefined = EI_INIT, ei_path_redefined = EI_INIT, ei_path_unconfirmed = EI_INIT,
                    ei_checksum_refused = EI_INIT, ei_checksum_differs = EI_INIT, ei_no_script = EI_INIT,
                    ei_not_declared = EI_INIT, ei_unknown_peer = EI_INIT, ei_unknown_net_id = EI_INIT,
                    ei_over_mtu = EI_INIT, ei_object = EI_INIT, ei_generation = EI_INIT,
                    ei_versions = EI_INIT, ei_source = EI_INIT, ei_only_server = EI_INIT, ei_capped = EI_INIT,
                    ei_direction = EI_INIT, ei_confirms_nothing = EI_INIT;

/* A packet while it is being dissected; of a relayed one, the inner packet. */
typedef struct {
    packet_info *pinfo;
    proto_tree *tree;
    proto_item *item;
    tvbuff_t *tvb;
    const uint8_t *bytes;
    uint32_t length; /* as captured */
    bool cut;        /* by the snap length: an end too early says nothing */
    const enet_payload_info *enet;
    const godot_message *message;
    bool learn;           /* what it says is new */
    godot_party from, to; /* to 0: everybody, or everybody but one */
    uint32_t values;      /* shown so far */
    wmem_strbuf_t *info;
    godot_tap *tap;
} godot_packet;

/* --- small things ------------------------------------------------------------------------------------ */

static const char *text_at(const godot_packet *packet, multiplayer_text text)
{
    return (const char *)tvb_get_string_enc(packet->pinfo->pool, packet->tvb, text.offset, text.length,
                                            ENC_UTF_8);
}

static void add_text(const godot_packet *packet, int hf, multiplayer_text text)
{
    if (text.offset)
        proto_tree_add_item(packet->tree, hf, packet->tvb, text.offset, text.length, ENC_UTF_8);
}

static void add_number(const godot_packet *packet, int hf, uint32_t offset, uint32_t length)
{
    if (offset)
        proto_tree_add_item(packet->tree, hf, packet->tvb, offset, length, ENC_LITTLE_ENDIAN);
}

static proto_item *add_generated_string(proto_tree *tree, tvbuff_t *tvb, int hf, const char *text)
{
    proto_item *item = proto_tree_add_string(tree, hf, tvb, 0, 0, text);
    proto_item_set_generated(item);
    return item;
}

static void add_generated_number(proto_tree *tree, tvbuff_t *tvb, int hf, uint32_t number)
{
    proto_item_set_generated(proto_tree_add_uint(tree, hf, tvb, 0, 0, number));
}

static void add_peer(proto_tree *tree, tvbuff_t *tvb, int hf, int32_t peer)
{
    if (peer)
        proto_item_set_generated(proto_tree_add_int(tree, hf, tvb, 0, 0, peer));
}

static void add_findings(const godot_packet *packet, proto_tree *tree, const multiplayer_findings *findings)
{
    for (uint32_t i = 0; i < findings->count && !packet->cut; i++) {
        const multiplayer_finding *finding = &findings->list[i];
        proto_tree_add_expert_format(
            tree, packet->pinfo, &ei_problem[finding->problem], packet->tvb, finding->offset, finding->length,
            "%s: %s", multiplayer_problem_text(finding->problem), multiplayer_verdict_text(finding->verdict));
    }
}

static godot_party other_end(godot_party end)
{
    return end == GODOT_INITIATOR ? GODOT_ACCEPTOR : GODOT_INITIATOR;
}

/* "1203", or the role of an end whose id is not known. */
static const char *peer_text(const godot_packet *packet, godot_party party)
{
    int32_t id = godot_session_peer_id(packet->message, party);
    if (id)
        return wmem_strdup_printf(packet->pinfo->pool, "%d", id);
    return party == GODOT_INITIATOR ? "the client" : "the server";
}

static void add_ends(const godot_packet *packet)
{
    add_peer(packet->tree, packet->tvb, hf_source, godot_session_peer_id(packet->message, packet->from));
    if (packet->to)
        add_peer(packet->tree, packet->tvb, hf_target, godot_session_peer_id(packet->message, packet->to));
}

static void set_tap(const godot_packet *packet, const char *node, const char *what)
{
    packet->tap->node = node;
    packet->tap->what = what;
}

/* --- values ------------------------------------------------------------------------------------------- */

typedef struct {
    uint32_t offset, length;
    uint32_t expected;        /* number of values, UINT32_MAX: as many as there are */
    const char *label;        /* "Argument" */
    const char *const *names; /* of the first `name_count` values */
    uint32_t name_count;
    variant_options options;
} value_list;

/* Shows values one after the other. Returns how many there are (that can be read); their texts are appended
 * to `line` if it is given. */
static uint32_t add_values(godot_packet *packet, proto_tree *tree, const value_list *list,
                           wmem_strbuf_t *line, multiplayer_verdict verdict)
{
    uint32_t offset = list->offset, left = list->length, count = 0;
    for (; count < list->expected && (left > 0 || list->expected != UINT32_MAX); count++) {
        const char *text = NULL, *label;
        if (count >= MAX_VALUES || packet->values++ >= MAX_PACKET_VALUES) {
            proto_tree_add_expert_format(tree, packet->pinfo, &ei_capped, packet->tvb, offset, left,
                                         "Only %u values are shown", count);
            return count;
        }
        label = count < list->name_count
                    ? list->names[count]
                    : wmem_strdup_printf(packet->pinfo->pool, "%s %u", list->label, count);
        bool wanted = line && wmem_strbuf_get_len(line) < MAX_CALL_TEXT;
        if (line && count)
            wmem_strbuf_append(line, wanted ? ", " : "");
        godot_variant_result result = {0};
        if (left > 0)
            result = godot_variant_add(packet->tvb, packet->pinfo, tree, offset, left, list->options, label,
                                       wanted ? &text : NULL, MAX_VALUE_TEXT);
        if (wanted)
            wmem_strbuf_append(line, text ? text : "…");
        else if (line && count && wmem_strbuf_get_len(line) < MAX_CALL_TEXT + 8)
            wmem_strbuf_append(line, ", …   ");
        if (result.consumed && result.type == VARIANT_OBJECT)
            proto_tree_add_expert(tree, packet->pinfo, &ei_object, packet->tvb, offset, result.consumed);
        if (result.consumed == 0) {
            if (!packet->cut)
                proto_tree_add_expert_format(tree, packet->pinfo, &ei_problem[MULTIPLAYER_PROBLEM_VALUE],
                                             packet->tvb, offset, left, "%s %u %s: %s", list->label, count,
                                             left ? "cannot be decoded" : "is missing",
                                             multiplayer_verdict_text(verdict));
            return count;
        }
        offset += result.consumed;
        left -= result.consumed;
    }
    if (left > 0 && !packet->cut)
        proto_tree_add_expert_format(tree, packet->pinfo, &ei_problem[MULTIPLAYER_PROBLEM_TRAILING],
                                     packet->tvb, offset, left, "%u bytes behind the last value: %s", left,
                                     multiplayer_verdict_text(MULTIPLAYER_IGNORED));
    return count;
}

/* Bytes of an application. A Variant is worth a try: var_to_bytes() is how most games fill them. */
static void add_application_bytes(godot_packet *packet, int hf, uint32_t offset, uint32_t length,
                                  variant_dialect dialect)
{
    proto_tree_add_item(packet->tree, hf, packet->tvb, offset, length, ENC_NA);
    if (packet->cut || length < 8)
        return;
    variant_guess guess = variant_detect(packet->bytes + offset, length, dialect);
    variant_options options = {.dialect = guess.dialect};
    if (guess.strong && guess.score > 0 && guess.consumed == length)
        godot_variant_add(packet->tvb, packet->pinfo, packet->tree, offset, length, options, "Content", NULL,
                          0);
}

/* "PackedByteArray(1, 2, 3)" for the bare bytes of a call. */
static void append_bytes(wmem_strbuf_t *line, const uint8_t *bytes, uint32_t length)
{
    enum { SHOWN = 200 };
    wmem_strbuf_append(line, "PackedByteArray(");
    for (uint32_t i = 0; i < length && i < SHOWN; i++)
        wmem_strbuf_append_printf(line, i ? ", %u" : "%u", bytes[i]);
    wmem_strbuf_append(line, length > SHOWN ? ", …)" : ")");
}

/* --- the path cache ----------------------------------------------------------------------------------- */

/* An id of the sender's path cache: what it stands for, and where it was announced. */
static const godot_path *add_path_id(const godot_packet *packet, proto_tree *tree, int hf, uint32_t offset,
                                     uint32_t length, uint32_t id)
{
    proto_item *item = proto_tree_add_uint(tree, hf, packet->tvb, offset, length, id);
    const godot_path *path = godot_session_path(packet->message, packet->from, id);
    if (!path) {
        expert_add_info_format(packet->pinfo, item, &ei_path_undefined,
                               "Path id %u has not been announced in this capture", id);
        return NULL;
    }
    proto_item_append_text(item, " (%s)", path->path);
    add_generated_string(tree, packet->tvb, hf_path, path->path);
    add_generated_number(tree, packet->tvb, hf_path_defined_in, path->frame);
    return path;
}

/* Names that are in one sorted list and not in the other. */
static void append_missing(wmem_strbuf_t *text, const char *const *names, uint32_t count,
                           const char *const *others, uint32_t other_count)
{
    uint32_t shown = 0;
    for (uint32_t i = 0, j = 0; i < count; i++) {
        while (j < other_count && strcmp(others[j], names[i]) < 0)
            j++;
        if (j < other_count && strcmp(others[j], names[i]) == 0)
            continue;
        if (shown++ < MAX_DIFFERENCE)
            wmem_strbuf_append_printf(text, " %s", names[i]);
    }
    wmem_strbuf_append(text, shown == 0 ? " nothing" : shown > MAX_DIFFERENCE ? " …" : "");
}

/* Both ends announced the same path with different checksums: their scripts differ. Says in what, if both
 * versions are known. */
static void add_disagreement(const godot_packet *packet, proto_item *item, const godot_path *path)
{
    const godot_path *other = godot_session_disagreement(packet->message, path);
    if (!other)
        return;
    const rpc_list *ours = godot_project_list(path->checksum, NULL);
    const rpc_list *theirs = godot_project_list(other->checksum, NULL);
    const char *us = peer_text(packet, path->owner), *them = peer_text(packet, other->owner);
    wmem_strbuf_t *text = wmem_strbuf_new(packet->pinfo->pool, "");
    wmem_strbuf_append_printf(text, "%s's RPC methods of %s differ from those of %s (frame %u)", us,
                              path->path, them, other->frame);
    if (ours && theirs) {
        wmem_strbuf_append_printf(text, ". Only %s (%s) has:", us, ours->label);
        append_missing(text, ours->names, ours->count, theirs->names, theirs->count);
        wmem_strbuf_append_printf(text, "; only %s (%s):", them, theirs->label);
        append_missing(text, theirs->names, theirs->count, ours->names, ours->count);
    }
    expert_add_info_format(packet->pinfo, item, &ei_checksum_differs, "%s", wmem_strbuf_get_str(text));
}

/* Scripts whose RPC methods have this checksum. */
static void add_scripts(const godot_packet *packet, proto_item *item, const char *checksum)
{
    static const char no_methods[] = "d41d8cd98f00b204e9800998ecf8427e";
    const rpc_list *list = godot_project_list(checksum, NULL);
    if (!godot_project_available() || strcmp(checksum, no_methods) == 0)
        return;
    if (!list)
        expert_add_info(packet->pinfo, item, &ei_no_script);
    for (; list; list = godot_project_list(checksum, list))
        add_generated_string(packet->tree, packet->tvb, hf_rpc_script, list->label);
}

/* At an announcement: the link to its confirmation. It points forward only, so that every pass shows the
 * same. */
static void add_confirmed_in(godot_packet *packet, const godot_path *entry)
{
    const godot_confirmation *confirmation = entry->confirmations;
    if (confirmation && confirmation->frame > packet->pinfo->num && PINFO_FD_VISITED(packet->pinfo))
        add_generated_number(packet->tree, packet->tvb, hf_path_confirmed_in, confirmation->frame);
}

static void dissect_simplify(godot_packet *packet, const multiplayer_v4_simplify *simplify, bool dropped)
{
    if (!simplify->id_offset)
        return;
    proto_item *checksum_item =
        proto_tree_add_item(packet->tree, hf_path_checksum, packet->tvb, simplify->checksum_offset,
                            MULTIPLAYER_V4_CHECKSUM_LENGTH, ENC_ASCII);
    const char *checksum =
        (const char *)tvb_get_string_enc(packet->pinfo->pool, packet->tvb, simplify->checksum_offset,
                                         MULTIPLAYER_V4_CHECKSUM_LENGTH, ENC_ASCII);
    proto_item *id_item =
        proto_tree_add_uint(packet->tree, hf_path_id, packet->tvb, simplify->id_offset, 4, simplify->id);
    add_text(packet, hf_path, simplify->path);
    const char *path = text_at(packet, simplify->path);
    /* As of the message before: is the id in use for another path? Godot 4.3 and later keep what they have.
     */
    godot_message before = *packet->message;
    before.number--;
    const godot_path *entry = godot_session_path(&before, packet->from, simplify->id);
    bool redefined = entry && !packet->cut && strcmp(entry->path, path) != 0;
    if (redefined)
        expert_add_info_format(packet->pinfo, id_item, &ei_path_redefined,
                               "Path id %u is %s since frame %u: Godot 4.3 and later drop the announcement",
                               simplify->id, entry->path, entry->frame);
    else if (packet->learn && !dropped)
        godot_session_learn_path(packet->pinfo, packet->message, packet->from, simplify->id, path, checksum);
    add_scripts(packet, checksum_item, checksum);
    entry = godot_session_path(packet->message, packet->from, simplify->id);
    if (entry && !redefined) {
        add_disagreement(packet, checksum_item, entry);
        add_confirmed_in(packet, entry);
    }
    wmem_strbuf_append_printf(packet->info, "node %u is %s", simplify->id, path);
    set_tap(packet, path, "path cache");
}

/* The receiver of an announcement answers. `entry`: what it answers to, NULL if that was not captured. */
static void show_confirmation(godot_packet *packet, godot_path *entry, const char *what, bool valid,
                              proto_item *valid_item, bool learn)
{
    if (entry && learn)
        godot_session_learn_confirmation(packet->message, entry, packet->from, valid);
    if (entry) {
        nstime_t delta;
        add_generated_number(packet->tree, packet->tvb, hf_path_confirms, entry->frame);
        nstime_delta(&delta, &packet->pinfo->abs_ts, &entry->time);
        proto_item_set_generated(proto_tree_add_time(packet->tree, hf_path_time, packet->tvb, 0, 0, &delta));
    } else {
        expert_add_info(packet->pinfo, valid_item, &ei_confirms_nothing);
    }
    if (!valid) {
        expert_add_info_format(packet->pinfo, valid_item, &ei_checksum_refused,
                               "%s has other RPC methods for %s than %s: the engine reports an error there, "
                               "calls may reach the wrong method",
                               peer_text(packet, packet->from), what, peer_text(packet, packet->to));
        if (entry)
            add_disagreement(packet, valid_item, entry);
    }
    wmem_strbuf_append_printf(packet->info, "%s %s", what, valid ? "confirmed" : "refused: checksum differs");
    set_tap(packet, entry ? entry->path : NULL, "path cache");
}

static void dissect_confirm(godot_packet *packet, const multiplayer_v4_confirm *confirm, bool dropped)
{
    if (!confirm->valid_offset)
        return;
    proto_item *valid_item =
        proto_tree_add_item(packet->tree, hf_path_valid, packet->tvb, confirm->valid_offset, 1, ENC_NA);
    godot_path *entry;
    const char *what;
    if (confirm->id_offset) {
        proto_item *item =
            proto_tree_add_uint(packet->tree, hf_path_id, packet->tvb, confirm->id_offset, 4, confirm->id);
        entry = godot_session_path(packet->message, packet->to, confirm->id);
        what = wmem_strdup_printf(packet->pinfo->pool, "node %u", confirm->id);
        if (entry) {
            what = entry->path;
            proto_item_append_text(item, " (%s)", entry->path);
            add_generated_string(packet->tree, packet->tvb, hf_path, entry->path);
        }
    } else {
        add_text(packet, hf_path, confirm->path);
        what = text_at(packet, confirm->path);
        entry = godot_session_path_by_name(packet->message, packet->to, what);
    }
    if (packet->learn && !dropped)
        godot_session_learn_confirm_form(packet->message, confirm->id_offset ? 43 : 42);
    if (godot_session_versions_differ(packet->message))
        expert_add_info(packet->pinfo, valid_item, &ei_versions);
    show_confirmation(packet, entry, what, confirm->valid != 0, valid_item, packet->learn && !dropped);
}

/* --- Godot 4: remote calls ------------------------------------------------------------------------------ */

/* A checksum is known for the node: is the method's name, too? */
static const char *add_method(const godot_packet *packet, const multiplayer_v4_call *call,
                              const godot_path *path)
{
    proto_item *item = proto_tree_add_uint(packet->tree, hf_rpc_method_id, packet->tvb, call->method_offset,
                                           call->method_size, call->method);
    const char *name = path ? godot_project_method(path->checksum, call->method) : NULL;
    if (name) {
        proto_item_append_text(item, " (%s)", name);
        add_generated_string(packet->tree, packet->tvb, hf_rpc_method, name);
        return name;
    }
    if (path && *path->checksum && godot_project_available() && !godot_project_list(path->checksum, NULL))
        expert_add_info(packet->pinfo, item, &ei_no_script);
    return call->method & MULTIPLAYER_V4_NODE_METHOD
               ? wmem_strdup_printf(packet->pinfo->pool, "#node:%u",
                                    call->method & ~(unsigned)MULTIPLAYER_V4_NODE_METHOD)
               : wmem_strdup_printf(packet->pinfo->pool, "#%u", call->method);
}

static void add_unconfirmed(const godot_packet *packet, const godot_path *path)
{
    if (packet->to && path && !godot_session_confirmation(packet->message, path, packet->to))
        proto_tree_add_expert(packet->tree, packet->pinfo, &ei_path_unconfirmed, packet->tvb, 0, 1);
}

static void dissect_call(godot_packet *packet, const multiplayer_v4_call *call)
{
    const godot_path *path = NULL;
    const char *node = NULL;
    if (call->path.offset) {
        proto_tree_add_uint(packet->tree, hf_path_offset, packet->tvb, call->node_offset, call->node_size,
                            call->path.offset);
        node = text_at(packet, call->path);
        path = godot_session_path_by_name(packet->message, packet->from, node);
    } else if (call->node_offset && !(call->node & MULTIPLAYER_V4_PATH_FLAG)) {
        path = add_path_id(packet, packet->tree, hf_path_id, call->node_offset, call->node_size, call->node);
        node = path ? path->path : wmem_strdup_printf(packet->pinfo->pool, "node %u", call->node);
        add_unconfirmed(packet, path);
    }
    if (!call->method_offset)
        return;
    const char *method = add_method(packet, call, path);
    if (call->count_offset)
        proto_tree_add_uint(packet->tree, hf_rpc_count, packet->tvb, call->count_offset, 1, call->count);
    else
        add_generated_number(packet->tree, packet->tvb, hf_rpc_count, call->count);
    wmem_strbuf_t *line = wmem_strbuf_new(packet->pinfo->pool, "");
    wmem_strbuf_append_printf(line, "%s(", method);
    if (call->raw && call->count) {
        proto_tree_add_item(packet->tree, hf_rpc_bytes, packet->tvb, call->arguments_offset,
                            call->arguments_length, ENC_NA);
        append_bytes(line, packet->bytes + call->arguments_offset, call->arguments_length);
    } else if (!call->raw && call->count_offset) {
        value_list list = {.offset = call->arguments_offset,
                           .length = call->arguments_length,
                           .expected = call->count,
                           .label = "Argument",
                           .options = {.dialect = VARIANT_GODOT4, .compact = true}};
        proto_tree *tree = packet->tree;
        if (call->count)
            tree = proto_tree_add_subtree_format(packet->tree, packet->tvb, call->arguments_offset,
                                                 call->arguments_length, ett_arguments, NULL,
                                                 "Arguments (%u)", call->count);
        add_values(packet, tree, &list, line, MULTIPLAYER_NULLED);
    }
    wmem_strbuf_append(line, ")");
    add_text(packet, hf_path, call->path);
    add_generated_string(packet->tree, packet->tvb, hf_rpc_call, wmem_strbuf_get_str(line));
    wmem_strbuf_append_printf(packet->info, "%s → %s", wmem_strbuf_get_str(line), node ? node : "?");
    set_tap(packet, node, method);
}

/* --- Godot 4: replication ------------------------------------------------------------------------------- */

static void learn_spawn(const godot_packet *packet, const multiplayer_v4_spawn *spawn, const char *node_path,
                        const char *spawner)
{
    godot_node node = {.path = wmem_strdup(wmem_file_scope(), node_path), .scene = spawn->scene};
    node.spawner = spawner ? wmem_strdup(wmem_file_scope(), spawner) : NULL;
    godot_session_learn_node(packet->message, packet->from, spawn->net_id, node);
    node.synchronizer = true;
    node.sync_count = spawn->sync_count;
    for (uint32_t i = 0; i < spawn->sync_ids_length / 4; i++) {
        node.sync_index = i;
        godot_session_learn_node(packet->message, packet->from,
                                 multiplayer_u32(packet->bytes + spawn->sync_ids_offset + 4 * i), node);
    }
}

static void add_sync_ids(const godot_packet *packet, const multiplayer_v4_spawn *spawn)
{
    uint32_t count = spawn->sync_ids_length / 4;
    if (count == 0)
        return;
    proto_tree *tree =
        proto_tree_add_subtree_format(packet->tree, packet->tvb, spawn->sync_ids_offset,
                                      spawn->sync_ids_length, ett_ids, NULL, "Synchronizers (%u)", count);
    for (uint32_t i = 0; i < count && i < MAX_SYNC_IDS; i++)
        proto_tree_add_item(tree, hf_spawn_sync_id, packet->tvb, spawn->sync_ids_offset + 4 * i, 4,
                            ENC_LITTLE_ENDIAN);
    if (count > MAX_SYNC_IDS)
        proto_tree_add_expert(tree, packet->pinfo, &ei_capped, packet->tvb, spawn->sync_ids_offset,
                              spawn->sync_ids_length);
}

/* Number of values, as far as they can be read. */
static uint32_t count_values(const godot_packet *packet, uint32_t offset, uint32_t length)
{
    variant_options options = {.dialect = VARIANT_GODOT4, .compact = true};
    uint32_t count = 0;
    while (length > 0 && count < MAX_VALUES) {
        uint32_t used = variant_skip(packet->bytes + offset, length, options, NULL);
        if (used == 0)
            break;
        offset += used;
        length -= used;
        count++;
    }
    return count;
}

static void add_property_names(const godot_packet *packet, proto_tree *tree, const value_list *list)
{
    for (uint32_t i = 0; i < list->name_count; i++)
        add_generated_string(tree, packet->tvb, hf_property, list->names[i]);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_spawn_state(godot_packet *packet, const multiplayer_v4_spawn *spawn, const char *scene)
{
    const char *names[MULTIPLAYER_V4_MAX_WATCHED];
    value_list state = {.offset = spawn->state_offset,
                        .length = spawn->state_length,
                        .expected = UINT32_MAX,
                        .label = "Property",
                        .names = names,
                        .options = {.dialect = VARIANT_GODOT4, .compact = true}};
    uint32_t known = scene && spawn->sync_count == 1
                         ? godot_project_properties(scene, NULL, SCENE_SPAWN, names, array_length(names))
                         : 0;
    if (known > 0 && known <= array_length(names) &&
        known == count_values(packet, spawn->state_offset, spawn->state_length))
        state.name_count = known;
    proto_item *item = proto_tree_add_item(packet->tree, hf_spawn_state, packet->tvb, spawn->state_offset,
                                           spawn->state_length, ENC_NA);
    proto_tree *tree = proto_item_add_subtree(item, ett_state);
    uint32_t count = add_values(packet, tree, &state, NULL, MULTIPLAYER_DROPPED);
    add_property_names(packet, tree, &state);
    proto_item_append_text(item, " (%u values)", count);
}

static void dissect_spawn(godot_packet *packet, const multiplayer_v4_spawn *spawn, bool dropped)
{
    if (!spawn->scene_offset)
        return;
    proto_item *scene_item = proto_tree_add_uint(packet->tree, hf_spawn_scene_id, packet->tvb,
                                                 spawn->scene_offset, 1, spawn->scene);
    if (spawn->scene == MULTIPLAYER_V4_CUSTOM_SCENE)
        proto_item_append_text(scene_item, " (custom spawn)");
    const godot_path *spawner =
        add_path_id(packet, packet->tree, hf_spawn_spawner, spawn->spawner_offset, 4, spawn->spawner);
    add_number(packet, hf_spawn_net_id, spawn->net_id_offset, 4);
    add_number(packet, hf_spawn_sync_count, spawn->sync_count_offset, 4);
    add_number(packet, hf_spawn_name_length, spawn->name_size_offset, 4);
    add_sync_ids(packet, spawn);
    if (!spawn->name.offset)
        return;
    add_text(packet, hf_spawn_name, spawn->name);
    const char *name = text_at(packet, spawn->name);
    const char *parent =
        spawner ? spawner->path : wmem_strdup_printf(packet->pinfo->pool, "node %u", spawn->spawner);
    const char *node_path = wmem_strdup_printf(packet->pinfo->pool, "%s/%s", parent, name);
    if (packet->learn && !dropped)
        learn_spawn(packet, spawn, node_path, spawner ? spawner->path : NULL);
    variant_options options = {.dialect = VARIANT_GODOT4, .compact = true};
    if (spawn->argument_size_offset) {
        add_number(packet, hf_spawn_argument_length, spawn->argument_size_offset, 4);
        value_list argument = {.offset = spawn->argument_offset,
                               .length = spawn->argument_length,
                               .expected = 1,
                               .label = "Spawn argument",
                               .options = options};
        add_values(packet, packet->tree, &argument, NULL, MULTIPLAYER_DROPPED);
    }
    const char *scene = spawn->scene == MULTIPLAYER_V4_CUSTOM_SCENE
                            ? NULL
                            : godot_project_spawned(spawner ? spawner->path : NULL, spawn->scene);
    if (scene)
        add_generated_string(packet->tree, packet->tvb, hf_spawn_scene, scene);
    if (spawn->state_length)
        add_spawn_state(packet, spawn, scene);
    if (spawn->scene == MULTIPLAYER_V4_CUSTOM_SCENE)
        wmem_strbuf_append_printf(packet->info, "spawn %s (custom) in %s", name, parent);
    else if (scene)
        wmem_strbuf_append_printf(packet->info, "spawn %s (%s) in %s", name, base_name(scene), parent);
    else
        wmem_strbuf_append_printf(packet->info, "spawn %s (scene %u) in %s", name, spawn->scene, parent);
    set_tap(packet, spawner ? spawner->path : NULL, "spawn");
}

static void dissect_despawn(godot_packet *packet, uint32_t offset, uint32_t net_id)
{
    if (!offset)
        return;
    proto_item *item = proto_tree_add_uint(packet->tree, hf_despawn_net_id, packet->tvb, offset, 4, net_id);
    /* As of the message before: the tombstone of this one must not hide what it is about. */
    godot_message before = *packet->message;
    before.number--;
    const godot_node *node = godot_session_node(&before, packet->from, net_id);
    if (packet->learn)
        godot_session_learn_node(packet->message, packet->from, net_id, (godot_node){.gone = true});
    if (node) {
        proto_item_append_text(item, " (%s)", node->path);
        add_generated_string(packet->tree, packet->tvb, hf_path, node->path);
        add_generated_number(packet->tree, packet->tvb, hf_spawned_in, node->frame);
        wmem_strbuf_append_printf(packet->info, "despawn %s", node->path);
    } else {
        expert_add_info_format(packet->pinfo, item, &ei_unknown_net_id,
                               "Net id %u has not been spawned in this capture", net_id);
        wmem_strbuf_append_printf(packet->info, "despawn net id %u", net_id);
    }
    set_tap(packet, node ? node->path : NULL, "despawn");
}

/* What an entry is about. */
typedef struct {
    const char
        *path; /* of the synchronized node (by net id) or of the synchronizer (by path id); NULL: unknown */
    const char *scene; /* of a spawned node, from the project */
    bool spawned;
} sync_target;

static sync_target add_sync_target(const godot_packet *packet, proto_tree *tree,
                                   const multiplayer_v4_entry *entry)
{
    uint32_t id = entry->id & ~MULTIPLAYER_V4_PATH_FLAG;
    sync_target target = {NULL, NULL, false};
    if (entry->id & MULTIPLAYER_V4_PATH_FLAG) {
        const godot_path *path = add_path_id(packet, tree, hf_sync_path_id, entry->offset, 4, id);
        target.path = path ? path->path : NULL;
        return target;
    }
    proto_item *item = proto_tree_add_uint(tree, hf_sync_net_id, packet->tvb, entry->offset, 4, id);
    const godot_node *node = godot_session_node(packet->message, packet->from, id);
    if (!node) {
        expert_add_info_format(packet->pinfo, item, &ei_unknown_net_id,
                               "Net id %u has not been spawned in this capture: without the node the engine "
                               "ignores the entry",
                               id);
        return target;
    }
    proto_item_append_text(item, " (%s)", node->path);
    add_generated_string(tree, packet->tvb, hf_path, node->path);
    add_generated_number(tree, packet->tvb, hf_spawned_in, node->frame);
    target.path = node->path;
    target.spawned = true;
    if (node->synchronizer && node->sync_count == 1 && node->scene != MULTIPLAYER_V4_CUSTOM_SCENE)
        target.scene = godot_project_spawned(node->spawner, node->scene);
    return target;
}

/* Labels of an entry's values: property names of the project if they are certain, for a delta otherwise the
 * numbers of the bits. Returns whether they are names. */
static bool name_values(const godot_packet *packet, const multiplayer_v4_entry *entry,
                        const sync_target *target, value_list *values, const char **labels)
{
    const char *names[MULTIPLAYER_V4_MAX_WATCHED];
    bool delta = entry->mask_offset != 0,
         place = target->spawned ? target->scene != NULL : target->path != NULL;
    uint32_t known = 0;
    if (place)
        known = godot_project_properties(target->scene, target->path, delta ? SCENE_ON_CHANGE : SCENE_ALWAYS,
                                         names, array_length(names));
    if (known > array_length(names))
        known = 0;
    if (!delta) {
        if (known != count_values(packet, entry->data_offset, entry->data_length))
            known = 0;
        values->name_count = known;
        memcpy(labels, names, known * sizeof *names);
        return known > 0;
    }
    if (known < MULTIPLAYER_V4_MAX_WATCHED && entry->mask >> known)
        known = 0; /* a bit that this configuration does not have */
    for (uint32_t bit = 0; bit < MULTIPLAYER_V4_MAX_WATCHED; bit++)
        if (entry->mask >> bit & 1)
            labels[values->name_count++] =
                known ? names[bit] : wmem_strdup_printf(packet->pinfo->pool, "Watched property %u", bit);
    return known > 0;
}

static void check_mask(const godot_packet *packet, proto_tree *tree, const multiplayer_v4_entry *entry,
                       uint32_t count)
{
    uint32_t expected = multiplayer_v4_mask_count(entry->mask);
    if (entry->mask_offset && count != expected && !packet->cut && count < MAX_VALUES)
        proto_tree_add_expert_format(tree, packet->pinfo, &ei_problem[MULTIPLAYER_PROBLEM_VALUE_COUNT],
                                     packet->tvb, entry->offset, entry->length,
                                     "The mask announces %u values, %u are there: %s", expected, count,
                                     multiplayer_verdict_text(MULTIPLAYER_PARTLY));
}

static void dissect_entry(godot_packet *packet, const multiplayer_v4_entry *entry, uint32_t index)
{
    const char *labels[MULTIPLAYER_V4_MAX_WATCHED];
    proto_item *item =
        proto_tree_add_item(packet->tree, hf_sync_entry, packet->tvb, entry->offset, entry->length, ENC_NA);
    proto_tree *tree = proto_item_add_subtree(item, ett_entry);
    sync_target target = add_sync_target(packet, tree, entry);
    if (entry->mask_offset)
        proto_tree_add_item(tree, hf_sync_mask, packet->tvb, entry->mask_offset, 8, ENC_LITTLE_ENDIAN);
    proto_tree_add_item(tree, hf_sync_size, packet->tvb, entry->size_offset, 4, ENC_LITTLE_ENDIAN);
    add_findings(packet, tree, &entry->findings);
    value_list values = {.offset = entry->data_offset,
                         .length = entry->data_length,
                         .expected = UINT32_MAX,
                         .label = "Property",
                         .names = labels,
                         .options = {.dialect = VARIANT_GODOT4, .compact = true}};
    bool named = name_values(packet, entry, &target, &values, labels);
    wmem_strbuf_t *line = wmem_strbuf_new(packet->pinfo->pool, "");
    uint32_t count = add_values(packet, tree, &values, named ? NULL : line,
                                entry->mask_offset ? MULTIPLAYER_PARTLY : MULTIPLAYER_TOLERATED);
    for (uint32_t i = 0; named && i < values.name_count; i++)
        wmem_strbuf_append_printf(line, "%s%s", i ? ", " : "", labels[i]);
    if (named)
        add_property_names(packet, tree, &values);
    check_mask(packet, tree, entry, count);
    const char *name =
        target.path ? target.path : wmem_strdup_printf(packet->pinfo->pool, "net id %u", entry->id);
    proto_item_set_text(item, "%s {%s}", name, wmem_strbuf_get_str(line));
    if (index < MAX_INFO_ENTRIES)
        wmem_strbuf_append_printf(packet->info, "%s%s {%s}", index ? ", " : "", name,
                                  wmem_strbuf_get_str(line));
    if (index == 0)
        set_tap(packet, target.path, entry->mask_offset ? "synchronize changes" : "synchronize");
}

static void dissect_sync(godot_packet *packet, const multiplayer_v4_packet *parsed)
{
    const multiplayer_v4_sync *sync = &parsed->u.sync;
    uint32_t position = sync->entries_offset, count = 0;
    multiplayer_v4_entry entry;
    wmem_strbuf_append(packet->info, sync->delta ? "sync changes " : "sync ");
    set_tap(packet, NULL, "synchronize");
    if (!position)
        return;
    add_number(packet, hf_sync_time, sync->time_offset, 2);
    for (; multiplayer_v4_next_entry(parsed, &position, &entry); count++) {
        if (count >= MAX_ENTRIES) {
            proto_tree_add_expert_format(packet->tree, packet->pinfo, &ei_capped, packet->tvb, entry.offset,
                                         packet->length - entry.offset, "Only %u synchronizers are shown",
                                         count);
            break;
        }
        dissect_entry(packet, &entry, count);
    }
    if (count > MAX_INFO_ENTRIES)
        wmem_strbuf_append(packet->info, ", …");
}

/* --- Godot 4: system messages and dispatch -----------------------------------------------------------------
 */

static void dissect_v4(godot_packet *packet);

/* Who the parties of a relayed packet are: seen from the server's side of the connection the number is the
 * receiver, from the client's side the sender. */
static bool relay_from_server(const godot_packet *packet, int32_t peer, proto_item *item)
{
    if (godot_session_is_server(packet->message, packet->from))
        return true;
    if (godot_session_is_server(packet->message, other_end(packet->from)) || peer <= 0)
        return false;
    expert_add_info(packet->pinfo, item, &ei_direction);
    return !packet->message->from_initiator;
}

static void dissect_relay(godot_packet *packet, const multiplayer_v4_sys *sys)
{
    proto_item *item =
        proto_tree_add_int(packet->tree, hf_relay_peer, packet->tvb, sys->peer_offset, 4, sys->peer);
    godot_packet inner = *packet;
    bool from_server = relay_from_server(packet, sys->peer, item);
    proto_item_append_text(item, from_server      ? " (sent by)"
                                 : sys->peer == 0 ? " (to everybody)"
                                 : sys->peer < 0  ? " (to everybody but this one)"
                                                  : " (to)");
    if (from_server)
        inner.from = sys->peer;
    else
        inner.to = sys->peer > 1 ? sys->peer : sys->peer == 1 ? packet->to : 0;
    if (sys->peer > 1 && godot_session_presence(packet->message, sys->peer) == 0)
        expert_add_info_format(packet->pinfo, item, &ei_unknown_peer, "Peer %d is not connected (any more)",
                               sys->peer);
    wmem_strbuf_append_printf(packet->info,
                              from_server      ? "relayed from %d: "
                              : sys->peer == 0 ? "relay to all: "
                              : sys->peer < 0  ? "relay to all but %d: "
                                               : "relay to %d: ",
                              sys->peer < 0 ? -sys->peer : sys->peer);
    packet->tap->relayed = true;
    bool system = sys->data_length == 0 ||
                  (packet->bytes[sys->data_offset] & MULTIPLAYER_V4_COMMAND_MASK) == MULTIPLAYER_V4_SYS;
    if (system) {
        wmem_strbuf_append(packet->info, "nothing that can be relayed");
        return;
    }
    inner.tvb = tvb_new_subset_remaining(packet->tvb, sys->data_offset);
    inner.bytes = packet->bytes + sys->data_offset;
    inner.length = sys->data_length;
    inner.tree = proto_tree_add_subtree(packet->tree, packet->tvb, sys->data_offset, sys->data_length,
                                        ett_relay, &inner.item, "Relayed packet");
    proto_item_set_generated(proto_tree_add_boolean(inner.tree, hf_relayed, inner.tvb, 0, 0, 1));
    dissect_v4(&inner);
}

/* Messages about peers come from the server only. */
static void dissect_peer(godot_packet *packet, const multiplayer_v4_sys *sys, bool dropped)
{
    bool added = sys->subcommand == MULTIPLAYER_V4_ADD_PEER;
    if (!sys->peer_offset)
        return;
    proto_item *item =
        proto_tree_add_int(packet->tree, hf_sys_peer, packet->tvb, sys->peer_offset, 4, sys->peer);
    if (godot_session_is_server(packet->message, other_end(packet->from)))
        expert_add_info(packet->pinfo, item, &ei_only_server);
    else if (packet->learn && !dropped) {
        godot_session_learn_peer_id(packet->message, packet->from, 1);
        godot_session_learn_presence(packet->message, sys->peer, added);
    }
    wmem_strbuf_append_printf(packet->info, added ? "add peer %d" : "delete peer %d", sys->peer);
}

static void dissect_sys(godot_packet *packet, const multiplayer_v4_sys *sys, bool dropped)
{
    if (!sys->subcommand_offset)
        return;
    const char *name = multiplayer_v4_subcommand_name(sys->subcommand);
    proto_item *item = proto_tree_add_uint(packet->tree, hf_sys_command, packet->tvb, sys->subcommand_offset,
                                           1, sys->subcommand);
    proto_item_append_text(item, " (%s)", name ? name : "unknown");
    proto_item_set_hidden(proto_tree_add_string(packet->tree, hf_sys_command_name, packet->tvb,
                                                sys->subcommand_offset, 1, name ? name : "Unknown"));
    proto_item_append_text(packet->item, ", %s", name ? name : "unknown");
    set_tap(packet, NULL, name ? name : "unknown system message");
    switch (sys->subcommand) {
    case MULTIPLAYER_V4_AUTH:
        if (sys->data_length) {
            add_application_bytes(packet, hf_sys_auth, sys->data_offset, sys->data_length, VARIANT_GODOT4);
            wmem_strbuf_append_printf(packet->info, "authentication, %u bytes", sys->data_length);
        } else {
            wmem_strbuf_append(packet->info, "authentication complete");
        }
        break;
    case MULTIPLAYER_V4_ADD_PEER:
    case MULTIPLAYER_V4_DEL_PEER:
        dissect_peer(packet, sys, dropped);
        break;
    case MULTIPLAYER_V4_RELAY:
        if (sys->peer_offset)
            dissect_relay(packet, sys);
        break;
    default:
        if (sys->data_length)
            proto_tree_add_item(packet->tree, hf_sys_data, packet->tvb, sys->data_offset, sys->data_length,
                                ENC_NA);
        wmem_strbuf_append_printf(packet->info, "system message %u, %u bytes", sys->subcommand,
                                  sys->data_length);
    }
}

/* The command byte with the bits that the command uses. */
static void add_command_byte(const godot_packet *packet, const multiplayer_v4_packet *parsed)
{
    static int *const plain[] = {&hf_byte_command, NULL};
    static int *const call[] = {&hf_byte_raw, &hf_byte_method_size, &hf_byte_node_size, &hf_byte_command,
                                NULL};
    static int *const sync[] = {&hf_byte_delta, &hf_byte_command, NULL};
    int *const *bits = parsed->command == MULTIPLAYER_V4_REMOTE_CALL ? call
                       : parsed->command == MULTIPLAYER_V4_SYNC      ? sync
                                                                     : plain;
    const char *name = multiplayer_v4_command_name(parsed->byte);
    proto_tree_add_bitmask(packet->tree, packet->tvb, 0, hf_byte, ett_byte, bits, ENC_NA);
    proto_item_set_generated(proto_tree_add_string(packet->tree, hf_command, packet->tvb, 0, 1, name));
    proto_item_append_text(packet->item, ", %s", name);
}

static void dissect_v4(godot_packet *packet)
{
    multiplayer_v4_packet parsed;
    multiplayer_v4_parse(packet->bytes, packet->length, &parsed);
    bool dropped = parsed.findings.dropped || packet->cut;
    add_ends(packet);
    if (packet->length)
        add_command_byte(packet, &parsed);
    add_findings(packet, packet->tree, &parsed.findings);
    switch (parsed.command) {
    case MULTIPLAYER_V4_REMOTE_CALL:
        dissect_call(packet, &parsed.u.call);
        break;
    case MULTIPLAYER_V4_SIMPLIFY_PATH:
        dissect_simplify(packet, &parsed.u.simplify, dropped);
        break;
    case MULTIPLAYER_V4_CONFIRM_PATH:
        dissect_confirm(packet, &parsed.u.confirm, dropped);
        break;
    case MULTIPLAYER_V4_RAW:
        if (packet->length > 1)
            add_application_bytes(packet, hf_raw, 1, packet->length - 1, VARIANT_GODOT4);
        wmem_strbuf_append_printf(packet->info, "raw, %u bytes", packet->length ? packet->length - 1 : 0);
        set_tap(packet, NULL, "raw");
        break;
    case MULTIPLAYER_V4_SPAWN:
        dissect_spawn(packet, &parsed.u.spawn, dropped);
        break;
    case MULTIPLAYER_V4_DESPAWN:
        dissect_despawn(packet, parsed.u.despawn.net_id_offset, parsed.u.despawn.net_id);
        break;
    case MULTIPLAYER_V4_SYNC:
        dissect_sync(packet, &parsed);
        break;
    case MULTIPLAYER_V4_SYS:
        dissect_sys(packet, &parsed.u.sys, dropped);
        break;
    case MULTIPLAYER_V4_COMMAND_COUNT:
        break;
    }
    if (wmem_strbuf_get_len(packet->info) == 0)
        wmem_strbuf_append_printf(packet->info, "%s, incomplete", multiplayer_v4_command_name(parsed.byte));
}

/* --- Godot 3 ---------------------------------------------------------------------------------------------
 */

static void dissect_v3_call(godot_packet *packet, const multiplayer_v3_packet *parsed)
{
    bool call = parsed->command == MULTIPLAYER_V3_REMOTE_CALL;
    const char *node = NULL;
    if (!parsed->target_offset)
        return;
    if (parsed->path.offset) {
        proto_tree_add_uint(packet->tree, hf_path_offset, packet->tvb, parsed->target_offset, 4,
                            parsed->path.offset);
        node = text_at(packet, parsed->path);
    } else if (!(parsed->target & MULTIPLAYER_V3_PATH_FLAG)) {
        const godot_path *path =
            add_path_id(packet, packet->tree, hf_path_id, parsed->target_offset, 4, parsed->target);
        node = path ? path->path : wmem_strdup_printf(packet->pinfo->pool, "node %u", parsed->target);
    }
    if (!parsed->name.offset)
        return;
    const char *name = text_at(packet, parsed->name);
    uint32_t others;
    proto_item *item = proto_tree_add_item(packet->tree, call ? hf_rpc_method : hf_rset_property, packet->tvb,
                                           parsed->name.offset, parsed->name.length, ENC_UTF_8);
    if (godot_project_available() && parsed->name.length) {
        const char *script = godot_project_declares(name, &others);
        if (script)
            proto_item_append_text(item, others ? " (%s and %u more)" : " (%s)", script, others);
        else
            expert_add_info(packet->pinfo, item, &ei_not_declared);
    }
    wmem_strbuf_t *line = wmem_strbuf_new(packet->pinfo->pool, "");
    wmem_strbuf_append_printf(line, call ? "%s(" : "%s = ", name);
    if (parsed->values_offset) {
        value_list list = {.offset = parsed->values_offset,
                           .length = parsed->values_length,
                           .expected = call ? parsed->count : 1,
                           .label = call ? "Argument" : "Value",
                           .options = {.dialect = VARIANT_GODOT3}};
        proto_tree *tree = packet->tree;
        if (parsed->count_offset)
            proto_tree_add_uint(packet->tree, hf_rpc_count, packet->tvb, parsed->count_offset, 1,
                                parsed->count);
        if (call && parsed->count)
            tree = proto_tree_add_subtree_format(packet->tree, packet->tvb, parsed->values_offset,
                                                 parsed->values_length, ett_arguments, NULL, "Arguments (%u)",
                                                 parsed->count);
        add_values(packet, tree, &list, line, MULTIPLAYER_DROPPED);
    }
    wmem_strbuf_append(line, call ? ")" : "");
    add_text(packet, hf_path, parsed->path);
    if (call)
        add_generated_string(packet->tree, packet->tvb, hf_rpc_call, wmem_strbuf_get_str(line));
    wmem_strbuf_append_printf(packet->info, "%s → %s", wmem_strbuf_get_str(line), node ? node : "?");
    set_tap(packet, node, name);
}

static void dissect_v3_simplify(godot_packet *packet, const multiplayer_v3_packet *parsed, bool dropped)
{
    if (!parsed->target_offset)
        return;
    proto_tree_add_uint(packet->tree, hf_path_id, packet->tvb, parsed->target_offset, 4, parsed->target);
    add_text(packet, hf_path, parsed->path);
    const char *path = text_at(packet, parsed->path);
    if (packet->learn && !dropped)
        godot_session_learn_path(packet->pinfo, packet->message, packet->from, parsed->target, path, NULL);
    const godot_path *entry = godot_session_path(packet->message, packet->from, parsed->target);
    if (entry)
        add_confirmed_in(packet, entry);
    wmem_strbuf_append_printf(packet->info, "node %u is %s", parsed->target, path);
    set_tap(packet, path, "path cache");
}

static void dissect_v3_confirm(godot_packet *packet, const multiplayer_v3_packet *parsed, bool dropped)
{
    if (!parsed->path.offset)
        return;
    proto_item *item = proto_tree_add_item(packet->tree, hf_path, packet->tvb, parsed->path.offset,
                                           parsed->path.length, ENC_UTF_8);
    const char *path = text_at(packet, parsed->path);
    godot_path *entry = godot_session_path_by_name(packet->message, packet->to, path);
    show_confirmation(packet, entry, path, true, item, packet->learn && !dropped);
}

static void dissect_v3_packet(godot_packet *packet)
{
    multiplayer_v3_packet parsed;
    multiplayer_v3_parse(packet->bytes, packet->length, &parsed);
    bool dropped = parsed.findings.dropped || packet->cut;
    const char *name = multiplayer_v3_command_name(parsed.command);
    if (packet->length) {
        proto_tree_add_item(packet->tree, hf_byte, packet->tvb, 0, 1, ENC_NA);
        proto_item_set_generated(
            proto_tree_add_string(packet->tree, hf_command, packet->tvb, 0, 1, name ? name : "Unknown"));
        proto_item_append_text(packet->item, ", %s", name ? name : "Unknown");
    }
    add_findings(packet, packet->tree, &parsed.findings);
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
        if (parsed.values_offset)
            add_application_bytes(packet, hf_raw, parsed.values_offset, parsed.values_length, VARIANT_GODOT3);
        wmem_strbuf_append_printf(packet->info, "raw, %u bytes", parsed.values_length);
        set_tap(packet, NULL, "raw");
        break;
    default:
        if (packet->length > 1)
            proto_tree_add_item(packet->tree, hf_undecoded, packet->tvb, 1, packet->length - 1, ENC_NA);
        wmem_strbuf_append_printf(packet->info, "command %u, %u bytes", parsed.command, packet->length);
        set_tap(packet, NULL, "unknown command");
    }
    if (wmem_strbuf_get_len(packet->info) == 0)
        wmem_strbuf_append_printf(packet->info, "%s, incomplete", name ? name : "Unknown");
}

/* A message of the peer: who is there, and which id the receiver has. */
static void dissect_v3_system(godot_packet *packet, const multiplayer_v3_header *header, bool dropped)
{
    const char *name = multiplayer_v3_message_name(header->message);
    proto_item_set_generated(proto_tree_add_string(packet->tree, hf_sys_command_name, packet->tvb, 0,
                                                   header->message_length, name));
    proto_item_append_text(packet->item, ", %s", name);
    set_tap(packet, NULL, name);
    if (!header->peer_offset) {
        wmem_strbuf_append_printf(packet->info, "%s, incomplete", name);
        return;
    }
    bool assigns = header->message == MULTIPLAYER_V3_ASSIGN_ID;
    proto_item *item = proto_tree_add_int(packet->tree, assigns ? hf_sys_assigned : hf_sys_peer, packet->tvb,
                                          header->peer_offset, 4, header->peer);
    if (godot_session_is_server(packet->message, other_end(packet->from)))
        expert_add_info(packet->pinfo, item, &ei_only_server);
    else if (packet->learn && !dropped) {
        godot_session_learn_peer_id(packet->message, packet->from, 1);
        if (assigns)
            godot_session_learn_peer_id(packet->message, other_end(packet->from), header->peer);
        else
            godot_session_learn_presence(packet->message, header->peer,
                                         header->message == MULTIPLAYER_V3_ADD_PEER);
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
        add_ends(packet);
        return;
    }
    proto_item *item =
        proto_tree_add_int(packet->tree, hf_source, packet->tvb, header->source_offset, 4, header->source);
    proto_tree_add_int(packet->tree, hf_target, packet->tvb, header->target_offset, 4, header->target);
    int32_t expected = godot_session_peer_id(packet->message, packet->from);
    bool from_server = godot_session_is_server(packet->message, packet->from);
    if (expected > 0 && header->source != expected && !from_server)
        expert_add_info_format(packet->pinfo, item, &ei_source,
                               "Source %d is not this end's peer id %d: the server drops the packet",
                               header->source, expected);
    if (from_server && header->source > 1) {
        packet->tap->relayed = true;
        proto_item_set_generated(proto_tree_add_boolean(packet->tree, hf_relayed, packet->tvb, 0, 0, 1));
        wmem_strbuf_append_printf(packet->info, "relayed from %d: ", header->source);
    }
    if (!from_server && expected != 0 && header->target > 1) {
        wmem_strbuf_append_printf(packet->info, "relay to %d: ", header->target);
        if (godot_session_presence(packet->message, header->target) == 0)
            expert_add_info_format(packet->pinfo, item, &ei_unknown_peer,
                                   "Peer %d is not connected (any more)", header->target);
    }
    packet->from = header->source;
    packet->to = header->target > 0 ? header->target : 0;
}

static void dissect_v3(godot_packet *packet)
{
    multiplayer_v3_header header;
    multiplayer_v3_parse_header(packet->message->carrier, packet->bytes, packet->length, &header);
    if (header.message_length)
        proto_tree_add_uint(packet->tree, hf_header_message, packet->tvb, header.message_offset,
                            header.message_length, header.message_value);
    add_v3_ends(packet, &header);
    if (header.flags_offset)
        proto_tree_add_item(packet->tree, hf_header_flags, packet->tvb, header.flags_offset, 4,
                            ENC_LITTLE_ENDIAN);
    add_findings(packet, packet->tree, &header.findings);
    if (header.message != MULTIPLAYER_V3_DATA) {
        godot_packet system = *packet;
        if (header.has_source) /* by connection, not by the number that stands there */
            system.from = packet->message->from_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR;
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

/* --- messages ----------------------------------------------------------------------------------------------
 */

/* Per frame and pass. */
typedef struct {
    uint32_t ordinal; /* of the next message without an index of its own */
    uint32_t shown;   /* messages in the Info column */
} pass_state;

static pass_state *get_pass(packet_info *pinfo)
{
    pass_state *pass = (pass_state *)p_get_proto_data(pinfo->pool, pinfo, proto_godot, 1);
    if (!pass) {
        pass = wmem_new0(pinfo->pool, pass_state);
        p_add_proto_data(pinfo->pool, pinfo, proto_godot, 1, pass);
    }
    return pass;
}

static void write_info(packet_info *pinfo, pass_state *pass, const char *text)
{
    size_t length = strlen(text), shown = length;
    if (length > MAX_INFO_TEXT) /* on a character boundary */
        for (shown = MAX_INFO_TEXT; shown > 0 && ((uint8_t)text[shown] & 0xc0) == 0x80; shown--)
            ;
    /* In the place of what the transport wrote about this message, behind the messages before it. */
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Godot");
    col_clear(pinfo->cinfo, COL_INFO);
    if (pass->shown <= MAX_INFO_MESSAGES)
        info_column_separate(pinfo);
    if (pass->shown < MAX_INFO_MESSAGES)
        col_append_fstr(pinfo->cinfo, COL_INFO, "%.*s%s", (int)shown, text, shown < length ? "…" : "");
    else if (pass->shown == MAX_INFO_MESSAGES)
        col_append_str(pinfo->cinfo, COL_INFO, "…");
    col_set_fence(pinfo->cinfo, COL_INFO);
    pass->shown++;
}

static void dissect_assigned_id(godot_packet *packet)
{
    int32_t id = (int32_t)multiplayer_u32(packet->bytes);
    proto_tree_add_int(packet->tree, hf_sys_assigned, packet->tvb, 0, 4, id);
    if (packet->learn) {
        godot_session_learn_peer_id(packet->message, GODOT_INITIATOR, id);
        godot_session_learn_peer_id(packet->message, GODOT_ACCEPTOR, 1);
    }
    wmem_strbuf_append_printf(packet->info, "you are peer %d", id);
    set_tap(packet, NULL, "Assign Id");
}

static void dissect_known_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, godot_message *message,
                                  const enet_payload_info *enet, pass_state *pass)
{
    godot_packet packet = {.pinfo = pinfo, .tvb = tvb, .enet = enet, .message = message};
    godot_tap *tap = wmem_new0(pinfo->pool, godot_tap);
    packet.length = tvb_captured_length(tvb);
    packet.cut = packet.length < tvb_reported_length(tvb);
    packet.bytes = tvb_get_ptr(tvb, 0, packet.length);
    packet.learn = !PINFO_FD_VISITED(pinfo) && !message->repeated && !packet.cut;
    packet.from = message->from_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR;
    packet.to = other_end(packet.from);
    packet.info = wmem_strbuf_new(pinfo->pool, "");
    packet.tap = tap;
    packet.item = proto_tree_add_item(tree, proto_godot, tvb, 0, -1, ENC_NA);
    packet.tree = proto_item_add_subtree(packet.item, ett_godot);
    add_generated_number(packet.tree, tvb, hf_api, (uint32_t)message->api);
    add_generated_number(packet.tree, tvb, hf_session, godot_session_index(message->session));
    if (message->wire_length)
        add_generated_number(packet.tree, tvb, hf_wire_length, message->wire_length);
    if (message->other_api)
        expert_add_info_format(pinfo, packet.item, &ei_generation,
                               "This end speaks Godot %d, the session Godot %d", message->api,
                               message->api == 3 ? 4 : 3);
    if (enet && enet->fragmented && enet->delivery != ENET_DELIVERY_RELIABLE)
        expert_add_info(pinfo, packet.item, &ei_over_mtu);
    if (message->assigns_id)
        dissect_assigned_id(&packet);
    else if (message->api == 4)
        dissect_v4(&packet);
    else
        dissect_v3(&packet);
    write_info(pinfo, pass, wmem_strbuf_get_str(packet.info));
    tap->session = godot_session_index(message->session);
    tap->from_initiator = message->from_initiator;
    tap->source = godot_session_peer_id(message, packet.from);
    tap->target = packet.to ? godot_session_peer_id(message, packet.to) : 0;
    tap->length = tvb_reported_length(tvb);
    tap->wire_length = message->wire_length;
    tap_queue_packet(godot_tap_id, pinfo, tap);
    if (packet.cut)
        tvb_ensure_bytes_exist(tvb, 0, (int)tvb_reported_length(tvb));
}

/* Bytes on the wire of a message over anything but ENet. Over WebSocket: its own frame header, and the
 * headers of the captured frame if it is the first in it (Ethernet, IP, TCP with time stamps). An estimate:
 * the segments before the last one of a long message, and TCP's own acknowledgements, are not seen from here.
 */
static uint32_t estimate_wire_length(const packet_info *pinfo, const godot_message *message,
                                     const tvbuff_t *tvb, uint32_t ordinal)
{
    enum { ETHERNET = 14, IPV4 = 20, IPV6 = 40, TCP = 32, MASK = 4 };
    uint32_t length = tvb_reported_length(tvb), headers = 0;
    if (godot_session_transport(message->session) != GODOT_OVER_WEBSOCKET)
        return length;
    headers = length < 126 ? 2 : length < 65536 ? 4 : 10;
    if (message->from_initiator)
        headers += MASK;
    if (ordinal == 0)
        headers += ETHERNET + (pinfo->net_src.type == AT_IPv6 ? IPV6 : IPV4) + TCP;
    return length + headers;
}

static bool dissect_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, godot_transport transport,
                            const enet_payload_info *enet, bool forced)
{
    pass_state *pass = get_pass(pinfo);
    uint32_t captured = tvb_captured_length(tvb);
    uint32_t ordinal = enet ? enet->message_index : pass->ordinal++;
    if (captured == 0)
        return false;
    godot_message *message = godot_session_message(pinfo, transport, enet, ordinal);
    if (!message)
        return false;
    godot_session_learn_api(pinfo, message, enet, tvb_get_ptr(tvb, 0, captured), captured, forced);
    if (message->api == 0)
        return false;
    if (!PINFO_FD_VISITED(pinfo))
        message->wire_length = enet ? enet->wire_length : estimate_wire_length(pinfo, message, tvb, ordinal);
    dissect_known_message(tvb, pinfo, tree, message, enet, pass);
    return true;
}

static int dissect_godot_enet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    dissect_message(tvb, pinfo, tree, GODOT_OVER_ENET, (const enet_payload_info *)data, true);
    return (int)tvb_captured_length(tvb);
}

static compat_bool heur_godot_enet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return data && dissect_message(tvb, pinfo, tree, GODOT_OVER_ENET, (const enet_payload_info *)data, false);
}

static int dissect_godot_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    dissect_message(tvb, pinfo, tree, GODOT_OVER_WEBSOCKET, NULL, true);
    return (int)tvb_captured_length(tvb);
}

static compat_bool heur_godot_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_message(tvb, pinfo, tree, GODOT_OVER_WEBSOCKET, NULL, false);
}

static int dissect_godot_sctp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    dissect_message(tvb, pinfo, tree, GODOT_OVER_SCTP, NULL, true);
    return (int)tvb_captured_length(tvb);
}

static compat_bool heur_godot_sctp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_message(tvb, pinfo, tree, GODOT_OVER_SCTP, NULL, false);
}

/* By name: the rest of some other protocol's packet is one multiplayer packet. */
static int dissect_godot(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    dissect_message(tvb, pinfo, tree, GODOT_OVER_ANYTHING, NULL, true);
    return (int)tvb_captured_length(tvb);
}

/* --- registration
 * ------------------------------------------------------------------------------------------- */

static const value_string api_names[] = {{3, "Godot 3"}, {4, "Godot 4"}, {0, NULL}};
static const value_string command_names[] = {{0, "Remote Call"}, {1, "Simplify Path"}, {2, "Confirm Path"},
                                             {3, "Raw"},         {4, "Spawn"},         {5, "Despawn"},
                                             {6, "Sync"},        {7, "System"},        {0, NULL}};
static const value_string node_sizes[] = {
    {0, "8 bits"}, {1, "16 bits"}, {2, "32 bits"}, {3, "invalid"}, {0, NULL}};
static const value_string flag_names[] = {{0, "Ordered"}, {1, "Reliable"}, {2, "Unsequenced"}, {0, NULL}};
static const true_false_string method_sizes = {"16 bits", "8 bits"};
static const true_false_string raw_forms = {"None, or the bytes of one PackedByteArray", "Counted"};
static const true_false_string delta_forms = {"Watched properties that changed",
                                              "All always-synchronized properties"};

#define PLAIN 0x0, NULL, HFILL

static hf_register_info fields[] = {
    {&hf_api, {"Engine Generation", "godot.api", FT_UINT8, BASE_DEC, VALS(api_names), PLAIN}},
    {&hf_session,
     {"Session", "godot.session", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Number of the multiplayer connection in this file", HFILL}},
    {&hf_command, {"Command", "godot.command", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_byte, {"Command Byte", "godot.command_byte", FT_UINT8, BASE_HEX, NULL, PLAIN}},
    {&hf_byte_command,
     {"Command", "godot.command_byte.command", FT_UINT8, BASE_DEC, VALS(command_names), 0x07, NULL, HFILL}},
    {&hf_byte_node_size,
     {"Node Id Size", "godot.command_byte.node_size", FT_UINT8, BASE_DEC, VALS(node_sizes), 0x30, NULL,
      HFILL}},
    {&hf_byte_method_size,
     {"Method Id Size", "godot.command_byte.method_size", FT_BOOLEAN, 8, TFS(&method_sizes), 0x40, NULL,
      HFILL}},
    {&hf_byte_raw,
     {"Arguments", "godot.command_byte.raw", FT_BOOLEAN, 8, TFS(&raw_forms), 0x80, NULL, HFILL}},
    {&hf_byte_delta,
     {"Delta", "godot.command_byte.delta", FT_BOOLEAN, 8, TFS(&delta_forms), 0x10, NULL, HFILL}},
    {&hf_source, {"Source Peer", "godot.source", FT_INT32, BASE_DEC, NULL, PLAIN}},
    {&hf_target, {"Target Peer", "godot.target", FT_INT32, BASE_DEC, NULL, PLAIN}},
    {&hf_relayed, {"Relayed", "godot.relayed", FT_BOOLEAN, BASE_NONE, NULL, PLAIN}},
    {&hf_wire_length,
     {"Bytes on the Wire", "godot.wire_length", FT_UINT32, BASE_DEC, NULL, 0x0,
      "This message's share of the bytes of the frames that carried it, all overhead included", HFILL}},
    {&hf_path,
     {"Node Path", "godot.path", FT_STRING, BASE_NONE, NULL, 0x0,
      "Relative to the multiplayer root, usually /root", HFILL}},
    {&hf_path_id, {"Path Id", "godot.path.id", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_path_offset, {"Offset of Node Path", "godot.path.offset", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_path_checksum,
     {"RPC Checksum", "godot.path.checksum", FT_STRING, BASE_NONE, NULL, 0x0,
      "MD5 of the names of the node's RPC methods", HFILL}},
    {&hf_path_defined_in,
     {"Announced in Frame", "godot.path.defined_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE),
      PLAIN}},
    {&hf_path_confirmed_in,
     {"Confirmed in Frame", "godot.path.confirmed_in", FT_FRAMENUM, BASE_NONE,
      FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), PLAIN}},
    {&hf_path_confirms,
     {"Confirms Frame", "godot.path.confirms", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_REQUEST),
      PLAIN}},
    {&hf_path_time, {"Time since Announcement", "godot.path.time", FT_RELATIVE_TIME, BASE_NONE, NULL, PLAIN}},
    {&hf_path_valid, {"Checksum Agrees", "godot.path.valid", FT_BOOLEAN, BASE_NONE, NULL, PLAIN}},
    {&hf_rpc_method_id,
     {"Method Id", "godot.rpc.method_id", FT_UINT16, BASE_DEC, NULL, 0x0,
      "Position among the sorted names of the script's RPC methods; from 32768 on among those "
      "configured on the node",
      HFILL}},
    {&hf_rpc_method, {"Method", "godot.rpc.method", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_rpc_count, {"Argument Count", "godot.rpc.argument_count", FT_UINT8, BASE_DEC, NULL, PLAIN}},
    {&hf_rpc_call, {"Call", "godot.rpc.call", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_rpc_script, {"Script with this Checksum", "godot.rpc.script", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_rpc_bytes, {"PackedByteArray Argument", "godot.rpc.bytes", FT_BYTES, BASE_NONE, NULL, PLAIN}},
    {&hf_rset_property, {"Property", "godot.rset.property", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_raw, {"Application Data", "godot.raw", FT_BYTES, BASE_NONE, NULL, PLAIN}},
    {&hf_spawn_scene_id,
     {"Scene Id", "godot.spawn.scene_id", FT_UINT8, BASE_DEC, NULL, 0x0,
      "Index in the spawner's list of scenes, 255: made by its spawn function", HFILL}},
    {&hf_spawn_scene, {"Scene", "godot.spawn.scene", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_property, {"Property", "godot.sync.property", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_spawn_spawner, {"Spawner Path Id", "godot.spawn.spawner_id", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_spawn_net_id, {"Net Id", "godot.spawn.net_id", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_spawn_sync_count,
     {"Synchronizer Count", "godot.spawn.sync_count", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_spawn_sync_id, {"Synchronizer Net Id", "godot.spawn.sync_id", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_spawn_name_length, {"Name Length", "godot.spawn.name_length", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_spawn_name, {"Node Name", "godot.spawn.name", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_spawn_argument_length,
     {"Argument Length", "godot.spawn.argument_length", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_spawn_state, {"State", "godot.spawn.state", FT_NONE, BASE_NONE, NULL, PLAIN}},
    {&hf_spawned_in,
     {"Spawned in Frame", "godot.spawn.frame", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE),
      PLAIN}},
    {&hf_despawn_net_id, {"Net Id", "godot.despawn.net_id", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_sync_time, {"Network Frame", "godot.sync.time", FT_UINT16, BASE_DEC, NULL, PLAIN}},
    {&hf_sync_entry, {"Synchronizer", "godot.sync.entry", FT_NONE, BASE_NONE, NULL, PLAIN}},
    {&hf_sync_net_id, {"Net Id", "godot.sync.net_id", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_sync_path_id, {"Path Id", "godot.sync.path_id", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_sync_mask, {"Changed Properties", "godot.sync.mask", FT_UINT64, BASE_HEX, NULL, PLAIN}},
    {&hf_sync_size, {"Size", "godot.sync.size", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_sys_command, {"System Command Id", "godot.sys.command_id", FT_UINT8, BASE_DEC, NULL, PLAIN}},
    {&hf_sys_command_name, {"System Command", "godot.sys.command", FT_STRING, BASE_NONE, NULL, PLAIN}},
    {&hf_sys_peer, {"Peer", "godot.sys.peer", FT_INT32, BASE_DEC, NULL, PLAIN}},
    {&hf_sys_assigned, {"Assigned Peer Id", "godot.sys.assigned_id", FT_INT32, BASE_DEC, NULL, PLAIN}},
    {&hf_sys_auth, {"Authentication Data", "godot.sys.auth", FT_BYTES, BASE_NONE, NULL, PLAIN}},
    {&hf_sys_data, {"Unknown System Data", "godot.sys.data", FT_BYTES, BASE_NONE, NULL, PLAIN}},
    {&hf_relay_peer, {"Relay Peer", "godot.relay.peer", FT_INT32, BASE_DEC, NULL, PLAIN}},
    {&hf_header_message, {"Peer Message", "godot.header.message", FT_UINT32, BASE_DEC, NULL, PLAIN}},
    {&hf_header_flags,
     {"ENet Packet Flags", "godot.header.flags", FT_UINT32, BASE_DEC, VALS(flag_names), PLAIN}},
    {&hf_undecoded, {"Undecoded Data", "godot.undecoded", FT_BYTES, BASE_NONE, NULL, PLAIN}},
};

static ei_register_info expert_infos[] = {
    {&ei_path_undefined,
     {"godot.path.undefined", PI_ASSUMPTION, PI_NOTE, "Path id has not been announced in this capture",
      EXPFILL}},
    {&ei_path_redefined,
     {"godot.path.redefined", PI_PROTOCOL, PI_WARN,
      "Path id is in use already: Godot 4.3 and later drop the announcement", EXPFILL}},
    {&ei_path_unconfirmed,
     {"godot.path.unconfirmed", PI_ASSUMPTION, PI_NOTE,
      "Path id is used although its confirmation is not in this capture", EXPFILL}},
    {&ei_confirms_nothing,
     {"godot.path.confirms_nothing", PI_ASSUMPTION, PI_NOTE,
      "The announcement this confirms is not in this capture", EXPFILL}},
    {&ei_checksum_refused,
     {"godot.path.checksum_refused", PI_PROTOCOL, PI_WARN,
      "The receiver's RPC methods differ from the sender's", EXPFILL}},
    {&ei_checksum_differs,
     {"godot.path.checksum_differs", PI_PROTOCOL, PI_WARN,
      "Both ends have different RPC methods for this node", EXPFILL}},
    {&ei_no_script,
     {"godot.rpc.unknown_script", PI_ASSUMPTION, PI_NOTE,
      "No script of the project has RPC methods with this checksum", EXPFILL}},
    {&ei_not_declared,
     {"godot.rpc.not_declared", PI_PROTOCOL, PI_NOTE,
      "No script of the project declares this as remote: the engine refuses it unless it is "
      "configured in code",
      EXPFILL}},
    {&ei_unknown_peer, {"godot.peer.unknown", PI_PROTOCOL, PI_WARN, "Peer is not connected", EXPFILL}},
    {&ei_unknown_net_id,
     {"godot.net_id.unknown", PI_ASSUMPTION, PI_NOTE, "Net id has not been spawned in this capture",
      EXPFILL}},
    {&ei_over_mtu,
     {"godot.over_mtu", PI_PROTOCOL, PI_NOTE,
      "Unreliable message larger than the MTU: lost as a whole if one of its fragments is", EXPFILL}},
    {&ei_object,
     {"godot.object_argument", PI_PROTOCOL, PI_NOTE,
      "Object among the values: without allow_object_decoding only its id arrives, which means nothing "
      "to the receiver",
      EXPFILL}},
    {&ei_generation,
     {"godot.generation_mismatch", PI_PROTOCOL, PI_ERROR, "The two ends speak different engine generations",
      EXPFILL}},
    {&ei_versions,
     {"godot.version_mismatch", PI_PROTOCOL, PI_ERROR,
      "One end is Godot 4.0 to 4.2, the other 4.3 or later: path confirmations are not understood", EXPFILL}},
    {&ei_source,
     {"godot.source.mismatch", PI_PROTOCOL, PI_WARN, "Source is not the sender's peer id", EXPFILL}},
    {&ei_only_server,
     {"godot.sys.not_server", PI_PROTOCOL, PI_WARN, "Only the server may send this: the engine drops it",
      EXPFILL}},
    {&ei_direction,
     {"godot.relay.direction", PI_ASSUMPTION, PI_NOTE,
      "The capture does not tell which end is the server: taken to be the one that did not open the "
      "connection",
      EXPFILL}},
    {&ei_capped, {"godot.capped", PI_UNDECODED, PI_NOTE, "Not everything is shown", EXPFILL}},
};

/* One expert info per problem that the parsers know: godot.problem.too_short, … */
static void register_problems(expert_module_t *module)
{
    static ei_register_info problems[MULTIPLAYER_PROBLEM_COUNT];
    for (int i = 0; i < MULTIPLAYER_PROBLEM_COUNT; i++) {
        static const expert_field unset = EI_INIT;
        multiplayer_problem problem = (multiplayer_problem)i;
        ei_problem[i] = unset;
        problems[i].ids = &ei_problem[i];
        problems[i].eiinfo.name =
            wmem_strdup_printf(wmem_epan_scope(), "godot.problem.%s", multiplayer_problem_name(problem));
        problems[i].eiinfo.summary = multiplayer_problem_text(problem);
        switch (problem) {
        case MULTIPLAYER_PROBLEM_TOO_SHORT:
        case MULTIPLAYER_PROBLEM_SIZE_FIELD:
        case MULTIPLAYER_PROBLEM_PATH_OFFSET:
        case MULTIPLAYER_PROBLEM_ID_SIZE:
        case MULTIPLAYER_PROBLEM_VALUE:
            problems[i].eiinfo.group = PI_MALFORMED;
            problems[i].eiinfo.severity = PI_ERROR;
            break;
        case MULTIPLAYER_PROBLEM_UNKNOWN_COMMAND:
        case MULTIPLAYER_PROBLEM_SUBCOMMAND:
            problems[i].eiinfo.group = PI_UNDECODED;
            problems[i].eiinfo.severity = PI_WARN;
            break;
        case MULTIPLAYER_PROBLEM_NOT_MINIMAL:
            problems[i].eiinfo.group = PI_PROTOCOL;
            problems[i].eiinfo.severity = PI_NOTE;
            break;
        default:
            problems[i].eiinfo.group = PI_PROTOCOL;
            problems[i].eiinfo.severity = PI_WARN;
        }
    }
    expert_register_field_array(module, problems, MULTIPLAYER_PROBLEM_COUNT);
}

void proto_register_godot(void);
void proto_reg_handoff_godot(void);

void proto_register_godot(void)
{
    static int *trees[] = {&ett_godot, &ett_byte,  &ett_relay, &ett_arguments,
                           &ett_state, &ett_entry, &ett_ids};
    proto_godot = proto_register_protocol("Godot Multiplayer", "Godot", "godot");
    proto_register_field_array(proto_godot, fields, array_length(fields));
    proto_register_subtree_array(trees, array_length(trees));
    expert_module_t *expert = expert_register_protocol(proto_godot);
    expert_register_field_array(expert, expert_infos, array_length(expert_infos));
    register_problems(expert);
    register_dissector("godot", dissect_godot, proto_godot);
    godot_tap_id = register_tap("godot");
    godot_session_init(proto_godot);
    godot_statistics_register();
    godot_project_register(godot_preferences_register(proto_godot, godot_project_changed));
}

/* Not every table is open to Decode As in every Wireshark. */
static void add_for_decode_as(const char *name, dissector_handle_t handle)
{
    dissector_table_t table = find_dissector_table(name);
    if (table && dissector_table_supports_decode_as(table))
        dissector_add_for_decode_as(name, handle);
}

void proto_reg_handoff_godot(void)
{
    dissector_handle_t enet = create_dissector_handle(dissect_godot_enet, proto_godot);
    dissector_handle_t websocket = create_dissector_handle(dissect_godot_websocket, proto_godot);
    dissector_handle_t sctp = create_dissector_handle(dissect_godot_sctp, proto_godot);
    heur_dissector_add("enet", heur_godot_enet, "Godot multiplayer over ENet", "godot_enet", proto_godot,
                       HEURISTIC_ENABLE);
    heur_dissector_add("ws", heur_godot_websocket, "Godot multiplayer over WebSocket", "godot_ws",
                       proto_godot, HEURISTIC_ENABLE);
    heur_dissector_add("sctp", heur_godot_sctp, "Godot multiplayer on a WebRTC data channel", "godot_sctp",
                       proto_godot, HEURISTIC_DISABLE);
    add_for_decode_as("udp.port", find_dissector("godot"));
    add_for_decode_as("dtls.port", find_dissector("godot"));
    add_for_decode_as("enet.channel", enet);
    add_for_decode_as("enet.payload", enet);
    add_for_decode_as("ws.port", websocket);
    add_for_decode_as("ws.protocol", websocket);
    add_for_decode_as("sctp.ppi", sctp);
    add_for_decode_as("sctp.port", sctp);
}
