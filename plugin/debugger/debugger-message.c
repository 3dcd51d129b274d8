/* debugger-message.c
 *
 * Shows one message of the remote debugger. See debugger-message.h. Names, argument names and the templates
 * of the summaries are in src/debugger_messages.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "debugger/debugger-message.h"

#include <string.h>

#include "variant/godot-variant.h"

#define MAX_ARGUMENTS 2000u /* shown one by one */

int hf_debugger_length = -1;
int hf_debugger_message = -1;
int hf_debugger_thread_id = -1;
int hf_debugger_argument_count = -1;
int hf_debugger_argument_index = -1;
int hf_debugger_message_frame = -1;
int hf_debugger_direction = -1;
int hf_debugger_undecoded = -1;
int hf_debugger_more = -1;
int ett_debugger = -1;
int ett_debugger_arguments = -1;

expert_field ei_debugger_error = EI_INIT;
expert_field ei_debugger_warning = EI_INIT;
expert_field ei_debugger_break = EI_INIT;
expert_field ei_debugger_too_long = EI_INIT;
expert_field ei_debugger_not_a_message = EI_INIT;
expert_field ei_debugger_undecoded = EI_INIT;
expert_field ei_debugger_trailing = EI_INIT;
expert_field ei_debugger_more = EI_INIT;

/* --- text and children of values --- */

/* Where the children of an Array stand. */
typedef struct {
    uint32_t offset, length;
    variant_type type;
    int64_t number; /* if type is VARIANT_INT */
} child;

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

/* Wants what the template between < and > names. */
static void want_template(wanted_arguments *wanted, packet_info *pinfo, const char *summary)
{
    for (const char *p = summary; p && (p = strchr(p, '<')) != NULL; p++) {
        if (p[1] != '#') {
            want(wanted, pinfo, p + 1, strcspn(p + 1, ">"));
        }
    }
}

static const char *fill_template(packet_info *pinfo, const char *summary, const wanted_arguments *wanted,
                                 uint64_t repetitions)
{
    wmem_strbuf_t *line = wmem_strbuf_new(pinfo->pool, "");
    for (const char *p = summary; *p;) {
        size_t plain = strcspn(p, "<");
        wmem_strbuf_append_len(line, p, plain);
        p += plain;
        if (*p == '\0') {
            break;
        }
        size_t length = strcspn(p + 1, ">");
        const char *text = text_of(wanted, p + 1, length);
        if (p[1] == '#') {
            wmem_strbuf_append_printf(line, "%" PRIu64, repetitions);
        } else if (text) {
            wmem_strbuf_append(line, text);
        }
        p += length + 2;
    }
    return wmem_strbuf_get_str(line);
}

/* A line is one line. */
static const char *without_line_breaks(char *text)
{
    for (char *p = text; *p; p++) {
        if ((uint8_t)*p < 0x20) {
            *p = ' ';
        }
    }
    return text;
}

/* Lines that the game printed, one after another without their line breaks. */
static const char *joined_strings(packet_info *pinfo, const uint8_t *bytes, const variant_event *event)
{
    wmem_strbuf_t *joined = wmem_strbuf_new(pinfo->pool, "");
    uint32_t position = event->data_offset;

    for (uint32_t i = 0; i < event->count && wmem_strbuf_get_len(joined) < DEBUGGER_MAX_INFO; i++) {
        variant_string string = variant_next_string(bytes, event, &position);
        const char *text = (const char *)bytes + string.text_offset;
        while (string.text_length > 0 && text[string.text_length - 1] == '\n') {
            string.text_length--;
        }
        wmem_strbuf_append_printf(joined, "%s%.*s", i > 0 ? "; " : "",
                                  (int)MIN(string.text_length, DEBUGGER_MAX_INFO), text);
    }
    return without_line_breaks(wmem_strbuf_finalize(joined));
}

const char *debugger_plain_text(packet_info *pinfo, const uint8_t *bytes, uint32_t length,
                                variant_options options)
{
    variant_decoder *decoder = wmem_new(pinfo->pool, variant_decoder);
    variant_event event;
    char text[DEBUGGER_MAX_INFO];

    variant_init(decoder, bytes, length, options);
    if (variant_next(decoder, &event) && event.kind == VARIANT_VALUE) {
        if (event.type == VARIANT_STRING || event.type == VARIANT_STRING_NAME) {
            return without_line_breaks(wmem_strndup(pinfo->pool, (const char *)bytes + event.text.text_offset,
                                                    event.text.text_length));
        }
        if (event.type == VARIANT_PACKED_STRING_ARRAY) {
            return joined_strings(pinfo, bytes, &event);
        }
        if (event.type == VARIANT_FLOAT) {
            (void)variant_number_text(event.value.f, text);
            return wmem_strdup(pinfo->pool, text);
        }
    }
    (void)variant_text(bytes, length, options, text, sizeof text, NULL);
    return without_line_breaks(wmem_strdup(pinfo->pool, text));
}

