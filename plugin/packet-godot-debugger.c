/* packet-godot-debugger.c
 *
 * Godot's remote debugger: what a running game and the editor say to each other, over TCP (port 6007) or
 * WebSocket.
 *
 * TCP: u32 little-endian length and one Variant. Godot 4: an Array [name, thread id, [arguments]] (4.0
 * and 4.1 without the thread id). Godot 3, editor to game: an Array [name, arguments…]; game to editor: the
 * name, the number of values and the values, each a frame of its own. Over WebSocket each message is a
 * Variant without length.
 *
 * Names and argument names: src/debugger_messages.c. Sources: core/debugger/remote_debugger_peer.cpp
 * (Godot 4.6), scene/debugger/script_debugger_remote.cpp (Godot 3.6).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "wireshark-compat.h"

#include <string.h>

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/expert.h>
#include <epan/proto_data.h>

#include "debugger_messages.h"
#include "godot-preferences.h"
#include "godot-variant.h"
#include "variant.h"

#define DEBUGGER_PORT "6007"
#define MAX_FRAME     (8u << 20) /* longer ones make the receiver disconnect (remote_debugger_peer.cpp) */
#define MAX_ARGUMENTS 2000u      /* shown one by one */
#define MAX_NAME      64u
#define MAX_INFO      160u
#define MIN_EVIDENCE  20u /* length, Array, count, String header, name length */

void proto_register_godot_debugger(void);
void proto_reg_handoff_godot_debugger(void);

static int proto_debugger = -1;
static int hf_length = -1;
static int hf_message = -1;
static int hf_thread_id = -1;
static int hf_argument_count = -1;
static int hf_argument_index = -1;
static int hf_message_frame = -1;
static int hf_direction = -1;
static int hf_undecoded = -1;
static int hf_more = -1;
static int ett_debugger = -1;
static int ett_arguments = -1;

static expert_field ei_error = EI_INIT;
static expert_field ei_warning = EI_INIT;
static expert_field ei_break = EI_INIT;
static expert_field ei_too_long = EI_INIT;
static expert_field ei_not_a_message = EI_INIT;
static expert_field ei_undecoded = EI_INIT;
static expert_field ei_trailing = EI_INIT;
static expert_field ei_more = EI_INIT;

static dissector_handle_t debugger_handle;
static dissector_handle_t websocket_handle;
static dissector_handle_t x11_handle;
static heur_dissector_list_t websocket_heuristics;

static const value_string direction_names[] = {
    {DEBUGGER_FROM_GAME, "game to editor"},
    {DEBUGGER_FROM_EDITOR, "editor to game"},
    {0, NULL},
};

/* --- state ------------------------------------------------------------------------------------------ */

/* What a frame of Godot 3 on the way to the editor is: the message goes over several. */
typedef struct {
    const char *name; /* of the message it belongs to, NULL if not known */
    const debugger_message *message;
    uint32_t first_frame;
    uint32_t index; /* 0 name, 1 number of values, 2… values */
    uint32_t count; /* of values */
    char label[MAX_NAME];
} v3_part;

/* Who speaks on a connection; later ones prevail. */
typedef enum { PEER_UNDECIDED, PEER_OTHER, PEER_X11, PEER_DEBUGGER, PEER_KINDS } peer_kind;

/* What the first pass finds out about a connection is in force in the frames behind the one that told it. */
typedef struct {
    uint32_t found_in[PEER_KINDS]; /* the frame that told this kind, 0: none did */
    unsigned api;                  /* of a debugger: 3 or 4 */
    uint32_t editor_found_in;      /* the frame that told which end the editor is, 0: none did */
    address editor;                /* the end that listens */
    uint32_t editor_port;
    uint32_t first_frame[2]; /* by direction: where the first message was, 0 if none was seen */
    int first_offset[2];
    v3_part part;            /* first pass: of the frame in front */
    debugger_arguments walk; /* first pass: along the values of the message under way */
} debugger_peer;

static debugger_peer *get_peer(packet_info *pinfo)
{
    conversation_t *conversation = find_or_create_conversation(pinfo);
    debugger_peer *peer = (debugger_peer *)conversation_get_proto_data(conversation, proto_debugger);
    if (!peer) {
        peer = wmem_new0(wmem_file_scope(), debugger_peer);
        conversation_add_proto_data(conversation, proto_debugger, peer);
    }
    return peer;
}

static peer_kind kind_before(const debugger_peer *peer, uint32_t frame)
{
    for (peer_kind kind = PEER_DEBUGGER; kind > PEER_UNDECIDED; kind--)
        if (peer->found_in[kind] != 0 && peer->found_in[kind] < frame)
            return kind;
    return PEER_UNDECIDED;
}

static void set_editor(debugger_peer *peer, packet_info *pinfo, bool is_source)
{
    if (peer->editor_found_in != 0 || PINFO_FD_VISITED(pinfo))
        return;
    peer->editor_found_in = pinfo->num;
    copy_address_wmem(wmem_file_scope(), &peer->editor, is_source ? &pinfo->src : &pinfo->dst);
    peer->editor_port = is_source ? pinfo->srcport : pinfo->destport;
}

