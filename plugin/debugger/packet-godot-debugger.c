/* packet-godot-debugger.c
 *
 * Godot's remote debugger: messages between a running game and the editor, over TCP (port 6007) or WebSocket.
 *
 * This file has the state of a connection and the entry points of the transports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <string.h>

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/expert.h>
#include <epan/proto_data.h>

#include "base/columns.h"
#include "base/frame.h"
#include "base/preferences.h"
#include "base/registration.h"
#include "base/tcp.h"
#include "debugger/decoder.h"
#include "debugger/message.h"
#include "debugger/recogniser.h"
#include "debugger/engine-reports.h"
#include "multiplayer/reports/search.h"

#define DEBUGGER_PORT    "6007"
#define V3_INFO          60u   /* bytes of one value of a message of Godot 3 in the Info column */
#define X11_FIRST_PORT   6000u /* displays 0 to 63 */
#define X11_LAST_PORT    6063u
#define WEBSOCKET_FINDER "godot_debugger_ws"

void proto_register_godot_debugger(void);
void proto_reg_handoff_godot_debugger(void);

static int proto_debugger;
static dissector_handle_t debugger_handle;
static dissector_handle_t bound_handle;
static dissector_handle_t websocket_handle;
static dissector_handle_t x11_handle;

/* --- state --------------------------------------------------------------------------------------- */

/* Interprets a frame of Godot 3 from the game to the editor: a message consists of several. */
typedef struct {
    debugger_part part;
    uint32_t first_frame; /* frame_order() of the beginning of the message; unset without a message */
    /* Text of an error that is added when its place in the script is known; NULL: none, or it was added. */
    const char *summary;
} v3_part;

/* The protocol of a connection; later ones replace earlier ones. */
typedef enum { PEER_UNDECIDED, PEER_OTHER, PEER_X11, PEER_DEBUGGER, PEER_KINDS } peer_kind;

/* Results of the first pass for a connection. They are valid from the frame after the one in which they were
 * found. Frames are frame_order(). */
typedef struct {
    uint32_t found_in[PEER_KINDS]; /* the frame in which this kind was found, 0: none */
    unsigned api;                  /* 3 or 4; valid if PEER_DEBUGGER was found */
    uint32_t editor_found_in;      /* the frame that shows which end the editor is, 0: none */
    address editor;                /* the end that listens; valid if editor_found_in is not 0 */
    uint32_t editor_port;          /* as editor */
    uint32_t first_frame[2];       /* by direction: where the first message was, 0 if none was seen */
    int first_offset[2];           /* of it in the frame's data; valid if first_frame is not 0 */
    debugger_sequence sequence;    /* first pass: the message of Godot 3 under way */
    uint32_t sequence_begins;      /* first pass: the frame with its name; 0: none was seen */
    const char *error;             /* first pass: text of that message's error; NULL: there is none */
    const char *script;            /* first pass: its place in the script; NULL until that has arrived */
    bool is_warning;               /* valid if `error` is not NULL */
    debugger_stop stop;            /* of Godot 4's game, or 3's */
} debugger_peer;

static debugger_peer *get_peer(packet_info *pinfo)
{
    conversation_t *conversation = find_or_create_conversation(pinfo);
    debugger_peer *peer = conversation_get_proto_data(conversation, proto_debugger);
    if (!peer) {
        peer = wmem_new0(wmem_file_scope(), debugger_peer);
        conversation_add_proto_data(conversation, proto_debugger, peer);
    }
    return peer;
}

static peer_kind kind_before(const debugger_peer *peer, uint32_t frame)
{
    for (peer_kind kind = PEER_DEBUGGER; kind > PEER_UNDECIDED; kind--) {
        if (peer->found_in[kind] != 0 && peer->found_in[kind] < frame) {
            return kind;
        }
    }
    return PEER_UNDECIDED;
}

static void set_editor(debugger_peer *peer, packet_info *pinfo, bool is_source)
{
    if (peer->editor_found_in != 0 || frame_visited(pinfo)) {
        return;
    }
    peer->editor_found_in = frame_order(pinfo);
    copy_address_wmem(wmem_file_scope(), &peer->editor, is_source ? &pinfo->src : &pinfo->dst);
    peer->editor_port = is_source ? pinfo->srcport : pinfo->destport;
}

