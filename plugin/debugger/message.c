/* message.c
 *
 * Shows one message of the remote debugger. See message.h. Names, argument names and the templates
 * of the summaries are in src/debugger/messages.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "debugger/message.h"

#include <string.h>

#include <epan/proto_data.h>

#include "base/columns.h"
#include "base/frame.h"
#include "base/registration.h"
#include "base/tcp.h"
#include "debugger/decoder.h"

#define SET_PROCESS   "set_pid"
#define MAX_ARGUMENTS 2000u /* shown one by one */
#define MAX_LABEL     200u  /* bytes; Wireshark cuts labels at 240, in the middle of a character if need be */

int hf_debugger_length, hf_debugger_message, hf_debugger_thread_id, hf_debugger_argument_count,
    hf_debugger_argument_index, hf_debugger_message_frame, hf_debugger_direction, hf_debugger_undecoded,
    hf_debugger_more, hf_debugger_encoding;
int ett_debugger = -1;
static int proto_debugger_stops, hf_stopped, hf_stopped_in;
static int ett_debugger_encoding = -1;

expert_field ei_debugger_error, ei_debugger_warning, ei_debugger_break, ei_debugger_too_long,
    ei_debugger_not_a_message, ei_debugger_undecoded, ei_debugger_trailing, ei_debugger_more;

/* --- text ---------------------------------------------------------------------------------------- */

static void want(wanted_arguments *wanted, packet_info *pinfo, const char *name, size_t length)
{
    if (wanted->count < MAX_WANTED) {
        wanted->name[wanted->count++] = wmem_strndup(pinfo->pool, name, length);
    }
}

static const char *text_of(const wanted_arguments *wanted, const char *name, size_t length)
{
    for (unsigned i = 0; i < wanted->count; i++) {
        if (strlen(wanted->name[i]) == length && memcmp(wanted->name[i], name, length) == 0) {
            return wanted->text[i];
        }
    }
    return NULL;
}

/* `names` are separated by |: the text of the first that there is. */
static const char *first_text_of(const wanted_arguments *wanted, const char *names, size_t length)
{
    const char *end = names + length;
    for (const char *name = names; name < end; name++) {
        size_t one = strcspn(name, "|>");
        const char *text = text_of(wanted, name, one);
        if (text) {
            return text;
        }
        name += one;
    }
    return NULL;
}

/* Requests the argument that the template names between < and >. */
static void want_template(wanted_arguments *wanted, packet_info *pinfo, const char *summary)
{
    for (const char *p = summary; p && (p = strchr(p, '<')) != NULL; p++) {
        if (p[1] != '#') {
            want(wanted, pinfo, p + 1, strcspn(p + 1, ">"));
        }
    }
}

/* Appends what the template has before its next argument; after a 1, " frames" without its s. */
static void append_plain(wmem_strbuf_t *line, const char *plain, size_t length, bool one)
{
    size_t noun = one ? MIN(length, 1 + strcspn(plain + 1, " ,<")) : 0;
    if (noun > 1 && plain[noun - 1] == 's') {
        wmem_strbuf_append_len(line, plain, noun - 1);
        plain += noun;
        length -= noun;
    }
    wmem_strbuf_append_len(line, plain, length);
}

static const char *fill_template(packet_info *pinfo, const char *summary, const wanted_arguments *wanted,
                                 uint64_t repetitions)
{
    wmem_strbuf_t *line = wmem_strbuf_new(pinfo->pool, "");
    bool one = false;
    for (const char *p = summary; *p;) {
        size_t plain = strcspn(p, "<");
        append_plain(line, p, plain, one);
        p += plain;
        if (*p == '\0') {
            break;
        }
        size_t length = strcspn(p + 1, ">");
        const char *text = first_text_of(wanted, p + 1, length);
        one = p[1] == '#' && repetitions == 1;
        if (p[1] == '#') {
            wmem_strbuf_append_printf(line, "%" PRIu64, repetitions);
        } else if (text) {
            wmem_strbuf_append(line, text);
        }
        p += length + 2;
    }
    return g_strchomp(wmem_strbuf_finalize(line));
}

