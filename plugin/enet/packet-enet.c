/* packet-enet.c
 *
 * ENet 1.3: reliable UDP, as used by the Godot engine and many games. This file leads a datagram through the
 * layers: which connection (enet-connection), which bytes (enet-decode), what its numbers mean
 * (enet-analysis, enet-reassembly), how it looks (enet-tree), and who takes its messages (enet-payload.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/wireshark-compat.h"

#include <epan/conversation.h>
#include <epan/decode_as.h>
#include <epan/exceptions.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/show_exception.h>
#include <epan/tap.h>

#include "enet/enet-decode.h"
#include "enet/enet-payload.h"
#include "enet/enet-tap.h"
#include "enet/enet-tree.h"
#include "enet/detect.h"
#include "common/registration.h"

#define MAX_COMMANDS_IN_INFO 8u
#define CHANNEL_KEY          0x10000u /* of the channel, for Decode As; layer numbers have 8 bits */

static int proto_enet = -1;
static int ett_enet = -1;
int enet_tap = -1, enet_follow_tap = -1;

static dissector_handle_t enet_handle;       /* chosen by the user: everything is ENet */
static dissector_handle_t enet_bound_handle; /* conversations in which ENet was recognised */
static dissector_table_t payload_table;      /* "enet.payload": chosen by Decode As */
static dissector_table_t channel_table;      /* "enet.channel" */
static heur_dissector_list_t payload_heuristics;

static enet_layout_preferences layout_preferences = {ENET_STOCK, ENET_CHECKSUM_AUTO,
                                                     (int)ENET_COMPRESSION_AUTO};
static compat_bool reassemble = TRUE;
static uint32_t crowd_budget; /* what is left of ENET_CROWD_BUDGET in this file */

void proto_register_enet(void);
void proto_reg_handoff_enet(void);

/* --- first pass ------------------------------------------------------------------------------------ */

/* A first look at the commands of a datagram whose connection is not known yet. */
typedef struct {
    enet_command handshake, acknowledge;
    bool has_handshake, has_acknowledge;
    bool cut_connect;
    bool plausible;
    bool only_data_acks; /* nothing but acknowledgements of messages */
    uint32_t count, data_bytes;
} preview;

static void look_ahead(const enet_datagram *datagram, preview *seen)
{
    enet_body_context context = {.header = &datagram->header};
    enet_body body;
    enet_command command;

    seen->has_handshake = seen->has_acknowledge = seen->cut_connect = seen->plausible = false;
    seen->only_data_acks = true;
    seen->count = seen->data_bytes = 0;
    if (!datagram->body_tvb) {
        return;
    }
    seen->cut_connect = enet_is_cut_connect(&datagram->header, datagram->body, datagram->body_captured,
                                            datagram->body_length);
    seen->plausible = seen->cut_connect;
    enet_body_init(&body, datagram->body, datagram->body_captured, datagram->body_length, &context);
    while (enet_body_next(&body, &command)) {
        bool executed = command.complete && !command.refused && !command.skipped;
        seen->count++;
        seen->plausible |= executed;
        if (enet_command_facts(command.type)->data && command.complete) {
            seen->data_bytes += command.fixed_length + command.announced_length;
        }
        seen->only_data_acks &=
            command.type == ENET_ACKNOWLEDGE && command.channel != ENET_CONNECTION_CHANNEL;
        if (!executed) {
            continue;
        }
        if ((command.type == ENET_CONNECT || command.type == ENET_VERIFY_CONNECT) && !seen->has_handshake) {
            seen->has_handshake = true;
            seen->handshake = command;
        }
        if (command.type == ENET_ACKNOWLEDGE && !seen->has_acknowledge) {
            seen->has_acknowledge = true;
            seen->acknowledge = command;
        }
    }
}

/* Cumulative, so that the shares of a frame add up to its bytes exactly. */
static uint32_t share_of(const enet_datagram_record *record, uint32_t data_bytes_before,
                         const enet_command *command)
{
    if (!enet_command_facts(command->type)->data || !command->complete || !record->data_bytes) {
        return 0;
    }
    uint64_t before = data_bytes_before;
    uint64_t after = before + command->fixed_length + command->announced_length;
    return (uint32_t)(after * record->shared_bytes / record->data_bytes -
                      before * record->shared_bytes / record->data_bytes);
}

