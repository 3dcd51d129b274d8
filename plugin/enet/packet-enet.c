/* packet-enet.c
 *
 * ENet 1.3: reliable UDP, as used by the Godot engine and many games. src/enet analyses datagrams
 * (enet/analysis/receive.h); this file has the entry points for Wireshark and calls the functions that show a
 * datagram (show/tree.h) and that pass its messages to other dissectors (deliver.h).
 *
 * Sources: ENet 1.3 up to 1.3.18 (protocol.h, protocol.c, peer.c of https://github.com/lsalzman/enet) and its
 * copies in Godot 3 and 4 (thirdparty/enet, modules/enet); zpl-c/enet and nxrighthere/ENet-CSharp for their
 * headers. ENet 1.2 has another header and is not decoded.
 *
 * Limitations: encrypted traffic (Godot's DTLS) has to be decrypted by Wireshark; compressors that an
 * application provides are not supported; if a capture begins in the middle of a connection, it is not known
 * which side is the client.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/conversation.h>
#include <epan/expert.h>
#include <epan/ipproto.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/tap.h>

#include "base/allocators.h"
#include "base/registration.h"
#include "enet/connection/recognise.h"
#include "enet/deliver.h"
#include "enet/evidence/loss.h"
#include "enet/register.h"
#include "enet/show/text.h"
#include "enet/show/header.h"
#include "enet/show/datagram-tree.h"
#include "enet/state/conversation.h"
#include "enet/api/tap.h"
#include "enet/wire/judge.h"

#define MAX_COMMANDS_IN_INFO 8u

static int proto_enet;
static int ett_enet = -1;
static int enet_tap = -1, enet_follow_tap = -1, frame_tap = -1;

static dissector_handle_t enet_handle;       /* chosen by the user: everything is ENet */
static dissector_handle_t enet_bound_handle; /* conversations in which ENet was recognised */

static enet_layout_choices choices = {ENET_STOCK, ENET_CHECKSUM_AUTO, (int)ENET_COMPRESSION_AUTO};
static compat_bool reassemble = TRUE;

void proto_register_enet(void);
void proto_reg_handoff_enet(void);

/* --- messages ------------------------------------------------------------------------------------ */

/* State while the commands of one datagram are shown. */
typedef struct {
    const enet_view *view;
    uint32_t data_bytes;    /* of earlier commands */
    uint32_t messages;      /* number delivered so far */
    uint32_t shown;         /* commands in the Info column */
    enet_tap_datagram *tap; /* NULL: the tap has no listeners */
} enet_walk;

static void tap_message(enet_walk *walk, const enet_payload_info *info, tvbuff_t *message)
{
    packet_info *pinfo = walk->view->pinfo;

    if (walk->tap) {
        walk->tap->messages++;
        walk->tap->message_bytes += info->wire_length;
    }
    if (have_tap_listener(enet_follow_tap) && !info->ignored) {
        enet_tap_message *followed = wmem_new(pinfo->pool, enet_tap_message);
        *followed = (enet_tap_message){message, info->stream, info->channel};
        tap_queue_packet(enet_follow_tap, pinfo, followed);
    }
}

/* False if no dissector accepts the message. */
static bool deliver(enet_walk *walk, const enet_command *command, enet_command_record *record,
                    const enet_message *fragmented, tvbuff_t *message)
{
    const enet_view *view = walk->view;
    uint32_t share = enet_share_of(view->record, &view->datagram, walk->data_bytes, command);
    enet_payload_info info = enet_describe_message(view, command, record, fragmented, share);

    info.number = view->record->first_message + walk->messages;
    info.message_index = view->layer << 16 | walk->messages++;
    tap_message(walk, &info, message);
    return enet_deliver(view, &info, record, message);
}

/* A fragment: shown as such, and if it completed its message the message is delivered. `record`: NULL if a
 * receiver does not look at it. */
