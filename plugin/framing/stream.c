/* stream.c
 *
 * Length-prefixed packets over TCP and TLS: StreamPeer.put_var(), whose prefix follows the stream's byte
 * order, and PacketPeerStream, whose prefix is always little-endian. The content is a Variant (which is
 * always little-endian) or, in a PacketPeerStream, anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/frame.h"
#include "base/preferences.h"
#include "base/tcp.h"
#include "framing/stream.h"
#include "variant/api.h"

#include <epan/conversation.h>
#include <epan/expert.h>
#include <wsutil/str_util.h>
#include "base/registration.h"

#define MAX_INFO          10  /* pieces in the Info column */
#define MAX_STRAY_TO_KEEP 256 /* bytes */
#define MAX_JUDGED        64  /* packets that the heuristics look at */

static int proto_godot_stream;
static int hf_length, hf_data, hf_stray;
static int ett_godot_stream = -1;
static expert_field ei_big_endian, ei_incomplete, ei_length, ei_stray;
static int preferred_order = STREAM_UNKNOWN_ORDER;
static compat_bool desegment = true;
static dissector_handle_t stream_handle;
static dissector_handle_t bound_handle;

/* Results of the first pass for a connection are valid from the next frame on. A frame can contain several
 * pieces of the stream, and later passes do not know which of them came before the detection, so in that
 * frame each piece is recognised by its own bytes. */
typedef struct {
    stream_order order[2]; /* of each direction, STREAM_UNKNOWN_ORDER: not found yet */
    uint32_t
        order_found_in[2]; /* the frames (frame_order()) in which these were found; valid if they are known */
    uint32_t recognised_in; /* the frame in which a heuristic found the stream; 0: none */
} stream_memory;

static stream_memory *memory_of_conversation(packet_info *pinfo)
{
    conversation_t *conversation = find_or_create_conversation(pinfo);
    stream_memory *memory = conversation_get_proto_data(conversation, proto_godot_stream);

    if (!memory) {
        memory = wmem_new0(wmem_file_scope(), stream_memory);
        memory->order[0] = memory->order[1] = STREAM_UNKNOWN_ORDER;
        conversation_add_proto_data(conversation, proto_godot_stream, memory);
    }
    return memory;
}

static int direction(const packet_info *pinfo)
{
    int order = cmp_address(&pinfo->src, &pinfo->dst);
    return order != 0 ? order > 0 : pinfo->srcport > pinfo->destport;
}

static stream_order order_of_bytes(tvbuff_t *tvb)
{
    unsigned length = tvb_captured_length(tvb);

    if (preferred_order != STREAM_UNKNOWN_ORDER) {
        return (stream_order)preferred_order;
    }
    return stream_guess_order(tvb_get_ptr(tvb, 0, (int)length), length);
}

static stream_order choose_order(packet_info *pinfo, tvbuff_t *tvb)
{
    stream_memory *memory = memory_of_conversation(pinfo);
    int d = direction(pinfo);

    if (memory->order[d] != STREAM_UNKNOWN_ORDER && frame_order(pinfo) > memory->order_found_in[d]) {
        return memory->order[d];
    }
    stream_order order = order_of_bytes(tvb);
    if (memory->order[d] == STREAM_UNKNOWN_ORDER && !frame_visited(pinfo)) {
        memory->order[d] = order;
        memory->order_found_in[d] = frame_order(pinfo);
    }
    return order != STREAM_UNKNOWN_ORDER ? order : STREAM_LITTLE_ENDIAN;
}

/* Whether bytes before these may not have been captured: what seems to be a length then need not be one. */
static bool is_misplaced(packet_info *pinfo)
{
    return tcp_is_broken(pinfo) || !tcp_has_start(pinfo);
}

/* --- pieces -------------------------------------------------------------------------------------- */

typedef struct {
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_tree *tree;
    stream_order order;
    unsigned offset, length; /* of the piece, as far as it is in the tvb */
    unsigned shown;          /* pieces in the Info column */
    bool misplaced;
} place;

static bool has_room_in_info(place *p)
{
    if (p->shown++ == MAX_INFO) {
        col_append_str(p->pinfo->cinfo, COL_INFO, ", …");
    }
    return p->shown <= MAX_INFO;
}

