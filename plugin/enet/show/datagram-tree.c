/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "enet/show/datagram-tree.h"

#include <epan/reassemble.h>

#include "base/registration.h"
#include "enet/evidence/conclusions.h"
#include "enet/evidence/loss.h"
#include "enet/show/expert.h"
#include "enet/show/header.h"
#include "enet/show/text.h"

/* Fragments of a message; more than a sender needs that fills its datagrams. */
#define MAX_FRAGMENTS_LISTED 10000u

/* --- fields -------------------------------------------------------------------------------------- */

static int hf_finding, hf_closed_by;
static int hf_entry, hf_command, hf_acknowledge, hf_unsequenced, hf_reserved, hf_channel, hf_sequence;
static int hf_ack_sequence, hf_ack_sent_time, hf_ack_frame, hf_acked_in, hf_rtt;
static int hf_connect_peer_id, hf_connect_incoming_session, hf_connect_outgoing_session, hf_connect_mtu,
    hf_connect_window_size, hf_connect_channel_count, hf_connect_incoming_bandwidth,
    hf_connect_outgoing_bandwidth, hf_connect_interval, hf_connect_acceleration, hf_connect_deceleration,
    hf_connect_id, hf_connect_data;
static int hf_disconnect_data;
static int hf_unreliable_sequence, hf_unsequenced_group, hf_data_length;
static int hf_fragment_start, hf_fragment_count, hf_fragment_number, hf_fragment_total_length,
    hf_fragment_offset;
static int hf_bandwidth_incoming, hf_bandwidth_outgoing;
static int hf_throttle_interval, hf_throttle_acceleration, hf_throttle_deceleration;
static int hf_data, hf_fragment_data;
static int hf_retransmission_of, hf_duplicate_of, hf_rto, hf_missing;
static int hf_fragments, hf_fragment, hf_parts, hf_reassembled_in, hf_reassembled_length, hf_reassembled_data;

static int ett_command = -1, ett_fragment = -1, ett_fragments = -1;

/* Fragments that overlap or are too long are refused before, so there are no fields for them. */
static const fragment_items fragment_fields = {
    .ett_fragment = &ett_fragment,
    .ett_fragments = &ett_fragments,
    .hf_fragments = &hf_fragments,
    .hf_fragment = &hf_fragment,
    .hf_fragment_count = &hf_parts,
    .hf_reassembled_in = &hf_reassembled_in,
    .hf_reassembled_length = &hf_reassembled_length,
    .hf_reassembled_data = &hf_reassembled_data,
    .tag = "Message fragments",
};

/* Filled from the decoder's own table. */
static value_string command_names[ENET_COMMAND_COUNT + 1];

static const true_false_string requested = {"requested", "not requested"};

