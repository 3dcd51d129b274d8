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
#include "common/wireshark-compat.h"

#include <string.h>

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/expert.h>
#include <epan/proto_data.h>

#include "debugger/debugger-message.h"
#include "debugger/messages.h"
#include "common/godot-preferences.h"
#include "variant/godot-variant.h"
#include "variant/variant.h"

#define DEBUGGER_PORT "6007"
#define MAX_FRAME     (8u << 20) /* longer ones make the receiver disconnect (remote_debugger_peer.cpp) */
#define MIN_EVIDENCE  20u        /* length, Array, count, String header, name length */

void proto_register_godot_debugger(void);
void proto_reg_handoff_godot_debugger(void);

static int proto_debugger = -1;
static dissector_handle_t debugger_handle;
static dissector_handle_t websocket_handle;
static dissector_handle_t x11_handle;
static heur_dissector_list_t websocket_heuristics;

/* --- state ------------------------------------------------------------------------------------------ */

/* What a frame of Godot 3 on the way to the editor is: the message goes over several. */
typedef struct {
    const char *name; /* of the message it belongs to, NULL if not known */
    const debugger_message *message;
    uint32_t first_frame;
    uint32_t index; /* 0 name, 1 number of values, 2… values */
    uint32_t count; /* of values */
    char label[DEBUGGER_MAX_NAME];
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
    for (peer_kind kind = PEER_DEBUGGER; kind > PEER_UNDECIDED; kind--) {
        if (peer->found_in[kind] != 0 && peer->found_in[kind] < frame) {
            return kind;
        }
    }
    return PEER_UNDECIDED;
}

static void set_editor(debugger_peer *peer, packet_info *pinfo, bool is_source)
{
    if (peer->editor_found_in != 0 || PINFO_FD_VISITED(pinfo)) {
        return;
    }
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
    if (length == 0 || length > DEBUGGER_MAX_NAME || !tvb_bytes_exist(tvb, (int)offset, (int)length)) {
        return false;
    }
    for (uint32_t i = 0; i < length; i++) {
        uint8_t c = tvb_get_uint8(tvb, (int)(offset + i));
        if (!g_ascii_isalnum(c) && !strchr("_:./ -", c)) {
            return false;
        }
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
    if (!tvb_bytes_exist(tvb, (int)offset, 8)) {
        return 0;
    }
    uint32_t header = tvb_get_letohl(tvb, (int)offset);
    uint32_t count = tvb_get_letohl(tvb, (int)(offset + 4));
    if (header == (uint32_t)variant_id_of_type(VARIANT_GODOT4, VARIANT_ARRAY) && (count == 2 || count == 3)) {
        return is_name_variant(tvb, offset + 8) ? 4 : 0;
    }
    if (header == (uint32_t)variant_id_of_type(VARIANT_GODOT3, VARIANT_ARRAY) && count >= 1 && count <= 20) {
        return is_name_variant(tvb, offset + 8) ? 3 : 0;
    }
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
    if (!is_frame_length(tvb_get_letohl(tvb, (int)offset))) {
        return false;
    }
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
        if (*api != 0) {
            return offset;
        }
    }
    *api = 0;
    return end;
}

/* --- Godot 3, game to editor: messages over several frames --------------------------------------------- */

/* "message:" and the game's own name for it. */
static bool is_custom_name(const char *text, uint32_t length)
{
    static const char prefix[] = "message:";
    return length >= strlen(prefix) && length <= DEBUGGER_MAX_NAME &&
           memcmp(text, prefix, strlen(prefix)) == 0;
}