static void show_fragment(enet_walk *walk, proto_tree *subtree, const enet_command *command,
                          enet_command_record *record)
{
    const enet_view *view = walk->view;

    enet_tree_data(view, subtree, command);
    if (!record || !reassemble) {
        return;
    }
    uint32_t index = enet_detail_of(view->capture, record, command->type).about;
    const enet_message *message = index ? enet_message_at(view->capture, index) : NULL;
    if (!message || (enet_message_frame(message, view->record->second) == frame_order(view->pinfo) &&
                     !record->completes)) {
        return; /* another fragment in the same frame completed it */
    }
    tvbuff_t *whole = enet_tree_reassembled(view, message, subtree);
    if (whole && record->completes && !deliver(walk, command, record, message, whole)) {
        enet_tree_message(subtree, whole);
    }
}

static void show_message(enet_walk *walk, proto_tree *subtree, const enet_command *command,
                         enet_command_record *record)
{
    const enet_view *view = walk->view;
    bool delivered =
        record && view->record->sender && !view->record->dropped && !command->refused && !command->skipped;

    if (enet_commands[command->type].fragment) {
        show_fragment(walk, subtree, command, delivered ? record : NULL);
    } else if (delivered && command->announced_length) {
        int offset = enet_view_offset(view, command->data_offset);
        tvbuff_t *message = tvb_new_subset_length(view->body_tvb, offset, (int)command->announced_length);
        if (!deliver(walk, command, record, NULL, message)) {
            enet_tree_message(subtree, message);
        }
    } else {
        enet_tree_data(view, subtree, command);
    }
}

/* --- one datagram -------------------------------------------------------------------------------- */

/* Ends the text of the previous command. The fence protects it from the payload's dissector. Returns false if
 * nothing more is written. */
static bool separate_in_info(enet_walk *walk)
{
    column_info *columns = walk->view->pinfo->cinfo;

    if (!columns || walk->shown > MAX_COMMANDS_IN_INFO) {
        return false;
    }
    if (walk->shown > 0) {
        col_append_str(columns, COL_INFO, ", ");
        col_set_fence(columns, COL_INFO);
    }
    if (walk->shown++ == MAX_COMMANDS_IN_INFO) {
        col_append_str(columns, COL_INFO, "…");
        col_set_writable(columns, COL_INFO, FALSE);
        return false;
    }
    return true;
}

static void write_in_info(const enet_walk *walk, const enet_command *command,
                          const enet_command_record *record)
{
    char text[160];

    enet_command_text(command, walk->view->record, record ? record->notes : 0, text, sizeof text);
    col_append_str(walk->view->pinfo->cinfo, COL_INFO, text);
}

static size_t length_of_info(const enet_walk *walk)
{
    const char *text = col_get_text(walk->view->pinfo->cinfo, COL_INFO);

    return text ? strlen(text) : 0;
}

const enet_tap_datagram *enet_taps_of_frame(packet_info *pinfo)
{
    return p_get_proto_data(pinfo->pool, pinfo, proto_enet, ENET_KEY_TAPS);
}

static void queue_tap(packet_info *pinfo, enet_tap_datagram *tap)
{
    tap_queue_packet(enet_tap, pinfo, tap);
    if (have_tap_listener(frame_tap)) {
        tap->next = enet_taps_of_frame(pinfo);
        p_add_proto_data(pinfo->pool, pinfo, proto_enet, ENET_KEY_TAPS, tap); /* hides the previous one */
    }
}

/* Bytes of the command, with those of its message that the snap length has cut off. */
static uint32_t length_on_wire(const enet_view *view, const enet_command *command)
{
    const enet_wire *wire = &view->datagram.wire;
    uint32_t missing =
        command->cut && command->complete ? command->announced_length - command->data_length : 0;
    return command->length + MIN(missing, wire->length - wire->captured);
}

/* The commands are set when they are counted: most of the 2 KiB are never touched. */
static enet_tap_datagram *new_tap(const enet_view *view)
{
    enet_tap_datagram *tap = wmem_new(view->pinfo->pool, enet_tap_datagram);
    memset(tap, 0, offsetof(enet_tap_datagram, commands));
    tap->datagram = view->record;
    return tap;
}

