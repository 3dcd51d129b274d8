/* path-cache.c
 *
 * The path cache of `godot`: announcements of node paths (SIMPLIFY_PATH), their confirmations, and ids that
 * stand for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/packet/names.h"
#include "multiplayer/packet/response.h"
#include "multiplayer/packet/rows.h"
#include "multiplayer/show/path-cache.h"

const godot_path *godot_add_path_id(const godot_packet *packet, proto_tree *tree, proto_tree *encoding,
                                    int hf, uint32_t offset, uint32_t length, uint32_t id)
{
    proto_item *item = proto_tree_add_uint(encoding, hf, packet->tvb, offset, length, id);
    const godot_path *path = godot_session_path(packet->message, packet->from, id);
    if (!path) {
        if (godot_session_first(packet->pinfo, packet->message, GODOT_TOPIC_PATH_UNDEFINED, packet->from,
                                id)) {
            expert_add_info_format(packet->pinfo, item, &ei_godot_path_undefined,
                                   "Path ID %u was not announced before (reported once)", id);
        }
        return NULL;
    }
    if (godot_is_later(packet, path->number)) {
        expert_add_info_format(packet->pinfo, item, &ei_godot_path_later,
                               "Path ID %u is announced later, in %s", id,
                               frame_text(packet->pinfo->pool, path->frame));
    }
    proto_item_append_text(item, " (%s)", path->path);
    godot_add_generated_string(
        tree, packet->tvb, hf == hf_godot_spawn_spawner ? hf_godot_spawner_path : hf_godot_path, path->path);
    frame_add_reference(encoding, hf_godot_path_defined_in, packet->tvb, path->frame);
    return path;
}

/* Names that are in one sorted list and not in the other. */
static void append_missing(wmem_strbuf_t *text, const char *const *names, uint32_t count,
                           const char *const *others, uint32_t other_count)
{
    uint32_t shown = 0;
    for (uint32_t i = 0, j = 0; i < count; i++) {
        while (j < other_count && strcmp(others[j], names[i]) < 0) {
            j++;
        }
        if (j < other_count && strcmp(others[j], names[i]) == 0) {
            continue;
        }
        if (shown++ < MAX_DIFFERENCE) {
            wmem_strbuf_append_printf(text, " %s", names[i]);
        }
    }
    wmem_strbuf_append(text, shown == 0 ? " nothing" : shown > MAX_DIFFERENCE ? " …" : "");
}

/* Both ends announced the same path with different checksums: their scripts differ. Lists the different
 * methods if both lists are known. */
static void add_disagreement(const godot_packet *packet, proto_item *item, const godot_path *path)
{
    const godot_path *other = godot_session_disagreement(packet->message, path);
    if (!other) {
        return;
    }
    const rpc_list *ours = godot_names_list(packet, path->checksum, NULL);
    const rpc_list *theirs = godot_names_list(packet, other->checksum, NULL);
    const char *us = godot_peer_text(packet, path->owner), *them = godot_peer_text(packet, other->owner);
    wmem_strbuf_t *text = wmem_strbuf_new(packet->pinfo->pool, "");
    wmem_strbuf_append_printf(text, "%s's RPC methods of %s differ from those of %s (%s)", us, path->path,
                              them, frame_text(packet->pinfo->pool, other->frame));
    if (ours && theirs) {
        wmem_strbuf_append_printf(text, ". Only %s (%s) has:", us, ours->label);
        append_missing(text, ours->names, ours->count, theirs->names, theirs->count);
        wmem_strbuf_append_printf(text, "; only %s (%s):", them, theirs->label);
        append_missing(text, theirs->names, theirs->count, ours->names, ours->count);
    }
    expert_add_info_format(packet->pinfo, item, &ei_godot_checksum_differs, "%s", wmem_strbuf_get_str(text));
}

void godot_add_no_script(const godot_packet *packet, proto_item *item)
{
    const char *problem = godot_project_problem();
    expert_add_info(packet->pinfo, item, &ei_godot_no_script);
    if (problem) {
        expert_add_info_format(packet->pinfo, item, &ei_godot_project, "Project: %s", problem);
    }
}