/* First pass: what the frame with `value` is, from the frame in front of it. */
static v3_part next_part(debugger_peer *peer, packet_info *pinfo, const uint8_t *bytes,
                         const variant_event *value)
{
    v3_part *part = &peer->part;
    bool number = value->kind == VARIANT_VALUE && value->type == VARIANT_INT;

    if (part->name && part->index == 0) { /* behind the name comes the number of values */
        part->index = 1;
        part->count = number && value->value.i > 0 ? (uint32_t)MIN(value->value.i, (int64_t)UINT32_MAX) : 0;
        if (!number) {
            part->name = NULL;
        }
        debugger_arguments_begin(&peer->walk, part->message);
        return *part;
    }
    if (part->name && part->index > 0 && part->index - 1 < part->count) {
        part->index++;
        debugger_next_argument(&peer->walk, part->label, sizeof part->label);
        if (number) {
            debugger_argument_value(&peer->walk, value->value.i);
        }
        return *part;
    }
    memset(part, 0, sizeof *part);
    if (value->kind == VARIANT_VALUE && value->type == VARIANT_STRING) {
        const char *text = (const char *)bytes + value->text.text_offset;
        uint32_t text_length = value->text.text_length;
        part->message = debugger_find_message(3, DEBUGGER_FROM_GAME, text, text_length);
        if (part->message || is_custom_name(text, text_length)) {
            part->name = wmem_strndup(wmem_file_scope(), text, text_length);
        }
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
        if (!variant_next(decoder, &event)) {
            memset(&event, 0, sizeof event);
        }
        part = wmem_new(wmem_file_scope(), v3_part);
        *part = next_part(peer, pinfo, bytes, &event);
        wmem_map_insert(parts, key, part);
    }
    return part;
}

/* A value that belongs to a message; returns what a line says about it. */
static const char *dissect_v3_value(message_view *view, const v3_part *part, const char *text)
{
    debugger_topic topic = view->message ? view->message->topic : DEBUGGER_PLAIN;
    proto_item *item =
        proto_tree_add_uint(view->tree, hf_debugger_argument_index, view->tvb, 0, 0, part->index - 2);

    proto_item_set_generated(item);
    if (topic == DEBUGGER_ERROR && part->index == 2) {
        return debugger_show_v3_error(view);
    }
    (void)godot_variant_add(view->tvb, view->pinfo, view->tree, 0, tvb_captured_length(view->tvb),
                            view->options, part->label[0] ? part->label : "Value", NULL, 0);
    if (topic == DEBUGGER_BREAK && part->index == 3) {
        expert_add_info_format(view->pinfo, view->item, &ei_debugger_break, "The game stopped: %s", text);
    }
    return text;
}

/* The message that the frame belongs to, and where it began. */
static void add_v3_message(message_view *view, const v3_part *part)
{
    proto_item *item =
        proto_tree_add_string(view->tree, hf_debugger_message, view->tvb, 0,
                              part->index == 0 ? (int)tvb_captured_length(view->tvb) : 0, part->name);
    if (part->index == 0) {
        return;
    }
    proto_item_set_generated(item);
    if (part->first_frame != view->pinfo->num) {
        item = proto_tree_add_uint(view->tree, hf_debugger_message_frame, view->tvb, 0, 0, part->first_frame);
        proto_item_set_generated(item);
    }
}

/* "error 5 values res://main.gd:9 oops"; "… error" where the message goes on from an earlier frame. */
static void show_v3_part(message_view *view, const v3_part *part, const char *text)
{
    column_info *columns = view->pinfo->cinfo;
    const char *before = col_get_text(columns, COL_INFO);

    if (part->index == 0) {
        col_append_sep_str(columns, COL_INFO, ", ", part->name);
    } else if (!before || !*before) {
        col_append_fstr(columns, COL_INFO, "… %s", part->name);
    }
    if (part->index == 1) {
        col_append_fstr(columns, COL_INFO, " %u value%s", part->count, part->count == 1 ? "" : "s");
    } else if (part->index > 1) {
        col_append_fstr(columns, COL_INFO, " %.*s", 60, text);
    }
    proto_item_append_text(view->item, ", %s%s%s: %.*s", part->name, part->label[0] ? " " : "", part->label,
                           (int)DEBUGGER_MAX_INFO, text);
}

