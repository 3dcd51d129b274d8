/* packet-godot-recorder.c
 *
 * Records that the add-on makes inside of a running game: packets with source and target, and names. A record
 * is an exported PDU (tag "godot.recorder"), in a file or from the recorder's TCP port. Its header is read by
 * src/recorder/record.h; a packet in it is passed to `godot` with the data of the header.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/columns.h"
#include "base/frame.h"

#include <epan/tap.h>
#include <wsutil/str_util.h>

#include "base/registration.h"
#include "framing/stream.h"
#include "multiplayer/state/frame.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/reports/reports.h"
#include "recorder/events.h"
#include "recorder/recordings.h"
#include "variant/api.h"

static int proto_recorder;
static int hf_magic, hf_version, hf_kind, hf_flags, hf_received, hf_server, hf_mode, hf_reserved,
    hf_recording, hf_own, hf_other, hf_channel, hf_head_length, hf_extension, hf_payload, hf_text, hf_engine,
    hf_project, hf_project_version, hf_class, hf_platform, hf_time, hf_ticks, hf_script, hf_method,
    hf_head_event, hf_head_reliability, hf_head_peer, hf_left_out, hf_process, hf_number, hf_game, hf_run;
int recorder_hf_path, recorder_hf_scene;
static int peer_tap;
static int ett_recorder = -1, ett_flags = -1;
static expert_field ei_version, ei_cut, ei_head_length, ei_kind, ei_flags, ei_payload, ei_payload_cut,
    ei_left_out;
expert_field ei_recorder_text;

static dissector_handle_t recorder_handle, recorded_handle, json_handle;

enum { NO_MODE = 3 };

/* --- kinds of records ---------------------------------------------------------------------------- */

void recorder_add_text(const record_state *state, int hf, const char *text)
{
    if (text) {
        proto_tree_add_string(state->tree, hf, state->tvb, (int)state->head.payload_offset,
                              (int)state->head.payload_length, text);
    }
}

/* Wireshark's own dissector shows the bytes as JSON; the most important values are fields of this
 * protocol. */
bool recorder_open_text(const record_state *state, recorder_json *json)
{
    const recorder_record *head = &state->head;
    proto_item *item = proto_tree_add_item(state->tree, hf_text, state->tvb, (int)head->payload_offset,
                                           (int)head->payload_length, ENC_UTF_8);
    uint32_t captured = tvb_captured_length(state->tvb) - head->payload_offset;
    const uint8_t *bytes =
        captured ? tvb_get_ptr(state->tvb, (int)head->payload_offset, (int)captured) : (const uint8_t *)"";
    if (tvb_reported_length(state->tvb) > tvb_captured_length(state->tvb)) {
        return false; /* truncated by the snap length, not an error of the recorder */
    }
    const char *problem = recorder_json_open(state->pinfo->pool, bytes, captured, json);
    if (problem) {
        expert_add_info_format(state->pinfo, item, &ei_recorder_text, "%s: the record is not used", problem);
        return false;
    }
    if (json_handle && state->tree) {
        gboolean writable = col_get_writable(state->pinfo->cinfo, -1);
        col_set_writable(state->pinfo->cinfo, -1, FALSE);
        call_dissector(json_handle, tvb_new_subset_remaining(state->tvb, (int)head->payload_offset),
                       state->pinfo, state->tree);
        col_set_writable(state->pinfo->cinfo, -1, writable);
    }
    return true;
}

/* Scripts get the errors of the engine from Godot 4.5 on. */
static bool reports_errors(const char *engine)
{
    unsigned major, minor;
    return engine && sscanf(engine, "%u.%u", &major, &minor) == 2 &&
           (major > 4 || (major == 4 && minor >= 5));
}