static void take_fragment(enet_sender *sender, packet_info *pinfo, const enet_datagram *datagram,
                          const enet_command *command, uint32_t share, enet_command_record *record)
{
    bool reliable = command->type == ENET_SEND_FRAGMENT;
    uint32_t number = enet_traffic_unwrap(sender, command->channel, command->sequence) -
                      (reliable ? command->fields.fragment.number : 0);
    uint32_t earlier_frame;
    enet_message *message = enet_message_take(sender, pinfo, command, number, share, &earlier_frame);

    record->message = message;
    if (!message) {
        record->notes |= ENET_NOTE(ENET_NOTE_FRAGMENT_CONFLICT);
        return;
    }
    if (!reliable && message->seen == 1 && !earlier_frame) {
        enet_analyse_unreliable(sender, command, command->fields.fragment.start_sequence, record);
    }
    if (earlier_frame) {
        record->earlier_frame = record->earlier_frame ? record->earlier_frame : earlier_frame;
        record->notes |=
            ENET_NOTE(message->completed_frame ? ENET_NOTE_FRAGMENT_LATE : ENET_NOTE_FRAGMENT_REPEATED);
        return;
    }
    if (reassemble && command->data_length == command->announced_length) {
        record->completes = enet_message_add(message, pinfo, datagram->body_tvb,
                                             datagram->body_offset + command->data_offset, command);
    }
}

static void analyse_commands(packet_info *pinfo, const enet_datagram *datagram, enet_datagram_record *record)
{
    enet_body_context context = {.header = &datagram->header,
                                 .channel_count = record->channel_count,
                                 .mtu = record->mtu,
                                 .fastlz = record->compression == ENET_COMPRESSION_FASTLZ};
    enet_body body;
    enet_command command;
    uint32_t data_bytes = 0;

    enet_body_init(&body, datagram->body, datagram->body_captured, datagram->body_length, &context);
    while (enet_body_next(&body, &command) && command.index < record->command_count) {
        enet_command_record *of_command = &record->commands[command.index];
        uint32_t share = share_of(record, data_bytes, &command);
        if (enet_command_facts(command.type)->data && command.complete) {
            data_bytes += command.fixed_length + command.announced_length;
        }
        if (!command.complete || command.refused || command.skipped) {
            continue;
        }
        enet_analyse(record->sender, pinfo, &datagram->header, &command, of_command);
        if (enet_command_facts(command.type)->fragment) {
            take_fragment(record->sender, pinfo, datagram, &command, share, of_command);
        }
    }
}

/* Frames of acknowledgements alone are paid for by the next messages, see enet-payload.h. */
static void account(const packet_info *pinfo, const preview *seen, enet_datagram_record *record)
{
    enet_connection *connection = record->sender ? record->sender->connection : NULL;

    record->data_bytes = seen->data_bytes;
    record->shared_bytes = pinfo->fd->pkt_len;
    if (!connection || record->dropped) {
        return;
    }
    if (seen->data_bytes) {
        record->shared_bytes += connection->unclaimed_bytes;
        connection->unclaimed_bytes = 0;
    } else if (seen->count && seen->only_data_acks) {
        connection->unclaimed_bytes += pinfo->fd->pkt_len;
        record->shared_bytes = 0; /* not upkeep */
    }
}

/* How many commands of a datagram are recorded; takes those of a crowded one from the budget. */
static uint32_t recorded(uint32_t count)
{
    uint32_t all = MIN(count, ENET_MAX_RECORDED);
    uint32_t usual = MIN(all, ENET_USUAL_COMMANDS);
    uint32_t more = MIN(all - usual, crowd_budget);

    crowd_budget -= more;
    return usual + more;
}

