/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/show/sync.h"

#include "base/bytes.h"
#include "multiplayer/packet/names.h"
#include "multiplayer/show/authority.h"
#include "multiplayer/session/nodes.h"
#include "multiplayer/show/pace.h"
#include "multiplayer/show/path-cache.h"
#include "multiplayer/show/spawn.h"

/* What an entry is about. */
typedef struct {
    const char *path;       /* of the synchronizer; if it has a net id, of its node; NULL: unknown */
    const godot_node *node; /* if it has a net id */
    /* Of the spawned node that it is a part of, and its own path in there; NULL: not known. */
    const char *scene, *inside;
} sync_target;

static sync_target add_sync_target(const godot_packet *packet, proto_tree *tree, proto_tree *encoding,
                                   const multiplayer_v4_entry *entry)
{
    uint32_t id = entry->id & ~MULTIPLAYER_V4_PATH_FLAG;
    sync_target target = {.path = NULL};
    if (entry->id & MULTIPLAYER_V4_PATH_FLAG) {
        const godot_path *path =
            godot_add_path_id(packet, tree, encoding, hf_godot_sync_path_id, entry->offset, 4, id);
        target.path = path ? path->path : NULL;
        if (path) {
            godot_authority_learn(packet, path->path);
        }
        return target;
    }
    proto_item *item = proto_tree_add_uint(encoding, hf_godot_sync_net_id, packet->tvb, entry->offset, 4, id);
    const godot_node *node = godot_session_node(packet->message, packet->from, id, false);
    if (!node) {
        if (godot_is_first(packet, GODOT_TOPIC_NET_ID_UNKNOWN, packet->from, id)) {
            godot_packet unsaid = *packet;
            unsaid.answered &= entry->mask_offset != 0; /* a full state is ignored without an error */
            godot_conclude(&unsaid, item, &ei_godot_unknown_net_id,
                           godot_packet_lacks(packet, GODOT_NET_ID_UNKNOWN),
                           "Net ID %u was not spawned before: without the node the engine ignores the entry "
                           "(reported once)",
                           id);
        }
        return target;
    }
    if (godot_is_later(packet, node->number)) {
        expert_add_info_format(
            packet->pinfo, item, &ei_godot_spawned_later, "Net ID %u is spawned later, in %s%s", id,
            frame_text(packet->pinfo->pool, node->frame),
            entry->mask_offset ? "" : ": if it arrives before that, the engine ignores the entry");
    }
    proto_item_append_text(item, " (%s)", node->path);
    godot_add_generated_string(tree, packet->tvb, hf_godot_path, node->path);
    frame_add_reference(encoding, hf_godot_spawned_in, packet->tvb, node->frame);
    return (sync_target){.path = node->path, .node = node, .scene = node->scene};
}

/* The counts that the entry and earlier full states of its synchronizer show. Full states are only known by
 * path id. */
static scene_counts count_properties(const godot_packet *packet, const multiplayer_v4_entry *entry,
                                     const sync_target *target)
{
    uint32_t id = entry->id & ~MULTIPLAYER_V4_PATH_FLAG;
    scene_counts counts = {0, MULTIPLAYER_V4_MAX_WATCHED, SCENE_UNKNOWN};
    if (!target->path || target->node || !godot_project_available()) {
        return counts;
    }
    if (!entry->mask_offset) {
        counts.least = counts.most = godot_count_values(packet, entry->data_offset, entry->data_length);
        if (packet->learn) {
            godot_session_learn_state(packet->message, packet->from, id, counts.least);
        }
        return counts;
    }
    while (counts.least < counts.most && entry->mask >> counts.least) {
        counts.least++;
    }
    uint32_t always = godot_session_state(packet->message, packet->from, id);
    counts.always = always ? always : SCENE_UNKNOWN;
    return counts;
}

/* Names of the properties that an entry has values of, or, of a delta, may have; 0 if they are not certain.
 * Completes `target`. */