static debugger_direction direction_of(const debugger_peer *peer, const packet_info *pinfo)
{
    bool known = peer->editor_found_in != 0 && pinfo->num >= peer->editor_found_in;
    bool from_editor =
        known && pinfo->srcport == peer->editor_port && addresses_equal(&pinfo->src, &peer->editor);
    return from_editor ? DEBUGGER_FROM_EDITOR : DEBUGGER_FROM_GAME;
}

/* Per-frame table of the parts of Godot 3 messages, by the place of the Variant in its buffer. */
static wmem_map_t *parts_of_frame(packet_info *pinfo)
{
    wmem_map_t *parts = (wmem_map_t *)p_get_proto_data(wmem_file_scope(), pinfo, proto_debugger, 0);
    if (!parts && !PINFO_FD_VISITED(pinfo)) {
        parts = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
        p_add_proto_data(wmem_file_scope(), pinfo, proto_debugger, 0, parts);
    }
    return parts;
}

/* --- recognition ------------------------------------------------------------------------------------ */

static bool is_name(tvbuff_t *tvb, unsigned offset, uint32_t length)
{
    if (length == 0 || length > MAX_NAME || !tvb_bytes_exist(tvb, (int)offset, (int)length))
        return false;
    for (uint32_t i = 0; i < length; i++) {
        uint8_t c = tvb_get_uint8(tvb, (int)(offset + i));
        if (!g_ascii_isalnum(c) && !strchr("_:./ -", c))
            return false;
    }
    return true;
}

/* The Variant at `offset` is a String that can be a message's name. */
static bool is_name_variant(tvbuff_t *tvb, unsigned offset)
{
    return tvb_bytes_exist(tvb, (int)offset, 8) && tvb_get_letohl(tvb, (int)offset) == 4 &&
           is_name(tvb, offset + 8, tvb_get_letohl(tvb, (int)(offset + 4)));
}

/* The engine generation of the message whose Variant begins at `offset`, 0 if it is none. Conclusive. */
static unsigned recognise_message(tvbuff_t *tvb, unsigned offset)
{
    if (!tvb_bytes_exist(tvb, (int)offset, 8))
        return 0;
    uint32_t header = tvb_get_letohl(tvb, (int)offset);
    uint32_t count = tvb_get_letohl(tvb, (int)(offset + 4));
    if (header == (uint32_t)variant_id_of_type(VARIANT_GODOT4, VARIANT_ARRAY) && (count == 2 || count == 3))
        return is_name_variant(tvb, offset + 8) ? 4 : 0;
    if (header == (uint32_t)variant_id_of_type(VARIANT_GODOT3, VARIANT_ARRAY) && count >= 1 && count <= 20)
        return is_name_variant(tvb, offset + 8) ? 3 : 0;
    if (header == 4 && is_name_variant(tvb, offset)) {
        const char *name = (const char *)tvb_get_ptr(tvb, (int)(offset + 8), (int)count);
        return debugger_find_message(3, DEBUGGER_FROM_GAME, name, count) ? 3 : 0;
    }
    return 0;
}

/* The length word at `offset` belongs to a frame that can hold a Variant. */
static bool is_frame_length(uint32_t length)
{
    return length >= 4 && length % 4 == 0 && length <= MAX_FRAME;
}

static bool is_variant_header(uint32_t header)
{
    return (header & 0xff) < variant_type_count(VARIANT_GODOT4) && (header & 0xfff0ff00) == 0;
}

/* A frame may begin at `offset`: with its first 8 bytes the Variant's header is looked at too. */
static bool is_frame(tvbuff_t *tvb, unsigned offset)
{
    if (!is_frame_length(tvb_get_letohl(tvb, (int)offset)))
        return false;
    return !tvb_bytes_exist(tvb, (int)offset, 8) || is_variant_header(tvb_get_letohl(tvb, (int)(offset + 4)));
}

/* recognise_message() behind the length at `offset`. */
static unsigned recognise_frame(tvbuff_t *tvb, unsigned offset)
{
    return tvb_bytes_exist(tvb, (int)offset, 8) && is_frame_length(tvb_get_letohl(tvb, (int)offset))
               ? recognise_message(tvb, offset + 4)
               : 0;
}

/* Offset of the first conclusive frame from `offset` on, or the end of the segment. *api as
 * recognise_message(). */
static unsigned find_message(tvbuff_t *tvb, unsigned offset, unsigned *api)
{
    unsigned end = tvb_captured_length(tvb);
    for (; offset + MIN_EVIDENCE <= end; offset++) {
        *api = recognise_frame(tvb, offset);
        if (*api != 0)
            return offset;
    }
    *api = 0;
    return end;
}

/* --- one message ------------------------------------------------------------------------------------ */

/* Arguments whose text a summary or an expert info asks for. */
#define MAX_WANTED 6
typedef struct {
    const char *name[MAX_WANTED];
    const char *text[MAX_WANTED];
    bool truth[MAX_WANTED];
    unsigned count;
} wanted_arguments;

static void want(wanted_arguments *wanted, packet_info *pinfo, const char *name, size_t length)
{
    if (wanted->count < MAX_WANTED)
        wanted->name[wanted->count++] = wmem_strndup(pinfo->pool, name, length);
}

static const char *text_of(const wanted_arguments *wanted, const char *name, size_t length)
{
    for (unsigned i = 0; i < wanted->count; i++)
        if (strlen(wanted->name[i]) == length && memcmp(wanted->name[i], name, length) == 0)
            return wanted->text[i];
    return NULL;
}