static void tap_command(enet_walk *walk, const enet_command *command, const enet_command_record *record)
{
    const enet_view *view = walk->view;
    enet_tap_datagram *tap = walk->tap;

    if (!tap) {
        return;
    }
    if (tap->command_count == ENET_TAP_COMMANDS) {
        queue_tap(view->pinfo, tap);
        walk->tap = tap = new_tap(view);
    }
    enet_tap_command *entry = &tap->commands[tap->command_count++];
    *entry = (enet_tap_command){.type = command->type,
                                .channel = command->channel,
                                .reliable = command->acknowledge,
                                .length = length_on_wire(view, command)};
    if (record) {
        enet_command_detail detail = enet_detail_of(view->capture, record, command->type);
        entry->notes = record->notes;
        entry->answered = detail.earlier_frame ? NULL
                                               : enet_round_trip(view->capture, &detail, command->type,
                                                                 frame_order(view->pinfo));
        entry->answered_first =
            entry->answered ? enet_first_transmission(view->capture, entry->answered)->frame : 0;
        if ((record->has_detail || record->notes) && view->record->sender) {
            entry->loss = enet_loss_at(view->capture, view->record->sender, record, command,
                                       frame_order(view->pinfo), frame_visited(view->pinfo));
        }
    }
}

static void show_command(enet_walk *walk, const enet_command *command)
{
    enet_datagram_record *datagram = walk->view->record;
    enet_command_record *record =
        command->index < datagram->command_count ? &datagram->commands[command->index] : NULL;

    bool has_message = enet_commands[command->type].data && command->complete;
    bool written = separate_in_info(walk);
    size_t length = written && has_message ? length_of_info(walk) : 0;

    tap_command(walk, command, record);
    if (record && command->type == ENET_ACKNOWLEDGE && !frame_visited(walk->view->pinfo)) {
        enet_command_detail detail = enet_detail_of(walk->view->capture, record, command->type);
        enet_state_learn_round_trip(walk->view->pinfo, &detail);
    }
    proto_tree *subtree = enet_tree_command(walk->view, command, record);
    if (has_message) {
        show_message(walk, subtree, command, record);
        walk->data_bytes += enet_data_command_length(command);
    }
    /* The text of a message's dissector replaces the text of the command. */
    if (written && (!has_message || length_of_info(walk) == length)) {
        write_in_info(walk, command, datagram->second ? NULL : record);
    }
}

static void show_commands(enet_walk *walk)
{
    const enet_datagram *datagram = &walk->view->datagram;
    column_info *columns = walk->view->pinfo->cinfo;
    compat_bool writable = col_get_writable(columns, COL_INFO);

    for (uint32_t i = 0; i < datagram->count; i++) {
        show_command(walk, &datagram->commands[i]);
    }
    col_set_writable(columns, COL_INFO, writable);
    enet_tree_findings(walk->view);
}

/* A datagram quoted in an ICMP error message, or captured earlier at another point, is not counted again. */
static void start_tap(enet_walk *walk)
{
    const enet_view *view = walk->view;
    const enet_opened *opened = &view->datagram.opened;

    bool wanted = have_tap_listener(enet_tap) || have_tap_listener(frame_tap);

    if (!wanted || view->pinfo->flags.in_error_pkt || view->record->second) {
        return;
    }
    walk->tap = new_tap(view);
    walk->tap->frame_bytes = view->pinfo->fd->pkt_len;
    walk->tap->overhead_bytes = view->datagram.data_bytes ? 0 : view->record->shared_bytes;
    walk->tap->datagram_bytes = view->datagram.wire.length;
    walk->tap->body_bytes = opened->body_length;
    if (opened->has_body && !opened->decompressed && opened->body_captured == opened->body_length) {
        walk->tap->plain = opened->body;
    }
}

/* The protocol item is always added, for -z io,phs; details only if the tree is needed. Filters like
 * "_ws.expert.severity" need them, too. */
static void start_tree(enet_view *view)
{
    proto_item *item = proto_tree_add_item(view->top, proto_enet, view->tvb, 0, -1, ENC_NA);

    if (proto_field_is_referenced(view->top, proto_enet) ||
        proto_field_is_referenced(view->top, proto_expert)) {
        if (view->record->sender) {
            proto_item_append_text(item, ", Connection %u", view->record->sender->connection->stream);
        }
        view->tree = proto_item_add_subtree(item, ett_enet);
    }
}