const char *debugger_cut(packet_info *pinfo, const char *text, size_t limit)
{
    return info_column_text(pinfo->pool, text, strlen(text), limit);
}

void debugger_append_label(message_view *view, const char *text)
{
    proto_item_append_text(view->item, ", %s", debugger_cut(view->pinfo, text, MAX_LABEL));
}

/* Lines that the game printed, one after another without their line breaks. */
static const char *joined_strings(packet_info *pinfo, const uint8_t *bytes, const variant_event *event)
{
    wmem_strbuf_t *joined = wmem_strbuf_new(pinfo->pool, "");
    uint32_t position = event->data_offset;

    for (uint32_t i = 0; i < event->count && wmem_strbuf_get_len(joined) < DEBUGGER_MAX_INFO; i++) {
        variant_string string = variant_next_string(bytes, event, &position);
        const uint8_t *text = bytes + string.text_offset;
        while (string.text_length > 0 && text[string.text_length - 1] == '\n') {
            string.text_length--;
        }
        wmem_strbuf_append(joined, i > 0 ? "; " : "");
        wmem_strbuf_append(joined,
                           info_column_text(pinfo->pool, text, string.text_length, DEBUGGER_MAX_TEXT));
    }
    return wmem_strbuf_get_str(joined);
}

const char *debugger_plain_text(const godot_variant *value)
{
    packet_info *pinfo = value->pinfo;
    const variant_event *event = godot_variant_first(value);
    char text[VARIANT_NUMBER_SIZE];

    if (event->kind == VARIANT_VALUE) {
        if (event->type == VARIANT_STRING || event->type == VARIANT_STRING_NAME) {
            return info_column_text(pinfo->pool, value->bytes + event->text.text_offset,
                                    event->text.text_length, DEBUGGER_MAX_TEXT);
        }
        if (event->type == VARIANT_PACKED_STRING_ARRAY) {
            return joined_strings(pinfo, value->bytes, event);
        }
        if (event->type == VARIANT_FLOAT) {
            (void)variant_number_text(event->value.f, text);
            return wmem_strdup(pinfo->pool, text);
        }
    }
    return godot_variant_text(value, DEBUGGER_MAX_TEXT);
}

static void note_argument(message_view *view, const char *label, const godot_variant *argument)
{
    if ((!view->message || !view->message->summary) && wmem_strbuf_get_len(view->line) < DEBUGGER_MAX_INFO) {
        wmem_strbuf_append(view->line, wmem_strbuf_get_len(view->line) ? ", " : "");
        wmem_strbuf_append(view->line, godot_variant_text(argument, DEBUGGER_MAX_TEXT));
    }
    for (unsigned i = 0; i < view->wanted.count; i++) {
        if (!view->wanted.text[i] && strcmp(view->wanted.name[i], label) == 0) {
            /* That of a variable may be a text, too: "null" is not null. */
            bool plain = strcmp(view->message->name, "stack_frame_var") != 0 || strcmp(label, "value") != 0;
            view->wanted.text[i] =
                plain ? debugger_plain_text(argument) : godot_variant_text(argument, DEBUGGER_MAX_TEXT);
            return;
        }
    }
}

/* By the snap length. */
static bool is_cut(const message_view *view)
{
    return tvb_captured_length(view->tvb) < tvb_reported_length(view->tvb);
}

void debugger_read(const message_view *view, godot_variant *value, uint32_t offset, uint32_t length)
{
    bool ends = !is_cut(view) || offset + length < tvb_captured_length(view->tvb);
    godot_variant_read(value, view->tvb, view->pinfo, offset,
                       ends ? length : tvb_reported_length(view->tvb) - offset, view->options);
}