static proto_tree *add_packet(const place *p, const stream_piece *piece)
{
    proto_item *item =
        proto_tree_add_item(p->tree, proto_godot_stream, p->tvb, (int)p->offset, (int)p->length, ENC_NA);
    proto_tree *tree = proto_item_add_subtree(item, ett_godot_stream);

    if (p->length < 4) {
        return tree;
    }
    item = proto_tree_add_item(tree, hf_length, p->tvb, (int)p->offset, 4,
                               p->order == STREAM_BIG_ENDIAN ? ENC_BIG_ENDIAN : ENC_LITTLE_ENDIAN);
    if (p->order == STREAM_BIG_ENDIAN) {
        expert_add_info(p->pinfo, item, &ei_big_endian);
    }
    if (piece->prefix > STREAM_MAX_PACKET && !p->misplaced) {
        expert_add_info(p->pinfo, item, &ei_length);
    }
    return tree;
}

static void add_value(place *p, const stream_piece *piece)
{
    add_packet(p, piece);
    tvbuff_t *content = tvb_new_subset_length(p->tvb, (int)p->offset + 4, (int)p->length - 4);
    godot_variant_dissect(content, p->pinfo, p->tree, VARIANT_DIALECT_COUNT, has_room_in_info(p));
}

static void add_data(place *p, const stream_piece *piece)
{
    proto_tree *tree = add_packet(p, piece);

    if (piece->prefix > 0) {
        proto_tree_add_item(tree, hf_data, p->tvb, (int)p->offset + 4, (int)p->length - 4, ENC_NA);
    }
    if (has_room_in_info(p)) {
        col_append_sep_fstr(p->pinfo->cinfo, COL_INFO, ", ", "packet of %u byte%s", piece->prefix,
                            plurality(piece->prefix, "", "s"));
    }
}

/* The beginning of a packet whose rest was not captured or is not waited for. */
static void add_incomplete(place *p, const stream_piece *piece)
{
    proto_tree *tree = add_packet(p, piece);
    proto_item *item = proto_tree_get_parent(tree);

    expert_add_info_format(p->pinfo, item, &ei_incomplete, "%u of %u bytes of the packet are here", p->length,
                           piece->length);
    if (p->length > 4) {
        proto_tree_add_item(tree, hf_data, p->tvb, (int)p->offset + 4, (int)p->length - 4, ENC_NA);
    }
    if (has_room_in_info(p)) {
        col_append_sep_str(p->pinfo->cinfo, COL_INFO, ", ", "part of a packet");
    }
}

static void add_stray(place *p, const stream_piece *piece)
{
    proto_item *item =
        proto_tree_add_item(p->tree, proto_godot_stream, p->tvb, (int)p->offset, (int)p->length, ENC_NA);
    proto_tree *tree = proto_item_add_subtree(item, ett_godot_stream);

    item = proto_tree_add_item(tree, hf_stray, p->tvb, (int)p->offset, (int)p->length, ENC_NA);
    if (piece->prefix > STREAM_MAX_PACKET && !p->misplaced) {
        expert_add_info_format(p->pinfo, item, &ei_length,
                               "%u is not the length of a packet; %u bytes are skipped", piece->prefix,
                               p->length);
    } else {
        expert_add_info(p->pinfo, item, &ei_stray);
    }
    if (has_room_in_info(p)) {
        col_append_sep_fstr(p->pinfo->cinfo, COL_INFO, ", ", "%u stray byte%s", p->length,
                            plurality(p->length, "", "s"));
    }
}

static void add_piece(place *p, const stream_piece *piece)
{
    switch (piece->kind) {
    case STREAM_VALUE:
        if (p->misplaced && piece->evidence != STREAM_CONTENT_EXACT) { /* what fits by chance only in part */
            add_stray(p, piece);
        } else {
            add_value(p, piece);
        }
        break;
    case STREAM_DATA:
        add_data(p, piece);
        break;
    case STREAM_INCOMPLETE:
        add_incomplete(p, piece);
        break;
    case STREAM_STRAY:
        add_stray(p, piece);
        break;
    }
}

