/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/events.h"

#include <wsutil/str_util.h>

#include "base/columns.h"
#include "base/registration.h"
#include "multiplayer/reports/show.h"
#include "recorder/recordings.h"

enum { MAX_LINE = 300 }; /* bytes in the Info column */

static int hf_event, hf_authority, hf_from, hf_pause, hf_reports_left_out, hf_output_left_out;
static expert_field ei_reports_left_out, ei_pause;

static report_view view_of(const record_state *state)
{
    return (report_view){state->pinfo, state->tvb, state->tree, state->item};
}

static const char *text_or_empty(recorder_json *json, const char *name)
{
    const char *text = recorder_json_text(json, json->root, name);
    return text ? text : "";
}

/* Of an array of {"function", "file", "line"}. */
static uint32_t read_stack(recorder_json *json, const char *name, report_place *stack)
{
    jsmntok_t *array = json_get_array(json->text, json->root, name);
    int length = array ? json_get_array_len(array) : 0;
    uint32_t count = 0;
    for (int i = 0; i < length && count < MAX_REPORT_STACK; i++) {
        jsmntok_t *place = json_get_array_index(array, i);
        if (!place || place->type != JSMN_OBJECT) {
            break;
        }
        report_place *one = &stack[count++];
        *one = (report_place){recorder_json_text(json, place, "function"),
                              recorder_json_text(json, place, "file"), 0};
        recorder_json_number(json, place, "line", &one->line);
    }
    return count;
}

/* The packet that is being processed when a record is made; false: none, or it is not known. */
static bool read_packet(recorder_json *json, const record_state *state, report_packet *packet)
{
    int64_t number;
    return recorder_json_number(json, json->root, "packet", &number) && number > 0 && number <= UINT32_MAX &&
           godot_reports_find_packet(state->head.recording, (uint32_t)number, packet);
}

/* Shows the report and sets the Info column. */
static void show(const record_state *state, recorder_json *json, godot_report *report, bool own_expert)
{
    const report_view view = view_of(state);
    uint32_t number = godot_report_number(state->pinfo);
    report_packet packet;
    report->frame = frame_order(state->pinfo);
    report->source = recordings_source(state->pinfo, &state->head);
    if (!frame_visited(state->pinfo) && report->kind <= REPORT_LAST_WORD &&
        read_packet(json, state, &packet)) {
        godot_report *kept = godot_report_keep(report);
        if (kept) {
            godot_report_attach(kept, number, packet);
        }
    }
    col_add_str(state->pinfo->cinfo, COL_INFO, godot_report_line(state->pinfo->pool, report, MAX_LINE));
    report->about = godot_report_packet_of(report->frame, number);
    godot_report_show(&view, report, own_expert);
}

/* --- reports and output -------------------------------------------------------------------------- */

/* Returns false if this is a report. */
static bool show_left_out(const record_state *state, recorder_json *json)
{
    jsmntok_t *object = json_get_object(json->text, json->root, "left_out");
    int64_t reports = 0, output = 0;
    if (!object) {
        return false;
    }
    recorder_json_number(json, object, "reports", &reports);
    recorder_json_number(json, object, "output", &output);
    int offset = (int)state->head.payload_offset;
    proto_tree_add_int64(state->tree, hf_reports_left_out, state->tvb, offset, 0, reports);
    proto_tree_add_int64(state->tree, hf_output_left_out, state->tvb, offset, 0, output);
    const char *what = reports && output ? "reports and outputs" : output ? "outputs" : "reports";
    const char *text =
        wmem_strdup_printf(state->pinfo->pool, "%.0f %s left out: more than the recorder takes in a second",
                           (double)reports + (double)output, what);
    expert_add_info_format(state->pinfo, state->item, &ei_reports_left_out, "%s", text);
    if (!frame_visited(state->pinfo) && reports) {
        recordings_learn_left_out(state->pinfo, state->head.recording);
    }
    godot_report report = {.kind = REPORT_LEFT_OUT, .text = text};
    show(state, json, &report, true);
    return true;
}