/* The arguments between `first` and `count`, with their names. */
static void add_arguments(message_view *view, const debugger_value *arguments, uint32_t count, uint32_t total)
{
    debugger_arguments walk;
    godot_variant argument;
    char label[DEBUGGER_MAX_NAME + 24], shown[DEBUGGER_MAX_NAME + 40];

    debugger_arguments_begin(&walk, view->message);
    for (uint32_t i = 0; i < count; i++) {
        debugger_next_argument(&walk, label, sizeof label);
        if (arguments[i].type == VARIANT_INT) {
            debugger_argument_value(&walk, arguments[i].number);
        }
        debugger_read(view, &argument, arguments[i].offset, arguments[i].length);
        note_argument(view, label, &argument);
        if (label[0]) {
            (void)snprintf(shown, sizeof shown, "%s", label);
        } else {
            (void)snprintf(shown, sizeof shown, "Argument %u", i);
        }
        godot_variant_add(&argument, view->tree, shown);
    }
    view->repetitions = walk.outermost;
    if (count < total) {
        unsigned end = count > 0 ? arguments[count - 1].offset + arguments[count - 1].length : 0;
        proto_item *more = proto_tree_add_item(view->tree, hf_debugger_more, view->tvb, (int)end, -1, ENC_NA);
        expert_add_info_format(view->pinfo, more, &ei_debugger_more,
                               "%u more arguments are not shown one by one", total - count);
    }
}

const char *debugger_text_named(const message_view *view, const char *name)
{
    return text_of(&view->wanted, name, strlen(name));
}

/* An expert info for an error, a warning or a stop of the game. The place in the script is more useful than
 * the line of the engine that reports it. */
static void add_expert_info(message_view *view)
{
    const char *description = debugger_text_named(view, "description"),
               *error = debugger_text_named(view, "error");
    const char *file = debugger_text_named(view, "file 0"), *line = debugger_text_named(view, "line 0");
    const char *function = debugger_text_named(view, "function 0");

    if (view->message->topic == DEBUGGER_BREAK) {
        expert_add_info_format(view->pinfo, view->item, &ei_debugger_break, "The game stopped: %s",
                               error && *error ? debugger_cut(view->pinfo, error, MAX_LABEL) : "break");
    } else if (view->message->topic == DEBUGGER_ERROR && error &&
               !is_cut(view)) { /* else it may be a warning */
        if (!file) {
            file = debugger_text_named(view, "file");
            line = debugger_text_named(view, "line");
            function = debugger_text_named(view, "function");
        }
        const char *text =
            wmem_strdup_printf(view->pinfo->pool, "%s:%s @ %s(): %s%s%s", file ? file : "?",
                               line ? line : "?", function ? function : "?", error,
                               description && *description ? ": " : "", description ? description : "");
        expert_add_info_format(view->pinfo, view->item,
                               view->is_warning ? &ei_debugger_warning : &ei_debugger_error, "%s",
                               debugger_cut(view->pinfo, text, MAX_LABEL));
    }
}

/* First pass: the process id of the game. */
static void note_process(const message_view *view)
{
    const char *process = debugger_text_named(view, "process_id");
    if (process && view->source && !frame_visited(view->pinfo)) {
        view->source->process = g_ascii_strtoll(process, NULL, 10);
        view->source->process_in = frame_order(view->pinfo);
    }
}

static void note_warning(message_view *view)
{
    const char *warning = debugger_text_named(view, "warning");
    view->is_warning =
        view->message && view->message->topic == DEBUGGER_ERROR && warning && strcmp(warning, "true") == 0;
}

static void want_arguments(message_view *view)
{
    static const char *const of_error[] = {"file", "line", "function", "error", "description", "warning"};
    static const char *const of_stack[] = {"file", "line", "function"};

    if (!view->message) {
        return;
    }
    if (view->message->topic == DEBUGGER_ERROR) {
        for (unsigned i = 0; i < array_length(of_error); i++) {
            want(&view->wanted, view->pinfo, of_error[i], strlen(of_error[i]));
        }
        for (unsigned i = 0; i < DEBUGGER_STACK * array_length(of_stack); i++) {
            char name[24];
            int length = snprintf(name, sizeof name, "%s %u", of_stack[i % array_length(of_stack)],
                                  i / (unsigned)array_length(of_stack));
            want(&view->wanted, view->pinfo, name, (size_t)length);
        }
    } else if (strcmp(view->message->name, SET_PROCESS) == 0) {
        want(&view->wanted, view->pinfo, "process_id", strlen("process_id"));
    } else {
        want_template(&view->wanted, view->pinfo, view->message->summary);
    }
}