static void add_game(const record_state *state, recorder_json *json, recording_info *said)
{
    int64_t number;
    int offset = (int)state->head.payload_offset;
    if (recorder_json_number(json, json->root, "game", &number) && number > 0 && number <= UINT32_MAX) {
        said->game = (uint32_t)number;
        proto_tree_add_uint(state->tree, hf_game, state->tvb, offset, 0, said->game);
    }
    if (recorder_json_number(json, json->root, "run", &number) && number > 0 && number <= UINT32_MAX) {
        proto_tree_add_uint(state->tree, hf_run, state->tvb, offset, 0, (uint32_t)number);
    }
}

static void dissect_info(const record_state *state)
{
    recorder_json json;
    int64_t number;
    col_set_str(state->pinfo->cinfo, COL_INFO, "Recording");
    if (!recorder_open_text(state, &json)) {
        return;
    }
    const char *engine = recorder_json_text(&json, json.root, "engine");
    const char *project = recorder_json_text(&json, json.root, "project");
    const char *class = recorder_json_text(&json, json.root, "peer_class");
    recorder_add_text(state, hf_engine, engine);
    recorder_add_text(state, hf_project, project);
    recorder_add_text(state, hf_project_version, recorder_json_text(&json, json.root, "project_version"));
    recorder_add_text(state, hf_class, class);
    recorder_add_text(state, hf_platform, recorder_json_text(&json, json.root, "platform"));
    if (recorder_json_number(&json, json.root, "time", &number) && number >= 0) {
        nstime_t time = {.secs = (time_t)(number / 1000000), .nsecs = (int)(number % 1000000) * 1000};
        proto_tree_add_time(state->tree, hf_time, state->tvb, (int)state->head.payload_offset, 0, &time);
    }
    if (recorder_json_number(&json, json.root, "ticks", &number) && number >= 0) {
        proto_tree_add_uint64(state->tree, hf_ticks, state->tvb, (int)state->head.payload_offset, 0,
                              (uint64_t)number);
    }
    recording_info said = {.peer_class = class, .project = project};
    add_game(state, &json, &said);
    said.reports = said.game && reports_errors(engine);
    if (recorder_json_number(&json, json.root, "process", &said.process) && said.process > 0) {
        proto_tree_add_uint64(state->tree, hf_process, state->tvb, (int)state->head.payload_offset, 0,
                              (uint64_t)said.process);
    }
    recordings_learn(state->pinfo, state->head.recording, &said);
    col_append_fstr(state->pinfo->cinfo, COL_INFO, " of %s, Godot %s, %s, own ID %d",
                    project && *project ? project : "a game", engine ? engine : "?",
                    class && *class ? class : "?", state->head.own_id);
    if (said.process > 0) {
        col_append_fstr(state->pinfo->cinfo, COL_INFO, ", process %" PRId64, said.process);
    }
}

static void add_methods(const record_state *state, const scene_name_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        recorder_add_text(state, hf_method, list->names[i]);
    }
}

static void dissect_names(const record_state *state)
{
    recorder_json json;
    bool learn = !frame_visited(state->pinfo) && state->head.recording != 0 &&
                 godot_store_may_keep(godot_state_store(), state->head.payload_length);
    /* Names are kept on the first pass and shown on every one. */
    wmem_allocator_t *scope = learn ? wmem_file_scope() : state->pinfo->pool;
    col_set_str(state->pinfo->cinfo, COL_INFO, "Names");
    if (!recorder_open_text(state, &json)) {
        return;
    }
    godot_node_names *node = recorder_json_node(scope, &json);
    godot_scene_names *scene = node ? NULL : recorder_json_scene(scope, &json);
    if (node) {
        int32_t authority;
        recorder_add_text(state, recorder_hf_path, node->path);
        if (recorder_add_authority(state, &json, &authority) && learn) {
            godot_names_learn_authority(state->pinfo, state->head.recording, node->path, authority);
        }
        recorder_add_text(state, hf_script, *node->script ? node->script : NULL);
        add_methods(state, &node->node_methods);
        add_methods(state, &node->methods);
        unsigned methods = node->methods.count + node->node_methods.count;
        col_append_fstr(state->pinfo->cinfo, COL_INFO, " of %s: %u %s%s%s", node->path, methods,
                        plurality(methods, "method", "methods"), *node->script ? " of " : "", node->script);
    } else if (scene) {
        recorder_add_text(state, recorder_hf_scene, scene->scene);
        col_append_fstr(state->pinfo->cinfo, COL_INFO, " of %s: %u %s", scene->scene, scene->count,
                        plurality(scene->count, "synchronizer", "synchronizers"));
    } else {
        expert_add_info_format(state->pinfo, state->item, &ei_recorder_text,
                               "The text names neither a node nor a scene: the record is not used");
    }
    if (learn && node) {
        godot_names_learn_node(state->pinfo, state->head.recording, node);
    } else if (learn && scene) {
        godot_names_learn_scene(state->pinfo, state->head.recording, scene);
    }
}