static enet_datagram_record *dissect_first(packet_info *pinfo, tvbuff_t *tvb, bool may_refuse,
                                           enet_datagram *datagram)
{
    enet_conversation *conversation = enet_conversation_of(pinfo, proto_enet, true);
    enet_datagram_record decided = {0};
    preview *seen = wmem_new(pinfo->pool, preview);

    enet_decode_first(conversation, &layout_preferences, pinfo, tvb, &decided, datagram);
    look_ahead(datagram, seen);
    if (datagram->has_header) {
        enet_datagram_facts facts = {.header = &datagram->header,
                                     .handshake = seen->has_handshake ? &seen->handshake : NULL,
                                     .acknowledge = seen->has_acknowledge ? &seen->acknowledge : NULL,
                                     .cut_connect = seen->cut_connect,
                                     .plausible = seen->plausible,
                                     .undecodable = !datagram->body_tvb};
        decided.sender = enet_sender_of(conversation, pinfo, &facts);
    }
    if (!decided.sender && may_refuse) {
        return NULL; /* applications send other things through the same socket, too */
    }
    if (datagram->has_header) {
        bool verify = seen->has_handshake && seen->handshake.type == ENET_VERIFY_CONNECT;
        enet_decode_verify(datagram, verify ? &seen->handshake : NULL, &decided);
    }
    decided.dropped = decided.checksum_verdict == ENET_CHECKSUM_BAD || !datagram->body_tvb ||
                      datagram->length > ENET_MAX_DATAGRAM;
    account(pinfo, seen, &decided);
    decided.command_count = recorded(seen->count);

    size_t size = sizeof decided + decided.command_count * sizeof(enet_command_record);
    enet_datagram_record *record = wmem_alloc0(wmem_file_scope(), size);
    *record = decided;
    if (record->sender) {
        const enet_connection *connection = record->sender->connection;
        record->channel_count = connection->channel_count;
        record->mtu = connection->mtu;
        record->direction_known = connection->roles_known;
        if (!record->dropped) {
            analyse_commands(pinfo, datagram, record);
        }
        record->has_connect_data = connection->connect_frame != 0;
    }
    p_add_proto_data(wmem_file_scope(), pinfo, proto_enet, pinfo->curr_layer_num, record);
    return record;
}

/* --- messages -------------------------------------------------------------------------------------- */

/* What is needed while the commands of one datagram are shown. */
typedef struct {
    packet_info *pinfo;
    proto_tree *top, *tree; /* of the frame; of this datagram, NULL if nobody looks at it */
    const enet_datagram *datagram;
    enet_datagram_record *record;
    uint32_t data_bytes; /* of the commands before */
    uint32_t messages;   /* delivered so far */
    uint32_t shown;      /* commands in the Info column */
    enet_tap_datagram *tap;
} enet_walk;

/* Wireshark moves a heuristic that took a message to the front of its list, so on a later pass another one of
 * them may be asked first. What was decided on the first pass is kept, in one byte. */
enum { TAKER_UNKNOWN, TAKER_NOBODY, FIRST_TAKER, TAKERS = UINT8_MAX + 1 };
static heur_dtbl_entry_t *takers[TAKERS]; /* of this file, from FIRST_TAKER on */

static uint8_t number_of_taker(heur_dtbl_entry_t *entry)
{
    unsigned number = FIRST_TAKER;

    if (!entry) {
        return TAKER_NOBODY;
    }
    while (number < TAKERS && takers[number] && takers[number] != entry) {
        number++;
    }
    if (number == TAKERS) {
        return TAKER_UNKNOWN;
    }
    takers[number] = entry;
    return (uint8_t)number;
}

static bool offer_to_heuristics(tvbuff_t *message, packet_info *pinfo, proto_tree *top,
                                enet_payload_info *info, uint8_t *taker)
{
    heur_dtbl_entry_t *entry = NULL;

    if (*taker >= FIRST_TAKER) {
        call_heur_dissector_direct(takers[*taker], message, pinfo, top, info);
        return true;
    }
    if (*taker == TAKER_NOBODY) {
        return false;
    }
    bool taken = dissector_try_heuristic(payload_heuristics, message, pinfo, top, &entry, info);
    if (!PINFO_FD_VISITED(pinfo)) {
        *taker = number_of_taker(entry);
    }
    return taken;
}

static bool offer(tvbuff_t *message, packet_info *pinfo, proto_tree *top, enet_payload_info *info,
                  uint8_t *taker)
{
    return dissector_try_payload_with_data(payload_table, message, pinfo, top, true, info) > 0 ||
           dissector_try_uint_with_data(channel_table, info->channel, message, pinfo, top, true, info) > 0 ||
           offer_to_heuristics(message, pinfo, top, info, taker);
}

/* Whatever a payload's dissector throws concerns this message only: the next one is dissected all the same.
 */