/* Lists the elements of the Array at `bytes`, up to `limit`; returns how many there are. Fewer than announced
 * if it cannot be read to its end. */
static uint32_t list_children(const uint8_t *bytes, uint32_t length, variant_options options, child *children,
                              uint32_t limit)
{
    variant_decoder *decoder = (variant_decoder *)g_malloc(sizeof *decoder);
    variant_event event;
    uint32_t count = 0;

    variant_init(decoder, bytes, length, options);
    while (variant_next(decoder, &event)) {
        if (event.depth != 1 || (event.kind != VARIANT_VALUE && event.kind != VARIANT_END)) {
            continue;
        }
        if (count < limit) {
            children[count] = (child){.offset = event.offset, .length = event.length, .type = event.type};
            if (event.kind == VARIANT_VALUE && event.type == VARIANT_INT) {
                children[count].number = event.value.i;
            }
        }
        count++;
    }
    g_free(decoder);
    return count;
}

static void note_argument(message_view *view, const char *label, const child *argument)
{
    const uint8_t *bytes = tvb_get_ptr(view->tvb, (int)argument->offset, (int)argument->length);

    if (!view->message || !view->message->summary) {
        if (wmem_strbuf_get_len(view->line) < DEBUGGER_MAX_INFO) {
            char text[DEBUGGER_MAX_INFO];
            (void)variant_text(bytes, argument->length, view->options, text, sizeof text, NULL);
            wmem_strbuf_append_printf(view->line, "%s%s", wmem_strbuf_get_len(view->line) ? ", " : "",
                                      without_line_breaks(text));
        }
    }
    for (unsigned i = 0; i < view->wanted.count; i++) {
        if (!view->wanted.text[i] && strcmp(view->wanted.name[i], label) == 0) {
            view->wanted.text[i] = debugger_plain_text(view->pinfo, bytes, argument->length, view->options);
            return;
        }
    }
}

/* The arguments between `first` and `count`, with their names. */
static void add_arguments(message_view *view, const child *arguments, uint32_t count, uint32_t total)
{
    debugger_arguments walk;
    char label[DEBUGGER_MAX_NAME + 24], shown[DEBUGGER_MAX_NAME + 40];

    debugger_arguments_begin(&walk, view->message);
    for (uint32_t i = 0; i < count; i++) {
        debugger_next_argument(&walk, label, sizeof label);
        if (arguments[i].type == VARIANT_INT) {
            debugger_argument_value(&walk, arguments[i].number);
        }
        note_argument(view, label, &arguments[i]);
        if (label[0]) {
            (void)snprintf(shown, sizeof shown, "%s", label);
        } else {
            (void)snprintf(shown, sizeof shown, "Argument %u", i);
        }
        (void)godot_variant_add(view->tvb, view->pinfo, view->tree, arguments[i].offset, arguments[i].length,
                                view->options, shown, NULL, 0);
    }
    view->repetitions = walk.outermost;
    if (count < total) {
        unsigned end = count > 0 ? arguments[count - 1].offset + arguments[count - 1].length : 0;
        proto_item *more = proto_tree_add_item(view->tree, hf_debugger_more, view->tvb, (int)end, -1, ENC_NA);
        expert_add_info_format(view->pinfo, more, &ei_debugger_more,
                               "%u more arguments are not shown one by one", total - count);
    }
}

/* The game reports an error or a warning, or stops. */
static void add_expert_info(message_view *view)
{
    const wanted_arguments *w = &view->wanted;
    const char *description = text_of(w, "description", strlen("description"));
    const char *error = text_of(w, "error", strlen("error"));
    const char *warning = text_of(w, "warning", strlen("warning"));

    if (view->message->topic == DEBUGGER_BREAK) {
        expert_add_info_format(view->pinfo, view->item, &ei_debugger_break, "The game stopped: %s",
                               error && *error ? error : "break");
    } else if (view->message->topic == DEBUGGER_ERROR && error) {
        const char *file = text_of(w, "file", strlen("file")), *line = text_of(w, "line", strlen("line"));
        const char *function = text_of(w, "function", strlen("function"));
        expert_add_info_format(
            view->pinfo, view->item,
            warning && strcmp(warning, "true") == 0 ? &ei_debugger_warning : &ei_debugger_error,
            "%s:%s @ %s(): %s%s%s", file ? file : "?", line ? line : "?", function ? function : "?", error,
            description && *description ? ": " : "", description ? description : "");
    }
}

