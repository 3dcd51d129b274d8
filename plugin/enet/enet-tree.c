/* enet-tree.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "enet/enet-tree.h"

#include "common/registration.h"

#include <epan/expert.h>

/* Of a message; far more than a sender that fills its datagrams needs. */
#define MAX_FRAGMENTS_LISTED 10000u

/* --- fields ---------------------------------------------------------------------------------------- */

static int hf_stream = -1, hf_sender = -1, hf_first_frame = -1, hf_end_frame = -1, hf_closed_by = -1;
static int hf_dialect = -1;
static int hf_word[ENET_DIALECT_COUNT][4]; /* sent time, compressed, session, peer id */
static int hf_peer_id_high = -1, hf_peer_id_full = -1;
static int hf_sent_time = -1, hf_checksum = -1, hf_checksum_status = -1, hf_checksum_long = -1;
static int hf_compression = -1, hf_compressed_data = -1, hf_compressed_length = -1,
           hf_decompressed_length = -1, hf_compression_ratio = -1;
static int hf_finding = -1;
static int hf_entry = -1, hf_command = -1, hf_acknowledge = -1, hf_unsequenced = -1, hf_reserved = -1,
           hf_channel = -1, hf_sequence = -1;
static int hf_ack_sequence = -1, hf_ack_sent_time = -1, hf_ack_frame = -1, hf_acked_in = -1, hf_rtt = -1;
static int hf_connect_peer_id = -1, hf_connect_incoming_session = -1, hf_connect_outgoing_session = -1,
           hf_connect_mtu = -1, hf_connect_window_size = -1, hf_connect_channel_count = -1,
           hf_connect_incoming_bandwidth = -1, hf_connect_outgoing_bandwidth = -1, hf_connect_interval = -1,
           hf_connect_acceleration = -1, hf_connect_deceleration = -1, hf_connect_id = -1,
           hf_connect_data = -1;
static int hf_disconnect_data = -1;
static int hf_unreliable_sequence = -1, hf_unsequenced_group = -1, hf_data_length = -1;
static int hf_fragment_start = -1, hf_fragment_count = -1, hf_fragment_number = -1,
           hf_fragment_total_length = -1, hf_fragment_offset = -1;
static int hf_bandwidth_incoming = -1, hf_bandwidth_outgoing = -1;
static int hf_throttle_interval = -1, hf_throttle_acceleration = -1, hf_throttle_deceleration = -1;
static int hf_data = -1, hf_fragment_data = -1, hf_undecoded = -1;
static int hf_retransmission_of = -1, hf_duplicate_of = -1, hf_rto = -1, hf_missing = -1;
static int hf_fragments = -1, hf_fragment = -1, hf_overlap = -1, hf_overlap_conflict = -1,
           hf_multiple_tails = -1, hf_too_long = -1, hf_fragment_error = -1, hf_parts = -1,
           hf_reassembled_in = -1, hf_reassembled_length = -1, hf_reassembled_data = -1;

static int ett_flags = -1, ett_command = -1, ett_fragment = -1, ett_fragments = -1, ett_command_byte = -1;

static const fragment_items fragment_fields = {
    &ett_fragment,        &ett_fragments,         &hf_fragments,        &hf_fragment,        &hf_overlap,
    &hf_overlap_conflict, &hf_multiple_tails,     &hf_too_long,         &hf_fragment_error,  &hf_parts,
    &hf_reassembled_in,   &hf_reassembled_length, &hf_reassembled_data, "Message fragments",
};

static const value_string side_names[] = {
    {ENET_INITIATOR, "initiator"}, {ENET_ACCEPTOR, "acceptor"}, {0, NULL}};

/* Filled from the decoder's own tables. */
static value_string command_names[ENET_COMMAND_COUNT + 1];
static value_string compression_names[ENET_COMPRESSION_COUNT + 1];
static value_string dialect_names[ENET_DIALECT_COUNT + 1];

/* --- expert infos ---------------------------------------------------------------------------------- */

static expert_field ei_problem[ENET_PROBLEM_COUNT];
static expert_field ei_note[ENET_NOTE_COUNT];
static expert_field ei_unacknowledged = EI_INIT, ei_checksum = EI_INIT, ei_undecoded = EI_INIT,
                    ei_compression_useless = EI_INIT, ei_disconnect = EI_INIT, ei_connect = EI_INIT,
                    ei_reassembled_length = EI_INIT, ei_not_analysed = EI_INIT;

typedef struct {
    const char *name, *text;
    int group, severity;
} note_facts;