static stream_piece piece_at(const place *p, unsigned offset, unsigned end)
{
    return stream_next(tvb_get_ptr(p->tvb, (int)offset, (int)(end - offset)), end - offset, p->order);
}

/* Requests the rest of a packet from TCP. A few stray bytes before it are left to the next call as well: TCP
 * may start again with them, and they would be shown twice. Returns whether there is something to wait
 * for. */
static bool wait_for_rest(place *p, stream_piece piece, unsigned end)
{
    unsigned offset = p->offset;

    if (!desegment || !p->pinfo->can_desegment || end < tvb_reported_length(p->tvb)) {
        return false;
    }
    if (offset == 0 && piece.kind == STREAM_STRAY && piece.length <= MAX_STRAY_TO_KEEP &&
        piece.length < end) {
        offset = piece.length;
        piece = piece_at(p, offset, end);
        piece.evidence = STREAM_NO_EVIDENCE;
    }
    if (piece.kind != STREAM_INCOMPLETE) {
        return false;
    }
    p->pinfo->desegment_offset = (int)p->offset;
    /* Without evidence, this may not be a packet; then one may begin in the next segment. */
    p->pinfo->desegment_len =
        piece.evidence >= STREAM_CONTENT_FITS ? piece.length - (end - offset) : DESEGMENT_ONE_MORE_SEGMENT;
    return true;
}

static int dissect_stream(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    unsigned end = tvb_captured_length(tvb);
    place p = {.tvb = tvb, .pinfo = pinfo, .tree = tree};

    if (end == 0) {
        return 0;
    }
    p.order = choose_order(pinfo, tvb);
    p.misplaced = is_misplaced(pinfo);
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Variants");
    col_clear(pinfo->cinfo, COL_INFO);
    while (p.offset < end) {
        stream_piece piece = piece_at(&p, p.offset, end);
        if (wait_for_rest(&p, piece, end)) {
            break;
        }
        p.length = MIN(piece.length, end - p.offset);
        add_piece(&p, &piece);
        p.offset += p.length;
    }
    /* The rest of the segment may come in another call. */
    col_set_fence(pinfo->cinfo, COL_INFO);
    return (int)end;
}

/* The bytes are packets, each with just one Variant (the last may go on in the next segment), and one of the
 * first has strong evidence. */
static bool begins_stream(tvbuff_t *tvb)
{
    unsigned length = tvb_captured_length(tvb), offset = 0;
    bool strong = false;

    stream_order order = length >= 8 ? order_of_bytes(tvb) : STREAM_UNKNOWN_ORDER;
    if (order == STREAM_UNKNOWN_ORDER) {
        return false;
    }
    const uint8_t *bytes = tvb_get_ptr(tvb, 0, (int)length);
    for (int i = 0; i < MAX_JUDGED && length - offset >= 8; i++) {
        stream_piece piece = stream_next(bytes + offset, length - offset, order);
        if (piece.evidence == STREAM_CONTENT_FITS) {
            break;
        }
        if (piece.evidence != STREAM_CONTENT_EXACT) {
            return false;
        }
        strong |= variant_detect(bytes + offset + 4, piece.length - 4, VARIANT_DIALECT_COUNT).strong;
        offset += piece.length;
    }
    return strong;
}

/* First pass. */
static void learn_recognised(stream_memory *memory, const packet_info *pinfo)
{
    if (memory->recognised_in == 0 && !frame_visited(pinfo)) {
        memory->recognised_in = frame_order(pinfo);
    }
}

static bool is_recognised(const stream_memory *memory, const packet_info *pinfo)
{
    return memory->recognised_in != 0 && frame_order(pinfo) > memory->recognised_in;
}

/* A connection in which the heuristic has found the stream. */
static int dissect_bound(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return is_recognised(memory_of_conversation(pinfo), pinfo) ? dissect_stream(tvb, pinfo, tree, data) : 0;
}

static compat_bool dissect_tcp_heuristically(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (!begins_stream(tvb)) {
        return false;
    }
    if (!frame_visited(pinfo)) {
        learn_recognised(memory_of_conversation(pinfo), pinfo);
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num,
                                                     bound_handle);
    }
    return dissect_stream(tvb, pinfo, tree, data) > 0;
}