static void dissect_peer(const record_state *state)
{
    godot_peer_tap *peer = wmem_new(state->pinfo->pool, godot_peer_tap);
    *peer =
        (godot_peer_tap){state->head.own_id, state->head.other_id, state->head.kind == RECORDER_DISCONNECTED};
    godot_frame_get(state->pinfo)->peer = peer;
    tap_queue_packet(peer_tap, state->pinfo, peer);
    col_add_fstr(state->pinfo->cinfo, COL_INFO, "%s %s, own ID %d",
                 godot_peer_name(state->pinfo->pool, peer->other), peer->gone ? "disconnected" : "connected",
                 peer->own);
    if (state->head.payload_length) {
        expert_add_info(state->pinfo, state->item, &ei_payload);
    }
}

/* Shows the header of the wrapped class before the packet. Returns the packet's offset, 0 if there is
 * none. */
static uint32_t add_transport_head(const record_state *state)
{
    const recorder_record *head = &state->head;
    uint32_t captured = tvb_captured_length(state->tvb) - head->payload_offset;
    const recording_info *info = recordings_find(state->pinfo, head->recording);
    bool first = recordings_is_first(state->pinfo, head);
    int offset = (int)head->payload_offset;
    recorder_head found = recorder_parse_head(
        info ? info->peer_class : NULL, captured ? tvb_get_ptr(state->tvb, offset, (int)captured) : NULL,
        captured, head->received ? head->other_id : head->own_id, first);
    switch (found.kind) {
    case RECORDER_NO_HEAD:
        return head->payload_offset;
    case RECORDER_STEAM_HELLO:
        proto_tree_add_item(state->tree, hf_head_peer, state->tvb, offset, 4, ENC_LITTLE_ENDIAN);
        col_add_fstr(state->pinfo->cinfo, COL_INFO, "Steam: this is %s",
                     godot_peer_name(state->pinfo->pool, found.peer_id));
        return 0;
    case RECORDER_EPIC_PACKET:
    case RECORDER_EPIC_PEER_ID:
    case RECORDER_EPIC_MESH:
        break;
    }
    proto_tree_add_item(state->tree, hf_head_event, state->tvb, offset, 1, ENC_NA);
    proto_tree_add_item(state->tree, hf_head_reliability, state->tvb, offset + 1, 1, ENC_NA);
    proto_tree_add_item(state->tree, hf_head_peer, state->tvb, offset + 2, 4, ENC_LITTLE_ENDIAN);
    if (found.kind == RECORDER_EPIC_PACKET) {
        return head->payload_offset + found.length;
    }
    col_add_fstr(state->pinfo->cinfo, COL_INFO,
                 found.kind == RECORDER_EPIC_MESH ? "Epic: %s asks for a connection" : "Epic: this is %s",
                 godot_peer_name(state->pinfo->pool, found.peer_id));
    return 0;
}

static void dissect_packet(const record_state *state)
{
    const recorder_record *head = &state->head;
    if (tvb_captured_length(state->tvb) <= head->payload_offset) {
        col_set_str(state->pinfo->cinfo, COL_INFO, "Empty packet");
        return;
    }
    uint32_t offset = add_transport_head(state);
    if (offset) {
        call_dissector_with_data(recorded_handle, tvb_new_subset_remaining(state->tvb, (int)offset),
                                 state->pinfo, state->top, (void *)head);
    }
}