static const note_facts notes[ENET_NOTE_COUNT] = {
    [ENET_NOTE_RETRANSMISSION] = {"retransmission", "Retransmission: sent before, not acknowledged in time",
                                  PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_SPURIOUS] = {"spurious_retransmission",
                            "Spurious retransmission: the acknowledgement was already on its way",
                            PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_DUPLICATE] = {"duplicate", "Duplicate: this very transmission was captured before",
                             PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_OUT_OF_ORDER] = {"out_of_order", "Out of order: first seen behind a higher number",
                                PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_GAP] = {"gap",
                       "Reliable numbers before this one were not seen yet: late, lost or not captured",
                       PI_SEQUENCE, PI_WARN},
    [ENET_NOTE_UNRELIABLE_GAP] = {"unreliable_gap",
                                  "Unreliable numbers skipped: lost, or dropped by the sender's throttle",
                                  PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_UNRELIABLE_LATE] = {"unreliable_late",
                                   "Behind a later unreliable message: a receiver drops it", PI_SEQUENCE,
                                   PI_NOTE},
    [ENET_NOTE_UNRELIABLE_REPEATED] = {"unreliable_duplicate",
                                       "Unreliable message seen before: a receiver drops it", PI_SEQUENCE,
                                       PI_NOTE},
    [ENET_NOTE_GROUP_REPEATED] = {"unsequenced_duplicate",
                                  "Unsequenced group seen before: a receiver drops it", PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_GROUP_TOO_FAR] = {"unsequenced_too_far",
                                 "Unsequenced group too old or too far ahead: a receiver drops it",
                                 PI_SEQUENCE, PI_WARN},
    [ENET_NOTE_NUMBER_TOO_FAR] = {"sequence_too_far",
                                  "Seven or more windows ahead of what is acknowledged: a receiver drops it "
                                  "without acknowledging it",
                                  PI_SEQUENCE, PI_WARN},
    [ENET_NOTE_UNKNOWN_NUMBER] = {"ack_unknown", "Acknowledges a command that was not captured", PI_SEQUENCE,
                                  PI_NOTE},
    [ENET_NOTE_UNKNOWN_TIME] = {"ack_time_unknown",
                                "Echoes a sent time with which the command was not captured", PI_SEQUENCE,
                                PI_NOTE},
    [ENET_NOTE_BEFORE_HANDSHAKE] = {"before_handshake",
                                    "Sent before the handshake was complete: a receiver refuses it and "
                                    "skips the rest of the datagram",
                                    PI_PROTOCOL, PI_WARN},
    [ENET_NOTE_AFTER_DISCONNECT] = {"after_disconnect", "Sent after this side's own Disconnect", PI_PROTOCOL,
                                    PI_WARN},
    [ENET_NOTE_VERIFY_MISMATCH] =
        {"verify_mismatch",
         "Does not repeat the throttle values of Connect: the initiator gives up the "
         "connection",
         PI_PROTOCOL, PI_WARN},
    [ENET_NOTE_VERIFY_STALE] = {"verify_stale",
                                "Answers an attempt that was given up: the initiator acknowledges it without "
                                "using it",
                                PI_PROTOCOL, PI_NOTE},
    [ENET_NOTE_CHANNELS_GRANTED] = {"channels_granted", "More channels than Connect asked for", PI_PROTOCOL,
                                    PI_NOTE},
    [ENET_NOTE_TOO_BIG] = {"too_big_for_unreliable",
                           "Too big for one datagram and therefore sent reliably, on a channel of unreliable "
                           "messages",
                           PI_PROTOCOL, PI_NOTE},
    [ENET_NOTE_FRAGMENT_LATE] = {"fragment_late", "The message was complete already", PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_FRAGMENT_REPEATED] = {"fragment_duplicate", "This fragment of the message was seen before",
                                     PI_SEQUENCE, PI_NOTE},
    [ENET_NOTE_FRAGMENT_CONFLICT] = {"fragment_conflict",
                                     "Other fragment count or length than the message's other fragments: a "
                                     "receiver refuses it and skips the rest of the datagram",
                                     PI_REASSEMBLE, PI_WARN},
};

static void add_finding(const enet_datagram *datagram, packet_info *pinfo, proto_tree *tree,
                        const finding *found)
{
    const problem_facts *facts = enet_problem_facts((enet_problem)found->problem);
    unsigned length = found->length;

    if (found->offset + length > datagram->body_captured) {
        length = datagram->body_captured - MIN(datagram->body_captured, found->offset);
    }
    unsigned offset = length ? datagram->body_offset + found->offset : datagram->body_offset;
    const char *effect =
        found->verdict == ENET_TOLERATED ? NULL : enet_effect_text((enet_effect)found->verdict);
    const char *separator = effect ? ". " : "";
    proto_item *item =
        proto_tree_add_none_format(tree, hf_finding, datagram->body_tvb, (int)offset, (int)length, "%s%s%s",
                                   facts->text, separator, effect ? effect : "");
    expert_add_info_format(pinfo, item, &ei_problem[found->problem], "%s%s%s", facts->text, separator,
                           effect ? effect : "");
}

void enet_tree_findings(const enet_datagram *datagram, packet_info *pinfo, proto_tree *tree,
                        const enet_body *body)
{
    for (uint32_t i = 0; i < body->finding_count; i++) {
        add_finding(datagram, pinfo, tree, &body->findings[i]);
    }
}

/* --- header ---------------------------------------------------------------------------------------- */

static void generated(proto_item *item)
{
    proto_item_set_generated(item);
}

static void add_connection(const enet_datagram *datagram, const enet_datagram_record *record,
                           packet_info *pinfo, proto_tree *tree)
{
    const enet_sender *sender = record->sender;

    if (!sender) {
        return;
    }
    const enet_connection *connection = sender->connection;
    generated(proto_tree_add_uint(tree, hf_stream, datagram->tvb, 0, 0, connection->stream));
    if (record->direction_known) {
        generated(proto_tree_add_uint(tree, hf_sender, datagram->tvb, 0, 0, sender->side));
    }
    if (connection->first_frame != pinfo->num) {
        generated(proto_tree_add_uint(tree, hf_first_frame, datagram->tvb, 0, 0, connection->first_frame));
    }
    if (connection->end_frame > pinfo->num) {
        generated(proto_tree_add_uint(tree, hf_end_frame, datagram->tvb, 0, 0, connection->end_frame));
    }
}

static void add_word(const enet_datagram *datagram, proto_tree *tree)
{
    const enet_header *header = &datagram->header;
    const int *fields = hf_word[header->dialect];

    if (header->dialect != ENET_STOCK) {
        generated(proto_tree_add_uint(tree, hf_dialect, datagram->tvb, 0, 0, header->dialect));
    }
    for (unsigned i = 0; i < 4; i++) {
        if (fields[i] > 0) {
            proto_tree_add_item(tree, fields[i], datagram->tvb, 0, 2, ENC_BIG_ENDIAN);
        }
    }
    if (header->has_peer_id_high) {
        proto_tree_add_item(tree, hf_peer_id_high, datagram->tvb, header->peer_id_high_offset, 1,
                            ENC_BIG_ENDIAN);
        generated(proto_tree_add_uint(tree, hf_peer_id_full, datagram->tvb, 0, 2, header->peer_id));
    }
    if (header->has_sent_time) {
        proto_tree_add_item(tree, hf_sent_time, datagram->tvb, 2, 2, ENC_BIG_ENDIAN);
    }
}