/* Wants what the template between < and > names. */
static void want_template(wanted_arguments *wanted, packet_info *pinfo, const char *summary)
{
    for (const char *p = summary; p && (p = strchr(p, '<')) != NULL; p++)
        if (p[1] != '#')
            want(wanted, pinfo, p + 1, strcspn(p + 1, ">"));
}

static const char *fill_template(packet_info *pinfo, const char *summary, const wanted_arguments *wanted,
                                 uint64_t repetitions)
{
    wmem_strbuf_t *line = wmem_strbuf_new(pinfo->pool, "");
    for (const char *p = summary; *p;) {
        size_t plain = strcspn(p, "<");
        wmem_strbuf_append_len(line, p, plain);
        p += plain;
        if (*p == '\0')
            break;
        size_t length = strcspn(p + 1, ">");
        const char *text = text_of(wanted, p + 1, length);
        if (p[1] == '#')
            wmem_strbuf_append_printf(line, "%" PRIu64, repetitions);
        else if (text)
            wmem_strbuf_append(line, text);
        p += length + 2;
    }
    return wmem_strbuf_get_str(line);
}

/* A line is one line. */
static const char *without_line_breaks(char *text)
{
    for (char *p = text; *p; p++)
        if ((uint8_t)*p < 0x20)
            *p = ' ';
    return text;
}

/* Lines that the game printed, one after another without their line breaks. */
static const char *joined_strings(packet_info *pinfo, const uint8_t *bytes, const variant_event *event)
{
    wmem_strbuf_t *joined = wmem_strbuf_new(pinfo->pool, "");
    uint32_t position = event->data_offset;

    for (uint32_t i = 0; i < event->count && wmem_strbuf_get_len(joined) < MAX_INFO; i++) {
        variant_string string = variant_next_string(bytes, event, &position);
        const char *text = (const char *)bytes + string.text_offset;
        while (string.text_length > 0 && text[string.text_length - 1] == '\n')
            string.text_length--;
        wmem_strbuf_append_printf(joined, "%s%.*s", i > 0 ? "; " : "", (int)MIN(string.text_length, MAX_INFO),
                                  text);
    }
    return without_line_breaks(wmem_strbuf_finalize(joined));
}

/* Text of an argument for a line: strings without quotes, whole numbers without a point. */
static const char *plain_text(packet_info *pinfo, const uint8_t *bytes, uint32_t length,
                              variant_options options)
{
    variant_decoder *decoder = wmem_new(pinfo->pool, variant_decoder);
    variant_event event;
    char text[MAX_INFO];

    variant_init(decoder, bytes, length, options);
    if (variant_next(decoder, &event) && event.kind == VARIANT_VALUE) {
        if (event.type == VARIANT_STRING || event.type == VARIANT_STRING_NAME)
            return without_line_breaks(wmem_strndup(pinfo->pool, (const char *)bytes + event.text.text_offset,
                                                    event.text.text_length));
        if (event.type == VARIANT_PACKED_STRING_ARRAY)
            return joined_strings(pinfo, bytes, &event);
        if (event.type == VARIANT_FLOAT) {
            (void)variant_number_text(event.value.f, text);
            return wmem_strdup(pinfo->pool, text);
        }
    }
    (void)variant_text(bytes, length, options, text, sizeof text, NULL);
    return without_line_breaks(wmem_strdup(pinfo->pool, text));
}

/* Where the children of an Array stand. */
typedef struct {
    uint32_t offset, length;
    variant_type type;
    int64_t number; /* if type is VARIANT_INT */
    bool truth;     /* if type is VARIANT_BOOL */
} child;

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
        if (event.depth != 1 || (event.kind != VARIANT_VALUE && event.kind != VARIANT_END))
            continue;
        if (count < limit) {
            children[count] = (child){.offset = event.offset, .length = event.length, .type = event.type};
            if (event.kind == VARIANT_VALUE && event.type == VARIANT_INT)
                children[count].number = event.value.i;
            if (event.kind == VARIANT_VALUE && event.type == VARIANT_BOOL)
                children[count].truth = event.value.b;
        }
        count++;
    }
    g_free(decoder);
    return count;
}

/* One message being shown. */
typedef struct {
    tvbuff_t *tvb; /* its Variant */
    packet_info *pinfo;
    proto_tree *tree;
    proto_item *item;
    variant_options options;
    const debugger_message *message;
    const char *name;
    wanted_arguments wanted;
    wmem_strbuf_t *line; /* all arguments, if there is no template */
    uint64_t repetitions;
} message_view;

static void note_argument(message_view *view, const char *label, const child *argument)
{
    const uint8_t *bytes = tvb_get_ptr(view->tvb, (int)argument->offset, (int)argument->length);

    if (!view->message || !view->message->summary) {
        if (wmem_strbuf_get_len(view->line) < MAX_INFO) {
            char text[MAX_INFO];
            (void)variant_text(bytes, argument->length, view->options, text, sizeof text, NULL);
            wmem_strbuf_append_printf(view->line, "%s%s", wmem_strbuf_get_len(view->line) ? ", " : "",
                                      without_line_breaks(text));
        }
    }
    for (unsigned i = 0; i < view->wanted.count; i++) {
        if (!view->wanted.text[i] && strcmp(view->wanted.name[i], label) == 0) {
            view->wanted.text[i] = plain_text(view->pinfo, bytes, argument->length, view->options);
            view->wanted.truth[i] = argument->truth;
            return;
        }
    }
}

