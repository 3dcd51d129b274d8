/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/reports/show.h"

#include <epan/expert.h>
#include <epan/tap.h>
#include <wsutil/str_util.h>

#include "base/columns.h"
#include "base/registration.h"

/* Bytes of a text in an expert info and in the line of a packet, of a file and of a function, and of all
 * lines about one packet. */
enum { MAX_LABEL = 200, MAX_AT_PACKET = 1000 };

static int hf_kind, hf_text, hf_code, hf_function, hf_file, hf_line, hf_thread, hf_backtrace, hf_packet,
    hf_report, hf_origin, hf_origin_record, hf_origin_packet;
static int ett_report = -1;
static expert_field ei_error, ei_warning;

const char *godot_report_kind_name(report_kind kind)
{
    static const char *const names[] = {
        [REPORT_ERROR] = "ERROR",
        [REPORT_WARNING] = "WARNING",
        [REPORT_SCRIPT_ERROR] = "SCRIPT ERROR",
        [REPORT_SHADER_ERROR] = "SHADER ERROR",
        [REPORT_OUTPUT] = "print",
        [REPORT_OUTPUT_ERROR] = "printerr",
        [REPORT_LEFT_OUT] = "left out",
        [REPORT_NODE] = "node",
        [REPORT_PAUSE] = "pause",
    };
    _Static_assert(array_length(names) == REPORT_KINDS, "each kind of report has a name");
    return names[kind];
}

const char *godot_report_place(wmem_allocator_t *pool, const report_place *place)
{
    const char *file = place->file && *place->file ? place->file : "?",
               *function = place->function ? place->function : "";
    file = info_column_text(pool, file, strlen(file), MAX_LABEL);
    function = info_column_text(pool, function, strlen(function), MAX_LABEL);
    return *function ? wmem_strdup_printf(pool, "%s:%" PRId64 " @ %s()", file, place->line, function)
                     : wmem_strdup_printf(pool, "%s:%" PRId64, file, place->line);
}

const char *godot_report_line(wmem_allocator_t *pool, const godot_report *report, size_t limit)
{
    bool in_script = report->kind == REPORT_SCRIPT_ERROR && report->place.file && *report->place.file;
    const char *line = report->text;
    if (in_script) {
        line = wmem_strdup_printf(pool, "%s:%" PRId64 ": %s", report->place.file, report->place.line, line);
    }
    if (report->kind <= REPORT_LAST_ERROR) {
        line = wmem_strconcat(pool, godot_report_kind_name(report->kind), " ", line, NULL);
    }
    return info_column_text(pool, line, strlen(line), limit);
}

bool godot_report_is_refusal(const godot_report *report)
{
    return report->kind == REPORT_ERROR && report->stack_count == 0 && report->place.file &&
           (strstr(report->place.file, "modules/multiplayer/") ||
            strstr(report->place.file, "core/io/multiplayer_api."));
}

const char *godot_report_script(wmem_allocator_t *pool, const godot_report *report)
{
    return report->stack_count ? godot_report_place(pool, &report->stack[0]) : NULL;
}

/* --- items --------------------------------------------------------------------------------------- */

/* The bytes have items of their own, or are not in this frame. */
static proto_item *add_string(const report_view *view, proto_tree *tree, int hf, const char *text)
{
    if (!tree || !text || !*text) {
        return NULL;
    }
    proto_item *item = proto_tree_add_string(tree, hf, view->tvb, 0, 0, text);
    proto_item_set_generated(item);
    return item;
}

static void add_number(const report_view *view, proto_tree *tree, int hf, int64_t number)
{
    if (tree && number) {
        proto_item_set_generated(proto_tree_add_int64(tree, hf, view->tvb, 0, 0, number));
    }
}

static void add_stack(const report_view *view, proto_tree *tree, int hf, const report_place *stack,
                      uint32_t count)
{
    for (uint32_t i = 0; tree && i < count; i++) {
        add_string(view, tree, hf, godot_report_place(view->pinfo->pool, &stack[i]));
    }
}

/* The place in the script is more useful than the engine's line that reports it. */
static const char *expert_text(packet_info *pinfo, const godot_report *report)
{
    const report_place *place = report->stack_count ? &report->stack[0] : &report->place;
    const char *text = info_column_text(pinfo->pool, report->text, strlen(report->text), MAX_LABEL);
    return place->file && *place->file
               ? wmem_strdup_printf(pinfo->pool, "%s (%s)", text, godot_report_place(pinfo->pool, place))
               : text;
}

static void add_expert(const report_view *view, proto_item *item, const godot_report *report)
{
    bool error = report->kind != REPORT_WARNING;
    if (report->kind <= REPORT_LAST_ERROR) {
        expert_add_info_format(view->pinfo, item, error ? &ei_error : &ei_warning, "%s%s",
                               error ? "" : "Warning: ", expert_text(view->pinfo, report));
    }
}

/* The item of the text has the others below it. */
static proto_item *add_report(const report_view *view, const godot_report *report)
{
    proto_item *item = add_string(view, view->tree, hf_text, report->text);
    proto_tree *tree = item ? proto_item_add_subtree(item, ett_report) : NULL;
    add_string(view, tree, hf_kind, godot_report_kind_name(report->kind));
    add_string(view, tree, hf_code, report->code);
    add_string(view, tree, hf_function, report->place.function);
    add_string(view, tree, hf_file, report->place.file);
    add_number(view, tree, hf_line, report->place.line);
    add_stack(view, tree, hf_backtrace, report->stack, report->stack_count);
    if (tree && report->thread) {
        proto_item_set_generated(proto_tree_add_boolean(tree, hf_thread, view->tvb, 0, 0, true));
    }
    return item;
}