static void add_checksum(const enet_datagram *datagram, const enet_datagram_record *record,
                         packet_info *pinfo, proto_tree *tree)
{
    const enet_header *header = &datagram->header;

    if (header->checksum_length == 8) {
        proto_tree_add_item(tree, hf_checksum_long, datagram->tvb, header->checksum_offset, 8,
                            ENC_BIG_ENDIAN);
    } else if (header->checksum_length == 4) {
        proto_tree_add_checksum(tree, datagram->tvb, header->checksum_offset, hf_checksum, hf_checksum_status,
                                &ei_checksum, pinfo, record->expected_checksum, ENC_BIG_ENDIAN,
                                record->checksum_verdict == ENET_CHECKSUM_UNVERIFIED ? PROTO_CHECKSUM_NO_FLAGS
                                                                                     : PROTO_CHECKSUM_VERIFY);
    }
}

static void add_compression(const enet_datagram *datagram, const enet_datagram_record *record,
                            packet_info *pinfo, proto_tree *tree)
{
    if (!datagram->header.compressed) {
        return;
    }
    unsigned offset = datagram->header.length;
    unsigned length = datagram->length - offset;
    proto_item *compression =
        proto_tree_add_uint(tree, hf_compression, datagram->tvb, (int)offset, 0, record->compression);
    generated(compression);
    if (datagram->captured > offset) {
        proto_tree_add_item(tree, hf_compressed_data, datagram->tvb, (int)offset,
                            (int)(datagram->captured - offset), ENC_NA);
    }
    generated(proto_tree_add_uint(tree, hf_compressed_length, datagram->tvb, (int)offset, 0, length));
    if (!datagram->body_tvb) {
        if (datagram->captured == datagram->length) {
            expert_add_info_format(
                pinfo, compression, &ei_undecoded, "Cannot be decompressed: %s%s",
                enet_decompress_text(record->decompress_result),
                record->decompress_result == DECOMPRESS_NOT_BUILT ? "" : ". A receiver drops the datagram");
        }
        return;
    }
    add_new_data_source(pinfo, datagram->body_tvb, "Decompressed ENet commands");
    generated(proto_tree_add_uint(tree, hf_decompressed_length, datagram->tvb, (int)offset, 0,
                                  datagram->body_length));
    generated(proto_tree_add_float(tree, hf_compression_ratio, datagram->tvb, (int)offset, 0,
                                   datagram->body_length ? (float)length / (float)datagram->body_length : 0));
    if (length >= datagram->body_length) {
        expert_add_info(pinfo, compression, &ei_compression_useless);
    }
}

void enet_tree_header(const enet_datagram *datagram, const enet_datagram_record *record, packet_info *pinfo,
                      proto_tree *tree)
{
    if (tree) { /* a dozen calls per datagram that would do nothing */
        add_connection(datagram, record, pinfo, tree);
    }
    if (!datagram->has_header) {
        return;
    }
    if (tree) {
        add_word(datagram, tree);
    }
    add_checksum(datagram, record, pinfo, tree);
    add_compression(datagram, record, pinfo, tree);
}

/* --- commands -------------------------------------------------------------------------------------- */

typedef struct {
    int *field;
    uint8_t offset, length; /* in the command */
} field_place;

#define CONNECT_FIELDS                                                                                       \
    {&hf_connect_peer_id, 4, 2}, {&hf_connect_incoming_session, 6, 1}, {&hf_connect_outgoing_session, 7, 1}, \
        {&hf_connect_mtu, 8, 4}, {&hf_connect_window_size, 12, 4}, {&hf_connect_channel_count, 16, 4},       \
        {&hf_connect_incoming_bandwidth, 20, 4}, {&hf_connect_outgoing_bandwidth, 24, 4},                    \
        {&hf_connect_interval, 28, 4}, {&hf_connect_acceleration, 32, 4}, {&hf_connect_deceleration, 36, 4}, \
    {                                                                                                        \
        &hf_connect_id, 40, 4                                                                                \
    }
#define FRAGMENT_FIELDS                                                                                      \
    {&hf_fragment_start, 4, 2}, {&hf_data_length, 6, 2}, {&hf_fragment_count, 8, 4},                         \
        {&hf_fragment_number, 12, 4}, {&hf_fragment_total_length, 16, 4},                                    \
    {                                                                                                        \
        &hf_fragment_offset, 20, 4                                                                           \
    }

static const field_place command_fields[ENET_COMMAND_COUNT][14] = {
    [ENET_ACKNOWLEDGE] = {{&hf_ack_sequence, 4, 2}, {&hf_ack_sent_time, 6, 2}},
    [ENET_CONNECT] = {CONNECT_FIELDS, {&hf_connect_data, 44, 4}},
    [ENET_VERIFY_CONNECT] = {CONNECT_FIELDS},
    [ENET_DISCONNECT] = {{&hf_disconnect_data, 4, 4}},
    [ENET_SEND_RELIABLE] = {{&hf_data_length, 4, 2}},
    [ENET_SEND_UNRELIABLE] = {{&hf_unreliable_sequence, 4, 2}, {&hf_data_length, 6, 2}},
    [ENET_SEND_FRAGMENT] = {FRAGMENT_FIELDS},
    [ENET_SEND_UNSEQUENCED] = {{&hf_unsequenced_group, 4, 2}, {&hf_data_length, 6, 2}},
    [ENET_BANDWIDTH_LIMIT] = {{&hf_bandwidth_incoming, 4, 4}, {&hf_bandwidth_outgoing, 8, 4}},
    [ENET_THROTTLE_CONFIGURE] = {{&hf_throttle_interval, 4, 4},
                                 {&hf_throttle_acceleration, 8, 4},
                                 {&hf_throttle_deceleration, 12, 4}},
    [ENET_SEND_UNRELIABLE_FRAGMENT] = {FRAGMENT_FIELDS},
};

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
    for (const field_place *place = command_fields[command->type]; place->field; place++) {
        proto_tree_add_item(tree, *place->field, tvb, (int)(offset + place->offset), place->length,
                            ENC_BIG_ENDIAN);
    }
}