static bool is_exactly_one(const uint8_t *bytes, uint32_t length, stream_order order)
{
    stream_piece piece = stream_next(bytes, length, order);
    return piece.evidence == STREAM_CONTENT_EXACT && piece.length == length;
}

/* Packets and bytes of a game's own: a Variant if they are one. */
static void dissect_raw(const record_state *state)
{
    const recorder_record *head = &state->head;
    uint32_t length = tvb_captured_length(state->tvb) - head->payload_offset, prefix = 0;
    const uint8_t *bytes = length ? tvb_get_ptr(state->tvb, (int)head->payload_offset, (int)length) : NULL;
    col_add_fstr(state->pinfo->cinfo, COL_INFO, "%s, %u bytes", recorder_kind_name(head->kind), length);
    if (head->kind == RECORDER_STREAM && length > 4 && /* put_var(): its length and one Variant */
        (is_exactly_one(bytes, length, STREAM_LITTLE_ENDIAN) ||
         is_exactly_one(bytes, length, STREAM_BIG_ENDIAN))) {
        prefix = 4;
    }
    variant_guess guess = {0};
    if (length > prefix) {
        guess = variant_detect(bytes + prefix, length - prefix, VARIANT_GODOT4);
    }
    bool whole = tvb_reported_length(state->tvb) == tvb_captured_length(state->tvb);
    if (whole && guess.score > 0 && guess.consumed == length - prefix &&
        (head->kind == RECORDER_RAW_PACKET || prefix)) {
        godot_variant_dissect(tvb_new_subset_remaining(state->tvb, (int)(head->payload_offset + prefix)),
                              state->pinfo, state->top, guess.dialect, true);
    } else if (head->payload_length) {
        proto_tree_add_item(state->tree, hf_payload, state->tvb, (int)head->payload_offset, -1, ENC_NA);
    }
}

/* Sent by the recorder to a reader that was too slow. */
static void dissect_left_out(const record_state *state)
{
    const recorder_record *head = &state->head;
    int offset = (int)head->payload_offset;
    if (tvb_captured_length(state->tvb) < head->payload_offset + 4) {
        col_set_str(state->pinfo->cinfo, COL_INFO, "Records left out");
        expert_add_info(state->pinfo, state->item, &ei_payload_cut);
        return;
    }
    uint32_t count = tvb_get_letohl(state->tvb, offset);
    if (!frame_visited(state->pinfo)) {
        godot_reports_learn_incomplete(0);
    }
    proto_item *item =
        proto_tree_add_item(state->tree, hf_left_out, state->tvb, offset, 4, ENC_LITTLE_ENDIAN);
    col_add_fstr(state->pinfo->cinfo, COL_INFO, "%u records left out: they were not read fast enough", count);
    expert_add_info_format(state->pinfo, item, &ei_left_out,
                           "%u records left out: they were not read fast enough", count);
}

static void dissect_payload(const record_state *state)
{
    static void (*const dissectors[RECORDER_KIND_COUNT])(const record_state *state) = {
        [RECORDER_PACKET] = dissect_packet,
        [RECORDER_CONNECTED] = dissect_peer,
        [RECORDER_DISCONNECTED] = dissect_peer,
        [RECORDER_INFO] = dissect_info,
        [RECORDER_NAMES] = dissect_names,
        [RECORDER_RAW_PACKET] = dissect_raw,
        [RECORDER_STREAM] = dissect_raw,
        [RECORDER_LEFT_OUT] = dissect_left_out,
        [RECORDER_REPORT] = recorder_dissect_report,
        [RECORDER_OUTPUT] = recorder_dissect_output,
        [RECORDER_NODE] = recorder_dissect_node,
        [RECORDER_PAUSE] = recorder_dissect_pause,
        [RECORDER_ORIGIN] = recorder_dissect_origin};
    if (state->head.kind < RECORDER_KIND_COUNT) {
        dissectors[state->head.kind](state);
        return;
    }
    col_add_fstr(state->pinfo->cinfo, COL_INFO, "Record of kind %u", state->head.kind);
    if (state->head.payload_length) {
        proto_tree_add_item(state->tree, hf_payload, state->tvb, (int)state->head.payload_offset, -1, ENC_NA);
    }
}

