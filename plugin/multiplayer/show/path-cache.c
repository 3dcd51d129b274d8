/* path-cache.c
 *
 * The path cache of `godot`: announcements of node paths (SIMPLIFY_PATH), their confirmations, and ids that
 * stand for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/engine/missing_node.h"
#include "multiplayer/packet/names.h"
#include "multiplayer/packet/replies.h"
#include "multiplayer/packet/tap-members.h"
#include "multiplayer/show/path-cache.h"

const godot_path *godot_add_path_id(const godot_packet *packet, proto_tree *tree, proto_tree *encoding,
                                    int hf, uint32_t offset, uint32_t length, uint32_t id)
{
    proto_item *item = proto_tree_add_uint(encoding, hf, packet->tvb, offset, length, id);
    const godot_path *path = godot_session_path(packet->message, packet->from, id);
    /* One that is confirmed was announced before. */
    bool confirmed = godot_session_said(packet->message, GODOT_TOPIC_PATH_CONFIRMED, packet->from, id);
    if (!path) {
        if (godot_is_first(packet, GODOT_TOPIC_PATH_UNDEFINED, packet->from, id)) {
            godot_conclude(packet, item, &ei_godot_path_undefined,
                           confirmed ? GODOT_MISSING_PACKETS
                                     : godot_packet_lacks(packet, GODOT_PATH_UNDEFINED),
                           "Path ID %u was not announced before (reported once)", id);
        }
        return NULL;
    }
    if (godot_is_later(packet, path->number) && !confirmed) {
        godot_conclude(packet, item, &ei_godot_path_later, godot_packet_lacks(packet, GODOT_PATH_UNDEFINED),
                       "Path ID %u is announced later, in %s", id,
                       frame_text(packet->pinfo->pool, path->frame));
    }
    proto_item_append_text(item, " (%s)", path->path);
    godot_add_generated_string(
        tree, packet->tvb, hf == hf_godot_spawn_spawner ? hf_godot_spawner_path : hf_godot_path, path->path);
    frame_add_reference(encoding, hf_godot_path_defined_in, packet->tvb, path->frame);
    return path;
}