static void add_acknowledge_links(const enet_command_record *record, packet_info *pinfo, proto_tree *tree,
                                  tvbuff_t *tvb, const enet_command *command)
{
    const enet_transmission *answered = record->answered;

    if (!answered || !tree) {
        return;
    }
    generated(proto_tree_add_uint(tree, hf_ack_frame, tvb, 0, 0, answered->frame));
    if (enet_round_trip(record, command->type)) {
        nstime_t time;
        nstime_delta(&time, &pinfo->abs_ts, &answered->time);
        generated(proto_tree_add_time(tree, hf_rtt, tvb, 0, 0, &time));
    }
}

/* The frame that acknowledges this transmission, or else the command; known on later passes only. */
static void add_acked_in(const enet_command_record *record, packet_info *pinfo, proto_tree *tree,
                         tvbuff_t *tvb)
{
    const enet_transmission *transmission = record->transmission;

    if (!transmission) {
        return;
    }
    const enet_reliable *reliable = transmission->command;
    uint32_t frame = transmission->acked_in ? transmission->acked_in : reliable->acked_in;
    if (frame) {
        generated(proto_tree_add_uint(tree, hf_acked_in, tvb, 0, 0, frame));
    } else if (PINFO_FD_VISITED(pinfo) && !reliable->unanswerable && reliable->last == transmission) {
        expert_add_info(pinfo, proto_tree_get_parent(tree), &ei_unacknowledged);
    }
}

static void add_repetition(const enet_command_record *record, packet_info *pinfo, proto_tree *tree,
                           tvbuff_t *tvb)
{
    if (record->notes & ENET_NOTE(ENET_NOTE_RETRANSMISSION)) {
        generated(proto_tree_add_uint(tree, hf_retransmission_of, tvb, 0, 0, record->earlier_frame));
        if (record->transmission) {
            nstime_t time;
            nstime_delta(&time, &pinfo->abs_ts, &record->transmission->command->first.time);
            generated(proto_tree_add_time(tree, hf_rto, tvb, 0, 0, &time));
        }
    } else if (record->earlier_frame) {
        generated(proto_tree_add_uint(tree, hf_duplicate_of, tvb, 0, 0, record->earlier_frame));
    }
}

static void add_notes(const enet_command_record *record, packet_info *pinfo, proto_tree *tree,
                      proto_item *item, tvbuff_t *tvb)
{
    for (unsigned note = 0; note < ENET_NOTE_COUNT; note++) {
        if (record->notes & ENET_NOTE(note)) {
            expert_add_info(pinfo, item, &ei_note[note]);
        }
    }
    if (record->notes & (ENET_NOTE(ENET_NOTE_GAP) | ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP))) {
        generated(proto_tree_add_uint(tree, hf_missing, tvb, 0, 0, record->number));
    }
}

static void add_analysis(const enet_datagram_record *datagram_record, const enet_command_record *record,
                         packet_info *pinfo, proto_tree *tree, proto_item *item, tvbuff_t *tvb,
                         const enet_command *command)
{
    if (command->type == ENET_ACKNOWLEDGE || command->type == ENET_VERIFY_CONNECT) {
        add_acknowledge_links(record, pinfo, tree, tvb, command);
    }
    add_acked_in(record, pinfo, tree, tvb);
    if (record->notes) {
        add_repetition(record, pinfo, tree, tvb);
        add_notes(record, pinfo, tree, item, tvb);
    }
    if (command->type == ENET_CONNECT && !record->notes) {
        expert_add_info(pinfo, item, &ei_connect);
    }
    const enet_sender *sender = datagram_record->sender;
    if (command->type == ENET_DISCONNECT && sender && sender->connection->end_frame == pinfo->num) {
        if (datagram_record->direction_known) {
            proto_item *by = proto_tree_add_uint(tree, hf_closed_by, tvb, 0, 0, sender->side);
            generated(by);
        }
        expert_add_info(pinfo, item, &ei_disconnect);
    }
}

proto_tree *enet_tree_command(const enet_datagram *datagram, const enet_datagram_record *datagram_record,
                              const enet_command_record *record, packet_info *pinfo, proto_tree *tree,
                              const enet_command *command)
{
    tvbuff_t *tvb = datagram->body_tvb;
    unsigned offset = datagram->body_offset + command->offset;
    proto_tree *subtree = NULL;
    proto_item *item = NULL;

    if (tree) {
        item = proto_tree_add_item(tree, hf_entry, tvb, (int)offset, (int)command->length, ENC_NA);
        subtree = proto_item_add_subtree(item, ett_command);
        if (PTREE_DATA(tree)->visible) {
            char text[160];
            enet_command_text(command, NULL, text, sizeof text);
            proto_item_set_text(item, "%s", text);
        }
        add_command_fields(subtree, tvb, offset, command);
    }
    for (uint32_t i = 0; i < command->finding_count; i++) {
        add_finding(datagram, pinfo, subtree, &command->findings[i]);
    }
    if (record) {
        add_analysis(datagram_record, record, pinfo, subtree, item, tvb, command);
    } else if (command->index == datagram_record->command_count && command->index < ENET_MAX_RECORDED) {
        expert_add_info(pinfo, item, &ei_not_analysed);
    }
    return subtree;
}