static scene_name_list name_properties(const godot_packet *packet, const multiplayer_v4_entry *entry,
                                       sync_target *target)
{
    static const scene_name_list none = {NULL, 0};
    scene_shown_synchronizer which = {.list = entry->mask_offset ? SCENE_ON_CHANGE : SCENE_ALWAYS,
                                      .counts = count_properties(packet, entry, target)};
    if (target->node && target->node->scene) {
        which.at.scene = target->node->scene;
        which.announcement = target->node->announcement;
        which.number = target->node->synchronizer;
    } else if (target->path && !target->node) {
        which.at = godot_names_shown(packet, target->path);
        target->scene = which.at.scene;
    } else {
        return none;
    }
    scene_name_list names = godot_names_properties(packet, &which, &target->inside);
    return names.count == SCENE_UNKNOWN ? none : names;
}

/* Labels of the values of a delta: names, or the numbers of the bits. Returns whether they are names. */
static bool name_changes(const godot_packet *packet, uint64_t mask, scene_name_list known,
                         godot_values *values, const char **labels)
{
    if (known.count < MULTIPLAYER_V4_MAX_WATCHED && mask >> known.count) {
        known.count = 0; /* a bit that this configuration does not have */
    }
    for (uint32_t bit = 0; bit < MULTIPLAYER_V4_MAX_WATCHED; bit++) {
        if (mask >> bit & 1) {
            labels[values->name_count++] =
                known.count ? known.names[bit] : godot_numbered(packet, "Watched property ", bit);
        }
    }
    values->names = labels;
    return known.count > 0;
}

/* Labels of an entry's values: property names if they are certain, for a delta otherwise the numbers of the
 * bits (`labels` has room for all of them). Returns whether they are names. */
static bool name_values(const godot_packet *packet, const multiplayer_v4_entry *entry, sync_target *target,
                        godot_values *values, const char **labels)
{
    scene_name_list known = name_properties(packet, entry, target);
    if (entry->mask_offset) {
        return name_changes(packet, entry->mask, known, values, labels);
    }
    bool named =
        known.count > 0 && known.count == godot_count_values(packet, entry->data_offset, entry->data_length);
    values->names = known.names;
    values->name_count = named ? known.count : 0;
    return named;
}

static void check_mask(const godot_packet *packet, proto_tree *tree, const multiplayer_v4_entry *entry,
                       uint32_t count)
{
    uint32_t expected = multiplayer_v4_mask_count(entry->mask);
    if (entry->mask_offset && count != expected && !packet->cut && count < MAX_VALUES) {
        godot_add_finding(packet, tree, &ei_godot_problem[MULTIPLAYER_PROBLEM_VALUE_COUNT], entry->offset,
                          entry->length, "The mask announces %u values, %u are there: %s", expected, count,
                          multiplayer_verdict_text(MULTIPLAYER_PARTLY));
    }
}

/* "Main/Unit1 {", at the end of the Info column's text; of entries that are not said there, where only the
 * tree shows them. Returns where in `values->line` it begins. */
static size_t begin_line(const godot_packet *packet, godot_values *values, const multiplayer_v4_entry *entry,
                         const sync_target *target, uint32_t index)
{
    bool by_path = entry->id & MULTIPLAYER_V4_PATH_FLAG;
    if (index < MAX_INFO_ENTRIES) {
        values->line = packet->info;
    } else if (packet->tree) {
        values->line = wmem_strbuf_new(packet->pinfo->pool, "");
    } else {
        return 0;
    }
    if (index > 0 && index < MAX_INFO_ENTRIES) {
        wmem_strbuf_append_len(values->line, ", ", 2);
    }
    size_t start = wmem_strbuf_get_len(values->line);
    godot_append(values->line,
                 target->path ? target->path
                              : godot_numbered(packet, by_path ? "node " : "net ID ",
                                               entry->id & ~MULTIPLAYER_V4_PATH_FLAG),
                 " {", NULL);
    values->line_start = wmem_strbuf_get_len(values->line);
    return start;
}

/* Adds an entry to the tap's data. `sizes`: of its values, NULL: there are no listeners. */
static godot_tap_part part_of(const multiplayer_v4_entry *entry, const sync_target *target,
                              wmem_array_t *sizes)
{
    godot_tap_part part = {.node = target->path, .id = entry->id, .length = entry->length};
    if (!sizes) {
        return part;
    }
    part.values = wmem_array_get_raw(sizes);
    part.value_count = wmem_array_get_count(sizes);
    part.scene = target->scene;
    part.synchronizer = target->inside;
    return part;
}