/* The arguments between `first` and `count`, with their names. */
static void add_arguments(message_view *view, const child *arguments, uint32_t count, uint32_t total)
{
    debugger_arguments walk;
    char label[MAX_NAME + 24], shown[MAX_NAME + 40];

    debugger_arguments_begin(&walk, view->message);
    for (uint32_t i = 0; i < count; i++) {
        debugger_next_argument(&walk, label, sizeof label);
        if (arguments[i].type == VARIANT_INT)
            debugger_argument_value(&walk, arguments[i].number);
        note_argument(view, label, &arguments[i]);
        if (label[0])
            (void)snprintf(shown, sizeof shown, "%s", label);
        else
            (void)snprintf(shown, sizeof shown, "Argument %u", i);
        (void)godot_variant_add(view->tvb, view->pinfo, view->tree, arguments[i].offset, arguments[i].length,
                                view->options, shown, NULL, 0);
    }
    view->repetitions = walk.outermost;
    if (count < total) {
        unsigned end = count > 0 ? arguments[count - 1].offset + arguments[count - 1].length : 0;
        proto_item *more = proto_tree_add_item(view->tree, hf_more, view->tvb, (int)end, -1, ENC_NA);
        expert_add_info_format(view->pinfo, more, &ei_more, "%u more arguments are not shown one by one",
                               total - count);
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
        expert_add_info_format(view->pinfo, view->item, &ei_break, "The game stopped: %s",
                               error && *error ? error : "break");
    } else if (view->message->topic == DEBUGGER_ERROR && error) {
        const char *file = text_of(w, "file", strlen("file")), *line = text_of(w, "line", strlen("line"));
        const char *function = text_of(w, "function", strlen("function"));
        expert_add_info_format(
            view->pinfo, view->item, warning && strcmp(warning, "true") == 0 ? &ei_warning : &ei_error,
            "%s:%s @ %s(): %s%s%s", file ? file : "?", line ? line : "?", function ? function : "?", error,
            description && *description ? ": " : "", description ? description : "");
    }
}

static void want_arguments(message_view *view)
{
    static const char *const of_error[] = {"file", "line", "function", "error", "description", "warning"};

    if (!view->message)
        return;
    if (view->message->topic == DEBUGGER_ERROR) {
        for (unsigned i = 0; i < array_length(of_error); i++)
            want(&view->wanted, view->pinfo, of_error[i], strlen(of_error[i]));
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
                        (int)MAX_INFO, line);
    proto_item_append_text(view->item, ", %s%s%.*s", view->name, *line ? " " : "", (int)MAX_INFO, line);
}

static void begin_view(message_view *view, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
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
    view->name = plain_text(view->pinfo, bytes, name->length, view->options);
    view->message = debugger_find_message(api, direction, view->name, strlen(view->name));
    view->wanted.count = 0;
    want_arguments(view);
    proto_tree_add_string(view->tree, hf_message, view->tvb, (int)name->offset, (int)name->length,
                          view->name);
}

/* The frame holds something else than the message its generation asks for. */
static void add_not_a_message(message_view *view, const char *why)
{
    tvb_ensure_bytes_exist(view->tvb, 0,
                           (int)tvb_reported_length(view->tvb)); /* the capture may have cut it */
    expert_add_info_format(view->pinfo, view->item, &ei_not_a_message,
                           "Not a debugger message: %s. The engine skips it with an error", why);
    (void)godot_variant_add(view->tvb, view->pinfo, view->tree, 0, tvb_reported_length(view->tvb),
                            view->options, NULL, NULL, 0);
    col_append_sep_str(view->pinfo->cinfo, COL_INFO, ", ", "[not a debugger message]");
}

/* Godot 4: [name, thread id, [arguments]]. */
static void dissect_v4(message_view *view, debugger_direction direction)
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
    if (parts == 3)
        proto_tree_add_int64(view->tree, hf_thread_id, view->tvb, (int)outer[1].offset, (int)outer[1].length,
                             outer[1].number);

    child *arguments = (child *)wmem_alloc(view->pinfo->pool, MAX_ARGUMENTS * sizeof *arguments);
    const child *list = &outer[parts - 1];
    uint32_t count =
        list_children(bytes + list->offset, list->length, view->options, arguments, MAX_ARGUMENTS);
    uint32_t shown = MIN(count, MAX_ARGUMENTS);
    for (uint32_t i = 0; i < shown; i++)
        arguments[i].offset += list->offset;
    proto_item *item = proto_tree_add_uint(view->tree, hf_argument_count, view->tvb, (int)list->offset,
                                           (int)list->length, count);
    view->tree = proto_item_add_subtree(item, ett_arguments);
    add_arguments(view, arguments, shown, count);
    if (list->offset + list->length < tvb_reported_length(view->tvb))
        expert_add_info(view->pinfo, view->item, &ei_trailing);
}

/* Godot 3, editor to game: [name, arguments…]. */
static void dissect_v3_command(message_view *view)
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

/* --- Godot 3, game to editor: messages over several frames --------------------------------------------- */