void enet_tree_data(const enet_datagram *datagram, proto_tree *tree, const enet_command *command)
{
    bool fragment = enet_command_facts(command->type)->fragment;

    if (command->data_length) {
        proto_tree_add_item(tree, fragment ? hf_fragment_data : hf_data, datagram->body_tvb,
                            (int)(datagram->body_offset + command->data_offset), (int)command->data_length,
                            ENC_NA);
    }
}

void enet_tree_message(proto_tree *tree, tvbuff_t *message)
{
    proto_tree_add_item(tree, hf_data, message, 0, -1, ENC_NA);
}

tvbuff_t *enet_tree_reassembled(const enet_datagram *datagram, const enet_message *message,
                                packet_info *pinfo, proto_tree *tree)
{
    if (!message->completed_frame) {
        return NULL;
    }
    if (message->completed_frame != pinfo->num) {
        generated(
            proto_tree_add_uint(tree, hf_reassembled_in, datagram->tvb, 0, 0, message->completed_frame));
        return NULL;
    }
    tvbuff_t *whole = enet_message_whole(message, datagram->body_tvb);
    add_new_data_source(pinfo, whole, "Reassembled ENet message");
    proto_item *item = NULL;
    if (message->count <= MAX_FRAGMENTS_LISTED) {
        show_fragment_seq_tree(enet_message_parts(message, pinfo, whole), &fragment_fields, tree, pinfo,
                               whole, &item);
    } else {
        generated(proto_tree_add_uint(tree, hf_parts, whole, 0, 0, message->count));
        item = proto_tree_add_uint(tree, hf_reassembled_length, whole, 0, 0, message->length);
        generated(item);
    }
    if (message->length != message->total_length) {
        expert_add_info(pinfo, item, &ei_reassembled_length);
    }
    return whole;
}

/* --- text ------------------------------------------------------------------------------------------ */

static const char *prefix_of(const enet_command_record *record)
{
    if (!record) {
        return "";
    }
    if (record->notes & ENET_NOTE(ENET_NOTE_RETRANSMISSION)) {
        return "[Retransmission] ";
    }
    return record->notes & ENET_NOTE(ENET_NOTE_DUPLICATE) ? "[Duplicate] " : "";
}

void enet_command_text(const enet_command *command, const enet_command_record *record, char *text,
                       size_t size)
{
    const char *prefix = prefix_of(record);
    unsigned sequence = command->sequence, channel = command->channel;
    unsigned bytes = command->announced_length;

    if (!command->complete || command->type >= ENET_COMMAND_COUNT) {
        snprintf(text, size, "%s",
                 command->has_header ? enet_command_name(command->type) : "Truncated command");
        return;
    }
    switch (command->type) {
    case ENET_ACKNOWLEDGE:
        snprintf(text, size, "%sAck %u", prefix, command->fields.acknowledgement.sequence);
        break;
    case ENET_CONNECT:
    case ENET_VERIFY_CONNECT:
        snprintf(text, size, "%s%s → %u channels", prefix, enet_command_name(command->type),
                 command->fields.connect.channel_count);
        break;
    case ENET_DISCONNECT:
        snprintf(text, size, "%sDisconnect%s (data %u)", prefix, command->acknowledge ? "" : " at once",
                 command->fields.disconnect.data);
        break;
    case ENET_PING:
        snprintf(text, size, "%sPing %u", prefix, sequence);
        break;
    case ENET_SEND_RELIABLE:
        snprintf(text, size, "%sReliable ch %u seq %u (%u bytes)", prefix, channel, sequence, bytes);
        break;
    case ENET_SEND_UNRELIABLE:
        snprintf(text, size, "%sUnreliable ch %u seq %u.%u (%u bytes)", prefix, channel, sequence,
                 command->fields.unreliable.sequence, bytes);
        break;
    case ENET_SEND_UNSEQUENCED:
        snprintf(text, size, "%sUnsequenced ch %u group %u (%u bytes)", prefix, channel,
                 command->fields.unsequenced.group, bytes);
        break;
    case ENET_SEND_FRAGMENT:
    case ENET_SEND_UNRELIABLE_FRAGMENT:
        snprintf(text, size, "%s%s ch %u seq %u, %" PRIu64 " of %u (%u of %u bytes)", prefix,
                 command->type == ENET_SEND_FRAGMENT ? "Fragment" : "Unreliable fragment", channel, sequence,
                 (uint64_t)command->fields.fragment.number + 1u, command->fields.fragment.count, bytes,
                 command->fields.fragment.total_length);
        break;
    default:
        snprintf(text, size, "%s%s", prefix, enet_command_name(command->type));
        break;
    }
}

/* --- registration ---------------------------------------------------------------------------------- */

static void fill_names(void)
{
    for (unsigned i = 0; i < ENET_COMMAND_COUNT; i++) {
        command_names[i] = (value_string){i, enet_command_name(i)};
    }
    for (unsigned i = 0; i < ENET_COMPRESSION_COUNT; i++) {
        compression_names[i] = (value_string){i, enet_compression_name((enet_compression)i)};
    }
    for (unsigned i = 0; i < ENET_DIALECT_COUNT; i++) {
        dialect_names[i] = (value_string){i, enet_dialect_name((enet_dialect)i)};
    }
}

