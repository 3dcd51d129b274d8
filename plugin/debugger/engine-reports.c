/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debugger/engine-reports.h"

#include "base/bytes.h"
#include "base/columns.h"
#include "debugger/decoder.h"
#include "multiplayer/reports/search.h"
#include "multiplayer/reports/show.h"

enum {
    MAX_LINES = 200, /* of one message, as reports */
    KIND_ERROR = 1,  /* RemoteDebugger::MESSAGE_TYPE_ERROR */
};

static void show(const message_view *view, godot_report *report)
{
    const report_view at = {view->pinfo, view->tvb, view->tree, view->item};
    uint32_t number = godot_report_number(view->pinfo);
    report->frame = frame_order(view->pinfo);
    report->source = view->source;
    if (!frame_visited(view->pinfo)) {
        godot_report_search(view->pinfo, view->source, &view->pinfo->src, report, number);
    }
    report->about = godot_report_packet_of(report->frame, number);
    godot_report_show(&at, report, true);
}

static bool is_script(const char *file)
{
    return file && (g_str_has_prefix(file, "res://") || g_str_has_prefix(file, "user://"));
}

static int64_t line_of(const char *text)
{
    return text ? g_ascii_strtoll(text, NULL, 10) : 0;
}

static report_place place_at(const message_view *view, uint32_t level)
{
    char name[24];
    report_place place;
    snprintf(name, sizeof name, "file %u", level);
    place.file = debugger_text_named(view, name);
    snprintf(name, sizeof name, "function %u", level);
    place.function = debugger_text_named(view, name);
    snprintf(name, sizeof name, "line %u", level);
    place.line = line_of(debugger_text_named(view, name));
    return place;
}

void debugger_report_error(const message_view *view)
{
    report_place stack[DEBUGGER_STACK];
    const char *error = debugger_text_named(view, "error"),
               *description = debugger_text_named(view, "description");
    godot_report report = {.kind = view->is_warning ? REPORT_WARNING : REPORT_ERROR, .stack = stack};
    if (!view->source || !error) {
        return;
    }
    report.text = description && *description ? description : error;
    report.code = description && *description ? error : NULL;
    report.place = (report_place){debugger_text_named(view, "function"), debugger_text_named(view, "file"),
                                  line_of(debugger_text_named(view, "line"))};
    if (is_script(report.place.file) && !view->is_warning) {
        report.kind = REPORT_SCRIPT_ERROR;
    }
    while (report.stack_count < DEBUGGER_STACK) {
        stack[report.stack_count] = place_at(view, report.stack_count);
        if (!stack[report.stack_count].file) {
            break;
        }
        report.stack_count++;
    }
    show(view, &report);
}

/* Whether the line with this number was printed as an error. */
static bool is_error(const godot_variant *kinds, uint32_t line)
{
    const variant_event *event = kinds ? godot_variant_first(kinds) : NULL;
    if (!event || event->kind != VARIANT_VALUE || event->type != VARIANT_PACKED_INT32_ARRAY ||
        line >= event->count) {
        return false;
    }
    return le32(kinds->bytes + event->data_offset + 4 * (size_t)line) == KIND_ERROR;
}

/* The engine joins what the game has printed since its last message with line breaks. Returns how many of at
 * most `limit` lines there were. */
static uint32_t report_lines(const message_view *view, report_kind kind, const uint8_t *text, uint32_t length,
                             uint32_t limit)
{
    uint32_t count = 0, at = 0;
    while (length > 0 && text[length - 1] == '\n') {
        length--;
    }
    for (; at < length && count < limit; count++) {
        const uint8_t *after = memchr(text + at, '\n', length - at);
        uint32_t line = after ? (uint32_t)(after - text) - at : length - at;
        godot_report report = {
            .kind = kind, .text = info_column_text(view->pinfo->pool, text + at, line, DEBUGGER_MAX_TEXT)};
        show(view, &report);
        at += line + 1;
    }
    return count;
}

/* A PackedStringArray, and the kinds of its texts, a PackedInt32Array. */
static void report_output(const message_view *view, const godot_variant *texts, const godot_variant *kinds)
{
    const variant_event *event = godot_variant_first(texts);
    if (event->kind != VARIANT_VALUE || event->type != VARIANT_PACKED_STRING_ARRAY) {
        return;
    }
    uint32_t position = event->data_offset, lines = 0;
    for (uint32_t i = 0; i < event->count && lines < MAX_LINES; i++) {
        variant_string string = variant_next_string(texts->bytes, event, &position);
        lines += report_lines(view, is_error(kinds, i) ? REPORT_OUTPUT_ERROR : REPORT_OUTPUT,
                              texts->bytes + string.text_offset, string.text_length, MAX_LINES - lines);
    }
}

void debugger_report(const message_view *view)
{
    uint32_t length = tvb_captured_length(view->tvb);
    if (!view->source || !view->message) {
        return;
    }
    if (view->message->topic == DEBUGGER_ERROR) {
        debugger_report_error(view);
    } else if (view->message->topic == DEBUGGER_OUTPUT) {
        debugger_value arguments[2];
        debugger_decoded decoded =
            debugger_decode_v4(tvb_get_ptr(view->tvb, 0, (int)length), length, arguments, 2);
        if (decoded.valid && decoded.argument_count >= 2) {
            godot_variant texts, kinds;
            debugger_read(view, &texts, arguments[0].offset, arguments[0].length);
            debugger_read(view, &kinds, arguments[1].offset, arguments[1].length);
            report_output(view, &texts, &kinds);
        }
    }
}

void debugger_report_v3_output(const message_view *view, const godot_variant *value)
{
    const variant_event *text = godot_variant_first(value);
    godot_report report = {.kind = REPORT_OUTPUT};
    if (text->kind == VARIANT_BEGIN && text->type == VARIANT_ARRAY && text->count == 2 && value->count >= 3) {
        text = &value->events[1];
        const variant_event *kind = &value->events[2];
        bool error = kind->kind == VARIANT_VALUE && kind->type == VARIANT_INT && kind->value.i == KIND_ERROR;
        report.kind = error ? REPORT_OUTPUT_ERROR : report.kind;
    }
    if (view->source && text->kind == VARIANT_VALUE && text->type == VARIANT_STRING) {
        report.text = info_column_text(view->pinfo->pool, value->bytes + text->text.text_offset,
                                       text->text.text_length, DEBUGGER_MAX_TEXT);
        show(view, &report);
    }
}