static report_kind kind_of(const char *type)
{
    static const struct {
        const char *type;
        report_kind kind;
    } kinds[] = {{"error", REPORT_ERROR},         {"warning", REPORT_WARNING},
                 {"script", REPORT_SCRIPT_ERROR}, {"shader", REPORT_SHADER_ERROR},
                 {"print", REPORT_OUTPUT},        {"printerr", REPORT_OUTPUT_ERROR}};
    for (size_t i = 0; i < array_length(kinds); i++) {
        if (strcmp(type, kinds[i].type) == 0) {
            return kinds[i].kind;
        }
    }
    return REPORT_KINDS;
}

void recorder_dissect_report(const record_state *state)
{
    recorder_json json;
    report_place stack[MAX_REPORT_STACK];
    col_set_str(state->pinfo->cinfo, COL_INFO, "Report");
    if (!recorder_open_text(state, &json) || show_left_out(state, &json)) {
        return;
    }
    godot_report report = {.kind = kind_of(text_or_empty(&json, "type"))};
    report.text = text_or_empty(&json, "text");
    report.code = recorder_json_text(&json, json.root, "code");
    if (report.kind > REPORT_LAST_ERROR || (!*report.text && !report.code)) {
        expert_add_info_format(state->pinfo, state->item, &ei_recorder_text,
                               "A report without a type that is known, or without a text");
        return;
    }
    if (!*report.text || g_strcmp0(report.text, report.code) == 0) { /* the engine prints the code alone */
        report.text = report.code ? report.code : report.text;
        report.code = NULL;
    }
    report.place.function = recorder_json_text(&json, json.root, "function");
    report.place.file = recorder_json_text(&json, json.root, "file");
    recorder_json_number(&json, json.root, "line", &report.place.line);
    report.stack = stack;
    report.stack_count = read_stack(&json, "backtrace", stack);
    report.thread = recorder_json_is_true(&json, "thread");
    show(state, &json, &report, false);
}

void recorder_dissect_output(const record_state *state)
{
    recorder_json json;
    col_set_str(state->pinfo->cinfo, COL_INFO, "Output");
    if (!recorder_open_text(state, &json) || show_left_out(state, &json)) {
        return;
    }
    report_kind kind = kind_of(text_or_empty(&json, "type"));
    godot_report report = {.kind = kind == REPORT_OUTPUT_ERROR ? kind : REPORT_OUTPUT,
                           .text = text_or_empty(&json, "text"),
                           .thread = recorder_json_is_true(&json, "thread")};
    show(state, &json, &report, false);
}

/* --- nodes, pauses, origins ---------------------------------------------------------------------- */

bool recorder_add_authority(const record_state *state, recorder_json *json, int32_t *authority)
{
    int64_t number;
    if (!recorder_json_number(json, json->root, "authority", &number) || number < INT32_MIN ||
        number > INT32_MAX) {
        return false;
    }
    *authority = (int32_t)number;
    proto_tree_add_int(state->tree, hf_authority, state->tvb, (int)state->head.payload_offset, 0, *authority);
    return true;
}

/* "Main/P2 renamed, before Main/P1" */
static const char *node_line(const record_state *state, recorder_json *json, const char *path)
{
    wmem_allocator_t *pool = state->pinfo->pool;
    const char *event = text_or_empty(json, "event"), *from = text_or_empty(json, "from"),
               *scene = text_or_empty(json, "scene");
    int32_t authority;
    if (*event) {
        proto_tree_add_string(state->tree, hf_event, state->tvb, (int)state->head.payload_offset, 0, event);
    }
    recorder_add_text(state, recorder_hf_path, *path ? path : NULL);
    recorder_add_text(state, recorder_hf_scene, *scene ? scene : NULL);
    recorder_add_text(state, hf_from, *from ? from : NULL);
    const char *line = strcmp(event, "scene") == 0       ? "current scene"
                       : strcmp(event, "authority") == 0 ? "changed"
                                                         : event;
    line = *path ? wmem_strconcat(pool, path, " ", line, NULL) : line;
    line = *from ? wmem_strconcat(pool, line, ", before ", from, NULL) : line;
    line = *scene ? wmem_strconcat(pool, line, " ", scene, NULL) : line;
    bool known = recorder_add_authority(state, json, &authority), learn = !frame_visited(state->pinfo);
    if (learn && *path && (known || strcmp(event, "removed") == 0)) {
        godot_names_learn_authority(state->pinfo, state->head.recording, path, known ? authority : 0);
    }
    if (learn && *from) {
        godot_names_learn_authority(state->pinfo, state->head.recording, from, 0);
    }
    if (known) {
        line = wmem_strdup_printf(pool, "%s, authority %d", line, authority);
    }
    return line;
}