static void show(enet_view *view)
{
    packet_info *pinfo = view->pinfo;
    enet_walk walk = {.view = view};

    col_set_str(pinfo->cinfo, COL_PROTOCOL, "ENet");
    col_clear(pinfo->cinfo, COL_INFO);
    if (view->top) {
        start_tree(view);
    }
    start_tap(&walk);
    if (view->record->second) {
        col_append_str(pinfo->cinfo, COL_INFO, "[Second capture point], ");
        col_set_fence(pinfo->cinfo, COL_INFO);
    }
    enet_tree_header(view);
    if (view->body_tvb) {
        show_commands(&walk);
    } else {
        col_append_str(pinfo->cinfo, COL_INFO,
                       view->datagram.opened.has_header ? "Compressed datagram" : "Truncated header");
    }
    if (walk.tap) {
        queue_tap(pinfo, walk.tap);
    }
}

/* Whether the ICMP or ICMPv6 message that quotes this datagram says "port unreachable". Its type and code are
 * eight bytes before the quoted IP header, which is found by its version and its protocol. */
static bool says_closed(tvbuff_t *quoted)
{
    enum { UDP_HEADER = 8, ICMP_HEADER = 8 };
    static const struct {
        uint8_t header, version, protocol_at, type, code;
    } kinds[] = {{20, 0x45, 9, 3, 3}, {40, 0x60, 6, 1, 4}};
    tvbuff_t *frame = tvb_get_ds_tvb(quoted);
    int place = (int)tvb_raw_offset(quoted) - UDP_HEADER;

    for (size_t i = 0; i < array_length(kinds); i++) {
        int ip = place - kinds[i].header, icmp = ip - ICMP_HEADER;
        if (icmp >= 0 && (tvb_get_uint8(frame, ip) & (i ? 0xf0 : 0xff)) == kinds[i].version &&
            tvb_get_uint8(frame, ip + kinds[i].protocol_at) == IP_PROTO_UDP &&
            tvb_get_uint8(frame, icmp) == kinds[i].type && tvb_get_uint8(frame, icmp + 1) == kinds[i].code) {
            return true;
        }
    }
    return false;
}

/* First pass: analyses the datagram; `found`: the result of detection, or NULL. False: it is not ENet. */
static bool receive(enet_view *view, const enet_receive_options *options, const enet_wire *wire,
                    const enet_detection *found)
{
    packet_info *pinfo = view->pinfo;

    bool quoted = pinfo->flags.in_error_pkt;
    enet_conversation *conversation =
        enet_conversation_of(pinfo, !quoted || !options->may_refuse, (enet_dialect)choices.dialect);

    if (!conversation) {
        return false;
    }
    if (quoted) {
        enet_arrival arrival = enet_arrival_of(conversation, pinfo);
        enet_receive_quoted(conversation, options, &arrival, says_closed(view->tvb), wire, &view->datagram,
                            view->record);
    } else {
        enet_arrival arrival = enet_arrival_of(conversation, pinfo);
        if (!enet_receive(conversation, options, &arrival, wire, found, &view->datagram, view->record)) {
            return false;
        }
    }
    enet_record_keep(pinfo, view->record->index);
    const enet_sender *sender = view->record->sender;
    if (enet_peer_connects && sender && sender->connection->connect_frame == frame_order(pinfo)) {
        enet_peer_connects();
    }
    return true;
}