/* --- the head ------------------------------------------------------------------------------------ */

static void add_head(const record_state *state)
{
    static int *const flags[] = {&hf_received, &hf_server, &hf_mode, NULL};
    const recorder_record *head = &state->head;
    proto_item *kind = proto_tree_add_uint(state->tree, hf_kind, state->tvb, RECORDER_AT_KIND, 1, head->kind);
    proto_item_append_text(kind, " (%s)", recorder_kind_name(head->kind));
    if (head->kind >= RECORDER_KIND_COUNT) {
        expert_add_info(state->pinfo, kind, &ei_kind);
    }
    proto_item *item = proto_tree_add_bitmask(state->tree, state->tvb, RECORDER_AT_FLAGS, hf_flags, ett_flags,
                                              flags, ENC_NA);
    bool known = !(head->flags & RECORDER_UNUSED_FLAGS) && head->mode != NO_MODE;
    if (!known) {
        expert_add_info(state->pinfo, item, &ei_flags);
    }
    proto_tree_add_item(state->tree, hf_reserved, state->tvb, RECORDER_AT_RESERVED, 1, ENC_NA);
    proto_tree_add_item(state->tree, hf_recording, state->tvb, RECORDER_AT_RECORDING, 4, ENC_LITTLE_ENDIAN);
    item = proto_tree_add_item(state->tree, hf_own, state->tvb, RECORDER_AT_OWN_ID, 4, ENC_LITTLE_ENDIAN);
    godot_peer_name_item(item, head->own_id);
    item = proto_tree_add_item(state->tree, hf_other, state->tvb, RECORDER_AT_OTHER_ID, 4, ENC_LITTLE_ENDIAN);
    godot_peer_name_item(item, godot_peer_meant(head->other_id));
    if (head->kind == RECORDER_PACKET && head->other_id <= 0 && !head->received) {
        proto_item_append_text(item, head->other_id ? " (to everybody but this one)" : " (to everybody)");
    }
    proto_tree_add_item(state->tree, hf_channel, state->tvb, RECORDER_AT_CHANNEL, 2, ENC_LITTLE_ENDIAN);
    item = proto_tree_add_item(state->tree, hf_head_length, state->tvb, RECORDER_AT_HEAD_LENGTH, 2,
                               ENC_LITTLE_ENDIAN);
    if (head->status == RECORDER_BAD_HEAD_LENGTH) {
        expert_add_info(state->pinfo, item, &ei_head_length);
        return;
    }
    uint32_t known_length = RECORDER_HEAD_LENGTH;
    if (recorder_is_numbered(head)) {
        proto_tree_add_item(state->tree, hf_number, state->tvb, RECORDER_AT_NUMBER, 4, ENC_LITTLE_ENDIAN);
        known_length = RECORDER_NUMBERED_LENGTH;
    }
    if (head->head_length > known_length) {
        proto_tree_add_item(state->tree, hf_extension, state->tvb, (int)known_length,
                            (int)(head->head_length - known_length), ENC_NA);
    }
    proto_item_append_text(state->item, ", %s", recorder_kind_name(head->kind));
}

/* Whether the recorder's process says something itself. */
static bool is_event(const recorder_record *head)
{
    return head->kind >= RECORDER_REPORT && head->kind < RECORDER_KIND_COUNT;
}

/* Whether a peer has come or gone. */
static bool is_about_peer(const recorder_record *head)
{
    return head->kind == RECORDER_CONNECTED || head->kind == RECORDER_DISCONNECTED;
}

/* Who sends the packet, says something, or has come or gone; and to whom. An exported PDU has no addresses:
 * the columns contain the peers instead. */