static bool offer_safely(tvbuff_t *message, packet_info *pinfo, proto_tree *top, enet_payload_info *info,
                         uint8_t *taker)
{
    volatile bool taken = false;
    const char *protocol = pinfo->current_proto;
    uint8_t layer = pinfo->curr_layer_num;

    TRY
    {
        taken = offer(message, pinfo, top, info, taker);
    }
    CATCH_NONFATAL_ERRORS
    {
        taken = true;
        show_exception(message, pinfo, top, EXCEPT_CODE, GET_MESSAGE);
        pinfo->curr_layer_num = layer;
    }
    ENDTRY;
    pinfo->current_proto = protocol;
    return taken;
}

static void describe_message(const enet_walk *walk, const enet_command *command,
                             const enet_command_record *record, uint32_t share, enet_payload_info *info)
{
    static const enet_delivery deliveries[ENET_COMMAND_COUNT] = {
        [ENET_SEND_UNRELIABLE] = ENET_DELIVERY_UNRELIABLE,
        [ENET_SEND_UNRELIABLE_FRAGMENT] = ENET_DELIVERY_UNRELIABLE,
        [ENET_SEND_UNSEQUENCED] = ENET_DELIVERY_UNSEQUENCED,
    };
    const uint32_t repeated = ENET_NOTE(ENET_NOTE_RETRANSMISSION) | ENET_NOTE(ENET_NOTE_DUPLICATE) |
                              ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED) | ENET_NOTE(ENET_NOTE_GROUP_REPEATED);
    const uint32_t dropped = ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) | ENET_NOTE(ENET_NOTE_GROUP_TOO_FAR) |
                             ENET_NOTE(ENET_NOTE_NUMBER_TOO_FAR) | ENET_NOTE(ENET_NOTE_BEFORE_HANDSHAKE);
    const enet_sender *sender = walk->record->sender;
    const enet_connection *connection = sender->connection;

    *info = (enet_payload_info){
        .stream = connection->stream,
        .channel = command->channel,
        .delivery = deliveries[command->type],
        .fragmented = enet_command_facts(command->type)->fragment,
        .direction_known = walk->record->direction_known,
        .from_initiator = sender->side == ENET_INITIATOR,
        .has_connect_data = walk->record->has_connect_data,
        .connect_data = walk->record->has_connect_data ? connection->connect.fields.connect.data : 0,
        .channel_count = walk->record->channel_count,
        .mtu = walk->record->mtu,
        /* Of a message in fragments the last missing piece may well be a retransmission. */
        .retransmission = !record->message && (record->notes & repeated) != 0,
        .message_index = walk->messages,
        .wire_length = record->message ? record->message->wire_length : share,
        .first_frame = connection->first_frame,
    };
    info->ignored = info->retransmission || (record->notes & dropped) != 0;
}

static void deliver(enet_walk *walk, proto_tree *subtree, const enet_command *command,
                    enet_command_record *record, uint32_t share, tvbuff_t *message)
{
    packet_info *pinfo = walk->pinfo;
    enet_payload_info info;

    describe_message(walk, command, record, share, &info);
    if (walk->tree && walk->messages == 0) {
        p_add_proto_data(pinfo->pool, pinfo, proto_enet, CHANNEL_KEY,
                         wmem_memdup(pinfo->pool, &info.channel, sizeof info.channel));
    }
    walk->messages++;
    if (walk->tap) {
        walk->tap->messages++;
        walk->tap->message_bytes += info.wire_length;
    }
    if (have_tap_listener(enet_follow_tap) && !info.ignored) {
        enet_tap_message *followed = wmem_new(pinfo->pool, enet_tap_message);
        *followed = (enet_tap_message){message, info.stream, info.channel};
        tap_queue_packet(enet_follow_tap, pinfo, followed);
    }
    if (!offer_safely(message, pinfo, walk->top, &info, &record->taker)) {
        enet_tree_message(subtree, message);
    }
}

/* A fragment: shown as such, and if it completed its message the message is delivered. */
static void show_fragment(enet_walk *walk, proto_tree *subtree, const enet_command *command,
                          enet_command_record *record, uint32_t share)
{
    enet_tree_data(walk->datagram, subtree, command);
    if (!record || !record->message || !reassemble) {
        return;
    }
    if (record->message->completed_frame == walk->pinfo->num && !record->completes) {
        return; /* another fragment in this very frame completed it */
    }
    tvbuff_t *message = enet_tree_reassembled(walk->datagram, record->message, walk->pinfo, subtree);
    if (message && record->completes) {
        deliver(walk, subtree, command, record, share, message);
    }
}