static void register_expert_infos(int proto)
{
    static ei_register_info others[] = {
        {&ei_unacknowledged,
         {"enet.analysis.unacknowledged", PI_SEQUENCE, PI_NOTE,
          "Neither acknowledged nor sent again in this capture", EXPFILL}},
        {&ei_checksum,
         {"enet.checksum.bad", PI_CHECKSUM, PI_ERROR, "Wrong checksum: a receiver drops the datagram",
          EXPFILL}},
        {&ei_undecoded,
         {"enet.compression.undecoded", PI_UNDECODED, PI_WARN, "Cannot be decompressed", EXPFILL}},
        {&ei_compression_useless,
         {"enet.compression.useless", PI_PROTOCOL, PI_NOTE,
          "Compressed although that does not make it shorter", EXPFILL}},
        {&ei_not_analysed,
         {"enet.analysis.not_analysed", PI_UNDECODED, PI_WARN,
          "From here on the commands of this datagram are not analysed and their messages not dissected: the "
          "file has too many datagrams with more commands than any known sender puts into one",
          EXPFILL}},
        {&ei_connect, {"enet.analysis.connect", PI_SEQUENCE, PI_CHAT, "Connection opened", EXPFILL}},
        {&ei_disconnect,
         {"enet.analysis.disconnect", PI_SEQUENCE, PI_CHAT, "Connection closed by this side", EXPFILL}},
        {&ei_reassembled_length,
         {"enet.reassembled.bad_length", PI_REASSEMBLE, PI_WARN,
          "The fragments together are not as long as the message should be", EXPFILL}},
    };
    static ei_register_info all[ENET_NOTE_COUNT];
    expert_module_t *module = expert_register_protocol(proto);

    register_problems(module, "enet.problem.", enet_problem_facts((enet_problem)0), ei_problem,
                      ENET_PROBLEM_COUNT);
    for (unsigned i = 0; i < ENET_NOTE_COUNT; i++) {
        ei_note[i] = (expert_field)EI_INIT;
        all[i] = (ei_register_info){&ei_note[i],
                                    {wmem_strdup_printf(wmem_epan_scope(), "enet.analysis.%s", notes[i].name),
                                     notes[i].group, notes[i].severity, notes[i].text, EXPFILL}};
    }
    expert_register_field_array(module, all, array_length(all));
    expert_register_field_array(module, others, array_length(others));
}