/* First pass: what the frame with `value` is, from the frame in front of it. */
static v3_part next_part(debugger_peer *peer, packet_info *pinfo, const uint8_t *bytes, uint32_t length,
                         const variant_event *value)
{
    v3_part *part = &peer->part;
    bool number = value->kind == VARIANT_VALUE && value->type == VARIANT_INT;

    if (part->name && part->index == 0) { /* behind the name comes the number of values */
        part->index = 1;
        part->count = number && value->value.i > 0 ? (uint32_t)MIN(value->value.i, (int64_t)UINT32_MAX) : 0;
        if (!number)
            part->name = NULL;
        debugger_arguments_begin(&peer->walk, part->message);
        return *part;
    }
    if (part->name && part->index > 0 && part->index - 1 < part->count) {
        part->index++;
        debugger_next_argument(&peer->walk, part->label, sizeof part->label);
        if (number)
            debugger_argument_value(&peer->walk, value->value.i);
        return *part;
    }
    memset(part, 0, sizeof *part);
    if (value->kind == VARIANT_VALUE && value->type == VARIANT_STRING) {
        const char *text = (const char *)bytes + value->text.text_offset;
        part->message = debugger_find_message(3, DEBUGGER_FROM_GAME, text, value->text.text_length);
        if (part->message ||
            (value->text.text_length <= MAX_NAME && strncmp(text, "message:", MIN(length, 8)) == 0))
            part->name = wmem_strndup(wmem_file_scope(), text, value->text.text_length);
        part->first_frame = pinfo->num;
    }
    return *part;
}

static const v3_part *part_of(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb, variant_options options)
{
    wmem_map_t *parts = parts_of_frame(pinfo);
    void *key = GINT_TO_POINTER(tvb_raw_offset(tvb) + 1);
    v3_part *part = parts ? (v3_part *)wmem_map_lookup(parts, key) : NULL;

    if (!part && parts && !PINFO_FD_VISITED(pinfo)) {
        uint32_t length = tvb_captured_length(tvb);
        const uint8_t *bytes = tvb_get_ptr(tvb, 0, (int)length);
        variant_decoder *decoder = wmem_new(pinfo->pool, variant_decoder);
        variant_event event;
        variant_init(decoder, bytes, length, options);
        if (!variant_next(decoder, &event))
            memset(&event, 0, sizeof event);
        part = wmem_new(wmem_file_scope(), v3_part);
        *part = next_part(peer, pinfo, bytes, length, &event);
        wmem_map_insert(parts, key, part);
    }
    return part;
}

/* An error of Godot 3 comes as one Array; Godot 4 has the same values in the same order as arguments. Returns
 * what a line says about it. */
static const char *dissect_v3_error(message_view *view)
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

/* A value that belongs to a message; returns what a line says about it. */
static const char *dissect_v3_value(message_view *view, const v3_part *part, const char *text)
{
    debugger_topic topic = view->message ? view->message->topic : DEBUGGER_PLAIN;
    proto_item *item = proto_tree_add_uint(view->tree, hf_argument_index, view->tvb, 0, 0, part->index - 2);

    proto_item_set_generated(item);
    if (topic == DEBUGGER_ERROR && part->index == 2)
        return dissect_v3_error(view);
    (void)godot_variant_add(view->tvb, view->pinfo, view->tree, 0, tvb_captured_length(view->tvb),
                            view->options, part->label[0] ? part->label : "Value", NULL, 0);
    if (topic == DEBUGGER_BREAK && part->index == 3)
        expert_add_info_format(view->pinfo, view->item, &ei_break, "The game stopped: %s", text);
    return text;
}

/* The message that the frame belongs to, and where it began. */
static void add_v3_message(message_view *view, const v3_part *part)
{
    proto_item *item =
        proto_tree_add_string(view->tree, hf_message, view->tvb, 0,
                              part->index == 0 ? (int)tvb_captured_length(view->tvb) : 0, part->name);
    if (part->index == 0)
        return;
    proto_item_set_generated(item);
    if (part->first_frame != view->pinfo->num) {
        item = proto_tree_add_uint(view->tree, hf_message_frame, view->tvb, 0, 0, part->first_frame);
        proto_item_set_generated(item);
    }
}

/* "error 5 values res://main.gd:9 oops"; "… error" where the message goes on from an earlier frame. */
static void show_v3_part(message_view *view, const v3_part *part, const char *text)
{
    column_info *columns = view->pinfo->cinfo;
    const char *before = col_get_text(columns, COL_INFO);

    if (part->index == 0)
        col_append_sep_str(columns, COL_INFO, ", ", part->name);
    else if (!before || !*before)
        col_append_fstr(columns, COL_INFO, "… %s", part->name);
    if (part->index == 1)
        col_append_fstr(columns, COL_INFO, " %u value%s", part->count, part->count == 1 ? "" : "s");
    else if (part->index > 1)
        col_append_fstr(columns, COL_INFO, " %.*s", 60, text);
    proto_item_append_text(view->item, ", %s%s%s: %.*s", part->name, part->label[0] ? " " : "", part->label,
                           (int)MAX_INFO, text);
}

