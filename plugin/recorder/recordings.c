/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/recordings.h"

#include <epan/proto_data.h>

#include "base/allocators.h"
#include "base/frame.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/state/session.h"

static int proto_recorder;
static wmem_map_t *recordings; /* recording -> history of recording_info */
static wmem_map_t *senders;    /* recording -> set of senders of its packets; first pass only */

void recordings_learn(packet_info *pinfo, uint32_t recording, const recording_info *said)
{
    size_t length =
        (said->peer_class ? strlen(said->peer_class) : 0) + (said->project ? strlen(said->project) : 0);
    if (frame_visited(pinfo) || !godot_store_may_keep(godot_state_store(), length)) {
        return;
    }
    wmem_tree_t *history = wmem_map_lookup(recordings, GUINT_TO_POINTER(recording));
    if (!history) {
        history = wmem_tree_new(wmem_file_scope());
        wmem_map_insert(recordings, GUINT_TO_POINTER(recording), history);
    }
    recording_info *info = wmem_new0(wmem_file_scope(), recording_info);
    *info = (recording_info){wmem_strdup(wmem_file_scope(), said->peer_class ? said->peer_class : ""),
                             wmem_strdup(wmem_file_scope(), said->project), said->process, said->game,
                             said->reports};
    wmem_tree_insert32(history, frame_order(pinfo), info);
}

const recording_info *recordings_find(const packet_info *pinfo, uint32_t recording)
{
    wmem_tree_t *history = wmem_map_lookup(recordings, GUINT_TO_POINTER(recording));
    return history ? wmem_tree_lookup32_le(history, frame_order(pinfo)) : NULL;
}

/* Number of the process, or of its only recording that is known. */
static uint32_t game_of(const packet_info *pinfo, uint32_t recording)
{
    const recording_info *info = recordings_find(pinfo, recording);
    return info && info->game ? info->game : recording;
}

engine_process *recordings_source(const packet_info *pinfo, const recorder_record *head)
{
    const recording_info *info = recordings_find(pinfo, head->recording);
    engine_process *source = godot_report_source(game_of(pinfo, head->recording));
    if (source && !frame_visited(pinfo)) {
        source->peer = head->own_id > 0 ? head->own_id : source->peer;
        source->process = info && info->process > 0 ? info->process : source->process;
    }
    return source;
}

const char *recordings_name(const packet_info *pinfo, const recorder_record *head)
{
    const recording_info *info = recordings_find(pinfo, head->recording);
    if (head->own_id > 0) {
        return godot_peer_name(pinfo->pool, head->own_id);
    }
    return info && info->process > 0 ? wmem_strdup_printf(pinfo->pool, "process %" PRId64, info->process)
                                     : "game";
}

void recordings_learn_left_out(const packet_info *pinfo, uint32_t recording)
{
    godot_reports_learn_incomplete(game_of(pinfo, recording));
}

bool recordings_is_first(packet_info *pinfo, const recorder_record *record)
{
    int32_t sender = record->received ? record->other_id : record->own_id;
    int32_t receiver = record->received ? record->own_id : record->other_id;
    if (!frame_visited(pinfo)) {
        char *key = wmem_strdup_printf(wmem_file_scope(), "%u %d %d", record->recording, sender, receiver);
        bool first = !wmem_map_contains(senders, key) && godot_store_may_keep(godot_state_store(), 0);
        if (first) {
            wmem_map_insert(senders, key, key);
            p_add_proto_data(wmem_file_scope(), pinfo, proto_recorder, 0, GUINT_TO_POINTER(1));
        } else {
            wmem_free(wmem_file_scope(), key);
        }
        return first;
    }
    return p_get_proto_data(wmem_file_scope(), pinfo, proto_recorder, 0) != NULL;
}

/* For two clients, or a short id, which no engine assigns to a client: the game has chosen the ids. */
static bool is_of_mesh(int32_t own, int32_t other)
{
    return own > 0 && other > 0 &&
           (MIN(own, other) > 1 || !godot_is_likely_peer_id((uint32_t)MAX(own, other)));
}

void recordings_name_peers(packet_info *pinfo, const recorder_record *head)
{
    const recording_info *info = recordings_find(pinfo, head->recording);
    godot_peer_facts other = {.mesh = is_of_mesh(head->own_id, head->other_id)}, own = other;
    if (frame_visited(pinfo) || head->kind > RECORDER_DISCONNECTED) {
        return;
    }
    recordings_source(pinfo, head);
    if (info && info->reports) {
        godot_reports_learn_reporter(pinfo, head->recording, info->game, head->own_id);
    }
    if (info) {
        own.project = info->project;
        own.process = info->process;
    }
    godot_peer_appears(head->own_id, &own);
    godot_peer_appears(godot_peer_meant(head->other_id), &other);
}

void recordings_register(int proto)
{
    proto_recorder = proto;
    recordings = file_map(g_direct_hash, g_direct_equal);
    senders = file_map(wmem_str_hash, g_str_equal);
}