static void show_message(enet_walk *walk, proto_tree *subtree, const enet_command *command,
                         enet_command_record *record, uint32_t share)
{
    bool delivered =
        record && walk->record->sender && !walk->record->dropped && !command->refused && !command->skipped;

    if (enet_command_facts(command->type)->fragment) {
        show_fragment(walk, subtree, command, delivered ? record : NULL, share);
    } else if (delivered && command->announced_length) {
        tvbuff_t *message = tvb_new_subset_length(walk->datagram->body_tvb,
                                                  (int)(walk->datagram->body_offset + command->data_offset),
                                                  (int)command->announced_length);
        deliver(walk, subtree, command, record, share, message);
    } else {
        enet_tree_data(walk->datagram, subtree, command);
    }
}

/* --- one datagram ---------------------------------------------------------------------------------- */

/* Writes what a command is. A fence in front keeps what earlier commands wrote from the payload's dissector,
 * which may replace this text by its own. */
static void show_in_info(enet_walk *walk, const enet_command *command, const enet_command_record *record)
{
    column_info *columns = walk->pinfo->cinfo;
    char text[160];

    if (!columns || walk->shown > MAX_COMMANDS_IN_INFO) {
        return;
    }
    if (walk->shown > 0) {
        col_append_str(columns, COL_INFO, ", ");
        col_set_fence(columns, COL_INFO);
    }
    if (walk->shown++ == MAX_COMMANDS_IN_INFO) {
        col_append_str(columns, COL_INFO, "…");
        col_set_writable(columns, COL_INFO, FALSE);
        return;
    }
    enet_command_text(command, record, text, sizeof text);
    col_append_str(columns, COL_INFO, text);
}

static void tap_command(enet_walk *walk, const enet_command *command, const enet_command_record *record)
{
    enet_tap_datagram *tap = walk->tap;

    if (!tap) {
        return;
    }
    if (tap->command_count == ENET_TAP_COMMANDS) {
        tap_queue_packet(enet_tap, walk->pinfo, tap);
        walk->tap = tap = wmem_new0(walk->pinfo->pool, enet_tap_datagram);
        tap->datagram = walk->record;
    }
    enet_tap_command *entry = &tap->commands[tap->command_count++];
    *entry =
        (enet_tap_command){.type = command->type, .channel = command->channel, .length = command->length};
    if (record) {
        entry->notes = record->notes;
        entry->answered = record->earlier_frame ? NULL : enet_round_trip(record, command->type);
    }
}

static void show_command(enet_walk *walk, const enet_command *command)
{
    enet_datagram_record *datagram = walk->record;
    enet_command_record *record =
        command->index < datagram->command_count ? &datagram->commands[command->index] : NULL;
    uint32_t share = share_of(datagram, walk->data_bytes, command);
    bool data = enet_command_facts(command->type)->data && command->complete;

    show_in_info(walk, command, record);
    tap_command(walk, command, record);
    proto_tree *subtree =
        enet_tree_command(walk->datagram, datagram, record, walk->pinfo, walk->tree, command);
    if (data) {
        walk->data_bytes += command->fixed_length + command->announced_length;
        show_message(walk, subtree, command, record, share);
    }
}

static void show_commands(enet_walk *walk)
{
    const enet_datagram *datagram = walk->datagram;
    enet_body_context context = {.header = &datagram->header,
                                 .channel_count = walk->record->channel_count,
                                 .mtu = walk->record->mtu,
                                 .fastlz = walk->record->compression == ENET_COMPRESSION_FASTLZ};
    compat_bool writable = col_get_writable(walk->pinfo->cinfo, COL_INFO);
    enet_body body;
    enet_command command;

    enet_body_init(&body, datagram->body, datagram->body_captured, datagram->body_length, &context);
    while (enet_body_next(&body, &command)) {
        show_command(walk, &command);
    }
    col_set_writable(walk->pinfo->cinfo, COL_INFO, writable);
    enet_tree_findings(datagram, walk->pinfo, walk->tree, &body);
}