static void dissect_v3_report(message_view *view, debugger_peer *peer)
{
    const v3_part *part = part_of(peer, view->pinfo, view->tvb, view->options);
    uint32_t length = tvb_captured_length(view->tvb);
    const char *text = plain_text(view->pinfo, tvb_get_ptr(view->tvb, 0, (int)length), length, view->options);

    if (!part || !part->name) {
        expert_add_info(view->pinfo, view->item, &ei_undecoded);
        (void)godot_variant_add(view->tvb, view->pinfo, view->tree, 0, length, view->options, NULL, NULL, 0);
        col_append_sep_fstr(view->pinfo->cinfo, COL_INFO, ", ", "%.*s", (int)MAX_INFO, text);
        return;
    }
    view->name = part->name;
    view->message = part->message;
    add_v3_message(view, part);
    if (part->index == 1)
        proto_tree_add_uint(view->tree, hf_argument_count, view->tvb, 0, (int)length, part->count);
    else if (part->index > 1)
        text = dissect_v3_value(view, part, text);
    show_v3_part(view, part, text);
}

/* --- frames ----------------------------------------------------------------------------------------- */

/* One message; `tvb` is its Variant. */
static void dissect_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, proto_item *item,
                            debugger_peer *peer)
{
    message_view view;
    debugger_direction direction = direction_of(peer, pinfo);
    unsigned api = peer->api == 3 && pinfo->num >= peer->found_in[PEER_DEBUGGER] ? 3 : 4;

    begin_view(&view, tvb, pinfo, tree, item, api);
    proto_item *generated = proto_tree_add_uint(tree, hf_direction, tvb, 0, 0, direction);
    proto_item_set_generated(generated);
    if (api == 3 && direction == DEBUGGER_FROM_GAME) {
        dissect_v3_report(&view, peer);
        return;
    }
    if (api == 3)
        dissect_v3_command(&view);
    else
        dissect_v4(&view, direction);
    if (view.name) {
        show_line(&view);
        if (view.message)
            add_expert_info(&view);
    }
    tvb_ensure_bytes_exist(tvb, 0, (int)tvb_reported_length(tvb));
}

static unsigned frame_length(packet_info *pinfo _U_, tvbuff_t *tvb, int offset, void *data _U_)
{
    unsigned api;
    if (is_frame(tvb, (unsigned)offset))
        return tvb_get_letohl(tvb, offset) + 4;
    /* No frame begins here: pass by what is in front of the next one. */
    unsigned next = find_message(tvb, (unsigned)offset + 1, &api);
    return MAX(next - (unsigned)offset, 4);
}

static void note_message(debugger_peer *peer, const packet_info *pinfo, tvbuff_t *tvb)
{
    debugger_direction direction = direction_of(peer, pinfo);
    if (peer->first_frame[direction] != 0 || PINFO_FD_VISITED(pinfo))
        return;
    peer->first_frame[direction] = pinfo->num;
    peer->first_offset[direction] = tvb_raw_offset(tvb);
}

/* Messages have been seen before in this direction: what follows them is a length word. */
static bool in_step(const debugger_peer *peer, const packet_info *pinfo, tvbuff_t *tvb)
{
    debugger_direction direction = direction_of(peer, pinfo);
    uint32_t first = peer->first_frame[direction];
    return first != 0 && (first < pinfo->num ||
                          (first == pinfo->num && peer->first_offset[direction] < tvb_raw_offset(tvb)));
}

static int dissect_frame(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    debugger_peer *peer = (debugger_peer *)data;
    unsigned length = tvb_reported_length(tvb);
    proto_item *item = proto_tree_add_item(tree, proto_debugger, tvb, 0, -1, ENC_NA);
    proto_tree *subtree = proto_item_add_subtree(item, ett_debugger);

    if (!is_frame(tvb, 0)) {
        proto_item *bytes = proto_tree_add_item(subtree, hf_undecoded, tvb, 0, -1, ENC_NA);
        uint32_t announced = tvb_get_letohl(tvb, 0);
        if (announced > MAX_FRAME && in_step(peer, pinfo, tvb))
            expert_add_info_format(pinfo, bytes, &ei_too_long,
                                   "Length %u is over 8 MiB: the receiver would close the connection",
                                   announced);
        else
            expert_add_info(pinfo, bytes, &ei_undecoded);
        proto_item_append_text(item, ", %u bytes in front of the next message", length);
        col_append_sep_fstr(pinfo->cinfo, COL_INFO, ", ", "[%u undecoded bytes]", length);
        return (int)tvb_captured_length(tvb);
    }
    note_message(peer, pinfo, tvb);
    proto_tree_add_item(subtree, hf_length, tvb, 0, 4, ENC_LITTLE_ENDIAN);
    dissect_message(tvb_new_subset_remaining(tvb, 4), pinfo, subtree, item, peer);
    return (int)tvb_captured_length(tvb);
}

static int dissect_stream(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, debugger_peer *peer)
{
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Godot Debugger");
    col_clear(pinfo->cinfo, COL_INFO);
    tcp_dissect_pdus(tvb, pinfo, tree, true, 4, frame_length, dissect_frame, peer);
    return (int)tvb_captured_length(tvb);
}

/* --- entry points ----------------------------------------------------------------------------------- */

/* The first bytes of X11: byte order and the version, 11. Displays 0 to 63 listen on TCP ports 6000 to 6063.
 */
static bool looks_like_x11(tvbuff_t *tvb)
{
    if (!tvb_bytes_exist(tvb, 0, 12))
        return false;
    uint8_t order = tvb_get_uint8(tvb, 0);
    return (order == 'B' && tvb_get_ntohs(tvb, 2) == 11) || (order == 'l' && tvb_get_letohs(tvb, 2) == 11);
}