bool godot_check_announced_v3(const godot_packet *packet, proto_item *item, const godot_path *path)
{
    godot_party end = godot_sending_end(packet->message);
    godot_message last = *packet->message;
    last.number = UINT32_MAX;
    const godot_path *own = godot_session_path(&last, packet->from, path->id);
    bool elsewhere = path->receiver == 0 && packet->from > 1 && godot_session_is_server(packet->message, end);
    if (!elsewhere || !frame_visited(packet->pinfo) || packet->message->repeated || packet->answered) {
        return false;
    }
    const char *prints =
        "the receiver prints \"Invalid packet received. Unabled to find requested cached node.\"";
    if (own && own->receiver != 0) {
        expert_add_info_format(packet->pinfo, item, &ei_godot_path_later,
                               "Path ID %u is announced to this receiver later, in %s: in this order %s",
                               path->id, frame_text(packet->pinfo->pool, own->frame), prints);
        return true;
    }
    return godot_conclude(packet, item, &ei_godot_path_undefined,
                          godot_packet_lacks(packet, GODOT_PATH_UNDEFINED),
                          "Path ID %u was announced to others only: %s", path->id, prints);
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
    if (!other || godot_packet_lacks(packet, GODOT_CHECKSUM_DIFFERS)) {
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
    /* A recording has the names itself, unless the file lacks the record of them. */
    if (!packet->recorded && !godot_session_is_garbled(packet->message)) {
        expert_add_info(packet->pinfo, item, &ei_godot_no_script);
        godot_add_unread(packet, item);
    }
}

void godot_add_unread(const godot_packet *packet, proto_item *item)
{
    const char *problem = godot_project_problem();
    if (problem && godot_is_first(packet, GODOT_TOPIC_UNREAD, packet->from, 0)) {
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
    if (!frame_visited(packet->pinfo)) {
        return;
    }
    uint32_t frame = godot_session_confirmed_in(packet->message->session, entry, packet->to);
    if (frame > frame_order(packet->pinfo)) {
        frame_add_reference(packet->tree, hf_godot_path_confirmed_in, packet->tvb, frame);
    }
}

/* A call that carries its path, since the receiver has not confirmed it. */
static void add_node_not_found(const godot_packet *packet, proto_item *item, const godot_path *path,
                               godot_missing missing)
{
    wmem_allocator_t *pool = packet->pinfo->pool;
    const char *when = "";
    if (path->receiver == packet->to) { /* else the latest announcement was to another one */
        when = wmem_strdup_printf(
            pool, " (announced in %s) and %s", frame_text(pool, path->frame),
            path->shown_in ? wmem_strdup_printf(pool, "shows it only in %s", frame_text(pool, path->shown_in))
                           : "never shows that it has it");
    }
    if (godot_conclude(packet, item, &ei_godot_node_not_found, missing,
                       "%s has not confirmed %s%s: unless it has the node by now, it prints \"Failed to get "
                       "path from RPC: %s\" and the call is lost",
                       godot_peer_text(packet, packet->to), path->path, when, path->path)) {
        godot_tap_set_problem(packet, &ei_godot_node_not_found, NULL);
    }
}

/* An announcement that is not confirmed. */
static void check_announcement(const godot_packet *packet, proto_item *item, const godot_path *path)
{
    const enet_payload_info *enet = packet->enet;
    if (packet->message->repeated || (enet && !enet->arrived)) {
        return;
    }
    const godot_verdict verdict = godot_engine_never_confirms(packet->message, path, packet->to, true);
    if (verdict.holds) {
        const char *since =
            path->shown_in ? wmem_strdup_printf(packet->pinfo->pool, "had no such node yet (%s shows it)",
                                                frame_text(packet->pinfo->pool, path->shown_in))
                           : "has no such node";
        if (godot_conclude(packet, item, &ei_godot_never_confirmed, verdict.missing,
                           "%s never confirms this path, so it %s: it prints \"Node not found: "
                           "\"%s\" (relative to \"/root\")\"",
                           godot_peer_text(packet, packet->to), since, path->path)) {
            godot_tap_set_problem(packet, &ei_godot_never_confirmed, NULL);
        }
    }
}

bool godot_check_confirmed(const godot_packet *packet, proto_item *item, const godot_path *path,
                           bool announcement)
{
    const enet_payload_info *enet = packet->enet;
    if (!packet->to || !path || path->cut || !frame_visited(packet->pinfo)) {
        return false; /* what comes later tells */
    }
    if (announcement) {
        check_announcement(packet, item, path);
        return false;
    }
    bool arrived = enet && (enet->acknowledged || enet->delivery != ENET_DELIVERY_RELIABLE);
    bool direct = enet && packet->to == godot_receiving_end(packet->message);
    const godot_delivery delivery = {.acknowledged = direct && enet->acknowledged,
                                     .frame = direct ? enet->held_until : 0};
    const godot_verdict verdict =
        godot_engine_lacks_node(packet->message, path, packet->to, arrived, &delivery);
    bool gone = !delivery.acknowledged && !godot_session_is_heard_later(packet->message);
    bool lost = verdict.holds && !gone && verdict.missing == GODOT_MISSING_NOTHING;
    if (verdict.holds && !gone) {
        add_node_not_found(packet, item, path, verdict.missing);
        packet->tap->refused = lost ? "node not found" : packet->tap->refused;
    }
    return lost;
}

bool godot_is_node_unknown(const godot_packet *packet, const godot_path *path)
{
    return frame_visited(packet->pinfo) && packet->to && path &&
           !godot_engine_shows_node(packet->message, path, packet->to);
}

/* Whether announcements of `owner` may be missing in the capture. */
static bool may_lack_announcement(const godot_packet *packet, godot_party owner)
{
    const godot_moment start = {0, 0};
    return godot_engine_lacks(GODOT_CONFIRMS_NOTHING, packet->message, owner, start) != GODOT_MISSING_NOTHING;
}

/* Whether the id has been confirmed already, as that of an announcement that the capture does not have: it
 * keeps the path of that. Without a recording this may be that announcement, sent again. */
static bool is_duplicate(const godot_packet *packet, uint32_t id)
{
    return packet->message->session->transport == GODOT_RECORDED &&
           godot_session_said(packet->message, GODOT_TOPIC_PATH_CONFIRMED, packet->from, id) &&
           may_lack_announcement(packet, packet->from);
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
    bool cut_path = godot_is_cut(packet, simplify->path);
    bool learn =
        cut_path ? !frame_visited(packet->pinfo) && !packet->message->repeated : packet->learn && !dropped;
    /* As of the message before: is the id in use for another path? Godot 4.3 and later keep what they have.
     */
    godot_message before = *packet->message;
    before.number--;
    godot_path *entry = godot_session_path(&before, packet->from, simplify->id);
    bool redefined = entry && entry->number < packet->message->number && !packet->cut && !entry->cut &&
                     strcmp(entry->path, path) != 0;
    if (redefined) {
        godot_conclude(packet, id_item, &ei_godot_path_redefined,
                       entry->ends_assumed ? GODOT_MISSING_BEGINNING
                                           : godot_packet_lacks(packet, GODOT_PATH_REDEFINED),
                       "Path ID %u is %s since %s: Godot 4.3 and later drop the announcement", simplify->id,
                       entry->path, frame_text(packet->pinfo->pool, entry->frame));
    } else if (learn && !is_duplicate(packet, simplify->id)) {
        godot_session_learn_path(packet->message, packet->from, packet->to, simplify->id, path, cut_path,
                                 checksum);
        godot_session_learn_has_node(packet->message, packet->from, path, packet->message->number);
    }
    add_scripts(packet, checksum_item, checksum);
    check_recorded_names(packet, checksum_item, path, checksum);
    entry = godot_session_path(packet->message, packet->from, simplify->id);
    if (entry && !redefined) {
        entry->ends_assumed |= packet->ends_assumed && entry->number == packet->message->number;
        add_disagreement(packet, checksum_item, entry);
        godot_add_confirmed_in(packet, entry);
        godot_check_confirmed(packet, id_item, entry, true);
    }
    godot_append(packet->info, godot_numbered(packet, "node ", simplify->id), " is ", path, NULL);
    godot_set_tap(packet, path, "path cache");
    packet->tap->full_path = true;
}

void godot_learn_confirmation(const godot_packet *packet, godot_path *entry, bool valid)
{
    if (entry) {
        godot_session_learn_confirmation(packet->message, entry, packet->from, valid);
        godot_session_learn_has_node(packet->message, packet->from, entry->path, entry->number);
    }
}

void godot_show_confirmation(godot_packet *packet, const godot_path *entry, const char *what, bool valid,
                             proto_item *valid_item)
{
    const godot_path *announcement =
        entry ? godot_session_announced_to(packet->message, entry, packet->from) : NULL;
    if (announcement && announcement->receiver != 0) { /* 0: to another peer */
        const nstime_t announced = nstime_of(announcement->time),
                       delta = nstime_of(packet->message->time - announcement->time);
        frame_add_reference(packet->tree, hf_godot_path_confirms, packet->tvb, announcement->frame);
        proto_item_set_generated(
            proto_tree_add_time(packet->tree, hf_godot_path_time, packet->tvb, 0, 0, &delta));
        godot_response_confirmation(packet, &announced);
    } else if (!announcement) {
        godot_conclude(
            packet, valid_item, &ei_godot_confirms_nothing,
            godot_engine_lacks(GODOT_CONFIRMS_NOTHING, packet->message, packet->to, (godot_moment){0, 0}),
            "The announcement this confirms is not in this capture");
    }
    if (!valid) {
        if (godot_conclude(packet, valid_item, &ei_godot_checksum_refused,
                           godot_packet_lacks(packet, GODOT_CHECKSUM_REFUSED),
                           "%s has other RPC methods for %s than %s: the engine reports an error there, "
                           "calls may reach the wrong method",
                           godot_peer_text(packet, packet->from), what,
                           godot_peer_text(packet, packet->to))) {
            godot_tap_set_problem(packet, &ei_godot_checksum_refused, "Refused: checksum differs");
        }
        if (entry) {
            add_disagreement(packet, valid_item, entry);
        }
    }
    godot_append(packet->info, what, valid ? " confirmed" : " refused: checksum differs", NULL);
    godot_set_tap(packet, entry ? entry->path : NULL, "path cache");
}

/* The announcement of an id that is confirmed; NULL: it is not in the capture. */
static godot_path *find_confirmed(const godot_packet *packet, uint32_t id, bool learn)
{
    if (learn) {
        godot_session_adopt_path(packet->message, packet->to, id);
    }
    godot_path *entry = godot_session_path(packet->message, packet->to, id);
    if (entry && !godot_is_later(packet, entry->number)) {
        return entry;
    }
    if (learn) {
        godot_is_first(packet, GODOT_TOPIC_PATH_CONFIRMED, packet->to, id);
    }
    /* Else it is an earlier one that is confirmed. */
    return may_lack_announcement(packet, packet->to) ? NULL : entry;
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
    bool either = packet->cut && !confirm->id_offset &&
                  tvb_reported_length(packet->tvb) == MULTIPLAYER_V4_CONFIRM_ID_LENGTH;
    bool cut = either || (!confirm->id_offset && godot_is_cut(packet, confirm->path));
    if (either) { /* an id, or a path of three letters */
        entry = NULL;
        what = "…";
    } else if (confirm->id_offset) {
        proto_item *item = proto_tree_add_uint(packet->tree, hf_godot_path_id, packet->tvb,
                                               confirm->id_offset, 4, confirm->id);
        entry = find_confirmed(packet, confirm->id, packet->learn && !dropped);
        what = godot_numbered(packet, "node ", confirm->id);
        if (entry) {
            what = entry->path;
            proto_item_append_text(item, " (%s)", entry->path);
            godot_add_generated_string(packet->tree, packet->tvb, hf_godot_path, entry->path);
        }
    } else {
        godot_add_text(packet, hf_godot_path, confirm->path);
        what = godot_text_at(packet, confirm->path);
        entry = cut ? NULL : godot_session_path_by_name(packet->message, packet->to, what);
    }
    if (packet->learn && !dropped && !either) {
        godot_session_learn_confirm_form(packet->message, confirm->id_offset ? 43 : 42);
    }
    if (godot_session_versions_differ(packet->message) &&
        !godot_packet_lacks(packet, GODOT_VERSIONS_DIFFER)) {
        expert_add_info(packet->pinfo, valid_item, &ei_godot_versions);
    }
    godot_add_delivery(packet);
    if (packet->learn && !dropped) {
        godot_learn_confirmation(packet, entry, confirm->valid != 0);
    }
    godot_show_confirmation(packet, entry, what, confirm->valid != 0, valid_item);
}