static debugger_direction direction_of(const debugger_peer *peer, const packet_info *pinfo)
{
    bool known = peer->editor_found_in != 0 && frame_order(pinfo) >= peer->editor_found_in;
    bool from_editor =
        known && pinfo->srcport == peer->editor_port && addresses_equal(&pinfo->src, &peer->editor);
    return from_editor ? DEBUGGER_FROM_EDITOR : DEBUGGER_FROM_GAME;
}

/* Keys of what is stored with a frame. */
enum { FRAME_PARTS };

/* Per-frame table of the parts of Godot 3 messages, by the place of the Variant in its buffer. */
static wmem_map_t *parts_of_frame(packet_info *pinfo)
{
    wmem_map_t *parts = p_get_proto_data(wmem_file_scope(), pinfo, proto_debugger, FRAME_PARTS);
    if (!parts && !frame_visited(pinfo)) {
        parts = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
        p_add_proto_data(wmem_file_scope(), pinfo, proto_debugger, FRAME_PARTS, parts);
    }
    return parts;
}

/* --- Godot 3, game to editor: messages over several frames --------------------------------------- */

/* All captured bytes from `offset` on. */
static const uint8_t *bytes_from(tvbuff_t *tvb, unsigned offset, size_t *length)
{
    *length = (size_t)tvb_captured_length_remaining(tvb, (int)offset);
    return *length > 0 ? tvb_get_ptr(tvb, (int)offset, (int)*length) : (const uint8_t *)"";
}

static v3_part *part_of(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb)
{
    wmem_map_t *parts = parts_of_frame(pinfo);
    void *key = GINT_TO_POINTER(tvb_raw_offset(tvb) + 1);
    v3_part *part = parts ? (v3_part *)wmem_map_lookup(parts, key) : NULL;

    if (!part && parts && !frame_visited(pinfo)) {
        size_t length;
        const uint8_t *bytes = bytes_from(tvb, 0, &length);
        part = wmem_new(wmem_file_scope(), v3_part);
        part->part = *debugger_next_part(&peer->sequence, bytes, (uint32_t)length);
        if (part->part.kind == DEBUGGER_PART_NAME) {
            peer->sequence_begins = frame_order(pinfo);
        }
        part->first_frame = peer->sequence_begins;
        part->summary = NULL;
        wmem_map_insert(parts, key, part);
    }
    return part;
}

/* A value that belongs to a message; returns its text for the Info column. */
static const char *dissect_v3_value(message_view *view, const debugger_part *part, godot_variant *value,
                                    const char *text)
{
    debugger_topic topic = view->message ? view->message->topic : DEBUGGER_PLAIN;
    proto_item *item =
        proto_tree_add_uint(view->encoding, hf_debugger_argument_index, view->tvb, 0, 0, part->index);

    proto_item_set_generated(item);
    if (topic == DEBUGGER_ERROR && part->index == 0) {
        const char *shown = debugger_show_v3_error(view);
        debugger_report_error(view);
        return shown;
    }
    if (topic == DEBUGGER_OUTPUT) {
        debugger_report_v3_output(view, value);
    }
    godot_variant_add(value, view->tree, part->label[0] ? part->label : "Value");
    if (topic == DEBUGGER_BREAK && part->index == 1) {
        expert_add_info_format(view->pinfo, view->item, &ei_debugger_break, "The game stopped: %s",
                               debugger_cut(view->pinfo, text, DEBUGGER_MAX_INFO));
    }
    return text;
}

/* First pass. An error comes before the stack, whose first place is that in the script. */
static void learn_v3_error(const message_view *view, debugger_peer *peer, v3_part *stored, const char *text)
{
    const debugger_part *part = &stored->part;
    if (part->kind == DEBUGGER_PART_NAME) {
        peer->error = peer->script = NULL;
    } else if (part->kind != DEBUGGER_PART_VALUE || !view->message ||
               view->message->topic != DEBUGGER_ERROR) {
        return;
    } else if (part->index == 0) {
        peer->error = wmem_strdup(wmem_file_scope(), debugger_v3_error_text(view));
        peer->is_warning = view->is_warning;
    } else if (strcmp(part->label, "file 0") == 0) {
        peer->script = wmem_strdup(wmem_file_scope(), text);
    } else if (strcmp(part->label, "line 0") == 0 && peer->error && peer->script) {
        stored->summary =
            wmem_strdup_printf(wmem_file_scope(), "%s %s:%s %s", peer->is_warning ? "warning" : "error",
                               peer->script, text, peer->error);
    }
}