static void show_line(message_view *view)
{
    const char *line =
        view->message && view->message->summary
            ? fill_template(view->pinfo, view->message->summary, &view->wanted, view->repetitions)
            : wmem_strbuf_get_str(view->line);
    const char *name = view->is_warning ? "warning" : view->name;
    line = debugger_cut(view->pinfo, line, DEBUGGER_MAX_INFO);
    col_append_sep_fstr(view->pinfo->cinfo, COL_INFO, ", ", "%s%s%s", name, *line ? " " : "", line);
    debugger_append_label(view,
                          wmem_strdup_printf(view->pinfo->pool, "%s%s%s", name, *line ? " " : "", line));
}

void debugger_begin_view(message_view *view, tvbuff_t *tvb, packet_info *pinfo, proto_item *item,
                         unsigned api)
{
    memset(view, 0, sizeof *view);
    view->tvb = tvb;
    view->pinfo = pinfo;
    view->tree = proto_item_add_subtree(item, ett_debugger);
    view->item = item;
    proto_item *encoding = proto_tree_add_item(view->tree, hf_debugger_encoding, tvb, 0, -1, ENC_NA);
    view->encoding = proto_item_add_subtree(encoding, ett_debugger_encoding);
    view->options.dialect = api == 3 ? VARIANT_GODOT3 : VARIANT_GODOT4;
    view->line = wmem_strbuf_new(pinfo->pool, "");
}

void debugger_end_view(message_view *view)
{
    proto_item *item = proto_tree_get_parent(view->encoding);
    if (view->tree && item && view->tree->last_child != item) {
        proto_tree_move_item(view->tree, view->tree->last_child, item);
    }
}

static void name_view(message_view *view, unsigned api, debugger_direction direction,
                      const debugger_value *name)
{
    godot_variant value;
    debugger_read(view, &value, name->offset, name->length);
    view->name = debugger_plain_text(&value);
    view->message = debugger_find_message(api, direction, view->name, strlen(view->name));
    view->wanted.count = 0;
    want_arguments(view);
    proto_tree_add_string(view->tree, hf_debugger_message, view->tvb, (int)name->offset, (int)name->length,
                          view->name);
}

/* The frame does not have the structure of a message of its generation. */
static void add_not_a_message(message_view *view, const char *why)
{
    tvb_ensure_bytes_exist(view->tvb, 0,
                           (int)tvb_reported_length(view->tvb)); /* it may be truncated in the capture */
    expert_add_info_format(view->pinfo, view->item, &ei_debugger_not_a_message,
                           "Not a debugger message: %s. The engine skips it with an error", why);
    godot_variant value;
    debugger_read(view, &value, 0, tvb_reported_length(view->tvb));
    godot_variant_add(&value, view->tree, NULL);
    col_append_sep_str(view->pinfo->cinfo, COL_INFO, ", ", "[not a debugger message]");
}

static debugger_value *room_for_arguments(message_view *view)
{
    return wmem_alloc(view->pinfo->pool, MAX_ARGUMENTS * sizeof(debugger_value));
}

void debugger_show_v4(message_view *view, debugger_direction direction)
{
    uint32_t length = tvb_captured_length(view->tvb);
    debugger_value *arguments = room_for_arguments(view);
    debugger_decoded decoded =
        debugger_decode_v4(tvb_get_ptr(view->tvb, 0, (int)length), length, arguments, MAX_ARGUMENTS);

    if (!decoded.valid) {
        add_not_a_message(view, "it is not an Array of a name, a thread ID and an Array of arguments");
        return;
    }
    name_view(view, 4, direction, &decoded.name);
    if (decoded.has_thread) {
        proto_tree_add_int64(view->encoding, hf_debugger_thread_id, view->tvb, (int)decoded.thread.offset,
                             (int)decoded.thread.length, decoded.thread.number);
    }
    proto_tree_add_uint(view->encoding, hf_debugger_argument_count, view->tvb, (int)decoded.list.offset,
                        (int)decoded.list.length, decoded.argument_count);
    add_arguments(view, arguments, MIN(decoded.argument_count, MAX_ARGUMENTS), decoded.argument_count);
    if (!is_cut(view) && decoded.list.offset + decoded.list.length < length) {
        expert_add_info(view->pinfo, view->item, &ei_debugger_trailing);
    }
}