static hf_register_info fields[] = {
    {&hf_closed_by,
     {"Closed By", "enet.closed_by", FT_UINT8, BASE_DEC, VALS(enet_side_names), 0x0, NULL, HFILL}},
    {&hf_finding,
     {"Finding", "enet.finding", FT_NONE, BASE_NONE, NULL, 0x0, "Bytes that an expert info is about", HFILL}},
    {&hf_entry,
     {"Entry", "enet.command.entry", FT_NONE, BASE_NONE, NULL, 0x0,
      "One command of the datagram, with its fields", HFILL}},
    {&hf_command,
     {"Command", "enet.command", FT_UINT8, BASE_DEC, VALS(command_names), ENET_COMMAND_TYPE_MASK, NULL,
      HFILL}},
    {&hf_acknowledge,
     {"Acknowledgement", "enet.command.acknowledge", FT_BOOLEAN, 8, TFS(&requested), ENET_COMMAND_ACKNOWLEDGE,
      NULL, HFILL}},
    {&hf_unsequenced,
     {"Unsequenced", "enet.command.unsequenced", FT_BOOLEAN, 8, NULL, ENET_COMMAND_UNSEQUENCED, NULL, HFILL}},
    {&hf_reserved,
     {"Reserved", "enet.command.reserved", FT_UINT8, BASE_HEX, NULL, ENET_COMMAND_RESERVED_MASK, NULL,
      HFILL}},
    {&hf_channel,
     {"Channel", "enet.channel", FT_UINT8, BASE_DEC, NULL, 0x0, "255: the connection itself", HFILL}},
    {&hf_sequence,
     {"Sequence Number", "enet.sequence", FT_UINT16, BASE_DEC, NULL, 0x0, "Reliable sequence number", HFILL}},
    {&hf_ack_sequence,
     {"Received Sequence Number", "enet.ack.sequence", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_ack_sent_time,
     {"Received Sent Time", "enet.ack.sent_time", FT_UINT16, BASE_DEC, NULL, 0x0,
      "Echo of the datagram that is acknowledged", HFILL}},
    {&hf_ack_frame,
     {"Acknowledges Frame", "enet.ack.frame", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_ACK), 0,
      "Frame of the transmission that is acknowledged", HFILL}},
    {&hf_acked_in,
     {"Acknowledged in Frame", "enet.acked_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_ACK), 0x0,
      NULL, HFILL}},
    {&hf_rtt,
     {"Round Trip Time", "enet.rtt", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0,
      "From the transmission to this acknowledgement, as captured", HFILL}},
    {&hf_connect_peer_id,
     {"Outgoing Peer ID", "enet.connect.peer_id", FT_UINT16, BASE_DEC, NULL, 0x0,
      "The sender's own slot: the peer ID to be used towards it", HFILL}},
    {&hf_connect_incoming_session,
     {"Incoming Session ID", "enet.connect.incoming_session_id", FT_UINT8, BASE_DEC, NULL, 0x0,
      "From the client's point of view; 255: slot never used", HFILL}},
    {&hf_connect_outgoing_session,
     {"Outgoing Session ID", "enet.connect.outgoing_session_id", FT_UINT8, BASE_DEC, NULL, 0x0,
      "From the client's point of view; 255: slot never used", HFILL}},
    {&hf_connect_mtu, {"MTU", "enet.connect.mtu", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_connect_window_size,
     {"Window Size", "enet.connect.window_size", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Bytes of reliable data in flight", HFILL}},
    {&hf_connect_channel_count,
     {"Channel Count", "enet.connect.channel_count", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_connect_incoming_bandwidth,
     {"Incoming Bandwidth", "enet.connect.incoming_bandwidth", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Bytes per second; 0: unlimited", HFILL}},
    {&hf_connect_outgoing_bandwidth,
     {"Outgoing Bandwidth", "enet.connect.outgoing_bandwidth", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Bytes per second; 0: unlimited", HFILL}},
    {&hf_connect_interval,
     {"Packet Throttle Interval", "enet.connect.throttle_interval", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Milliseconds", HFILL}},
    {&hf_connect_acceleration,
     {"Packet Throttle Acceleration", "enet.connect.throttle_acceleration", FT_UINT32, BASE_DEC, NULL, 0x0,
      NULL, HFILL}},
    {&hf_connect_deceleration,
     {"Packet Throttle Deceleration", "enet.connect.throttle_deceleration", FT_UINT32, BASE_DEC, NULL, 0x0,
      NULL, HFILL}},
    {&hf_connect_id,
     {"Connect ID", "enet.connect.connect_id", FT_UINT32, BASE_HEX, NULL, 0x0,
      "Opaque; the four bytes in their order", HFILL}},
    {&hf_connect_data,
     {"Data", "enet.connect.data", FT_UINT32, BASE_DEC_HEX, NULL, 0x0,
      "The application's; Godot: multiplayer peer ID of the client", HFILL}},
    {&hf_disconnect_data,
     {"Data", "enet.disconnect.data", FT_UINT32, BASE_DEC_HEX, NULL, 0x0, "The application's", HFILL}},
    {&hf_unreliable_sequence,
     {"Unreliable Sequence Number", "enet.unreliable_sequence", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_unsequenced_group,
     {"Unsequenced Group", "enet.unsequenced_group", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_data_length, {"Data Length", "enet.data_length", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_fragment_start,
     {"Start Sequence Number", "enet.fragment.start_sequence", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_fragment_count,
     {"Fragment Count", "enet.fragment.count", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_fragment_number,
     {"Fragment Number", "enet.fragment.number", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_fragment_total_length,
     {"Total Length", "enet.fragment.total_length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_fragment_offset,
     {"Fragment Offset", "enet.fragment.offset", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_bandwidth_incoming,
     {"Incoming Bandwidth", "enet.bandwidth.incoming", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Bytes per second; 0: unlimited", HFILL}},
    {&hf_bandwidth_outgoing,
     {"Outgoing Bandwidth", "enet.bandwidth.outgoing", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Bytes per second; 0: unlimited", HFILL}},
    {&hf_throttle_interval,
     {"Packet Throttle Interval", "enet.throttle.interval", FT_UINT32, BASE_DEC, NULL, 0x0, "Milliseconds",
      HFILL}},
    {&hf_throttle_acceleration,
     {"Packet Throttle Acceleration", "enet.throttle.acceleration", FT_UINT32, BASE_DEC, NULL, 0x0, NULL,
      HFILL}},
    {&hf_throttle_deceleration,
     {"Packet Throttle Deceleration", "enet.throttle.deceleration", FT_UINT32, BASE_DEC, NULL, 0x0, NULL,
      HFILL}},
    {&hf_data,
     {"Message Data", "enet.data", FT_BYTES, BASE_NONE, NULL, 0x0, "Not given to another dissector", HFILL}},
    {&hf_fragment_data, {"Fragment Data", "enet.fragment.data", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_retransmission_of,
     {"Retransmission of Frame", "enet.analysis.retransmission_of", FT_FRAMENUM, BASE_NONE,
      FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_PREV), 0x0, NULL, HFILL}},
    {&hf_duplicate_of,
     {"Seen Before in Frame", "enet.analysis.seen_in", FT_FRAMENUM, BASE_NONE,
      FRAMENUM_TYPE(FT_FRAMENUM_DUP_ACK), 0x0, NULL, HFILL}},
    {&hf_rto,
     {"Time Since First Transmission", "enet.analysis.rto", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0, NULL,
      HFILL}},
    {&hf_missing, {"Numbers Skipped", "enet.analysis.missing", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_fragments, {"Fragments", "enet.fragments", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_fragment, {"Fragment", "enet.fragments.fragment", FT_FRAMENUM, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_parts, {"Number of Fragments", "enet.fragments.count", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_reassembled_in,
     {"Reassembled in Frame", "enet.reassembled_in", FT_FRAMENUM, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_reassembled_length,
     {"Reassembled Length", "enet.reassembled.length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_reassembled_data,
     {"Reassembled Data", "enet.reassembled.data", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
};

/* --- findings ------------------------------------------------------------------------------------ */

static void add_finding(const enet_view *view, proto_tree *tree, const finding *found)
{
    uint32_t captured = view->datagram.opened.body_captured, length = found->length;

    if (found->offset + length > captured) {
        length = captured - MIN(captured, found->offset);
    }
    const char *problem = enet_problems[found->problem].text;
    const char *text = found->verdict == ENET_TOLERATED
                           ? problem
                           : wmem_strdup_printf(view->pinfo->pool, "%s. %s", problem,
                                                enet_effect_text((enet_effect)found->verdict));
    proto_item *item = proto_tree_add_none_format(tree, hf_finding, view->body_tvb,
                                                  enet_view_offset(view, length ? found->offset : 0),
                                                  (int)length, "%s", text);
    expert_add_info_format(view->pinfo, item, &ei_enet_problem[found->problem], "%s", text);
}

void enet_tree_findings(const enet_view *view)
{
    const enet_body *body = &view->datagram.body;

    for (uint32_t i = 0; i < body->finding_count; i++) {
        add_finding(view, view->tree, &body->findings[i]);
    }
}

/* --- commands ------------------------------------------------------------------------------------ */

typedef struct {
    int *field;
    uint8_t offset, length; /* in the command */
} field_place;

enum { MOST_FIELDS = 13 };

/* Two commands have the fields of another. */
static const uint8_t same_fields[ENET_COMMAND_COUNT] = {
    [ENET_VERIFY_CONNECT] = ENET_CONNECT, /* without the last one */
    [ENET_SEND_UNRELIABLE_FRAGMENT] = ENET_SEND_FRAGMENT,
};

/* What follows the four bytes of all commands; a row ends with an empty place. */
static const field_place command_fields[ENET_COMMAND_COUNT][MOST_FIELDS + 1] = {
    [ENET_ACKNOWLEDGE] = {{&hf_ack_sequence, ENET_PLACE(ACK_SEQUENCE)},
                          {&hf_ack_sent_time, ENET_PLACE(ACK_SENT_TIME)}},
    [ENET_CONNECT] = {{&hf_connect_peer_id, ENET_PLACE(CONNECT_PEER_ID)},
                      {&hf_connect_incoming_session, ENET_PLACE(CONNECT_INCOMING_SESSION)},
                      {&hf_connect_outgoing_session, ENET_PLACE(CONNECT_OUTGOING_SESSION)},
                      {&hf_connect_mtu, ENET_PLACE(CONNECT_MTU)},
                      {&hf_connect_window_size, ENET_PLACE(CONNECT_WINDOW_SIZE)},
                      {&hf_connect_channel_count, ENET_PLACE(CONNECT_CHANNEL_COUNT)},
                      {&hf_connect_incoming_bandwidth, ENET_PLACE(CONNECT_INCOMING_BANDWIDTH)},
                      {&hf_connect_outgoing_bandwidth, ENET_PLACE(CONNECT_OUTGOING_BANDWIDTH)},
                      {&hf_connect_interval, ENET_PLACE(CONNECT_INTERVAL)},
                      {&hf_connect_acceleration, ENET_PLACE(CONNECT_ACCELERATION)},
                      {&hf_connect_deceleration, ENET_PLACE(CONNECT_DECELERATION)},
                      {&hf_connect_id, ENET_PLACE(CONNECT_ID)},
                      {&hf_connect_data, ENET_PLACE(CONNECT_DATA)}},
    [ENET_DISCONNECT] = {{&hf_disconnect_data, ENET_PLACE(DISCONNECT_DATA)}},
    [ENET_SEND_RELIABLE] = {{&hf_data_length, ENET_PLACE(RELIABLE_DATA_LENGTH)}},
    [ENET_SEND_UNRELIABLE] = {{&hf_unreliable_sequence, ENET_PLACE(UNRELIABLE_SEQUENCE)},
                              {&hf_data_length, ENET_PLACE(DATA_LENGTH)}},
    [ENET_SEND_FRAGMENT] = {{&hf_fragment_start, ENET_PLACE(FRAGMENT_START)},
                            {&hf_data_length, ENET_PLACE(DATA_LENGTH)},
                            {&hf_fragment_count, ENET_PLACE(FRAGMENT_COUNT)},
                            {&hf_fragment_number, ENET_PLACE(FRAGMENT_NUMBER)},
                            {&hf_fragment_total_length, ENET_PLACE(FRAGMENT_TOTAL_LENGTH)},
                            {&hf_fragment_offset, ENET_PLACE(FRAGMENT_OFFSET)}},
    [ENET_SEND_UNSEQUENCED] = {{&hf_unsequenced_group, ENET_PLACE(UNSEQUENCED_GROUP)},
                               {&hf_data_length, ENET_PLACE(DATA_LENGTH)}},
    [ENET_BANDWIDTH_LIMIT] = {{&hf_bandwidth_incoming, ENET_PLACE(BANDWIDTH_INCOMING)},
                              {&hf_bandwidth_outgoing, ENET_PLACE(BANDWIDTH_OUTGOING)}},
    [ENET_THROTTLE_CONFIGURE] = {{&hf_throttle_interval, ENET_PLACE(THROTTLE_INTERVAL)},
                                 {&hf_throttle_acceleration, ENET_PLACE(THROTTLE_ACCELERATION)},
                                 {&hf_throttle_deceleration, ENET_PLACE(THROTTLE_DECELERATION)}},
};
_Static_assert(ENET_COMMAND_COUNT == 13,
               "a new command needs a row in command_fields or in same_fields, unless it is only a head");

static void add_command_fields(proto_tree *tree, tvbuff_t *tvb, unsigned offset, const enet_command *command)
{
    if (command->has_header) {
        proto_tree_add_item(tree, hf_command, tvb, (int)offset, 1, ENC_BIG_ENDIAN);
        proto_tree_add_item(tree, hf_acknowledge, tvb, (int)offset, 1, ENC_BIG_ENDIAN);
        proto_tree_add_item(tree, hf_unsequenced, tvb, (int)offset, 1, ENC_BIG_ENDIAN);
        if (command->byte & ENET_COMMAND_RESERVED_MASK) {
            proto_tree_add_item(tree, hf_reserved, tvb, (int)offset, 1, ENC_BIG_ENDIAN);
        }
        proto_tree_add_item(tree, hf_channel, tvb, (int)offset + 1, 1, ENC_BIG_ENDIAN);
        proto_tree_add_item(tree, hf_sequence, tvb, (int)offset + 2, 2, ENC_BIG_ENDIAN);
    }
    if (!command->complete) {
        return;
    }
    const uint8_t same = same_fields[command->type];
    for (const field_place *place = command_fields[same ? same : command->type];
         place->field && place->offset < command->fixed_length; place++) {
        proto_tree_add_item(tree, *place->field, tvb, (int)(offset + place->offset), place->length,
                            ENC_BIG_ENDIAN);
    }
}

static void add_time_since(const enet_view *view, proto_tree *tree, int field, int64_t since)
{
    nstime_t time = enet_time_since(view->pinfo, since);

    proto_item_set_generated(proto_tree_add_time(tree, field, view->body_tvb, 0, 0, &time));
}

static void add_answered(const enet_view *view, proto_tree *tree, const enet_command *command,
                         const enet_command_detail *detail)
{
    const enet_transmission *answered = enet_transmission_at(view->capture, detail->about);

    if (!answered || !tree) {
        return;
    }
    frame_add_reference(tree, hf_ack_frame, view->body_tvb, answered->frame);
    if (enet_round_trip(view->capture, detail, command->type, frame_order(view->pinfo))) {
        add_time_since(view, tree, hf_rtt, answered->time);
    }
}

/* The frame that acknowledges this transmission, or else the command; known on later passes only. */
static void add_acked_in(const enet_view *view, proto_tree *tree, uint32_t index)
{
    const enet_transmission *transmission = enet_transmission_at(view->capture, index);

    if (!transmission) {
        return;
    }
    const enet_transmission *first = enet_first_transmission(view->capture, transmission);
    bool copy = transmission->frame != frame_order(view->pinfo); /* of the same, captured again */
    uint32_t frame = transmission->acked_in ? transmission->acked_in : first->command_acked_in;
    if (frame) {
        frame_add_reference(tree, hf_acked_in, view->body_tvb, frame);
    } else if (frame_visited(view->pinfo) && first->last == index && !copy &&
               enet_loss_unanswered(view->capture, view->record->sender, first)) {
        expert_add_info(view->pinfo, proto_tree_get_parent(tree), &ei_enet_unacknowledged);
    }
    if (frame_visited(view->pinfo) && !copy) {
        enet_expert_timeout(view, proto_tree_get_parent(tree), index);
    }
}

static void add_repetition(const enet_view *view, proto_tree *tree, uint32_t notes,
                           const enet_command_detail *detail)
{
    const enet_transmission *transmission = enet_transmission_at(view->capture, detail->transmission);

    if (notes & ENET_NOTE(ENET_NOTE_RETRANSMISSION)) {
        frame_add_reference(tree, hf_retransmission_of, view->body_tvb, detail->earlier_frame);
        if (transmission) {
            add_time_since(view, tree, hf_rto, enet_first_transmission(view->capture, transmission)->time);
        }
    } else if (detail->earlier_frame) {
        frame_add_reference(tree, hf_duplicate_of, view->body_tvb, detail->earlier_frame);
    }
}

static void add_notes(const enet_view *view, proto_tree *tree, const enet_command *command,
                      const enet_command_record *record, const enet_command_detail *detail)
{
    uint32_t notes =
        record->notes & ~enet_notes_withdrawn(view->pinfo, view->record->sender, record, command->type);
    proto_item *item = proto_tree_get_parent(tree);
    const uint32_t gaps = ENET_NOTE(ENET_NOTE_GAP) | ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);

    if (view->record->second) {
        return; /* shown where it was captured first */
    }
    add_repetition(view, tree, notes, detail);
    const uint32_t unreliable = ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP);
    if ((notes & unreliable) && frame_visited(view->pinfo) &&
        !enet_loss_skipped(view->record->sender, command, detail->number, frame_order(view->pinfo))) {
        enet_expert_notes(view->pinfo, item, notes & ~unreliable); /* all of them come later */
        return;
    }
    /* At the sender's of two capture points, missing numbers were never sent. */
    if ((notes & ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP)) && view->record->sighting &&
        enet_state_sighting(view->pinfo, view->record).sender_frame == frame_order(view->pinfo)) {
        expert_add_info(view->pinfo, item, &ei_enet_throttled);
        enet_expert_notes(view->pinfo, item, notes & ~ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP));
    } else {
        enet_expert_notes(view->pinfo, item, notes);
    }
    if (notes & gaps) {
        proto_item_set_generated(proto_tree_add_uint(tree, hf_missing, view->body_tvb, 0, 0, detail->number));
    }
}

static void add_end(const enet_view *view, proto_tree *tree)
{
    const enet_sender *sender = view->record->sender;

    if (sender->connection->end_frame != frame_order(view->pinfo)) {
        return;
    }
    if (view->record->direction_known) {
        proto_item_set_generated(proto_tree_add_uint(tree, hf_closed_by, view->body_tvb, 0, 0, sender->side));
    }
    expert_add_info(view->pinfo, proto_tree_get_parent(tree), &ei_enet_disconnect);
}

static void add_analysis(const enet_view *view, proto_tree *tree, const enet_command *command,
                         const enet_command_record *record)
{
    enet_command_detail detail = enet_detail_of(view->capture, record, command->type);

    if (!view->record->sender) {
        return;
    }
    if (command->type == ENET_ACKNOWLEDGE || command->type == ENET_VERIFY_CONNECT) {
        add_answered(view, tree, command, &detail);
    }
    add_acked_in(view, tree, detail.transmission);
    enet_tree_delivery(view, tree, command);
    if (record->notes) {
        add_notes(view, tree, command, record, &detail);
    }
    if (command->type == ENET_CONNECT && !record->notes) {
        expert_add_info(view->pinfo, proto_tree_get_parent(tree), &ei_enet_connect);
    }
    if (command->type == ENET_DISCONNECT) {
        add_end(view, tree);
    }
}

proto_tree *enet_tree_command(const enet_view *view, const enet_command *command,
                              const enet_command_record *record)
{
    int offset = enet_view_offset(view, command->offset);
    uint32_t analysed = view->record->command_count;
    proto_tree *subtree = NULL;
    proto_item *item = NULL;

    if (view->tree) {
        item =
            proto_tree_add_item(view->tree, hf_entry, view->body_tvb, offset, (int)command->length, ENC_NA);
        subtree = proto_item_add_subtree(item, ett_command);
        if (PTREE_DATA(view->tree)->visible) {
            char text[160];
            enet_command_text(command, view->record, 0, text, sizeof text);
            proto_item_set_text(item, "%s", text);
        }
        add_command_fields(subtree, view->body_tvb, (unsigned)offset, command);
    }
    for (uint32_t i = 0; i < command->finding_count; i++) {
        add_finding(view, subtree, &command->findings[i]);
    }
    if (record) {
        add_analysis(view, subtree, command, record);
    } else if (command->index == analysed && command->index < ENET_MAX_RECORDED) {
        expert_add_info(view->pinfo, item, &ei_enet_not_analysed);
    }
    return subtree;
}

/* --- data ---------------------------------------------------------------------------------------- */

void enet_tree_data(const enet_view *view, proto_tree *tree, const enet_command *command)
{
    bool fragment = enet_commands[command->type].fragment;

    if (command->data_length) {
        proto_tree_add_item(tree, fragment ? hf_fragment_data : hf_data, view->body_tvb,
                            enet_view_offset(view, command->data_offset), (int)command->data_length, ENC_NA);
    }
}

void enet_tree_message(proto_tree *tree, tvbuff_t *message)
{
    proto_tree_add_item(tree, hf_data, message, 0, -1, ENC_NA);
}

/* The fragments of a complete message for show_fragment_seq_tree(); frames that the read filter has dropped
 * are 0. */
static fragment_head *list_parts(const enet_message *message, packet_info *pinfo, tvbuff_t *whole)
{
    fragment_head *head = wmem_new0(pinfo->pool, fragment_head);
    fragment_item **link = &head->next;

    for (uint32_t i = 0; i < message->count; i++) {
        fragment_item *part = wmem_new0(pinfo->pool, fragment_item);
        part->frame = frame_number(message->fragments[i].frame);
        part->offset = i;
        part->len = message->fragments[i].length;
        *link = part;
        link = &part->next;
    }
    head->len = message->length;
    head->datalen = message->count - 1;
    head->reassembled_in = frame_number(message->completed_frame);
    head->flags = FD_DEFRAGMENTED | FD_BLOCKSEQUENCE | FD_DATALEN_SET;
    head->tvb_data = whole;
    return head;
}

tvbuff_t *enet_tree_reassembled(const enet_view *view, const enet_message *message, proto_tree *tree)
{
    packet_info *pinfo = view->pinfo;
    proto_item *item = NULL;

    uint32_t frame = enet_message_frame(message, view->record->second);

    if (!frame) {
        return NULL;
    }
    if (frame != frame_order(pinfo)) {
        frame_add_reference(tree, hf_reassembled_in, view->tvb, frame);
        return NULL;
    }
    tvbuff_t *whole =
        tvb_new_child_real_data(view->body_tvb, message->bytes, message->length, (int)message->length);
    add_new_data_source(pinfo, whole, "Reassembled ENet message");
    if (message->count <= MAX_FRAGMENTS_LISTED) {
        show_fragment_seq_tree(list_parts(message, pinfo, whole), &fragment_fields, tree, pinfo, whole,
                               &item);
    } else {
        proto_item_set_generated(proto_tree_add_uint(tree, hf_parts, whole, 0, 0, message->count));
        item = proto_tree_add_uint(tree, hf_reassembled_length, whole, 0, 0, message->length);
        proto_item_set_generated(item);
    }
    if (message->length != message->total_length) {
        expert_add_info(pinfo, item, &ei_enet_reassembled_length);
    }
    return whole;
}

/* --- registration -------------------------------------------------------------------------------- */

void enet_tree_register(int proto)
{
    static int *subtrees[] = {&ett_command, &ett_fragment, &ett_fragments};

    for (unsigned i = 0; i < ENET_COMMAND_COUNT; i++) {
        command_names[i] = (value_string){i, enet_commands[i].name};
    }
    enet_header_tree_register(proto);
    proto_register_field_array(proto, fields, array_length(fields));
    proto_register_subtree_array(subtrees, array_length(subtrees));
    enet_expert_register(proto);
}