/* The message that the frame belongs to, and where it began. */
static void add_v3_message(message_view *view, const v3_part *part)
{
    bool begins = part->part.kind == DEBUGGER_PART_NAME;
    proto_item *item = proto_tree_add_string(view->tree, hf_debugger_message, view->tvb, 0,
                                             begins ? (int)tvb_captured_length(view->tvb) : 0, view->name);
    if (begins) {
        return;
    }
    proto_item_set_generated(item);
    if (part->first_frame != frame_order(view->pinfo)) {
        frame_add_reference(view->tree, hf_debugger_message_frame, view->tvb, part->first_frame);
    }
}

/* "error 5 values res://main.gd:9 oops"; "… error" if the message began in an earlier frame. A `summary`
 * replaces all of that. */
static void show_v3_part(message_view *view, const debugger_part *part, const char *text, const char *summary)
{
    column_info *columns = view->pinfo->cinfo;
    const char *before = col_get_text(columns, COL_INFO);
    const char *name = view->is_warning ? "warning" : view->name;
    const char *label = view->is_warning ? "" : part->label;

    if (summary) {
        col_append_sep_str(columns, COL_INFO, ", ", debugger_cut(view->pinfo, summary, DEBUGGER_MAX_INFO));
        debugger_append_label(view, summary);
        return;
    }
    if (part->kind == DEBUGGER_PART_NAME) {
        col_append_sep_str(columns, COL_INFO, ", ", view->name);
        debugger_show_stop(view);
    } else if (!before || !*before) {
        col_append_fstr(columns, COL_INFO, "… %s", name);
    }
    if (part->kind == DEBUGGER_PART_COUNT) {
        col_append_fstr(columns, COL_INFO, " %u value%s", part->count, part->count == 1 ? "" : "s");
    } else if (part->kind == DEBUGGER_PART_VALUE) {
        col_append_fstr(columns, COL_INFO, " %s", debugger_cut(view->pinfo, text, V3_INFO));
    }
    debugger_append_label(view,
                          wmem_strdup_printf(view->pinfo->pool, "%s%s%s: %s", name, *label ? " " : "", label,
                                             debugger_cut(view->pinfo, text, DEBUGGER_MAX_INFO)));
}

static void dissect_v3_report(message_view *view, debugger_peer *peer)
{
    v3_part *stored = part_of(peer, view->pinfo, view->tvb);
    uint32_t length = tvb_captured_length(view->tvb);
    godot_variant value;
    debugger_read(view, &value, 0, tvb_reported_length(view->tvb));
    const char *text = debugger_plain_text(&value);

    if (!stored || stored->part.kind == DEBUGGER_PART_UNKNOWN) {
        expert_add_info(view->pinfo, view->item, &ei_debugger_undecoded);
        godot_variant_add(&value, view->tree, NULL);
        col_append_sep_str(view->pinfo->cinfo, COL_INFO, ", ",
                           debugger_cut(view->pinfo, text, DEBUGGER_MAX_INFO));
        return;
    }
    const debugger_part *part = &stored->part;
    view->name = debugger_cut(view->pinfo, part->name, DEBUGGER_MAX_INFO);
    view->message = part->message;
    add_v3_message(view, stored);
    if (part->kind == DEBUGGER_PART_COUNT) {
        proto_tree_add_uint(view->tree, hf_debugger_argument_count, view->tvb, 0, (int)length, part->count);
    } else if (part->kind == DEBUGGER_PART_VALUE) {
        text = dissect_v3_value(view, part, &value, text);
    }
    if (!frame_visited(view->pinfo)) {
        learn_v3_error(view, peer, stored, text);
    }
    show_v3_part(view, part, text, stored->summary);
}

/* --- frames -------------------------------------------------------------------------------------- */

/* From and To: the editor and the game's process, as far as earlier frames have told them. */
static void add_ends(const message_view *view, const debugger_peer *peer, debugger_direction direction)
{
    if (!ends_wanted(view->tree) || peer->editor_found_in == 0) {
        ends_add(view->pinfo, view->tree, view->tvb, NULL, NULL);
        return;
    }
    const engine_process *source = godot_report_source((uint64_t)(uintptr_t)peer);
    const char *editor = "editor",
               *game = source && source->process_in && source->process_in < frame_order(view->pinfo)
                           ? wmem_strdup_printf(view->pinfo->pool, "process %" PRId64, source->process)
                           : "game";
    bool from_editor = direction == DEBUGGER_FROM_EDITOR;
    ends_add(NULL, view->tree, view->tvb, from_editor ? editor : game, from_editor ? game : editor);
}