static void want_arguments(message_view *view)
{
    static const char *const of_error[] = {"file", "line", "function", "error", "description", "warning"};

    if (!view->message) {
        return;
    }
    if (view->message->topic == DEBUGGER_ERROR) {
        for (unsigned i = 0; i < array_length(of_error); i++) {
            want(&view->wanted, view->pinfo, of_error[i], strlen(of_error[i]));
        }
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
    col_append_sep_fstr(view->pinfo->cinfo, COL_INFO, ", ", "%s%s%.*s", view->name, *line ? " " : "",
                        (int)DEBUGGER_MAX_INFO, line);
    proto_item_append_text(view->item, ", %s%s%.*s", view->name, *line ? " " : "", (int)DEBUGGER_MAX_INFO,
                           line);
}

void debugger_begin_view(message_view *view, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                         proto_item *item, unsigned api)
{
    memset(view, 0, sizeof *view);
    view->tvb = tvb;
    view->pinfo = pinfo;
    view->tree = tree;
    view->item = item;
    view->options.dialect = api == 3 ? VARIANT_GODOT3 : VARIANT_GODOT4;
    view->line = wmem_strbuf_new(pinfo->pool, "");
}

static void name_view(message_view *view, unsigned api, debugger_direction direction, const child *name)
{
    const uint8_t *bytes = tvb_get_ptr(view->tvb, (int)name->offset, (int)name->length);
    view->name = debugger_plain_text(view->pinfo, bytes, name->length, view->options);
    view->message = debugger_find_message(api, direction, view->name, strlen(view->name));
    view->wanted.count = 0;
    want_arguments(view);
    proto_tree_add_string(view->tree, hf_debugger_message, view->tvb, (int)name->offset, (int)name->length,
                          view->name);
}

/* The frame holds something else than the message its generation asks for. */
static void add_not_a_message(message_view *view, const char *why)
{
    tvb_ensure_bytes_exist(view->tvb, 0,
                           (int)tvb_reported_length(view->tvb)); /* the capture may have cut it */
    expert_add_info_format(view->pinfo, view->item, &ei_debugger_not_a_message,
                           "Not a debugger message: %s. The engine skips it with an error", why);
    (void)godot_variant_add(view->tvb, view->pinfo, view->tree, 0, tvb_reported_length(view->tvb),
                            view->options, NULL, NULL, 0);
    col_append_sep_str(view->pinfo->cinfo, COL_INFO, ", ", "[not a debugger message]");
}

void debugger_show_v4(message_view *view, debugger_direction direction)
{
    uint32_t length = tvb_captured_length(view->tvb);
    const uint8_t *bytes = tvb_get_ptr(view->tvb, 0, (int)length);
    child outer[3];
    uint32_t parts = list_children(bytes, length, view->options, outer, array_length(outer));

    if (parts < 2 || parts > 3 || outer[0].type != VARIANT_STRING || outer[parts - 1].type != VARIANT_ARRAY ||
        (parts == 3 && outer[1].type != VARIANT_INT)) {
        add_not_a_message(view, "it is no Array of a name, a thread id and an Array of arguments");
        return;
    }
    name_view(view, 4, direction, &outer[0]);
    if (parts == 3) {
        proto_tree_add_int64(view->tree, hf_debugger_thread_id, view->tvb, (int)outer[1].offset,
                             (int)outer[1].length, outer[1].number);
    }

    child *arguments = (child *)wmem_alloc(view->pinfo->pool, MAX_ARGUMENTS * sizeof *arguments);
    const child *list = &outer[parts - 1];
    uint32_t count =
        list_children(bytes + list->offset, list->length, view->options, arguments, MAX_ARGUMENTS);
    uint32_t shown = MIN(count, MAX_ARGUMENTS);
    for (uint32_t i = 0; i < shown; i++) {
        arguments[i].offset += list->offset;
    }
    proto_item *item = proto_tree_add_uint(view->tree, hf_debugger_argument_count, view->tvb,
                                           (int)list->offset, (int)list->length, count);
    view->tree = proto_item_add_subtree(item, ett_debugger_arguments);
    add_arguments(view, arguments, shown, count);
    if (list->offset + list->length < tvb_reported_length(view->tvb)) {
        expert_add_info(view->pinfo, view->item, &ei_debugger_trailing);
    }
}

void debugger_show_v3_command(message_view *view)
{
    uint32_t length = tvb_captured_length(view->tvb);
    const uint8_t *bytes = tvb_get_ptr(view->tvb, 0, (int)length);
    child *parts = (child *)wmem_alloc(view->pinfo->pool, (MAX_ARGUMENTS + 1) * sizeof *parts);
    uint32_t count = list_children(bytes, length, view->options, parts, MAX_ARGUMENTS + 1);

    if (count < 1 || parts[0].type != VARIANT_STRING) {
        add_not_a_message(view, "it is no Array that begins with a name");
        return;
    }
    name_view(view, 3, DEBUGGER_FROM_EDITOR, &parts[0]);
    add_arguments(view, parts + 1, MIN(count, MAX_ARGUMENTS + 1) - 1, count - 1);
}

const char *debugger_show_v3_error(message_view *view)
{
    static const debugger_message record = {
        "error",
        3,
        DEBUGGER_FROM_GAME,
        DEBUGGER_ERROR,
        "hour minute second msec function file line error description warning",
        "<file>:<line> <error> <description>"};
    child parts[16];
    uint32_t length = tvb_captured_length(view->tvb);
    uint32_t count = list_children(tvb_get_ptr(view->tvb, 0, (int)length), length, view->options, parts,
                                   array_length(parts));

    view->message = &record;
    view->wanted.count = 0;
    want_arguments(view);
    add_arguments(view, parts, MIN(count, array_length(parts)), count);
    add_expert_info(view);
    return fill_template(view->pinfo, record.summary, &view->wanted, 0);
}

void debugger_show_summary(message_view *view)
{
    if (!view->name) {
        return;
    }
    show_line(view);
    if (view->message) {
        add_expert_info(view);
    }
}

/* --- registration ----------------------------------------------------------------------------------- */

static const value_string direction_names[] = {
    {DEBUGGER_FROM_GAME, "game to editor"},
    {DEBUGGER_FROM_EDITOR, "editor to game"},
    {0, NULL},
};

void debugger_fields_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_debugger_length,
         {"Length", "godot.debugger.length", FT_UINT32, BASE_DEC, NULL, 0,
          "Bytes of the Variant that follows", HFILL}},
        {&hf_debugger_message,
         {"Message", "godot.debugger.message", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_debugger_thread_id,
         {"Thread ID", "godot.debugger.thread_id", FT_INT64, BASE_DEC, NULL, 0, "1 is the main thread",
          HFILL}},
        {&hf_debugger_argument_count,
         {"Arguments", "godot.debugger.argument_count", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_debugger_argument_index,
         {"Argument", "godot.debugger.argument", FT_UINT32, BASE_DEC, NULL, 0,
          "Position of this value in its message (Godot 3)", HFILL}},
        {&hf_debugger_message_frame,
         {"Message begun in frame", "godot.debugger.message_in", FT_FRAMENUM, BASE_NONE, NULL, 0, NULL,
          HFILL}},
        {&hf_debugger_direction,
         {"Direction", "godot.debugger.direction", FT_UINT8, BASE_DEC, VALS(direction_names), 0, NULL,
          HFILL}},
        {&hf_debugger_undecoded,
         {"Undecoded bytes", "godot.debugger.undecoded", FT_BYTES, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_debugger_more,
         {"More arguments", "godot.debugger.more", FT_BYTES, BASE_NONE, NULL, 0, NULL, HFILL}},
    };
    static int *ett[] = {&ett_debugger, &ett_debugger_arguments};
    static ei_register_info ei[] = {
        {&ei_debugger_error,
         {"godot.debugger.error", PI_RESPONSE_CODE, PI_ERROR, "Error in the game", EXPFILL}},
        {&ei_debugger_warning,
         {"godot.debugger.warning", PI_RESPONSE_CODE, PI_WARN, "Warning of the game", EXPFILL}},
        {&ei_debugger_break,
         {"godot.debugger.break", PI_RESPONSE_CODE, PI_NOTE, "The game stopped", EXPFILL}},
        {&ei_debugger_too_long,
         {"godot.debugger.too_long", PI_MALFORMED, PI_ERROR,
          "Length over 8 MiB: the receiver would disconnect", EXPFILL}},
        {&ei_debugger_not_a_message,
         {"godot.debugger.not_a_message", PI_PROTOCOL, PI_WARN, "Not a debugger message", EXPFILL}},
        {&ei_debugger_undecoded,
         {"godot.debugger.resync", PI_UNDECODED, PI_NOTE,
          "Not part of a message whose beginning was captured", EXPFILL}},
        {&ei_debugger_trailing,
         {"godot.debugger.trailing", PI_PROTOCOL, PI_WARN,
          "Bytes behind the Variant: the engine skips the whole message with an error", EXPFILL}},
        {&ei_debugger_more,
         {"godot.debugger.not_shown", PI_UNDECODED, PI_NOTE, "Arguments are not shown one by one", EXPFILL}},
    };

    proto_register_field_array(proto, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}