void godot_add_unread(const godot_packet *packet, proto_item *item)
{
    const char *problem = godot_project_problem();
    if (problem && godot_session_first(packet->pinfo, packet->message, GODOT_TOPIC_UNREAD, packet->from, 0)) {
        expert_add_info_format(packet->pinfo, item, &ei_godot_project, "Project: %s", problem);
    }
}

/* Scripts whose RPC methods have this checksum. Those that only inherit them are among them. */
static void add_scripts(const godot_packet *packet, proto_item *item, const char *checksum)
{
    static const char no_methods[] = "d41d8cd98f00b204e9800998ecf8427e";
    const rpc_list *list = godot_names_list(packet, checksum, NULL);
    if (strcmp(checksum, no_methods) == 0) {
        return;
    }
    if (!list && godot_project_available()) {
        godot_add_no_script(packet, item);
    }
    for (; list; list = godot_names_list(packet, checksum, list)) {
        proto_item *script =
            godot_add_generated_string(packet->tree, packet->tvb, hf_godot_rpc_script, list->label);
        for (uint32_t i = 0; i < list->other_count && i < MAX_SCRIPTS; i++) {
            script =
                godot_add_generated_string(packet->tree, packet->tvb, hf_godot_rpc_script, list->others[i]);
        }
        if (list->other_count > MAX_SCRIPTS) {
            proto_item_append_text(script, " and %u more", list->other_count - MAX_SCRIPTS);
        }
    }
}

/* Checks that the recorded names of this node have the announced checksum. */
static void check_recorded_names(const godot_packet *packet, proto_item *item, const char *path,
                                 const char *checksum)
{
    const godot_node_names *node = godot_names_of_node(packet, path);
    if (!node || packet->cut || strcmp(node->list.checksum, checksum) == 0) {
        return;
    }
    bool own =
        packet->recorded && godot_session_peer_id(packet->message, packet->from) == packet->recorded->own_id;
    expert_add_info_format(packet->pinfo, item, own ? &ei_godot_names_misfit : &ei_godot_names_differ,
                           own ? "The RPC methods of %s that the game has recorded (%s) do not have this "
                                 "checksum: they are not used"
                               : "The RPC methods of %s in the recording game (%s) have another "
                                 "checksum: the two ends have different methods",
                           path, frame_text(packet->pinfo->pool, node->frame));
}

void godot_add_confirmed_in(godot_packet *packet, const godot_path *entry)
{
    const godot_confirmation *confirmation = entry->confirmations;
    if (confirmation && confirmation->frame > frame_order(packet->pinfo) && frame_visited(packet->pinfo)) {
        frame_add_reference(packet->tree, hf_godot_path_confirmed_in, packet->tvb, confirmation->frame);
    }
}

/* A call that carries its path, since the receiver has not confirmed it. */
static void add_node_not_found(const godot_packet *packet, proto_item *item, const godot_path *path)
{
    const char *peer = godot_peer_text(packet, packet->to);
    const char *since = "never shows that it has it";
    if (path->shown_in) {
        since = wmem_strdup_printf(packet->pinfo->pool, "shows it only in %s",
                                   frame_text(packet->pinfo->pool, path->shown_in));
    }
    expert_add_info_format(packet->pinfo, item, &ei_godot_node_not_found,
                           "%s has not confirmed %s (announced in %s) and %s: unless it has the node by now, "
                           "it prints \"Failed to get path from RPC: %s\" and the call is lost",
                           peer, path->path, frame_text(packet->pinfo->pool, path->frame), since, path->path);
    godot_tap_set_problem(packet, &ei_godot_node_not_found, NULL);
}

/* Whether a call with its full path is lost. `here`: known at this call, the same in every pass;
 * `in_the_end`: known at the end of the capture. */