static void add_ends(const record_state *state)
{
    const recorder_record *head = &state->head;
    packet_info *pinfo = state->pinfo;
    bool event = is_event(head);
    if (head->kind != RECORDER_PACKET && !event && !is_about_peer(head)) {
        return;
    }
    const char *own = event ? recordings_name(pinfo, head) : godot_peer_name(pinfo->pool, head->own_id),
               *other = event ? NULL : godot_target_name(pinfo->pool, head->other_id);
    bool from_other = !event && (head->received || is_about_peer(head));
    const char *from = from_other ? other : own, *to = from_other ? own : other;
    if (pinfo->src.type == AT_NONE && pinfo->dst.type == AT_NONE) {
        set_address(&pinfo->src, AT_STRINGZ, (int)strlen(from) + 1, from);
        if (to) {
            set_address(&pinfo->dst, AT_STRINGZ, (int)strlen(to) + 1, to);
        }
    }
    if (head->kind != RECORDER_PACKET && ends_wanted(state->tree)) {
        ends_add(NULL, state->tree, state->tvb, from, to);
    }
}

static void show_unread(const record_state *state)
{
    const recorder_record *head = &state->head;
    if (head->status == RECORDER_OTHER_VERSION) {
        col_add_fstr(state->pinfo->cinfo, COL_INFO, "Record of version %u", head->version);
        expert_add_info(state->pinfo, state->item, &ei_version);
    } else {
        col_set_str(state->pinfo->cinfo, COL_INFO, "Incomplete record");
        expert_add_info(state->pinfo, state->item, &ei_cut);
    }
    uint32_t length = tvb_captured_length(state->tvb);
    if (length > RECORDER_AT_KIND) {
        proto_tree_add_item(state->tree, hf_payload, state->tvb, RECORDER_AT_KIND, -1, ENC_NA);
    }
}

static int dissect_recorder(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    uint32_t captured = tvb_captured_length(tvb);
    record_state state = {.pinfo = pinfo, .top = tree, .tvb = tvb};
    state.head = recorder_parse(captured ? tvb_get_ptr(tvb, 0, (int)captured) : NULL, captured);
    if (state.head.status == RECORDER_NO_MAGIC) {
        return 0;
    }
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Godot");
    col_clear(pinfo->cinfo, COL_INFO);
    uint32_t own_length = state.head.kind == RECORDER_PACKET && state.head.status == RECORDER_WHOLE
                              ? state.head.payload_offset
                              : captured;
    state.item = proto_tree_add_item(tree, proto_recorder, tvb, 0, (int)own_length, ENC_NA);
    state.tree = proto_item_add_subtree(state.item, ett_recorder);
    proto_tree_add_item(state.tree, hf_magic, tvb, RECORDER_AT_MAGIC, 4, ENC_ASCII);
    proto_tree_add_item(state.tree, hf_version, tvb, RECORDER_AT_VERSION, 1, ENC_NA);
    if (state.head.status == RECORDER_OTHER_VERSION || state.head.status == RECORDER_CUT_HEAD) {
        show_unread(&state);
        return (int)captured;
    }
    recordings_name_peers(pinfo, &state.head);
    add_head(&state);
    if (state.head.status == RECORDER_BAD_HEAD_LENGTH) {
        col_set_str(pinfo->cinfo, COL_INFO, "Incomplete record");
        return (int)captured;
    }
    add_ends(&state);
    state.head.again = !frame_visited(pinfo) && godot_session_learn_record(pinfo, &state.head);
    dissect_payload(&state);
    return (int)captured;
}

/* --- registration -------------------------------------------------------------------------------- */

void proto_register_godot_recorder(void);
void proto_reg_handoff_godot_recorder(void);

static const value_string modes[] = {
    {0, "unreliable"}, {1, "unreliable ordered"}, {2, "reliable"}, {NO_MODE, "none"}, {0, NULL}};
static const value_string events[] = {
    {0, "Packet"}, {1, "Peer ID"}, {2, "Mesh Connection Request"}, {0, NULL}};