static void start_tap(enet_walk *walk)
{
    if (!have_tap_listener(enet_tap)) {
        return;
    }
    walk->tap = wmem_new0(walk->pinfo->pool, enet_tap_datagram);
    walk->tap->datagram = walk->record;
    walk->tap->frame_bytes = walk->pinfo->fd->pkt_len;
    walk->tap->upkeep_bytes = walk->record->data_bytes ? 0 : walk->record->shared_bytes;
    walk->tap->datagram_bytes = walk->datagram->length;
    walk->tap->body_bytes = walk->datagram->body_length;
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *top, bool may_refuse)
{
    enet_datagram *datagram = wmem_new(pinfo->pool, enet_datagram);
    enet_datagram_record *record =
        p_get_proto_data(wmem_file_scope(), pinfo, proto_enet, pinfo->curr_layer_num);

    if (record) {
        enet_decode_again(record, pinfo, tvb, datagram);
    } else if (PINFO_FD_VISITED(pinfo)) {
        return 0; /* refused */
    } else {
        record = dissect_first(pinfo, tvb, may_refuse, datagram);
        if (!record) {
            return 0;
        }
    }
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "ENet");
    col_clear(pinfo->cinfo, COL_INFO);

    enet_walk walk = {.pinfo = pinfo, .top = top, .datagram = datagram, .record = record};
    if (proto_field_is_referenced(top, proto_enet) || proto_field_is_referenced(top, proto_expert)) {
        proto_item *item = proto_tree_add_item(top, proto_enet, tvb, 0, -1, ENC_NA);
        if (record->sender) {
            proto_item_append_text(item, ", Connection %u", record->sender->connection->stream);
        }
        walk.tree = proto_item_add_subtree(item, ett_enet);
    }
    start_tap(&walk);
    enet_tree_header(datagram, record, pinfo, walk.tree);
    if (datagram->body_tvb) {
        show_commands(&walk);
    } else {
        col_append_str(pinfo->cinfo, COL_INFO,
                       datagram->has_header ? "Compressed datagram" : "Truncated header");
    }
    if (walk.tap) {
        tap_queue_packet(enet_tap, pinfo, walk.tap);
    }
    tvb_ensure_bytes_exist(tvb, 0, (int)datagram->length); /* reports a capture that was cut */
    return (int)datagram->captured;
}

static int dissect_enet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect(tvb, pinfo, tree, false);
}

static int dissect_enet_bound(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect(tvb, pinfo, tree, true);
}

const enet_datagram_record *enet_record_of(packet_info *pinfo)
{
    for (unsigned layer = pinfo->curr_layer_num; layer > 0; layer--) {
        const enet_datagram_record *record = p_get_proto_data(wmem_file_scope(), pinfo, proto_enet, layer);
        if (record) {
            return record;
        }
    }
    return NULL;
}

/* --- is it ENet? ----------------------------------------------------------------------------------- */

/* The second datagram that agrees with the first: same sender, slot, session and layout; or the other end,
 * echoing the time at which the first was sent. With checksums both must come from the same connect id. */
static bool agrees(const enet_conversation *conversation, const enet_detection *detection, unsigned endpoint,
                   uint32_t address)
{
    if (!conversation->has_candidate || conversation->candidate_checksum != detection->header.has_checksum ||
        (detection->has_seed && detection->seed != conversation->candidate_seed)) {
        return false;
    }
    if (endpoint == conversation->candidate_endpoint) {
        return address == conversation->candidate_address;
    }
    enet_body_context context = {.header = &detection->header};
    enet_body body;
    enet_command command;
    enet_body_init(&body, detection->body, detection->body_length, detection->body_length, &context);
    return conversation->candidate_has_sent_time && enet_body_next(&body, &command) &&
           command.type == ENET_ACKNOWLEDGE &&
           command.fields.acknowledgement.sent_time == conversation->candidate_sent_time;
}