void recorder_dissect_node(const record_state *state)
{
    recorder_json json;
    col_set_str(state->pinfo->cinfo, COL_INFO, "Node");
    if (!recorder_open_text(state, &json)) {
        return;
    }
    const char *line = node_line(state, &json, text_or_empty(&json, "path"));
    godot_report report = {.kind = REPORT_NODE,
                           .text = wmem_strconcat(state->pinfo->pool, "Node ", line, NULL)};
    show(state, &json, &report, true);
}

void recorder_dissect_pause(const record_state *state)
{
    recorder_json json;
    int64_t microseconds = 0;
    col_set_str(state->pinfo->cinfo, COL_INFO, "Pause");
    if (!recorder_open_text(state, &json)) {
        return;
    }
    if (!recorder_json_number(&json, json.root, "microseconds", &microseconds) || microseconds < 0) {
        expert_add_info_format(state->pinfo, state->item, &ei_recorder_text, "A pause without a length");
        return;
    }
    nstime_t time = {.secs = (time_t)(microseconds / 1000000), .nsecs = (int)(microseconds % 1000000) * 1000};
    proto_tree_add_time(state->tree, hf_pause, state->tvb, (int)state->head.payload_offset, 0, &time);
    const char *text = wmem_strdup_printf(state->pinfo->pool, "Pause: a frame of the game took %.3f s",
                                          (double)microseconds / 1e6);
    expert_add_info_format(state->pinfo, state->item, &ei_pause, "%s", text);
    godot_report report = {.kind = REPORT_PAUSE, .text = text};
    show(state, &json, &report, true);
}

void recorder_dissect_origin(const record_state *state)
{
    recorder_json json;
    report_place stack[MAX_REPORT_STACK];
    int64_t number = 0;
    col_set_str(state->pinfo->cinfo, COL_INFO, "Origin");
    if (!recorder_open_text(state, &json)) {
        return;
    }
    report_origin origin = {frame_order(state->pinfo), stack, read_stack(&json, "stack", stack)};
    recorder_json_number(&json, json.root, "packet", &number);
    if (!frame_visited(state->pinfo) && number > 0 && number <= UINT32_MAX) {
        godot_reports_learn_origin(state->head.recording, (uint32_t)number, &origin);
    }
    const report_view view = view_of(state);
    godot_report_show_origin_record(&view, &origin, godot_report_packet_of(origin.frame, 0));
    if (origin.count) {
        col_append_fstr(state->pinfo->cinfo, COL_INFO, " of the next packet: %s",
                        godot_report_place(state->pinfo->pool, &stack[0]));
    }
}

/* --- registration -------------------------------------------------------------------------------- */

void recorder_events_register(int proto)
{
    static hf_register_info fields[] = {
        {&hf_event,
         {"Event", "godot.recorder.event", FT_STRING, BASE_NONE, NULL, 0x0,
          "added, removed, renamed, authority or scene", HFILL}},
        {&hf_authority,
         {"Authority", "godot.recorder.authority", FT_INT32, BASE_DEC, NULL, 0x0,
          "Multiplayer authority of the node: a peer ID", HFILL}},
        {&hf_from,
         {"Path before", "godot.recorder.path_before", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
        {&hf_pause,
         {"Pause", "godot.recorder.pause", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0,
          "What a frame of the game took", HFILL}},
        {&hf_reports_left_out,
         {"Reports Left Out", "godot.recorder.left_out.reports", FT_INT64, BASE_DEC, NULL, 0x0, NULL, HFILL}},
        {&hf_output_left_out,
         {"Outputs Left Out", "godot.recorder.left_out.output", FT_INT64, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    };
    static ei_register_info expert_infos[] = {
        {&ei_reports_left_out,
         {"godot.recorder.reports_left_out", PI_SEQUENCE, PI_WARN,
          "Reports or output left out: more than the recorder takes in a second", EXPFILL}},
        {&ei_pause,
         {"godot.recorder.paused", PI_SEQUENCE, PI_NOTE, "A frame of the game took long", EXPFILL}},
    };
    proto_register_field_array(proto, fields, array_length(fields));
    expert_register_field_array(expert_register_protocol(proto), expert_infos, array_length(expert_infos));
}