void debugger_show_v3_command(message_view *view)
{
    uint32_t length = tvb_captured_length(view->tvb);
    debugger_value *arguments = room_for_arguments(view);
    debugger_decoded decoded =
        debugger_decode_v3(tvb_get_ptr(view->tvb, 0, (int)length), length, arguments, MAX_ARGUMENTS);

    if (!decoded.valid) {
        add_not_a_message(view, "it is not an Array that begins with a name");
        return;
    }
    name_view(view, 3, DEBUGGER_FROM_EDITOR, &decoded.name);
    add_arguments(view, arguments, MIN(decoded.argument_count, MAX_ARGUMENTS - 1), decoded.argument_count);
}

const char *debugger_show_v3_error(message_view *view)
{
    debugger_value parts[16];
    uint32_t length = tvb_captured_length(view->tvb);
    uint32_t count = debugger_list_values(tvb_get_ptr(view->tvb, 0, (int)length), length, VARIANT_GODOT3,
                                          parts, array_length(parts), NULL);

    view->message = debugger_v3_error_record();
    view->wanted.count = 0;
    want_arguments(view);
    add_arguments(view, parts, MIN(count, array_length(parts)), count);
    note_warning(view);
    add_expert_info(view);
    return fill_template(view->pinfo, view->message->summary, &view->wanted, 0);
}

const char *debugger_v3_error_text(const message_view *view)
{
    return fill_template(view->pinfo, "<error> <description>", &view->wanted, 0);
}

/* Of a message by which a game goes on. */
typedef struct {
    uint32_t frame; /* where it had stopped */
    nstime_t lasted;
} stop_record;

void debugger_show_stop(const message_view *view)
{
    debugger_stop *stop = view->stop;
    packet_info *pinfo = view->pinfo;
    bool goes_on = view->name && strcmp(view->name, "debug_exit") == 0;
    int key = 1 + tvb_raw_offset(view->tvb); /* 0 is the connection's */

    /* Behind missing segments the game may have gone on and stopped again. */
    if (!frame_visited(pinfo) && goes_on && stop->frame && !tcp_is_broken(pinfo)) {
        stop_record *made = wmem_new(wmem_file_scope(), stop_record);
        made->frame = stop->frame;
        nstime_delta(&made->lasted, &pinfo->abs_ts, &stop->time);
        p_add_proto_data(wmem_file_scope(), pinfo, proto_debugger_stops, (uint32_t)key, made);
    }
    if (!frame_visited(pinfo) && view->message && (goes_on || view->message->topic == DEBUGGER_BREAK)) {
        /* A second thread may stop, too: then it is not known which one goes on. */
        stop->frame = goes_on || stop->frame ? 0 : frame_order(pinfo);
        stop->time = pinfo->abs_ts;
    }
    const stop_record *record =
        goes_on ? p_get_proto_data(wmem_file_scope(), pinfo, proto_debugger_stops, (uint32_t)key) : NULL;
    if (record) {
        proto_item_set_generated(
            proto_tree_add_time(view->tree, hf_stopped, view->tvb, 0, 0, &record->lasted));
        frame_add_reference(view->tree, hf_stopped_in, view->tvb, record->frame);
        col_append_fstr(pinfo->cinfo, COL_INFO, " after %.3f s", nstime_to_sec(&record->lasted));
    }
}