static void end_view(message_view *view, const debugger_peer *peer, debugger_direction direction)
{
    add_ends(view, peer, direction);
    debugger_end_view(view);
}

/* One message; `tvb` is its Variant, `frame` has the length before it, or is NULL. */
static void dissect_message(tvbuff_t *tvb, tvbuff_t *frame, packet_info *pinfo, proto_item *item,
                            debugger_peer *peer)
{
    message_view view;
    debugger_direction direction = direction_of(peer, pinfo);
    unsigned api = peer->api == 3 && frame_order(pinfo) >= peer->found_in[PEER_DEBUGGER] ? 3 : 4;

    debugger_begin_view(&view, tvb, pinfo, item, api);
    view.stop = &peer->stop;
    if (frame) {
        proto_tree_add_item(view.encoding, hf_debugger_length, frame, 0, 4, ENC_LITTLE_ENDIAN);
    }
    if (direction == DEBUGGER_FROM_GAME) {
        view.source = godot_report_source((uint64_t)(uintptr_t)peer);
    }
    if (view.source && !frame_visited(pinfo)) {
        view.source->debugger = true;
        godot_report_expect();
    }
    proto_item *generated = proto_tree_add_uint(view.encoding, hf_debugger_direction, tvb, 0, 0, direction);
    proto_item_set_generated(generated);
    if (api == 3 && direction == DEBUGGER_FROM_GAME) {
        dissect_v3_report(&view, peer);
        end_view(&view, peer, direction);
        return;
    }
    if (api == 3) {
        debugger_show_v3_command(&view);
    } else {
        debugger_show_v4(&view, direction);
    }
    debugger_show_summary(&view);
    debugger_report(&view);
    end_view(&view, peer, direction);
    tvb_ensure_bytes_exist(tvb, 0, (int)tvb_reported_length(tvb));
}

static unsigned frame_length(packet_info *pinfo _U_, tvbuff_t *tvb, int offset, void *data _U_)
{
    debugger_evidence found;
    size_t length;
    const uint8_t *bytes = bytes_from(tvb, (unsigned)offset, &length);

    if (length < 4) { /* the length is incomplete: reported by dissect_frame() */
        return 4;
    }
    if (debugger_may_be_frame(bytes, length)) {
        return tvb_get_letohl(tvb, offset) + 4;
    }
    /* No frame begins here: skips the bytes before the next one. */
    return MAX((unsigned)debugger_find_frame(bytes + 1, length - 1, &found) + 1, 4);
}

static void note_message(debugger_peer *peer, const packet_info *pinfo, tvbuff_t *tvb)
{
    debugger_direction direction = direction_of(peer, pinfo);
    if (peer->first_frame[direction] != 0 || frame_visited(pinfo)) {
        return;
    }
    peer->first_frame[direction] = frame_order(pinfo);
    peer->first_offset[direction] = tvb_raw_offset(tvb);
}

/* Messages were seen before in this direction, so a length follows. */
static bool in_step(const debugger_peer *peer, const packet_info *pinfo, tvbuff_t *tvb)
{
    debugger_direction direction = direction_of(peer, pinfo);
    uint32_t first = peer->first_frame[direction];
    return first != 0 &&
           (first < frame_order(pinfo) ||
            (first == frame_order(pinfo) && peer->first_offset[direction] < tvb_raw_offset(tvb)));
}

static int dissect_frame(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    debugger_peer *peer = data;
    unsigned length = tvb_reported_length(tvb);
    proto_item *item = proto_tree_add_item(tree, proto_debugger, tvb, 0, -1, ENC_NA);
    proto_tree *subtree = proto_item_add_subtree(item, ett_debugger);

    size_t captured;
    const uint8_t *start = bytes_from(tvb, 0, &captured);
    tvb_ensure_bytes_exist(tvb, 0, 4);
    if (!debugger_may_be_frame(start, captured)) {
        proto_item *bytes = proto_tree_add_item(subtree, hf_debugger_undecoded, tvb, 0, -1, ENC_NA);
        uint32_t announced = tvb_get_letohl(tvb, 0);
        if (announced > DEBUGGER_MAX_FRAME && in_step(peer, pinfo, tvb)) {
            expert_add_info_format(pinfo, bytes, &ei_debugger_too_long,
                                   "Length %u is over 8 MiB: the receiver would close the connection",
                                   announced);
        } else {
            expert_add_info(pinfo, bytes, &ei_debugger_undecoded);
        }
        proto_item_append_text(item, ", %u bytes before the next message", length);
        col_append_sep_fstr(pinfo->cinfo, COL_INFO, ", ", "[%u undecoded bytes]", length);
        return (int)tvb_captured_length(tvb);
    }
    note_message(peer, pinfo, tvb);
    dissect_message(tvb_new_subset_remaining(tvb, 4), tvb, pinfo, item, peer);
    return (int)tvb_captured_length(tvb);
}

