/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/show/header.h"

#include "base/columns.h"
#include "base/registration.h"
#include "enet/state/conversation.h"
#include "enet/show/expert.h"

static int hf_completeness, hf_stream, hf_sender, hf_first_frame, hf_end_frame;
static int hf_dialect;
enum { WORD_SENT_TIME, WORD_COMPRESSED, WORD_SESSION, WORD_PEER_ID, WORD_FIELDS };
static int hf_word[ENET_DIALECT_COUNT][WORD_FIELDS]; /* 0: the dialect has no such field */
static int hf_peer_id_high, hf_peer_id_full;
static int hf_sent_time, hf_checksum, hf_checksum_status, hf_checksum_long;
static int hf_compression, hf_compressed_data, hf_compressed_length, hf_decompressed_length,
    hf_compression_ratio;
static int hf_captured_before, hf_captured_again, hf_transit, hf_clock_difference, hf_delivered_in;

const value_string enet_side_names[] = {{ENET_INITIATOR, "client"}, {ENET_ACCEPTOR, "server"}, {0, NULL}};

/* Filled from the decoder's own tables. */
static value_string compression_names[ENET_COMPRESSION_COUNT + 1];
static value_string dialect_names[ENET_DIALECT_COUNT + 1];

static hf_register_info fields[] = {
    {&hf_stream,
     {"Connection Index", "enet.stream", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Number of the connection in this file", HFILL}},
    {&hf_sender,
     {"Sender", "enet.sender", FT_UINT8, BASE_DEC, VALS(enet_side_names), 0,
      "Side of the connection that sent this", HFILL}},
    {&hf_completeness,
     {"Completeness of this Direction", "enet.completeness", FT_UINT8, BASE_HEX, NULL, 0x0,
      "Sum of 1: captured from its first datagram on; 2: the other direction, too; 4: up to a "
      "Disconnect; 8: reliable commands are missing; 16: unreliable messages are missing; 32: the "
      "capture lost commands that arrived; 64: datagrams were cut. Without gaps: 3 or 7",
      HFILL}},
    {&hf_first_frame,
     {"First Frame of the Connection", "enet.first_frame", FT_FRAMENUM, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_end_frame,
     {"Connection Closed in Frame", "enet.closed_in", FT_FRAMENUM, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_dialect,
     {"Header Dialect", "enet.dialect", FT_UINT8, BASE_DEC, VALS(dialect_names), 0x0, NULL, HFILL}},
    {&hf_peer_id_high,
     {"Peer ID, High Bits", "enet.peer_id.high", FT_UINT8, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_peer_id_full, {"Whole Peer ID", "enet.peer_id.full", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_sent_time,
     {"Sent Time", "enet.sent_time", FT_UINT16, BASE_DEC, NULL, 0x0,
      "Milliseconds of the sender's clock, low 16 bits", HFILL}},
    {&hf_checksum, {"Checksum", "enet.checksum", FT_UINT32, BASE_HEX, NULL, 0x0, NULL, HFILL}},
    {&hf_checksum_long,
     {"Checksum, 64 Bit", "enet.checksum.long", FT_UINT64, BASE_HEX, NULL, 0x0, NULL, HFILL}},
    {&hf_compression,
     {"Compression", "enet.compression", FT_UINT8, BASE_DEC, VALS(compression_names), 0,
      "Auto-detected: not signalled in the datagram", HFILL}},
    {&hf_compressed_data,
     {"Compressed Commands", "enet.compression.data", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_compressed_length,
     {"Compressed Length", "enet.compression.compressed_length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL,
      HFILL}},
    {&hf_decompressed_length,
     {"Decompressed Length", "enet.compression.decompressed_length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL,
      HFILL}},
    {&hf_compression_ratio,
     {"Compression Ratio", "enet.compression.ratio", FT_FLOAT, BASE_NONE, NULL, 0x0,
      "Compressed length divided by decompressed length", HFILL}},
    {&hf_captured_before,
     {"Captured Before in Frame", "enet.captured_before", FT_FRAMENUM, BASE_NONE, NULL, 0x0,
      "The same datagram at the other capture point", HFILL}},
    {&hf_captured_again,
     {"Captured Again in Frame", "enet.captured_again", FT_FRAMENUM, BASE_NONE, NULL, 0x0,
      "The same datagram at the other capture point", HFILL}},
    {&hf_transit,
     {"Transit Time", "enet.transit", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0,
      "From the capture point near the sender to this one", HFILL}},
    {&hf_clock_difference,
     {"Clock Difference", "enet.clock_difference", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0,
      "How far the clock of the capture point that comes second in the file is ahead, estimated as "
      "NTP does",
      HFILL}},
    {&hf_delivered_in,
     {"Delivered in Frame", "enet.delivered_in", FT_FRAMENUM, BASE_NONE, NULL, 0x0,
      "The receiver's ENet holds the message until then: an earlier reliable one is missing", HFILL}},
};

/* Of the whole capture, so on later passes only. */
static void add_completeness(const enet_view *view, const enet_sender *sender)
{
    if (!frame_visited(view->pinfo)) {
        return;
    }
    const enet_direction direction = enet_evidence_of(sender);
    proto_item *item = proto_tree_add_uint(view->tree, hf_completeness, view->tvb, 0, 0, direction.bits);

    proto_item_set_generated(item);
    if (PTREE_DATA(view->tree)->visible) {
        proto_item_append_text(item, " (%s)",
                               enet_captured_text(view->pinfo->pool, direction.bits, direction.bits));
    }
}

static void add_connection(const enet_view *view)
{
    const enet_sender *sender = view->record->sender;
    proto_tree *tree = view->tree;
    uint32_t frame = frame_order(view->pinfo);

    if (!sender) {
        return;
    }
    const enet_connection *connection = sender->connection;
    proto_item_set_generated(proto_tree_add_uint(tree, hf_stream, view->tvb, 0, 0, connection->stream));
    if (view->record->direction_known) {
        proto_item_set_generated(proto_tree_add_uint(tree, hf_sender, view->tvb, 0, 0, sender->side));
    }
    add_completeness(view, sender);
    if (connection->first_frame != frame) {
        frame_add_reference(tree, hf_first_frame, view->tvb, connection->first_frame);
    }
    if (connection->end_frame > frame) {
        frame_add_reference(tree, hf_end_frame, view->tvb, connection->end_frame);
    }
}

static void add_ends(const enet_view *view)
{
    const enet_sender *sender = view->record->sender;
    const char *names[ENET_SIDES] = {NULL, NULL};

    if (!ends_wanted(view->top)) {
        return;
    }
    for (unsigned side = 0; sender && enet_end_name && side < ENET_SIDES; side++) {
        names[side] = enet_end_name(view->pinfo->pool, sender->connection, (enet_side)side);
    }
    enet_side from = sender ? (enet_side)sender->side : ENET_INITIATOR;
    ends_add(view->pinfo, view->tree ? view->tree : view->top, view->tvb, names[from],
             names[from == ENET_INITIATOR ? ENET_ACCEPTOR : ENET_INITIATOR]);
}

static void add_word(const enet_view *view)
{
    const enet_header *header = &view->datagram.opened.header;
    const int *fields_of_dialect = hf_word[header->dialect];
    proto_tree *tree = view->tree;

    if (header->dialect != ENET_STOCK) {
        proto_item_set_generated(proto_tree_add_uint(tree, hf_dialect, view->tvb, 0, 0, header->dialect));
    }
    for (unsigned i = 0; i < WORD_FIELDS; i++) {
        if (fields_of_dialect[i] > 0) {
            proto_tree_add_item(tree, fields_of_dialect[i], view->tvb, 0, 2, ENC_BIG_ENDIAN);
        }
    }
    if (header->has_peer_id_high) {
        proto_tree_add_item(tree, hf_peer_id_high, view->tvb, header->peer_id_high_offset, 1, ENC_BIG_ENDIAN);
        proto_item_set_generated(
            proto_tree_add_uint(tree, hf_peer_id_full, view->tvb, 0, 2, header->peer_id));
    }
    if (header->has_sent_time) {
        proto_tree_add_item(tree, hf_sent_time, view->tvb, 2, 2, ENC_BIG_ENDIAN);
    }
}

static void add_checksum(const enet_view *view)
{
    const enet_header *header = &view->datagram.opened.header;
    const enet_layout *layout = &view->record->layout;

    if (header->checksum_length == 8) {
        proto_tree_add_item(view->tree, hf_checksum_long, view->tvb, header->checksum_offset, 8,
                            ENC_BIG_ENDIAN);
    } else if (header->checksum_length == 4) {
        unsigned flags = layout->checksum_verdict == ENET_CHECKSUM_UNVERIFIED ? PROTO_CHECKSUM_NO_FLAGS
                                                                              : PROTO_CHECKSUM_VERIFY;
        proto_tree_add_checksum(view->tree, view->tvb, header->checksum_offset, hf_checksum,
                                hf_checksum_status, &ei_enet_checksum, view->pinfo, layout->expected_checksum,
                                ENC_BIG_ENDIAN, flags);
    }
}

static void add_decompressed(const enet_view *view, proto_item *compression, int offset, uint32_t length)
{
    uint32_t plain = view->datagram.opened.body_length;

    add_new_data_source(view->pinfo, view->body_tvb, "Decompressed ENet commands");
    proto_item_set_generated(
        proto_tree_add_uint(view->tree, hf_decompressed_length, view->tvb, offset, 0, plain));
    proto_item_set_generated(proto_tree_add_float(view->tree, hf_compression_ratio, view->tvb, offset, 0,
                                                  plain ? (float)length / (float)plain : 0));
    if (length >= plain) {
        expert_add_info(view->pinfo, compression, &ei_enet_compression_useless);
    }
}

static void add_undecoded(const enet_view *view, proto_item *compression)
{
    decompress_result result = (decompress_result)view->record->layout.decompress_result;
    const char *text = enet_decompress_text(result);

    if (result == DECOMPRESS_OVER_BUDGET) {
        expert_add_info_format(view->pinfo, compression, &ei_enet_over_budget, "Not decompressed: %s", text);
    } else {
        bool not_ours = result == DECOMPRESS_UNKNOWN || result == DECOMPRESS_NOT_BUILT;
        expert_add_info_format(view->pinfo, compression, &ei_enet_undecoded, "Cannot be decompressed: %s%s",
                               text, not_ours ? "" : ". A receiver drops the datagram");
    }
}

static void add_compression(const enet_view *view)
{
    const enet_wire *wire = &view->datagram.wire;
    uint32_t offset = view->datagram.opened.header.length, length = wire->length - offset;
    proto_tree *tree = view->tree;

    if (!view->datagram.opened.header.compressed) {
        return;
    }
    proto_item *compression = proto_tree_add_uint(tree, hf_compression, view->tvb, (int)offset, 0,
                                                  view->record->layout.compression);
    proto_item_set_generated(compression);
    if (wire->captured > offset) {
        proto_tree_add_item(tree, hf_compressed_data, view->tvb, (int)offset, (int)(wire->captured - offset),
                            ENC_NA);
    }
    proto_item_set_generated(
        proto_tree_add_uint(tree, hf_compressed_length, view->tvb, (int)offset, 0, length));
    if (view->body_tvb) {
        add_decompressed(view, compression, (int)offset, length);
    } else if (wire->captured == wire->length) {
        add_undecoded(view, compression);
    }
}

/* --- two capture points (enet/analysis/points.h, enet/analysis/delivery.h) ------------------------ */

static void add_time(const enet_view *view, int field, int64_t nanoseconds)
{
    nstime_t time = nstime_of(nanoseconds);
    proto_item_set_generated(proto_tree_add_time(view->tree, field, view->tvb, 0, 0, &time));
}

/* On the first pass only the frame of the first capture, at the second one. */
static void add_points(const enet_view *view)
{
    enet_sighting_facts facts = enet_state_sighting(view->pinfo, view->record);
    proto_item *item = proto_tree_get_parent(view->tree);
    int64_t difference;

    if (view->record->second) {
        frame_add_reference(view->tree, hf_captured_before, view->tvb, facts.frame);
        expert_add_info(view->pinfo, item, &ei_enet_second_point);
    } else if (facts.other_frame) {
        frame_add_reference(view->tree, hf_captured_again, view->tvb, facts.other_frame);
    }
    if (facts.has_transit && facts.receiver_frame == frame_order(view->pinfo)) {
        add_time(view, hf_transit, facts.transit);
    }
    if (view->record->second && frame_visited(view->pinfo) &&
        enet_points_clock(view->capture, view->record->sighting, &difference)) {
        add_time(view, hf_clock_difference, difference);
    }
    if (facts.lost && !view->record->second) {
        expert_add_info(view->pinfo, item, &ei_enet_lost);
    }
}

void enet_tree_delivery(const enet_view *view, proto_tree *tree, const enet_command *command)
{
    enet_delivery_facts delivery = enet_state_delivery(view->pinfo, view->record, command);

    if (delivery.known && !delivery.copy && delivery.frame && delivery.frame != frame_order(view->pinfo)) {
        frame_add_reference(tree, hf_delivered_in, view->body_tvb, delivery.frame);
    }
}

/* --- all of them --------------------------------------------------------------------------------- */

void enet_tree_header(const enet_view *view)
{
    if (view->tree) { /* avoids a dozen calls per datagram without effect */
        add_connection(view);
    }
    if (view->tree && view->record->sighting) {
        add_points(view);
    }
    add_ends(view);
    enet_expert_pause(view, proto_tree_get_parent(view->tree));
    if (!view->datagram.opened.has_header) {
        return;
    }
    if (view->tree) {
        add_word(view);
    }
    add_checksum(view);
    add_compression(view);
}

static void fill_names(void)
{
    for (unsigned i = 0; i < ENET_COMPRESSION_COUNT; i++) {
        compression_names[i] = (value_string){i, enet_compression_name((enet_compression)i)};
    }
    for (unsigned i = 0; i < ENET_DIALECT_COUNT; i++) {
        dialect_names[i] = (value_string){i, enet_dialects[i].name};
    }
}

/* The fields of the first two bytes, for each dialect by its masks. */
static void register_words(int proto)
{
    static hf_register_info words[ENET_DIALECT_COUNT * WORD_FIELDS];
    static const header_field_info of_field[WORD_FIELDS] = {
        [WORD_SENT_TIME] = {"Sent Time Present", "enet.flags.sent_time", FT_BOOLEAN, 16, NULL, 0, NULL,
                            HFILL},
        [WORD_COMPRESSED] = {"Compressed", "enet.flags.compressed", FT_BOOLEAN, 16, NULL, 0, NULL, HFILL},
        [WORD_SESSION] = {"Session ID", "enet.session_id", FT_UINT16, BASE_DEC, NULL, 0, NULL, HFILL},
        [WORD_PEER_ID] = {"Peer ID", "enet.peer_id", FT_UINT16, BASE_DEC, NULL, 0,
                          "Slot at the receiver; all bits set: not known yet", HFILL},
    };
    int count = 0;

    for (unsigned dialect = 0; dialect < ENET_DIALECT_COUNT; dialect++) {
        const enet_dialect_info *facts = &enet_dialects[dialect];
        const uint16_t masks[WORD_FIELDS] = {facts->sent_time, facts->compressed, facts->session,
                                             facts->peer_id};
        for (unsigned i = 0; i < WORD_FIELDS; i++) {
            if (masks[i]) {
                words[count] = (hf_register_info){&hf_word[dialect][i], of_field[i]};
                words[count++].hfinfo.bitmask = masks[i];
            }
        }
    }
    proto_register_field_array(proto, words, count);
}

void enet_header_tree_register(int proto)
{
    static hf_register_info checksum_status[] = {
        {&hf_checksum_status,
         {"Checksum Status", "enet.checksum.status", FT_UINT8, BASE_NONE, NULL, 0x0, NULL, HFILL}}};

    fill_names();
    /* On Windows, addresses of a library's symbols are not constant. */
    checksum_status[0].hfinfo.strings = VALS(proto_checksum_vals);
    proto_register_field_array(proto, checksum_status, array_length(checksum_status));
    register_words(proto);
    proto_register_field_array(proto, fields, array_length(fields));
}