static void find_body(enet_view *view)
{
    const enet_opened *opened = &view->datagram.opened;

    if (opened->decompressed) {
        view->body_tvb =
            tvb_new_child_real_data(view->tvb, opened->body, opened->body_length, (int)opened->body_length);
    } else if (opened->has_body) {
        view->body_tvb = view->tvb;
        view->body_offset = opened->header.length;
    }
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *top, bool may_refuse,
                   const enet_detection *found)
{
    memory_allocator memory = packet_memory(pinfo);
    enet_receive_options options = {.choices = &choices,
                                    .scratch_memory = &memory,
                                    .scratch = wmem_alloc(pinfo->pool, ENET_MAX_DATAGRAM),
                                    .reassemble = reassemble,
                                    .may_refuse = may_refuse};
    enet_wire wire = {.captured = tvb_captured_length(tvb), .length = tvb_reported_length(tvb)};
    enet_view *view = wmem_new(pinfo->pool, enet_view);
    uint32_t index = enet_record_here(pinfo);

    *view = (enet_view){.pinfo = pinfo,
                        .top = top,
                        .capture = enet_state_of_file(),
                        .tvb = tvb,
                        .record = &view->decided,
                        .layer = pinfo->curr_layer_num};
    wire.bytes = tvb_get_ptr(tvb, 0, (int)wire.captured);
    if (index) {
        enet_read_again(view->capture, index, &options, &wire, &view->datagram, view->record);
    } else if (frame_visited(pinfo) || !receive(view, &options, &wire, found)) {
        return 0; /* refused */
    }
    find_body(view);
    show(view);
    tvb_ensure_bytes_exist(tvb, 0, (int)wire.length); /* reports a capture that was cut */
    return (int)wire.captured;
}

static int dissect_enet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect(tvb, pinfo, tree, false, NULL);
}

static int dissect_enet_bound(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect(tvb, pinfo, tree, true, NULL);
}

/* --- is it ENet? --------------------------------------------------------------------------------- */

/* Of datagrams that were cut by the capture only a CONNECT is recognised. */
static bool recognise_cut(packet_info *pinfo, const uint8_t *bytes, unsigned captured, unsigned length)
{
    enet_dialect preferred = (enet_dialect)choices.dialect;
    enet_header header;

    if (!enet_recognise_cut(bytes, captured, length, preferred, &header)) {
        return false;
    }
    enet_bind(enet_conversation_of(pinfo, true, preferred), &header, true);
    return true;
}

/* First pass: whether the conversation is recognised as ENet by this datagram. If so, `found` is set, unless
 * the datagram was cut. */
static bool recognise(tvbuff_t *tvb, packet_info *pinfo, enet_detection *found)
{
    uint8_t scratch[ENET_MAX_DATAGRAM]; /* nothing is allocated for other traffic */
    enet_dialect preferred = (enet_dialect)choices.dialect;
    unsigned captured = tvb_captured_length(tvb), length = tvb_reported_length(tvb);
    const uint8_t *bytes = tvb_get_ptr(tvb, 0, (int)captured);

    if (captured < length) {
        return recognise_cut(pinfo, bytes, captured, length);
    }
    if (length < 8 || length > ENET_MAX_DATAGRAM) {
        return false;
    }
    if (enet_detect(found, preferred, bytes, length, scratch) == ENET_CONFIDENCE_NONE) {
        return false;
    }
    if (found->body == scratch) {
        found->body = wmem_memdup(pinfo->pool, scratch, found->body_length);
    }
    enet_conversation *conversation = enet_conversation_of(pinfo, true, preferred);
    return enet_recognise(conversation, found, enet_arrival_of(conversation, pinfo).endpoint);
}

static bool is_bound(packet_info *pinfo)
{
    const enet_conversation *conversation = enet_conversation_of(pinfo, false, (enet_dialect)choices.dialect);

    return conversation && conversation->bound;
}

/* `bind`: sets ENet as the dissector of the conversation for its next datagrams (not inside DTLS, where the
 * dissector is DTLS). Other traffic is rejected before its conversation is looked up. */
static compat_bool dissect_heuristically(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool bind)
{
    enet_detection found = {.confidence = ENET_CONFIDENCE_NONE};

    if (frame_visited(pinfo)) {
        return enet_record_here(pinfo) && dissect(tvb, pinfo, tree, true, NULL) > 0;
    }
    if (pinfo->flags.in_error_pkt) {
        return is_bound(pinfo) && dissect(tvb, pinfo, tree, true, NULL) > 0;
    }
    if ((bind || !is_bound(pinfo)) && !recognise(tvb, pinfo, &found)) {
        return FALSE;
    }
    if (bind) {
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num,
                                                     enet_bound_handle);
    }
    return dissect(tvb, pinfo, tree, true, found.confidence == ENET_CONFIDENCE_NONE ? NULL : &found) > 0;
}