void debugger_show_summary(message_view *view)
{
    if (!view->name) {
        return;
    }
    note_warning(view);
    note_process(view);
    show_line(view);
    debugger_show_stop(view);
    if (view->message) {
        add_expert_info(view);
    }
}

/* --- registration -------------------------------------------------------------------------------- */

static const value_string direction_names[] = {
    {DEBUGGER_FROM_GAME, "game to editor"},
    {DEBUGGER_FROM_EDITOR, "editor to game"},
    {0, NULL},
};

static hf_register_info fields[] = {
    {&hf_debugger_length,
     {"Length", "godot.debugger.length", FT_UINT32, BASE_DEC, NULL, 0x0, "Bytes of the Variant that follows",
      HFILL}},
    {&hf_debugger_message,
     {"Message", "godot.debugger.message", FT_STRING, BASE_NONE, NULL, 0x0,
      "Name of the message, as the engine or an add-on gives it", HFILL}},
    {&hf_debugger_thread_id,
     {"Thread ID", "godot.debugger.thread_id", FT_INT64, BASE_DEC, NULL, 0x0, "1 is the main thread", HFILL}},
    {&hf_debugger_argument_count,
     {"Arguments", "godot.debugger.argument_count", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_debugger_argument_index,
     {"Argument", "godot.debugger.argument", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Position of this value in its message (Godot 3)", HFILL}},
    {&hf_debugger_message_frame,
     {"Message Begun in Frame", "godot.debugger.message_in", FT_FRAMENUM, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_debugger_direction,
     {"Direction", "godot.debugger.direction", FT_UINT8, BASE_DEC, VALS(direction_names), 0x0, NULL, HFILL}},
    {&hf_debugger_undecoded,
     {"Undecoded Bytes", "godot.debugger.undecoded", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_debugger_encoding,
     {"Encoding", "godot.debugger.encoding", FT_NONE, BASE_NONE, NULL, 0x0, "How the message was sent",
      HFILL}},
    {&hf_stopped,
     {"Stopped For", "godot.debugger.stopped", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0,
      "Time in the script debugger until the game goes on", HFILL}},
    {&hf_stopped_in,
     {"Stopped in Frame", "godot.debugger.stopped_in", FT_FRAMENUM, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_debugger_more,
     {"More arguments", "godot.debugger.more", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
};

static int *trees[] = {&ett_debugger, &ett_debugger_encoding};

static ei_register_info expert_infos[] = {
    {&ei_debugger_error, {"godot.debugger.error", PI_RESPONSE_CODE, PI_ERROR, "Error in the game", EXPFILL}},
    {&ei_debugger_warning,
     {"godot.debugger.warning", PI_RESPONSE_CODE, PI_WARN, "Warning of the game", EXPFILL}},
    {&ei_debugger_break, {"godot.debugger.break", PI_RESPONSE_CODE, PI_NOTE, "The game stopped", EXPFILL}},
    {&ei_debugger_too_long,
     {"godot.debugger.too_long", PI_MALFORMED, PI_ERROR, "Length over 8 MiB: the receiver would disconnect",
      EXPFILL}},
    {&ei_debugger_not_a_message,
     {"godot.debugger.not_a_message", PI_PROTOCOL, PI_WARN, "Not a debugger message", EXPFILL}},
    {&ei_debugger_undecoded,
     {"godot.debugger.resync", PI_UNDECODED, PI_NOTE, "Not part of a message whose beginning was captured",
      EXPFILL}},
    {&ei_debugger_trailing,
     {"godot.debugger.trailing", PI_PROTOCOL, PI_WARN,
      "Bytes after the Variant: the engine skips the whole message with an error", EXPFILL}},
    {&ei_debugger_more,
     {"godot.debugger.not_shown", PI_UNDECODED, PI_NOTE, "Arguments are not shown one by one", EXPFILL}},
};

void debugger_fields_register(int proto)
{
    proto_debugger_stops = proto;
    proto_register_field_array(proto, fields, array_length(fields));
    proto_register_subtree_array(trees, array_length(trees));
    expert_register_field_array(expert_register_protocol(proto), expert_infos, array_length(expert_infos));
}