/* The conversation's dissector is TLS, which calls the heuristics for every record: so the stream is stored
 * here. */
static compat_bool dissect_tls_heuristically(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    stream_memory *memory = memory_of_conversation(pinfo);

    if (!is_recognised(memory, pinfo) && !begins_stream(tvb)) {
        return false;
    }
    learn_recognised(memory, pinfo);
    return dissect_stream(tvb, pinfo, tree, data) > 0;
}

/* --- registration -------------------------------------------------------------------------------- */

void proto_register_godot_stream(void);
void proto_reg_handoff_godot_stream(void);

void proto_register_godot_stream(void)
{
    static hf_register_info hf[] = {
        {&hf_length, {"Length", "godot.stream.length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
        {&hf_data,
         {"Data", "godot.stream.data", FT_BYTES, BASE_NONE, NULL, 0x0,
          "Content of a packet that is not a Variant", HFILL}},
        {&hf_stray,
         {"Undecoded Bytes", "godot.stream.stray", FT_BYTES, BASE_NONE, NULL, 0x0, "Bytes outside of packets",
          HFILL}},
    };
    static int *ett[] = {&ett_godot_stream};
    static ei_register_info ei[] = {
        {&ei_big_endian,
         {"godot.stream.big_endian", PI_PROTOCOL, PI_CHAT, "The length is big-endian (StreamPeer.big_endian)",
          EXPFILL}},
        {&ei_incomplete,
         {"godot.stream.incomplete", PI_UNDECODED, PI_NOTE, "The rest of the packet is missing", EXPFILL}},
        {&ei_length,
         {"godot.stream.length.impossible", PI_MALFORMED, PI_ERROR,
          "No engine sends a packet of this length; a receiver would wait for it forever", EXPFILL}},
        {&ei_stray,
         {"godot.stream.stray.found", PI_UNDECODED, PI_NOTE,
          "Not a packet: bare numbers or text, or the rest of a packet whose beginning was not captured",
          EXPFILL}},
    };
    proto_godot_stream = proto_register_protocol("Godot Stream", "Godot Stream", "godot.stream");
    proto_register_field_array(proto_godot_stream, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto_godot_stream), ei, array_length(ei));
    stream_handle = register_dissector("godot.stream", dissect_stream, proto_godot_stream);
    bound_handle = create_dissector_handle(dissect_bound, proto_godot_stream);
}

static void register_preferences(void)
{
    static const enum_val_t orders[] = {
        {"auto", "Auto-detect", STREAM_UNKNOWN_ORDER},
        {"little", "Little-endian", STREAM_LITTLE_ENDIAN},
        {"big", "Big-endian", STREAM_BIG_ENDIAN},
        {NULL, NULL, 0},
    };
    module_t *module = godot_preferences();

    godot_preferences_add_heading("heading.stream", "Values over TCP (StreamPeer, PacketPeerStream)");
    prefs_register_enum_preference(
        module, "stream.byte_order", "Byte order of the length",
        "StreamPeer.big_endian decides it. Auto-detect: by the lengths that make sense, for each "
        "direction of a conversation.",
        &preferred_order, orders, false);
    prefs_register_bool_preference(
        module, "stream.desegment", "Reassemble packets spanning several segments",
        "TCP's preference \"Allow subdissector to reassemble TCP streams\" is needed, too.", &desegment);
}

void proto_reg_handoff_godot_stream(void)
{
    register_preferences();
    godot_preferences_add_ports("stream.tcp.port", "TCP ports of streams", "tcp.port", "", stream_handle);
    offer_decode_as(stream_handle, (const char *const[]){"tls.port", NULL});
    heur_dissector_add("tcp", dissect_tcp_heuristically, "Godot Variants over TCP", "godot_stream_tcp",
                       proto_godot_stream, HEURISTIC_DISABLE);
    heur_dissector_add("tls", dissect_tls_heuristically, "Godot Variants over TLS", "godot_stream_tls",
                       proto_godot_stream, HEURISTIC_DISABLE);
}