static int dissect_stream(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, debugger_peer *peer)
{
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Debugger");
    col_clear(pinfo->cinfo, COL_INFO);
    tcp_dissect_pdus(tvb, pinfo, tree, true, 4, frame_length, dissect_frame, peer);
    return (int)tvb_captured_length(tvb);
}

/* --- entry points -------------------------------------------------------------------------------- */

/* First pass: stores that the connection is a debugger's, and which end is the editor. */
static void learn(debugger_peer *peer, packet_info *pinfo, const debugger_evidence *found,
                  const uint8_t *bytes)
{
    if (frame_visited(pinfo)) {
        return;
    }
    if (peer->found_in[PEER_DEBUGGER] == 0) {
        peer->found_in[PEER_DEBUGGER] = frame_order(pinfo);
        peer->api = found->api;
    }
    debugger_editor editor = debugger_find_editor(found, bytes);
    if (editor != DEBUGGER_EDITOR_UNKNOWN) {
        set_editor(peer, pinfo, editor == DEBUGGER_EDITOR_SENDS);
    }
}

/* The protocol of the connection, from earlier frames and these bytes. On a connection of another protocol
 * only a message at the very beginning counts: the rest of a long text of the debugger looks the same. */
static peer_kind decide(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb)
{
    peer_kind kind = kind_before(peer, frame_order(pinfo));
    if (kind == PEER_DEBUGGER && (peer->editor_found_in != 0 || frame_visited(pinfo))) {
        return kind;
    }

    size_t length, offset = 0;
    const uint8_t *bytes = bytes_from(tvb, 0, &length);
    debugger_evidence found = debugger_recognise_frame(bytes, length);
    if (found.api == 0 && (kind == PEER_UNDECIDED || kind == PEER_DEBUGGER)) {
        offset = debugger_find_frame(bytes, length, &found);
    }
    if (found.api != 0) {
        learn(peer, pinfo, &found, bytes + offset);
        return PEER_DEBUGGER;
    }
    if (kind == PEER_UNDECIDED) {
        static const peer_kind kinds[] = {[DEBUGGER_OTHER_NONE] = PEER_UNDECIDED,
                                          [DEBUGGER_OTHER_X11] = PEER_X11,
                                          [DEBUGGER_OTHER_TEXT] = PEER_OTHER};
        kind = kinds[debugger_recognise_other(bytes, length)];
    }
    if (peer->found_in[kind] == 0 && !frame_visited(pinfo)) {
        peer->found_in[kind] = frame_order(pinfo);
    }
    return kind;
}

/* By port or Decode As. Port 6007 is also X11's (display 7): it gets traffic that is not recognised as
 * anything else. */
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
        if (x11_handle && port >= X11_FIRST_PORT && port <= X11_LAST_PORT) {
            return call_dissector_only(x11_handle, tvb, pinfo, tree, data);
        }
    }
    if (port == pinfo->srcport || port == pinfo->destport) {
        set_editor(peer, pinfo, port == pinfo->srcport);
    }
    return dissect_stream(tvb, pinfo, tree, peer);
}

/* A connection that the heuristic has recognised as the debugger's, from the next frame on: the frame itself
 * may have begun with other bytes. */
static int dissect_bound(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return kind_before(get_peer(pinfo), frame_order(pinfo)) == PEER_DEBUGGER
               ? dissect_debugger_tcp(tvb, pinfo, tree, data)
               : 0;
}