static void dissect_v3_report(message_view *view, debugger_peer *peer)
{
    const v3_part *part = part_of(peer, view->pinfo, view->tvb, view->options);
    uint32_t length = tvb_captured_length(view->tvb);
    const char *text =
        debugger_plain_text(view->pinfo, tvb_get_ptr(view->tvb, 0, (int)length), length, view->options);

    if (!part || !part->name) {
        expert_add_info(view->pinfo, view->item, &ei_debugger_undecoded);
        (void)godot_variant_add(view->tvb, view->pinfo, view->tree, 0, length, view->options, NULL, NULL, 0);
        col_append_sep_fstr(view->pinfo->cinfo, COL_INFO, ", ", "%.*s", (int)DEBUGGER_MAX_INFO, text);
        return;
    }
    view->name = part->name;
    view->message = part->message;
    add_v3_message(view, part);
    if (part->index == 1) {
        proto_tree_add_uint(view->tree, hf_debugger_argument_count, view->tvb, 0, (int)length, part->count);
    } else if (part->index > 1) {
        text = dissect_v3_value(view, part, text);
    }
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

    debugger_begin_view(&view, tvb, pinfo, tree, item, api);
    proto_item *generated = proto_tree_add_uint(tree, hf_debugger_direction, tvb, 0, 0, direction);
    proto_item_set_generated(generated);
    if (api == 3 && direction == DEBUGGER_FROM_GAME) {
        dissect_v3_report(&view, peer);
        return;
    }
    if (api == 3) {
        debugger_show_v3_command(&view);
    } else {
        debugger_show_v4(&view, direction);
    }
    debugger_show_summary(&view);
    tvb_ensure_bytes_exist(tvb, 0, (int)tvb_reported_length(tvb));
}

static unsigned frame_length(packet_info *pinfo _U_, tvbuff_t *tvb, int offset, void *data _U_)
{
    unsigned api;
    if (is_frame(tvb, (unsigned)offset)) {
        return tvb_get_letohl(tvb, offset) + 4;
    }
    /* No frame begins here: pass by what is in front of the next one. */
    unsigned next = find_message(tvb, (unsigned)offset + 1, &api);
    return MAX(next - (unsigned)offset, 4);
}

static void note_message(debugger_peer *peer, const packet_info *pinfo, tvbuff_t *tvb)
{
    debugger_direction direction = direction_of(peer, pinfo);
    if (peer->first_frame[direction] != 0 || PINFO_FD_VISITED(pinfo)) {
        return;
    }
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
        proto_item *bytes = proto_tree_add_item(subtree, hf_debugger_undecoded, tvb, 0, -1, ENC_NA);
        uint32_t announced = tvb_get_letohl(tvb, 0);
        if (announced > MAX_FRAME && in_step(peer, pinfo, tvb)) {
            expert_add_info_format(pinfo, bytes, &ei_debugger_too_long,
                                   "Length %u is over 8 MiB: the receiver would close the connection",
                                   announced);
        } else {
            expert_add_info(pinfo, bytes, &ei_debugger_undecoded);
        }
        proto_item_append_text(item, ", %u bytes in front of the next message", length);
        col_append_sep_fstr(pinfo->cinfo, COL_INFO, ", ", "[%u undecoded bytes]", length);
        return (int)tvb_captured_length(tvb);
    }
    note_message(peer, pinfo, tvb);
    proto_tree_add_item(subtree, hf_debugger_length, tvb, 0, 4, ENC_LITTLE_ENDIAN);
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
    if (!tvb_bytes_exist(tvb, 0, 12)) {
        return false;
    }
    uint8_t order = tvb_get_uint8(tvb, 0);
    return (order == 'B' && tvb_get_ntohs(tvb, 2) == 11) || (order == 'l' && tvb_get_letohs(tvb, 2) == 11);
}