static const value_string reliabilities[] = {
    {0, "Unreliable, unordered"}, {1, "Reliable, unordered"}, {2, "Reliable, ordered"}, {0, NULL}};

static hf_register_info fields[] = {
    {&hf_magic, {"Magic", "godot.recorder.magic", FT_STRING, BASE_NONE, NULL, 0x0, "GDRC", HFILL}},
    {&hf_version, {"Version", "godot.recorder.version", FT_UINT8, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_kind, {"Kind", "godot.recorder.kind", FT_UINT8, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_flags, {"Flags", "godot.recorder.flags", FT_UINT8, BASE_HEX, NULL, 0x0, NULL, HFILL}},
    {&hf_received,
     {"Received", "godot.recorder.received", FT_BOOLEAN, 8, NULL, RECORDER_RECEIVED, "Else: sent", HFILL}},
    {&hf_server,
     {"Own End is the Server", "godot.recorder.server", FT_BOOLEAN, 8, NULL, RECORDER_SERVER, NULL, HFILL}},
    {&hf_mode,
     {"Transfer Mode", "godot.recorder.mode", FT_UINT8, BASE_DEC, VALS(modes), RECORDER_MODE,
      "Received: as the transport reports it", HFILL}},
    {&hf_reserved, {"Reserved", "godot.recorder.reserved", FT_UINT8, BASE_HEX, NULL, 0x0, NULL, HFILL}},
    {&hf_recording,
     {"Recording", "godot.recorder.recording", FT_UINT32, BASE_HEX, NULL, 0x0,
      "Random number of the recorder", HFILL}},
    {&hf_own, {"Own Peer ID", "godot.recorder.own_id", FT_INT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_other,
     {"Other Peer ID", "godot.recorder.other_id", FT_INT32, BASE_DEC, NULL, 0x0,
      "Received: the source. Sent: the target, 0 for everybody, negative for everybody but one", HFILL}},
    {&hf_channel, {"Channel", "godot.recorder.channel", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_head_length,
     {"Header Length", "godot.recorder.head_length", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_number,
     {"Number", "godot.recorder.number", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Of the packet in its recording, sent and received together", HFILL}},
    {&hf_extension,
     {"Header Extension of a Later Version", "godot.recorder.extension", FT_BYTES, BASE_NONE, NULL, 0x0, NULL,
      HFILL}},
    {&hf_payload, {"Payload", "godot.recorder.payload", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_text, {"Text", "godot.recorder.text", FT_STRING, BASE_NONE, NULL, 0x0, "JSON", HFILL}},
    {&hf_engine,
     {"Engine", "godot.recorder.engine", FT_STRING, BASE_NONE, NULL, 0x0, "Version of Godot", HFILL}},
    {&hf_project, {"Project", "godot.recorder.project", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_project_version,
     {"Project Version", "godot.recorder.project_version", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_class,
     {"Peer Class", "godot.recorder.peer_class", FT_STRING, BASE_NONE, NULL, 0x0,
      "Class of the peer that is recorded", HFILL}},
    {&hf_platform, {"Platform", "godot.recorder.platform", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_process,
     {"Process", "godot.recorder.process", FT_UINT64, BASE_DEC, NULL, 0x0, "OS.get_process_id()", HFILL}},
    {&hf_game,
     {"Game", "godot.recorder.game", FT_UINT32, BASE_HEX, NULL, 0x0,
      "Random number of the process, the same in all its recordings", HFILL}},
    {&hf_run,
     {"Run", "godot.recorder.run", FT_UINT32, BASE_DEC, NULL, 0x0, "Which start of the game from the editor",
      HFILL}},
    {&hf_time,
     {"Own Time", "godot.recorder.time", FT_ABSOLUTE_TIME, ABSOLUTE_TIME_UTC, NULL, 0x0, NULL, HFILL}},
    {&hf_ticks,
     {"Own Ticks", "godot.recorder.ticks", FT_UINT64, BASE_DEC, NULL, 0x0,
      "Microseconds since the engine was started", HFILL}},
    {&recorder_hf_path,
     {"Node Path", "godot.recorder.path", FT_STRING, BASE_NONE, NULL, 0x0, "Relative to the multiplayer root",
      HFILL}},
    {&hf_script, {"Script", "godot.recorder.script", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&recorder_hf_scene, {"Scene", "godot.recorder.scene", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_method,
     {"Method", "godot.recorder.method", FT_STRING, BASE_NONE, NULL, 0x0,
      "RPC method of the node, in the engine's order", HFILL}},
    {&hf_left_out,
     {"Records Left Out", "godot.recorder.left_out", FT_UINT32, BASE_DEC, NULL, 0x0,
      "The live reader was too slow", HFILL}},
    {&hf_head_event,
     {"Event", "godot.recorder.epic.event", FT_UINT8, BASE_DEC, VALS(events), 0x0, "EOSGMultiplayerPeer",
      HFILL}},
    {&hf_head_reliability,
     {"Reliability", "godot.recorder.epic.reliability", FT_UINT8, BASE_DEC, VALS(reliabilities), 0x0,
      "EOSGMultiplayerPeer", HFILL}},
    {&hf_head_peer,
     {"Peer ID of the Sender", "godot.recorder.sender_id", FT_INT32, BASE_DEC, NULL, 0x0,
      "As SteamMultiplayerPeer and EOSGMultiplayerPeer send it", HFILL}},
};

static ei_register_info expert_infos[] = {
    {&ei_version,
     {"godot.recorder.version.unknown", PI_UNDECODED, PI_WARN, "Version of the format that is not known",
      EXPFILL}},
    {&ei_cut,
     {"godot.recorder.cut", PI_MALFORMED, PI_ERROR, "The record ends inside of its header", EXPFILL}},
    {&ei_head_length,
     {"godot.recorder.head_length.invalid", PI_MALFORMED, PI_ERROR,
      "The header is shorter than 24 bytes or longer than the record", EXPFILL}},
    {&ei_kind,
     {"godot.recorder.kind.unknown", PI_UNDECODED, PI_NOTE, "Kind of a later version: shown as bytes",
      EXPFILL}},
    {&ei_flags,
     {"godot.recorder.flags.unknown", PI_PROTOCOL, PI_WARN, "No recorder of this version sets these flags",
      EXPFILL}},
    {&ei_payload,
     {"godot.recorder.payload.unexpected", PI_PROTOCOL, PI_WARN, "Records of this kind have no payload",
      EXPFILL}},
    {&ei_payload_cut,
     {"godot.recorder.payload.cut", PI_MALFORMED, PI_ERROR, "The record ends before its payload does",
      EXPFILL}},
    {&ei_left_out,
     {"godot.recorder.records_left_out", PI_SEQUENCE, PI_WARN,
      "Records left out: the live reader was too slow", EXPFILL}},
    {&ei_recorder_text,
     {"godot.recorder.text.invalid", PI_PROTOCOL, PI_WARN, "Text that cannot be read", EXPFILL}},
};

void proto_register_godot_recorder(void)
{
    static int *trees[] = {&ett_recorder, &ett_flags};
    proto_recorder = proto_register_protocol("Godot Recorder", "Godot Recorder", "godot.recorder");
    proto_register_field_array(proto_recorder, fields, array_length(fields));
    proto_register_subtree_array(trees, array_length(trees));
    expert_register_field_array(expert_register_protocol(proto_recorder), expert_infos,
                                array_length(expert_infos));
    peer_tap = register_tap("godot_peer");
    recorder_handle = register_dissector("godot.recorder", dissect_recorder, proto_recorder);
    recorder_events_register(proto_recorder);
    recordings_register(proto_recorder);
}

void proto_reg_handoff_godot_recorder(void)
{
    recorded_handle = find_dissector_add_dependency("godot.recorded", proto_recorder);
    json_handle = find_dissector("json");
}