void enet_tree_register(int proto)
{
    static const true_false_string required = {"requested", "not requested"};
#define WORD(dialect, index, title, name, type, display, mask, blurb)                                        \
    {                                                                                                        \
        &hf_word[dialect][index],                                                                            \
        {                                                                                                    \
            title, name, type, display, NULL, mask, blurb, HFILL                                             \
        }                                                                                                    \
    }
#define NUMBER(variable, title, name, type, blurb)                                                           \
    {                                                                                                        \
        &variable,                                                                                           \
        {                                                                                                    \
            title, name, type, BASE_DEC, NULL, 0, blurb, HFILL                                               \
        }                                                                                                    \
    }
#define LINK(variable, title, name, kind, blurb)                                                             \
    {                                                                                                        \
        &variable,                                                                                           \
        {                                                                                                    \
            title, name, FT_FRAMENUM, BASE_NONE, kind, 0, blurb, HFILL                                       \
        }                                                                                                    \
    }
#define PLAIN(variable, title, name, type, blurb)                                                            \
    {                                                                                                        \
        &variable,                                                                                           \
        {                                                                                                    \
            title, name, type, BASE_NONE, NULL, 0, blurb, HFILL                                              \
        }                                                                                                    \
    }
    static hf_register_info fields[] = {
        NUMBER(hf_stream, "Connection Index", "enet.stream", FT_UINT32,
               "Number of the connection in this file"),
        {&hf_sender,
         {"Sender", "enet.sender", FT_UINT8, BASE_DEC, VALS(side_names), 0,
          "Side of the connection that sent this", HFILL}},
        LINK(hf_first_frame, "First Frame of the Connection", "enet.first_frame", NULL, NULL),
        LINK(hf_end_frame, "Connection Closed in Frame", "enet.closed_in", NULL, NULL),
        {&hf_closed_by,
         {"Closed By", "enet.closed_by", FT_UINT8, BASE_DEC, VALS(side_names), 0, NULL, HFILL}},
        {&hf_dialect,
         {"Header Dialect", "enet.dialect", FT_UINT8, BASE_DEC, VALS(dialect_names), 0, NULL, HFILL}},
        WORD(ENET_STOCK, 0, "Sent Time Present", "enet.flags.sent_time", FT_BOOLEAN, 16, 0x8000, NULL),
        WORD(ENET_STOCK, 1, "Compressed", "enet.flags.compressed", FT_BOOLEAN, 16, 0x4000, NULL),
        WORD(ENET_STOCK, 2, "Session ID", "enet.session_id", FT_UINT16, BASE_DEC, 0x3000, NULL),
        WORD(ENET_STOCK, 3, "Peer ID", "enet.peer_id", FT_UINT16, BASE_DEC, 0x0fff,
             "Slot at the receiver; 4095: not known yet"),
        WORD(ENET_CSHARP, 0, "Sent Time Present", "enet.flags.sent_time", FT_BOOLEAN, 16, 0x4000, NULL),
        WORD(ENET_CSHARP, 2, "Session ID", "enet.session_id", FT_UINT16, BASE_DEC, 0x3000, NULL),
        WORD(ENET_CSHARP, 3, "Peer ID", "enet.peer_id", FT_UINT16, BASE_DEC, 0x0fff,
             "Slot at the receiver; 4095: not known yet"),
        WORD(ENET_MORE_PEERS, 0, "Sent Time Present", "enet.flags.sent_time", FT_BOOLEAN, 16, 0x8000, NULL),
        WORD(ENET_MORE_PEERS, 1, "Compressed", "enet.flags.compressed", FT_BOOLEAN, 16, 0x4000, NULL),
        WORD(ENET_MORE_PEERS, 2, "Session ID", "enet.session_id", FT_UINT16, BASE_DEC, 0x1800, NULL),
        WORD(ENET_MORE_PEERS, 3, "Peer ID", "enet.peer_id", FT_UINT16, BASE_DEC, 0x07ff,
             "Slot at the receiver, low bits"),
        NUMBER(hf_peer_id_high, "Peer ID, High Bits", "enet.peer_id.high", FT_UINT8, NULL),
        NUMBER(hf_peer_id_full, "Whole Peer ID", "enet.peer_id.full", FT_UINT32, NULL),
        NUMBER(hf_sent_time, "Sent Time", "enet.sent_time", FT_UINT16,
               "Milliseconds of the sender's clock, low 16 bits"),
        {&hf_checksum, {"Checksum", "enet.checksum", FT_UINT32, BASE_HEX, NULL, 0, NULL, HFILL}},
        {&hf_checksum_long,
         {"Checksum, 64 Bit", "enet.checksum.long", FT_UINT64, BASE_HEX, NULL, 0, NULL, HFILL}},
        {&hf_compression,
         {"Compression", "enet.compression", FT_UINT8, BASE_DEC, VALS(compression_names), 0,
          "Found out: the datagram does not say", HFILL}},
        PLAIN(hf_compressed_data, "Compressed Commands", "enet.compression.data", FT_BYTES, NULL),
        NUMBER(hf_compressed_length, "Compressed Length", "enet.compression.compressed_length", FT_UINT32,
               NULL),
        NUMBER(hf_decompressed_length, "Decompressed Length", "enet.compression.decompressed_length",
               FT_UINT32, NULL),
        PLAIN(hf_compression_ratio, "Compression Ratio", "enet.compression.ratio", FT_FLOAT,
              "Compressed length divided by decompressed length"),
        PLAIN(hf_finding, "Finding", "enet.finding", FT_NONE, "Bytes that an expert info is about"),
        PLAIN(hf_entry, "Entry", "enet.command.entry", FT_NONE,
              "One command of the datagram, with its fields"),
        {&hf_command,
         {"Command", "enet.command", FT_UINT8, BASE_DEC, VALS(command_names), ENET_COMMAND_TYPE_MASK, NULL,
          HFILL}},
        {&hf_acknowledge,
         {"Acknowledgement", "enet.command.acknowledge", FT_BOOLEAN, 8, TFS(&required),
          ENET_COMMAND_ACKNOWLEDGE, NULL, HFILL}},
        {&hf_unsequenced,
         {"Unsequenced", "enet.command.unsequenced", FT_BOOLEAN, 8, NULL, ENET_COMMAND_UNSEQUENCED, NULL,
          HFILL}},
        {&hf_reserved,
         {"Reserved", "enet.command.reserved", FT_UINT8, BASE_HEX, NULL, ENET_COMMAND_RESERVED_MASK, NULL,
          HFILL}},
        NUMBER(hf_channel, "Channel", "enet.channel", FT_UINT8, "255: the connection itself"),
        NUMBER(hf_sequence, "Sequence Number", "enet.sequence", FT_UINT16, "Reliable sequence number"),
        NUMBER(hf_ack_sequence, "Received Sequence Number", "enet.ack.sequence", FT_UINT16, NULL),
        NUMBER(hf_ack_sent_time, "Received Sent Time", "enet.ack.sent_time", FT_UINT16,
               "Echo of the datagram that is acknowledged"),
        LINK(hf_ack_frame, "Acknowledges Frame", "enet.ack.frame", FRAMENUM_TYPE(FT_FRAMENUM_ACK),
             "Frame of the transmission this answers"),
        LINK(hf_acked_in, "Acknowledged in Frame", "enet.acked_in", FRAMENUM_TYPE(FT_FRAMENUM_ACK), NULL),
        PLAIN(hf_rtt, "Round Trip Time", "enet.rtt", FT_RELATIVE_TIME,
              "From the transmission to this acknowledgement, as captured"),
        NUMBER(hf_connect_peer_id, "Outgoing Peer ID", "enet.connect.peer_id", FT_UINT16,
               "The sender's own slot: the peer ID to be used towards it"),
        {&hf_connect_incoming_session,
         {"Incoming Session ID", "enet.connect.incoming_session_id", FT_UINT8, BASE_DEC, NULL, 0,
          "From the initiator's point of view; 255: slot never used", HFILL}},
        {&hf_connect_outgoing_session,
         {"Outgoing Session ID", "enet.connect.outgoing_session_id", FT_UINT8, BASE_DEC, NULL, 0,
          "From the initiator's point of view; 255: slot never used", HFILL}},
        NUMBER(hf_connect_mtu, "MTU", "enet.connect.mtu", FT_UINT32, NULL),
        NUMBER(hf_connect_window_size, "Window Size", "enet.connect.window_size", FT_UINT32,
               "Bytes of reliable data in flight"),
        NUMBER(hf_connect_channel_count, "Channel Count", "enet.connect.channel_count", FT_UINT32, NULL),
        NUMBER(hf_connect_incoming_bandwidth, "Incoming Bandwidth", "enet.connect.incoming_bandwidth",
               FT_UINT32, "Bytes per second; 0: unlimited"),
        NUMBER(hf_connect_outgoing_bandwidth, "Outgoing Bandwidth", "enet.connect.outgoing_bandwidth",
               FT_UINT32, "Bytes per second; 0: unlimited"),
        NUMBER(hf_connect_interval, "Packet Throttle Interval", "enet.connect.throttle_interval", FT_UINT32,
               "Milliseconds"),
        NUMBER(hf_connect_acceleration, "Packet Throttle Acceleration", "enet.connect.throttle_acceleration",
               FT_UINT32, NULL),
        NUMBER(hf_connect_deceleration, "Packet Throttle Deceleration", "enet.connect.throttle_deceleration",
               FT_UINT32, NULL),
        {&hf_connect_id,
         {"Connect ID", "enet.connect.connect_id", FT_UINT32, BASE_HEX, NULL, 0,
          "Opaque; the four bytes in their order", HFILL}},
        {&hf_connect_data,
         {"Data", "enet.connect.data", FT_UINT32, BASE_DEC_HEX, NULL, 0,
          "The application's; Godot: multiplayer peer ID of the initiator", HFILL}},
        {&hf_disconnect_data,
         {"Data", "enet.disconnect.data", FT_UINT32, BASE_DEC_HEX, NULL, 0, "The application's", HFILL}},
        NUMBER(hf_unreliable_sequence, "Unreliable Sequence Number", "enet.unreliable_sequence", FT_UINT16,
               NULL),
        NUMBER(hf_unsequenced_group, "Unsequenced Group", "enet.unsequenced_group", FT_UINT16, NULL),
        NUMBER(hf_data_length, "Data Length", "enet.data_length", FT_UINT16, NULL),
        NUMBER(hf_fragment_start, "Start Sequence Number", "enet.fragment.start_sequence", FT_UINT16, NULL),
        NUMBER(hf_fragment_count, "Fragment Count", "enet.fragment.count", FT_UINT32, NULL),
        NUMBER(hf_fragment_number, "Fragment Number", "enet.fragment.number", FT_UINT32, NULL),
        NUMBER(hf_fragment_total_length, "Total Length", "enet.fragment.total_length", FT_UINT32, NULL),
        NUMBER(hf_fragment_offset, "Fragment Offset", "enet.fragment.offset", FT_UINT32, NULL),
        NUMBER(hf_bandwidth_incoming, "Incoming Bandwidth", "enet.bandwidth.incoming", FT_UINT32,
               "Bytes per second; 0: unlimited"),
        NUMBER(hf_bandwidth_outgoing, "Outgoing Bandwidth", "enet.bandwidth.outgoing", FT_UINT32,
               "Bytes per second; 0: unlimited"),
        NUMBER(hf_throttle_interval, "Packet Throttle Interval", "enet.throttle.interval", FT_UINT32,
               "Milliseconds"),
        NUMBER(hf_throttle_acceleration, "Packet Throttle Acceleration", "enet.throttle.acceleration",
               FT_UINT32, NULL),
        NUMBER(hf_throttle_deceleration, "Packet Throttle Deceleration", "enet.throttle.deceleration",
               FT_UINT32, NULL),
        PLAIN(hf_data, "Message Data", "enet.data", FT_BYTES, "Not given to another dissector"),
        PLAIN(hf_fragment_data, "Fragment Data", "enet.fragment.data", FT_BYTES, NULL),
        PLAIN(hf_undecoded, "Undecoded Bytes", "enet.undecoded", FT_BYTES, NULL),
        LINK(hf_retransmission_of, "Retransmission of Frame", "enet.analysis.retransmission_of",
             FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_PREV), NULL),
        LINK(hf_duplicate_of, "Seen Before in Frame", "enet.analysis.seen_in",
             FRAMENUM_TYPE(FT_FRAMENUM_DUP_ACK), NULL),
        PLAIN(hf_rto, "Time Since First Transmission", "enet.analysis.rto", FT_RELATIVE_TIME, NULL),
        NUMBER(hf_missing, "Numbers Skipped", "enet.analysis.missing", FT_UINT32, NULL),
        PLAIN(hf_fragments, "Fragments", "enet.fragments", FT_NONE, NULL),
        LINK(hf_fragment, "Fragment", "enet.fragments.fragment", NULL, NULL),
        PLAIN(hf_overlap, "Overlap", "enet.fragments.overlap", FT_BOOLEAN, NULL),
        PLAIN(hf_overlap_conflict, "Conflicting Overlap", "enet.fragments.overlap.conflict", FT_BOOLEAN,
              NULL),
        PLAIN(hf_multiple_tails, "Multiple Tails", "enet.fragments.multiple_tails", FT_BOOLEAN, NULL),
        PLAIN(hf_too_long, "Fragment Too Long", "enet.fragments.too_long", FT_BOOLEAN, NULL),
        LINK(hf_fragment_error, "Defragmentation Error", "enet.fragments.error", NULL, NULL),
        NUMBER(hf_parts, "Number of Fragments", "enet.fragments.count", FT_UINT32, NULL),
        LINK(hf_reassembled_in, "Reassembled in Frame", "enet.reassembled_in", NULL, NULL),
        NUMBER(hf_reassembled_length, "Reassembled Length", "enet.reassembled.length", FT_UINT32, NULL),
        PLAIN(hf_reassembled_data, "Reassembled Data", "enet.reassembled.data", FT_BYTES, NULL),
    };
    static int *subtrees[] = {&ett_flags, &ett_command, &ett_fragment, &ett_fragments, &ett_command_byte};

    for (unsigned i = 0; i < ENET_DIALECT_COUNT; i++) {
        for (unsigned j = 0; j < 4; j++) {
            hf_word[i][j] = -1;
        }
    }
    fill_names();
    static hf_register_info checksum_status[] = {
        {&hf_checksum_status,
         {"Checksum Status", "enet.checksum.status", FT_UINT8, BASE_NONE, NULL, 0, NULL, HFILL}}};
    /* On Windows, what comes from a library has no address before the program runs. */
    checksum_status[0].hfinfo.strings = VALS(proto_checksum_vals);
    proto_register_field_array(proto, checksum_status, array_length(checksum_status));
    proto_register_field_array(proto, fields, array_length(fields));
    proto_register_subtree_array(subtrees, array_length(subtrees));
    register_expert_infos(proto);
}