static bool is_lost_call(const godot_packet *packet, const godot_path *path, bool here, bool in_the_end)
{
    bool to_end =
        packet->to == godot_other_end(packet->message->from_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR);
    uint32_t acked_in = packet->enet && to_end ? packet->enet->acked_in : 0;
    if (packet->message->repeated) {
        return false;
    }
    return frame_visited(packet->pinfo)
               ? in_the_end &&
                     !godot_session_had_node(packet->message, path, &packet->pinfo->abs_ts, acked_in)
               : here;
}

void godot_check_confirmed(const godot_packet *packet, proto_item *item, godot_path *path, bool announcement)
{
    const enet_payload_info *enet = packet->enet;
    bool arrived =
        enet && (enet->acknowledged || (!announcement && enet->delivery != ENET_DELIVERY_RELIABLE));
    if (!packet->to || !path || packet->answered ||
        godot_session_may_be_repeated(packet->message, enet, path)) {
        return;
    }
    bool here = !announcement && godot_session_unanswered(packet->pinfo, packet->message, path, packet->to);
    bool in_the_end = frame_visited(packet->pinfo) &&
                      godot_session_never_confirmed(packet->message, path, packet->to, arrived);
    if (announcement && in_the_end) {
        const char *since =
            path->shown_in ? wmem_strdup_printf(packet->pinfo->pool, "had no such node yet (%s shows it)",
                                                frame_text(packet->pinfo->pool, path->shown_in))
                           : "has no such node";
        expert_add_info_format(packet->pinfo, item, &ei_godot_never_confirmed,
                               "%s never confirms this path, so it %s: it prints \"Node not found: "
                               "\"%s\" (relative to \"/root\")\", or the confirmation was not captured",
                               godot_peer_text(packet, packet->to), since, path->path);
        godot_tap_set_problem(packet, &ei_godot_never_confirmed, NULL);
    } else if (!announcement && is_lost_call(packet, path, here, in_the_end)) {
        add_node_not_found(packet, item, path);
        packet->tap->refused = here ? "node not found" : packet->tap->refused;
    }
}

void godot_dissect_simplify(godot_packet *packet, const multiplayer_v4_simplify *simplify, bool dropped)
{
    if (!simplify->id_offset) {
        return;
    }
    godot_add_text(packet, hf_godot_path, simplify->path);
    proto_item *checksum_item =
        proto_tree_add_item(packet->tree, hf_godot_path_checksum, packet->tvb, simplify->checksum_offset,
                            MULTIPLAYER_V4_CHECKSUM_LENGTH, ENC_ASCII);
    const char *checksum =
        (const char *)tvb_get_string_enc(packet->pinfo->pool, packet->tvb, simplify->checksum_offset,
                                         MULTIPLAYER_V4_CHECKSUM_LENGTH, ENC_ASCII);
    proto_item *id_item = proto_tree_add_uint(packet->tree, hf_godot_path_id, packet->tvb,
                                              simplify->id_offset, 4, simplify->id);
    godot_add_delivery(packet);
    const char *path = godot_text_at(packet, simplify->path);
    /* If the snap length truncates the path, id and checksum are available, which is enough for the names of
     * methods. */
    bool cut_path = packet->cut && !simplify->path.terminated;
    if (cut_path) {
        path = wmem_strdup_printf(packet->pinfo->pool, "%s…", path);
    }
    bool learn =
        cut_path ? !frame_visited(packet->pinfo) && !packet->message->repeated : packet->learn && !dropped;
    /* As of the message before: is the id in use for another path? Godot 4.3 and later keep what they have.
     */
    godot_message before = *packet->message;
    before.number--;
    godot_path *entry = godot_session_path(&before, packet->from, simplify->id);
    bool redefined =
        entry && entry->number < packet->message->number && !packet->cut && strcmp(entry->path, path) != 0;
    if (redefined && !packet->answered) {
        expert_add_info_format(packet->pinfo, id_item, &ei_godot_path_redefined,
                               "Path ID %u is %s since %s: Godot 4.3 and later drop the announcement",
                               simplify->id, entry->path, frame_text(packet->pinfo->pool, entry->frame));
    } else if (learn && !redefined) {
        godot_session_learn_path(packet->pinfo, packet->message, packet->from, packet->to, simplify->id, path,
                                 checksum);
        godot_session_learn_has_node(packet->pinfo, packet->message, packet->from, path);
    }
    add_scripts(packet, checksum_item, checksum);
    check_recorded_names(packet, checksum_item, path, checksum);
    entry = godot_session_path(packet->message, packet->from, simplify->id);
    if (entry && !redefined) {
        add_disagreement(packet, checksum_item, entry);
        godot_add_confirmed_in(packet, entry);
        godot_check_confirmed(packet, id_item, entry, true);
    }
    godot_append(packet->info, godot_numbered(packet, "node ", simplify->id), " is ", path, NULL);
    godot_set_tap(packet, path, "path cache");
    packet->tap->full_path = true;
}