/* Lines of text: HTTP (also the handshake of a WebSocket, over which a game may be debugged), JSON-RPC, … */
static bool looks_like_text(tvbuff_t *tvb)
{
    unsigned length = MIN(tvb_captured_length(tvb), 16);
    for (unsigned i = 0; i < length; i++) {
        uint8_t c = tvb_get_uint8(tvb, (int)i);
        if (!g_ascii_isprint(c) && c != '\r' && c != '\n' && c != '\t') {
            return false;
        }
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

    if (api == 3) {
        set_editor(peer, pinfo, array);
    } else if (game && game->direction == DEBUGGER_FROM_GAME && (!editor || editor == game)) {
        set_editor(peer, pinfo, false);
    } else if (editor && (!game || editor == game)) {
        set_editor(peer, pinfo, true);
    }
}

/* First pass: remembers that the connection is a debugger's, and which end is the editor. */
static void learn(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb, unsigned offset, unsigned api)
{
    if (PINFO_FD_VISITED(pinfo)) {
        return;
    }
    if (peer->found_in[PEER_DEBUGGER] == 0) {
        peer->found_in[PEER_DEBUGGER] = pinfo->num;
        peer->api = api;
    }
    if (peer->editor_found_in == 0) {
        learn_editor(peer, pinfo, tvb, offset, api);
    }
}

/* Who speaks on the connection, by what came before and by these bytes. In the middle of what is somebody
 * else's only a message at the very beginning counts: the rest of a long text of the debugger looks like
 * that, too. */
static peer_kind decide(debugger_peer *peer, packet_info *pinfo, tvbuff_t *tvb)
{
    peer_kind kind = kind_before(peer, pinfo->num);
    if (kind == PEER_DEBUGGER && (peer->editor_found_in != 0 || PINFO_FD_VISITED(pinfo))) {
        return kind;
    }

    unsigned api = recognise_frame(tvb, 0), offset = 0;
    if (api == 0 && (kind == PEER_UNDECIDED || kind == PEER_DEBUGGER)) {
        offset = find_message(tvb, 0, &api);
    }
    if (api != 0) {
        learn(peer, pinfo, tvb, offset + 4, api);
        return PEER_DEBUGGER;
    }
    if (kind == PEER_UNDECIDED) {
        kind = looks_like_x11(tvb)                           ? PEER_X11
               : looks_like_text(tvb) || looks_like_tls(tvb) ? PEER_OTHER
                                                             : PEER_UNDECIDED;
    }
    if (peer->found_in[kind] == 0 && !PINFO_FD_VISITED(pinfo)) {
        peer->found_in[kind] = pinfo->num;
    }
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
        if (x11_handle && port >= 6000 && port <= 6063) {
            return call_dissector_only(x11_handle, tvb, pinfo, tree, data);
        }
    }
    if (port == pinfo->srcport || port == pinfo->destport) {
        set_editor(peer, pinfo, port == pinfo->srcport);
    }
    return dissect_stream(tvb, pinfo, tree, peer);
}

static compat_bool heuristic_tcp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    if (tvb_captured_length(tvb) < MIN_EVIDENCE || recognise_frame(tvb, 0) == 0) {
        return false;
    }
    debugger_peer *peer = get_peer(pinfo);
    (void)decide(peer, pinfo, tvb);
    /* From the next frame on: this one may have had other bytes of the connection in front of these. */
    if (!PINFO_FD_VISITED(pinfo)) {
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num + 1,
                                                     debugger_handle);
    }
    (void)dissect_stream(tvb, pinfo, tree, peer);
    return true;
}

/* One WebSocket message: a Variant without length. */
static bool dissect_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    debugger_peer *peer = get_peer(pinfo);
    unsigned api = recognise_message(tvb, 0);

    if (api == 0 && kind_before(peer, pinfo->num) != PEER_DEBUGGER) {
        return false;
    }
    if (api != 0) {
        learn(peer, pinfo, tvb, 0, api);
    }
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
         dissector_try_heuristic(websocket_heuristics, tvb, pinfo, tree, &entry, data))) {
        return (int)tvb_captured_length(tvb);
    }
    return call_data_dissector(tvb, pinfo, tree);
}

/* --- registration ----------------------------------------------------------------------------------- */

void proto_register_godot_debugger(void)
{
    proto_debugger = proto_register_protocol("Godot Remote Debugger", "Godot Debugger", "godot.debugger");
    debugger_fields_register(proto_debugger);
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