void godot_report_show(const report_view *view, const godot_report *report, bool own_expert)
{
    proto_item *item = report->kind <= REPORT_LAST_WORD ? add_report(view, report) : NULL;
    if (report->about) {
        frame_add_reference(view->tree, hf_packet, view->tvb, report->about);
    }
    if (!own_expert) {
        add_expert(view, item ? item : view->item, report);
    }
    if (have_tap_listener(godot_report_tap)) {
        godot_report *told = wmem_memdup(view->pinfo->pool, report, sizeof *report);
        told->stack_count = MIN(report->stack_count, 1);
        told->stack = wmem_memdup(view->pinfo->pool, report->stack, told->stack_count * sizeof *told->stack);
        tap_queue_packet(godot_report_tap, view->pinfo, told);
    }
}

const char *godot_reports_show_at_packet(const report_view *view, const godot_report *reports)
{
    wmem_allocator_t *pool = view->pinfo->pool;
    const char *lines = NULL;
    for (const godot_report *report = reports; report; report = report->next) {
        proto_item *item = add_report(view, report);
        frame_add_reference(view->tree, hf_report, view->tvb, report->frame);
        add_expert(view, item ? item : view->item, report);
        if (report->kind <= REPORT_LAST_ERROR && (!lines || strlen(lines) < MAX_AT_PACKET)) {
            const char *line = godot_report_line(pool, report, MAX_LABEL);
            lines = lines ? wmem_strconcat(pool, lines, "; ", line, NULL) : line;
        }
    }
    return lines;
}

void godot_reports_refer(const report_view *view, const godot_report *reports)
{
    for (const godot_report *report = reports; report; report = report->next) {
        frame_add_reference(view->tree, hf_report, view->tvb, report->frame);
    }
}

void godot_report_show_origin(const report_view *view, const report_origin *origin)
{
    add_stack(view, view->tree, hf_origin, origin->stack, origin->count);
    frame_add_reference(view->tree, hf_origin_record, view->tvb, origin->frame);
}

void godot_report_show_origin_record(const report_view *view, const report_origin *origin,
                                     uint32_t packet_frame)
{
    add_stack(view, view->tree, hf_origin, origin->stack, origin->count);
    if (packet_frame) {
        frame_add_reference(view->tree, hf_origin_packet, view->tvb, packet_frame);
    }
}

/* --- registration -------------------------------------------------------------------------------- */

void godot_reports_register_fields(int proto)
{
    static hf_register_info fields[] = {
        {&hf_text,
         {"Engine says", "godot.engine.text", FT_STRING, BASE_NONE, NULL, 0x0,
          "What the engine or the game has printed", HFILL}},
        {&hf_kind,
         {"Kind", "godot.engine.kind", FT_STRING, BASE_NONE, NULL, 0x0,
          "ERROR, WARNING, SCRIPT ERROR, SHADER ERROR, print, printerr", HFILL}},
        {&hf_code,
         {"Code", "godot.engine.code", FT_STRING, BASE_NONE, NULL, 0x0,
          "The condition in the engine's sources, or its second text", HFILL}},
        {&hf_function, {"Function", "godot.engine.function", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
        {&hf_file,
         {"File", "godot.engine.file", FT_STRING, BASE_NONE, NULL, 0x0,
          "Of the engine's sources; of a script error, the script", HFILL}},
        {&hf_line, {"Line", "godot.engine.line", FT_INT64, BASE_DEC, NULL, 0x0, NULL, HFILL}},
        {&hf_backtrace,
         {"Backtrace", "godot.engine.backtrace", FT_STRING, BASE_NONE, NULL, 0x0,
          "A line of a script, the innermost first", HFILL}},
        {&hf_thread,
         {"Another Thread", "godot.engine.thread", FT_BOOLEAN, BASE_NONE, NULL, 0x0, NULL, HFILL}},
        {&hf_packet,
         {"About the Packet in Frame", "godot.engine.packet", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0x0, NULL, HFILL}},
        {&hf_report,
         {"Reported in Frame", "godot.engine.report", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0x0, NULL, HFILL}},
        {&hf_origin,
         {"Sent by", "godot.origin", FT_STRING, BASE_NONE, NULL, 0x0,
          "A line of a script, the innermost first", HFILL}},
        {&hf_origin_packet,
         {"Of the Packet in Frame", "godot.origin.packet", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_NONE), 0x0, NULL, HFILL}},
        {&hf_origin_record,
         {"Origin in Frame", "godot.origin.record", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE),
          0x0, NULL, HFILL}},
    };
    static ei_register_info expert_infos[] = {
        {&ei_error,
         {"godot.engine.error", PI_RESPONSE_CODE, PI_ERROR, "Error that the engine or a script has reported",
          EXPFILL}},
        {&ei_warning,
         {"godot.engine.warning", PI_RESPONSE_CODE, PI_WARN,
          "Warning that the engine or a script has reported", EXPFILL}},
    };
    static int *trees[] = {&ett_report};
    proto_register_field_array(proto, fields, array_length(fields));
    proto_register_subtree_array(trees, array_length(trees));
    expert_register_field_array(expert_register_protocol(proto), expert_infos, array_length(expert_infos));
}