static compat_bool dissect_enet_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_heuristically(tvb, pinfo, tree, true);
}

static compat_bool dissect_enet_dtls(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_heuristically(tvb, pinfo, tree, false);
}

/* --- registration -------------------------------------------------------------------------------- */

static void register_preferences(module_t *module)
{
    static const enum_val_t compressions[] = {
        {"auto", "Auto-detect", (int)ENET_COMPRESSION_AUTO},
        {"none", "None", ENET_COMPRESSION_NONE},
        {"range", "Range coder", ENET_COMPRESSION_RANGE_CODER},
        {"fastlz", "FastLZ", ENET_COMPRESSION_FASTLZ},
        {"zlib", "zlib", ENET_COMPRESSION_ZLIB},
        {"zstd", "Zstandard", ENET_COMPRESSION_ZSTD},
        {NULL, NULL, 0},
    };
    static const enum_val_t checksums[] = {
        {"auto", "Auto-detect", ENET_CHECKSUM_AUTO},
        {"none", "None", ENET_CHECKSUM_NONE},
        {"crc32", "In every datagram", ENET_CHECKSUM_PRESENT},
        {NULL, NULL, 0},
    };
    static enum_val_t dialects[ENET_DIALECT_COUNT + 1]; /* the last one: no name */

    for (unsigned i = 0; i < ENET_DIALECT_COUNT; i++) {
        const enet_dialect_info *facts = &enet_dialects[i];
        dialects[i] = (enum_val_t){facts->key, facts->name, (int)i};
    }
    prefs_register_enum_preference(
        module, "compression", "Compression",
        "Algorithm of compressed datagrams. It is not signalled on the wire; normally it is detected.",
        &choices.compression, compressions, FALSE);
    prefs_register_enum_preference(
        module, "checksum", "Checksum",
        "Whether datagrams have a checksum. It is not signalled on the wire; normally it is detected.",
        &choices.checksum, checksums, FALSE);
    prefs_register_enum_preference(
        module, "dialect", "Header dialect",
        "Libraries based on ENet 1.3 with another layout of the first two bytes. A captured handshake shows "
        "which one it is; this is for captures from the middle of a connection.",
        &choices.dialect, dialects, FALSE);
    prefs_register_bool_preference(module, "reassemble", "Reassemble fragmented messages",
                                   "Whether messages in several fragments are reassembled.", &reassemble);
}

void proto_register_enet(void)
{
    static int *subtrees[] = {&ett_enet};

    proto_enet = proto_register_protocol("ENet Protocol", "ENet", "enet");
    proto_register_subtree_array(subtrees, array_length(subtrees));
    frame_register();
    enet_state_register(proto_enet);
    enet_tree_register(proto_enet);
    enet_deliver_register(proto_enet);
    register_preferences(prefs_register_protocol(proto_enet, NULL));
    enet_handle = register_dissector("enet", dissect_enet, proto_enet);
    enet_bound_handle = create_dissector_handle(dissect_enet_bound, proto_enet);
    enet_tap = register_tap("enet");
    enet_follow_tap = register_tap("enet_follow");
    enet_stat_register(proto_enet);
    enet_overhead_register();
}

void proto_reg_handoff_enet(void)
{
    frame_tap = find_tap_id("frame");
    dissector_add_uint_range_with_preference("udp.port", "", enet_handle);
    offer_decode_as(enet_handle, (const char *const[]){"dtls.port", NULL});
    heur_dissector_add("udp", dissect_enet_udp, "ENet over UDP", "enet_udp", proto_enet, HEURISTIC_ENABLE);
    heur_dissector_add("dtls", dissect_enet_dtls, "ENet over DTLS", "enet_dtls", proto_enet,
                       HEURISTIC_ENABLE);
}