/* Lines of text: HTTP (also the handshake of a WebSocket, over which a game may be debugged), JSON-RPC, … */
static bool looks_like_text(tvbuff_t *tvb)
{
    unsigned length = MIN(tvb_captured_length(tvb), 16);
    for (unsigned i = 0; i < length; i++) {
        uint8_t c = tvb_get_uint8(tvb, (int)i);
        if (!g_ascii_isprint(c) && c != '\r' && c != '\n' && c != '\t')
            return false;
    }
    return length >= 4;
}

/* The handshake of TLS: record type, version 3.x, length. */
static bool looks_like_tls(tvbuff_t *tvb)
{
    return tvb_bytes_exist(tvb, 0, 6) && tvb_get_uint8(tvb, 0) == 22 && tvb_get_uint8(tvb, 1) == 3 &&
           tvb_get_uint8(tvb, 2) <= 4 && tvb_get_ntohs(tvb, 3) <= 1 << 14;
}

/* Who sends the first message that is known in one direction only, is that end. */
static void learn_editor(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb, unsigned offset,
                         unsigned api)
{
    bool array = tvb_get_letohl(tvb, (int)offset) != 4;
    unsigned text = offset + (array ? 16 : 8);
    uint32_t length = tvb_get_letohl(tvb, (int)text - 4);
    const char *name = (const char *)tvb_get_ptr(tvb, (int)text, (int)length);
    const debugger_message *game = debugger_find_message(api, DEBUGGER_FROM_GAME, name, length);
    const debugger_message *editor = debugger_find_message(api, DEBUGGER_FROM_EDITOR, name, length);

    if (api == 3)
        set_editor(peer, pinfo, array);
    else if (game && game->direction == DEBUGGER_FROM_GAME && (!editor || editor == game))
        set_editor(peer, pinfo, false);
    else if (editor && (!game || editor == game))
        set_editor(peer, pinfo, true);
}

/* First pass: remembers that the connection is a debugger's, and which end is the editor. */
static void learn(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb, unsigned offset, unsigned api)
{
    if (PINFO_FD_VISITED(pinfo))
        return;
    if (peer->found_in[PEER_DEBUGGER] == 0) {
        peer->found_in[PEER_DEBUGGER] = pinfo->num;
        peer->api = api;
    }
    if (peer->editor_found_in == 0)
        learn_editor(peer, pinfo, tvb, offset, api);
}

/* Who speaks on the connection, by what came before and by these bytes. In the middle of what is somebody
 * else's only a message at the very beginning counts: the rest of a long text of the debugger looks like
 * that, too. */
static peer_kind decide(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb)
{
    peer_kind kind = kind_before(peer, pinfo->num);
    if (kind == PEER_DEBUGGER && (peer->editor_found_in != 0 || PINFO_FD_VISITED(pinfo)))
        return kind;

    unsigned api = recognise_frame(tvb, 0), offset = 0;
    if (api == 0 && (kind == PEER_UNDECIDED || kind == PEER_DEBUGGER))
        offset = find_message(tvb, 0, &api);
    if (api != 0) {
        learn(peer, pinfo, tvb, offset + 4, api);
        return PEER_DEBUGGER;
    }
    if (kind == PEER_UNDECIDED)
        kind = looks_like_x11(tvb)                           ? PEER_X11
               : looks_like_text(tvb) || looks_like_tls(tvb) ? PEER_OTHER
                                                             : PEER_UNDECIDED;
    if (peer->found_in[kind] == 0 && !PINFO_FD_VISITED(pinfo))
        peer->found_in[kind] = pinfo->num;
    return kind;
}

/* By port or Decode As. X11 has claimed the port too, for its display 7: it gets what is nobody else's. */
static int dissect_debugger_tcp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    debugger_peer *peer = get_peer(pinfo);
    uint32_t port = pinfo->match_uint;

    switch (decide(peer, pinfo, tvb)) {
    case PEER_OTHER:
        return 0; /* heuristics find HTTP, TLS, … */
    case PEER_DEBUGGER:
        break;
    default:
        if (x11_handle && port >= 6000 && port <= 6063)
            return call_dissector_only(x11_handle, tvb, pinfo, tree, data);
    }
    if (port == pinfo->srcport || port == pinfo->destport)
        set_editor(peer, pinfo, port == pinfo->srcport);
    return dissect_stream(tvb, pinfo, tree, peer);
}

static compat_bool heuristic_tcp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    if (tvb_captured_length(tvb) < MIN_EVIDENCE || recognise_frame(tvb, 0) == 0)
        return false;
    debugger_peer *peer = get_peer(pinfo);
    (void)decide(peer, pinfo, tvb);
    /* From the next frame on: this one may have had other bytes of the connection in front of these. */
    if (!PINFO_FD_VISITED(pinfo))
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num + 1,
                                                     debugger_handle);
    (void)dissect_stream(tvb, pinfo, tree, peer);
    return true;
}

/* One WebSocket message: a Variant without length. */
static bool dissect_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    debugger_peer *peer = get_peer(pinfo);
    unsigned api = recognise_message(tvb, 0);

    if (api == 0 && kind_before(peer, pinfo->num) != PEER_DEBUGGER)
        return false;
    if (api != 0)
        learn(peer, pinfo, tvb, 0, api);
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Godot Debugger");
    col_clear(pinfo->cinfo, COL_INFO);
    proto_item *item = proto_tree_add_item(tree, proto_debugger, tvb, 0, -1, ENC_NA);
    dissect_message(tvb, pinfo, proto_item_add_subtree(item, ett_debugger), item, peer);
    return true;
}