static compat_bool heuristic_tcp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    size_t length;
    const uint8_t *bytes = bytes_from(tvb, 0, &length);
    if (length < DEBUGGER_MIN_EVIDENCE || debugger_recognise_frame(bytes, length).api == 0) {
        return false;
    }
    debugger_peer *peer = get_peer(pinfo);
    (void)decide(peer, pinfo, tvb);
    if (!frame_visited(pinfo)) {
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num,
                                                     bound_handle);
    }
    (void)dissect_stream(tvb, pinfo, tree, peer);
    return true;
}

/* Accepts a WebSocket message that is recognised, or whose connection has had a recognised one. */
static bool is_websocket_message(tvbuff_t *tvb, packet_info *pinfo)
{
    size_t length;
    const uint8_t *bytes = bytes_from(tvb, 0, &length);
    if (debugger_recognise_message(bytes, length).api != 0) {
        return true;
    }
    conversation_t *conversation = find_conversation_pinfo(pinfo, 0);
    const debugger_peer *peer =
        conversation ? (debugger_peer *)conversation_get_proto_data(conversation, proto_debugger) : NULL;
    return peer && kind_before(peer, frame_order(pinfo)) == PEER_DEBUGGER && !tcp_is_broken(pinfo);
}

/* Other WebSocket heuristics do not accept these messages, unless the user has switched off this one. */
static bool claims_websocket(tvbuff_t *tvb, packet_info *pinfo)
{
    const heur_dtbl_entry_t *finder = find_heur_dissector_by_unique_short_name(WEBSOCKET_FINDER);
    return finder && finder->enabled && proto_is_protocol_enabled(find_protocol_by_id(proto_debugger)) &&
           is_websocket_message(tvb, pinfo);
}

/* One WebSocket message: a Variant without length. */
static int dissect_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    debugger_peer *peer = get_peer(pinfo);
    size_t length;
    const uint8_t *bytes = bytes_from(tvb, 0, &length);
    debugger_evidence found = debugger_recognise_message(bytes, length);

    if (found.api != 0) {
        learn(peer, pinfo, &found, bytes);
    }
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Debugger");
    col_clear(pinfo->cinfo, COL_INFO);
    proto_item *item = proto_tree_add_item(tree, proto_debugger, tvb, 0, -1, ENC_NA);
    dissect_message(tvb, NULL, pinfo, item, peer);
    return (int)tvb_captured_length(tvb);
}

static compat_bool heuristic_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (!is_websocket_message(tvb, pinfo)) {
        return false;
    }
    dissect_websocket(tvb, pinfo, tree, data);
    return true;
}

/* --- registration -------------------------------------------------------------------------------- */

void proto_register_godot_debugger(void)
{
    proto_debugger = proto_register_protocol("Godot Remote Debugger", "Godot Debugger", "godot.debugger");
    debugger_fields_register(proto_debugger);
    debugger_handle = register_dissector("godot.debugger", dissect_debugger_tcp, proto_debugger);
    bound_handle = create_dissector_handle(dissect_bound, proto_debugger);
    websocket_handle = register_dissector("godot.debugger.ws", dissect_websocket, proto_debugger);
}

/* X11's dissector has no name: finds the handle in its ports that is X11's. */
static dissector_handle_t find_x11(void)
{
    int proto_x11 = proto_get_id_by_filter_name("x11");
    dissector_table_t table = find_dissector_table("tcp.port");

    for (uint32_t port = X11_FIRST_PORT; port <= X11_LAST_PORT; port++) {
        dissector_handle_t handle = dissector_get_uint_handle(table, port);
        if (handle && dissector_handle_get_protocol_index(handle) == proto_x11) {
            return handle;
        }
    }
    return NULL;
}

void proto_reg_handoff_godot_debugger(void)
{
    x11_handle = find_x11();
    godot_preferences_add_heading("heading.debugger", "Remote debugger");
    godot_preferences_add_ports("debugger.tcp.port", "TCP ports of the remote debugger", "tcp.port",
                                DEBUGGER_PORT, debugger_handle);
    heur_dissector_add("tcp", heuristic_tcp, "Godot Remote Debugger over TCP", "godot_debugger_tcp",
                       proto_debugger, HEURISTIC_ENABLE);
    heur_dissector_add("ws", heuristic_websocket, "Godot Remote Debugger over WebSocket", WEBSOCKET_FINDER,
                       proto_debugger, HEURISTIC_ENABLE);
    offer_decode_as(websocket_handle, (const char *const[]){"ws.port", "ws.protocol", NULL});
    claim_websocket(claims_websocket);
}