static bool convinced(enet_conversation *conversation, const packet_info *pinfo,
                      const enet_detection *detection)
{
    if (detection->evidence >= ENET_EVIDENCE_VERIFY) {
        return true;
    }
    unsigned endpoint = enet_endpoint_of(conversation, pinfo);
    uint32_t address = (uint32_t)detection->header.session << 19 | detection->header.peer_id;
    if (agrees(conversation, detection, endpoint, address)) {
        return true;
    }
    conversation->has_candidate = true;
    conversation->candidate_endpoint = endpoint;
    conversation->candidate_address = address;
    conversation->candidate_checksum = detection->header.has_checksum;
    conversation->candidate_seed = detection->seed;
    conversation->candidate_has_sent_time = detection->header.has_sent_time;
    conversation->candidate_sent_time = detection->header.sent_time;
    return false;
}

static void bind_to_enet(enet_conversation *conversation, const packet_info *pinfo, bool has_checksum)
{
    conversation->bound = true;
    conversation->bound_frame = pinfo->num;
    conversation->has_checksum = has_checksum;
    conversation->layout_known = true;
}

/* Of datagrams that were cut by the capture only a CONNECT is recognised. */
static bool recognise_cut(tvbuff_t *tvb, packet_info *pinfo)
{
    unsigned captured = tvb_captured_length(tvb), length = tvb_reported_length(tvb);
    const uint8_t *bytes = tvb_get_ptr(tvb, 0, (int)captured);

    for (unsigned checksum = 0; checksum < 2; checksum++) {
        enet_header header;
        if (enet_header_read(&header, bytes, captured, (enet_dialect)layout_preferences.dialect,
                             checksum != 0) &&
            enet_is_cut_connect(&header, bytes + header.length, captured - header.length,
                                length - header.length)) {
            bind_to_enet(enet_conversation_of(pinfo, proto_enet, true), pinfo, checksum != 0);
            return true;
        }
    }
    return false;
}

/* First pass: is this the datagram by which the conversation turns out to be ENet? */
static bool recognise(tvbuff_t *tvb, packet_info *pinfo)
{
    unsigned length = tvb_captured_length(tvb);

    if (length < tvb_reported_length(tvb)) {
        return recognise_cut(tvb, pinfo);
    }
    if (length < 8 || length > ENET_MAX_DATAGRAM) {
        return false;
    }
    enet_detection detection;
    uint8_t *scratch = wmem_alloc(pinfo->pool, ENET_MAX_DATAGRAM);
    enet_evidence evidence = enet_detect(&detection, tvb_get_ptr(tvb, 0, (int)length), length, scratch);
    if (evidence == ENET_EVIDENCE_NONE || (int)detection.header.dialect != layout_preferences.dialect) {
        return false;
    }
    enet_conversation *conversation = enet_conversation_of(pinfo, proto_enet, true);
    if (!convinced(conversation, pinfo, &detection)) {
        return false;
    }
    bind_to_enet(conversation, pinfo, detection.header.has_checksum);
    return true;
}

static bool is_enet(tvbuff_t *tvb, packet_info *pinfo)
{
    if (PINFO_FD_VISITED(pinfo)) {
        return p_get_proto_data(wmem_file_scope(), pinfo, proto_enet, pinfo->curr_layer_num) != NULL;
    }
    const enet_conversation *conversation = enet_conversation_of(pinfo, proto_enet, false);
    return (conversation && conversation->bound) || recognise(tvb, pinfo);
}

static compat_bool dissect_enet_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    if (!is_enet(tvb, pinfo)) {
        return FALSE;
    }
    if (!PINFO_FD_VISITED(pinfo)) {
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num,
                                                     enet_bound_handle);
    }
    return dissect(tvb, pinfo, tree, true) > 0;
}

/* Inside DTLS the conversation belongs to DTLS; ENet only remembers that it was found. */
static compat_bool dissect_enet_dtls(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return is_enet(tvb, pinfo) && dissect(tvb, pinfo, tree, true) > 0;
}

/* --- Decode As by channel -------------------------------------------------------------------------- */

static void channel_prompt(packet_info *pinfo, char *prompt)
{
    const uint8_t *channel = p_get_proto_data(pinfo->pool, pinfo, proto_enet, CHANNEL_KEY);
    snprintf(prompt, MAX_DECODE_AS_PROMPT_LEN, "ENet channel %u as", channel ? *channel : 0u);
}

static void *channel_value(packet_info *pinfo)
{
    const uint8_t *channel = p_get_proto_data(pinfo->pool, pinfo, proto_enet, CHANNEL_KEY);
    return GUINT_TO_POINTER(channel ? *channel : 0u);
}