void godot_show_confirmation(godot_packet *packet, godot_path *entry, const char *what, bool valid,
                             proto_item *valid_item, bool learn)
{
    if (entry && learn) {
        godot_session_learn_confirmation(packet->message, entry, packet->from, valid);
        godot_session_learn_has_node(packet->pinfo, packet->message, packet->from, entry->path);
    }
    if (entry) {
        nstime_t delta;
        frame_add_reference(packet->tree, hf_godot_path_confirms, packet->tvb, entry->frame);
        nstime_delta(&delta, &packet->pinfo->abs_ts, &entry->time);
        proto_item_set_generated(
            proto_tree_add_time(packet->tree, hf_godot_path_time, packet->tvb, 0, 0, &delta));
        godot_response_confirmation(packet, &entry->time);
    } else {
        expert_add_info(packet->pinfo, valid_item, &ei_godot_confirms_nothing);
    }
    if (!valid && !packet->answered) {
        expert_add_info_format(packet->pinfo, valid_item, &ei_godot_checksum_refused,
                               "%s has other RPC methods for %s than %s: the engine reports an error there, "
                               "calls may reach the wrong method",
                               godot_peer_text(packet, packet->from), what,
                               godot_peer_text(packet, packet->to));
        godot_tap_set_problem(packet, &ei_godot_checksum_refused, "Refused: checksum differs");
        if (entry) {
            add_disagreement(packet, valid_item, entry);
        }
    }
    godot_append(packet->info, what, valid ? " confirmed" : " refused: checksum differs", NULL);
    godot_set_tap(packet, entry ? entry->path : NULL, "path cache");
}

void godot_dissect_confirm(godot_packet *packet, const multiplayer_v4_confirm *confirm, bool dropped)
{
    if (!confirm->valid_offset) {
        return;
    }
    proto_item *valid_item =
        proto_tree_add_item(packet->tree, hf_godot_path_valid, packet->tvb, confirm->valid_offset, 1, ENC_NA);
    godot_path *entry;
    const char *what;
    if (confirm->id_offset) {
        proto_item *item = proto_tree_add_uint(packet->tree, hf_godot_path_id, packet->tvb,
                                               confirm->id_offset, 4, confirm->id);
        entry = godot_session_path(packet->message, packet->to, confirm->id);
        what = godot_numbered(packet, "node ", confirm->id);
        if (entry) {
            what = entry->path;
            proto_item_append_text(item, " (%s)", entry->path);
            godot_add_generated_string(packet->tree, packet->tvb, hf_godot_path, entry->path);
        }
    } else {
        godot_add_text(packet, hf_godot_path, confirm->path);
        what = godot_text_at(packet, confirm->path);
        entry = godot_session_path_by_name(packet->message, packet->to, what);
    }
    if (packet->learn && !dropped) {
        godot_session_learn_confirm_form(packet->message, confirm->id_offset ? 43 : 42);
    }
    if (godot_session_versions_differ(packet->message)) {
        expert_add_info(packet->pinfo, valid_item, &ei_godot_versions);
    }
    godot_add_delivery(packet);
    godot_show_confirmation(packet, entry, what, confirm->valid != 0, valid_item, packet->learn && !dropped);
}