static compat_bool heuristic_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_websocket(tvb, pinfo, tree);
}

/* Sub-protocol "binary", which others use too: what is not the debugger's goes to the heuristics, which
 * Wireshark does not ask once a sub-protocol has a dissector. */
static int dissect_websocket_binary(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    heur_dtbl_entry_t *entry;
    if (dissect_websocket(tvb, pinfo, tree) ||
        (websocket_heuristics &&
         dissector_try_heuristic(websocket_heuristics, tvb, pinfo, tree, &entry, data)))
        return (int)tvb_captured_length(tvb);
    return call_data_dissector(tvb, pinfo, tree);
}

/* --- registration ----------------------------------------------------------------------------------- */

void proto_register_godot_debugger(void)
{
    static hf_register_info hf[] = {
        {&hf_length,
         {"Length", "godot.debugger.length", FT_UINT32, BASE_DEC, NULL, 0,
          "Bytes of the Variant that follows", HFILL}},
        {&hf_message, {"Message", "godot.debugger.message", FT_STRING, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_thread_id,
         {"Thread ID", "godot.debugger.thread_id", FT_INT64, BASE_DEC, NULL, 0, "1 is the main thread",
          HFILL}},
        {&hf_argument_count,
         {"Arguments", "godot.debugger.argument_count", FT_UINT32, BASE_DEC, NULL, 0, NULL, HFILL}},
        {&hf_argument_index,
         {"Argument", "godot.debugger.argument", FT_UINT32, BASE_DEC, NULL, 0,
          "Position of this value in its message (Godot 3)", HFILL}},
        {&hf_message_frame,
         {"Message begun in frame", "godot.debugger.message_in", FT_FRAMENUM, BASE_NONE, NULL, 0, NULL,
          HFILL}},
        {&hf_direction,
         {"Direction", "godot.debugger.direction", FT_UINT8, BASE_DEC, VALS(direction_names), 0, NULL,
          HFILL}},
        {&hf_undecoded,
         {"Undecoded bytes", "godot.debugger.undecoded", FT_BYTES, BASE_NONE, NULL, 0, NULL, HFILL}},
        {&hf_more, {"More arguments", "godot.debugger.more", FT_BYTES, BASE_NONE, NULL, 0, NULL, HFILL}},
    };
    static int *ett[] = {&ett_debugger, &ett_arguments};
    static ei_register_info ei[] = {
        {&ei_error, {"godot.debugger.error", PI_RESPONSE_CODE, PI_ERROR, "Error in the game", EXPFILL}},
        {&ei_warning, {"godot.debugger.warning", PI_RESPONSE_CODE, PI_WARN, "Warning of the game", EXPFILL}},
        {&ei_break, {"godot.debugger.break", PI_RESPONSE_CODE, PI_NOTE, "The game stopped", EXPFILL}},
        {&ei_too_long,
         {"godot.debugger.too_long", PI_MALFORMED, PI_ERROR,
          "Length over 8 MiB: the receiver would disconnect", EXPFILL}},
        {&ei_not_a_message,
         {"godot.debugger.not_a_message", PI_PROTOCOL, PI_WARN, "Not a debugger message", EXPFILL}},
        {&ei_undecoded,
         {"godot.debugger.resync", PI_UNDECODED, PI_NOTE,
          "Not part of a message whose beginning was captured", EXPFILL}},
        {&ei_trailing,
         {"godot.debugger.trailing", PI_PROTOCOL, PI_WARN,
          "Bytes behind the Variant: the engine skips the whole message with an error", EXPFILL}},
        {&ei_more,
         {"godot.debugger.not_shown", PI_UNDECODED, PI_NOTE, "Arguments are not shown one by one", EXPFILL}},
    };

    proto_debugger = proto_register_protocol("Godot Remote Debugger", "Godot Debugger", "godot.debugger");
    proto_register_field_array(proto_debugger, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto_debugger), ei, array_length(ei));
    debugger_handle = register_dissector("godot.debugger", dissect_debugger_tcp, proto_debugger);
    websocket_handle = register_dissector("godot.debugger.ws", dissect_websocket_binary, proto_debugger);
}

void proto_reg_handoff_godot_debugger(void)
{
    /* X11 has no name to be found by. Plugins come after it: the port of display 0 still leads to it. */
    x11_handle = dissector_get_uint_handle(find_dissector_table("tcp.port"), 6000);
    websocket_heuristics = find_heur_dissector_list("ws");
    godot_preferences_add_ports("debugger.tcp.port", "TCP ports of the remote debugger", "tcp.port",
                                DEBUGGER_PORT, debugger_handle);
    heur_dissector_add("tcp", heuristic_tcp, "Godot Remote Debugger over TCP", "godot_debugger_tcp",
                       proto_debugger, HEURISTIC_ENABLE);
    heur_dissector_add("ws", heuristic_websocket, "Godot Remote Debugger over WebSocket", "godot_debugger_ws",
                       proto_debugger, HEURISTIC_ENABLE);
    dissector_add_string("ws.protocol", "binary", websocket_handle);
}