static godot_tap_part dissect_entry(godot_packet *packet, const multiplayer_v4_entry *entry, uint32_t index)
{
    const char *labels[MULTIPLAYER_V4_MAX_WATCHED];
    proto_item *item =
        godot_add_item(packet, packet->tree, hf_godot_sync_entry, entry->offset, entry->length, ENC_NA);
    proto_tree *tree = proto_item_add_subtree(item, ett_godot_entry);
    proto_tree *encoding =
        godot_begin_encoding(packet, tree, entry->offset, entry->data_offset - entry->offset);
    sync_target target = add_sync_target(packet, tree, encoding, entry);
    if (entry->mask_offset) {
        godot_add_item(packet, encoding, hf_godot_sync_mask, entry->mask_offset, 8, ENC_LITTLE_ENDIAN);
    }
    godot_add_item(packet, encoding, hf_godot_sync_size, entry->size_offset, 4, ENC_LITTLE_ENDIAN);
    godot_add_findings(packet, tree, &entry->findings);
    godot_values values = {.offset = entry->data_offset,
                           .length = entry->data_length,
                           .expected = UINT32_MAX,
                           .label = "Property ",
                           .place = &godot_place_property,
                           .options = {.dialect = VARIANT_GODOT4, .compact = true}};
    values.node = target.path ? target.path : "";
    values.sizes = packet->tapped ? wmem_array_new(packet->pinfo->pool, sizeof(godot_tap_value)) : NULL;
    values.properties = name_values(packet, entry, &target, &values, labels);
    if (!values.properties) {
        godot_add_unread(packet, item);
    }
    size_t start = begin_line(packet, &values, entry, &target, index);
    uint32_t count = godot_add_values(packet, tree, &values,
                                      entry->mask_offset ? MULTIPLAYER_PARTLY : MULTIPLAYER_TOLERATED);
    check_mask(packet, tree, entry, count);
    if (!entry->mask_offset) {
        godot_pace_add(packet, tree, entry->id);
    }
    godot_end_encoding(tree, encoding);
    if (values.line) {
        wmem_strbuf_append_len(values.line, "}", 1);
        proto_item_set_text(item, "%s", wmem_strbuf_get_str(values.line) + start);
    }
    return part_of(entry, &target, values.sizes);
}

/* Bytes that cannot be read are one part, with no known node. `parts`: NULL or empty if there are none. */
static void tell_parts(const godot_packet *packet, wmem_array_t *parts)
{
    static const godot_tap_part unread = {.length = 1};
    uint32_t count = parts ? wmem_array_get_count(parts) : 0;
    packet->tap->parts = count ? (const godot_tap_part *)wmem_array_get_raw(parts) : &unread;
    packet->tap->part_count = MAX(1, count);
}

void godot_dissect_sync(godot_packet *packet, const multiplayer_v4_packet *parsed)
{
    const multiplayer_v4_sync *sync = &parsed->u.sync;
    uint32_t position = sync->entries_offset, count = 0;
    multiplayer_v4_entry entry;
    wmem_strbuf_append(packet->info, sync->delta ? "sync changes " : "sync ");
    godot_set_tap(packet, NULL, sync->delta ? "synchronize changes" : "synchronize");
    if (!position) {
        tell_parts(packet, NULL);
        return;
    }
    godot_add_delivery(packet);
    godot_add_number(packet, hf_godot_sync_time, sync->time_offset, 2);
    if (sync->time_offset) {
        packet->tap->net_frame = le16(packet->bytes + sync->time_offset);
    }
    wmem_array_t *parts = packet->tapped ? wmem_array_new(packet->pinfo->pool, sizeof(godot_tap_part)) : NULL;
    for (; multiplayer_v4_next_entry(parsed, &position, &entry); count++) {
        if (count >= MAX_ENTRIES) {
            godot_add_finding(packet, packet->tree, &ei_godot_capped, entry.offset,
                              packet->length - entry.offset, "Only %u synchronizers are shown", count);
            break;
        }
        godot_tap_part part = dissect_entry(packet, &entry, count);
        if (parts) {
            wmem_array_append_one(parts, part);
        }
    }
    tell_parts(packet, parts);
    if (count > MAX_INFO_ENTRIES) {
        wmem_strbuf_append(packet->info, ", …");
    }
}