static void register_decode_as_by_channel(void)
{
    static build_valid_func values[] = {channel_value};
    static decode_as_value_t value = {channel_prompt, 1, values};
    static decode_as_t by_channel = {"enet",
                                     "enet.channel",
                                     1,
                                     0,
                                     &value,
                                     NULL,
                                     NULL,
                                     decode_as_default_populate_list,
                                     decode_as_default_reset,
                                     decode_as_default_change,
                                     NULL};
    register_decode_as(&by_channel);
}

/* --- registration ---------------------------------------------------------------------------------- */

static void init_file(void)
{
    crowd_budget = ENET_CROWD_BUDGET;
    memset(takers, 0, sizeof takers);
    enet_connections_init();
}

static void register_preferences(module_t *module)
{
    static const enum_val_t compressions[] = {
        {"auto", "Find out", (int)ENET_COMPRESSION_AUTO},
        {"none", "None", ENET_COMPRESSION_NONE},
        {"range", "Range coder", ENET_COMPRESSION_RANGE_CODER},
        {"fastlz", "FastLZ", ENET_COMPRESSION_FASTLZ},
        {"zlib", "zlib", ENET_COMPRESSION_ZLIB},
        {"zstd", "Zstandard", ENET_COMPRESSION_ZSTD},
        {NULL, NULL, 0},
    };
    static const enum_val_t checksums[] = {
        {"auto", "Find out", ENET_CHECKSUM_AUTO},
        {"none", "None", ENET_CHECKSUM_NONE},
        {"crc32", "In every datagram", ENET_CHECKSUM_PRESENT},
        {NULL, NULL, 0},
    };
    static const enum_val_t dialects[] = {
        {"stock", "ENet 1.3", ENET_STOCK},
        {"csharp", "ENet-CSharp", ENET_CSHARP},
        {"more_peers", "zpl-c/enet with more peers", ENET_MORE_PEERS},
        {NULL, NULL, 0},
    };
    prefs_register_enum_preference(
        module, "compression", "Compression",
        "Algorithm of compressed datagrams. They do not say; normally it is found out.",
        &layout_preferences.compression, compressions, FALSE);
    prefs_register_enum_preference(
        module, "checksum", "Checksum",
        "Whether datagrams have a checksum. They do not say; normally it is found out.",
        &layout_preferences.checksum, checksums, FALSE);
    prefs_register_enum_preference(module, "dialect", "Header dialect",
                                   "Relatives of ENet 1.3 with another layout of the first two bytes.",
                                   &layout_preferences.dialect, dialects, FALSE);
    prefs_register_bool_preference(module, "reassemble", "Reassemble fragmented messages",
                                   "Whether messages in several fragments are put together.", &reassemble);
}

void proto_register_enet(void)
{
    static int *subtrees[] = {&ett_enet};

    proto_enet = proto_register_protocol("ENet Protocol", "ENet", "enet");
    proto_register_subtree_array(subtrees, array_length(subtrees));
    enet_tree_register(proto_enet);
    register_init_routine(init_file);
    register_preferences(prefs_register_protocol(proto_enet, NULL));
    payload_table = register_decode_as_next_proto(proto_enet, "enet.payload", "ENet payload", NULL);
    channel_table = register_dissector_table("enet.channel", "ENet channel", proto_enet, FT_UINT8, BASE_DEC);
    payload_heuristics = register_heur_dissector_list("enet", proto_enet);
    register_decode_as_by_channel();
    enet_handle = register_dissector("enet", dissect_enet, proto_enet);
    enet_bound_handle = create_dissector_handle(dissect_enet_bound, proto_enet);
    enet_tap = register_tap("enet");
    enet_follow_tap = register_tap("enet_follow");
    enet_stat_register(proto_enet);
}

void proto_reg_handoff_enet(void)
{
    dissector_add_uint_range_with_preference("udp.port", "", enet_handle);
    offer_decode_as(enet_handle, (const char *const[]){"dtls.port", NULL});
    heur_dissector_add("udp", dissect_enet_udp, "ENet over UDP", "enet_udp", proto_enet, HEURISTIC_ENABLE);
    heur_dissector_add("dtls", dissect_enet_dtls, "ENet over DTLS", "enet_dtls", proto_enet,
                       HEURISTIC_ENABLE);
}
