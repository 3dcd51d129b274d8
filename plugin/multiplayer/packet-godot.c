/* packet-godot.c
 *
 * Godot's high-level multiplayer: remote calls, the path cache, spawning and synchronizing of nodes, system
 * messages, of Godot 3 (MultiplayerAPI) and Godot 4 (SceneMultiplayer). One message of the transport is one
 * packet: over ENet, over WebSocket, on a WebRTC data channel, or over what Decode As selects.
 *
 * This file receives messages from the transports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/tap.h>
#include <wsutil/str_util.h>

#include "base/bytes.h"
#include "base/columns.h"
#include "base/preferences.h"
#include "base/registration.h"
#include "base/tcp.h"
#include "multiplayer/packet/names.h"
#include "multiplayer/packet/plot.h"
#include "multiplayer/packet/recorded-twice.h"
#include "multiplayer/packet/replies.h"
#include "multiplayer/packet/tap-members.h"
#include "multiplayer/payload/offer.h"
#include "multiplayer/reported.h"
#include "multiplayer/reports/relayed.h"
#include "multiplayer/reports/search.h"
#include "multiplayer/reports/show.h"
#include "multiplayer/show/authority.h"
#include "multiplayer/show/pace.h"
#include "multiplayer/show/packets.h"
#include "multiplayer/state/frame.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/transfer.h"

static int proto_godot;
static int godot_tap_id = -1, message_tap_id = -1, frame_tap_id = -1;

/* Notes after the text of a packet, each in brackets. */
static const char *remarks_of(const godot_packet *packet)
{
    const godot_message *message = packet->message;
    const godot_tap *tap = packet->tap;
    const char *const said[] = {tap->engine_error ? tap->engine_error : tap->refused,
                                message->repeated ? "repeated" : NULL, godot_recordings_second_name(message)};
    const char *remarks = packet->tap->relay ? packet->tap->relay : "";
    for (size_t i = 0; i < array_length(said); i++) {
        remarks = said[i] ? wmem_strconcat(packet->pinfo->pool, remarks, " [", said[i], "]", NULL) : remarks;
    }
    return remarks;
}

static void write_info(packet_info *pinfo, godot_frame *frame, const char *text, const char *remarks)
{
    size_t length = strlen(text), shown = utf8_cut(text, length, MAX_INFO_TEXT);
    /* Replaces the transport's text for this message, after the texts of earlier messages. */
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Godot");
    col_clear(pinfo->cinfo, COL_INFO);
    if (frame->shown <= MAX_INFO_MESSAGES) {
        info_column_separate(pinfo);
    }
    if (frame->shown < MAX_INFO_MESSAGES) {
        if (shown < length) {
            text = wmem_strdup_printf(pinfo->pool, "%.*s…", (int)shown, text);
        }
        col_append_str(pinfo->cinfo, COL_INFO, text);
        if (*remarks) { /* appending nothing would still measure the column's text */
            col_append_str(pinfo->cinfo, COL_INFO, remarks);
        }
    } else if (frame->shown == MAX_INFO_MESSAGES) {
        col_append_str(pinfo->cinfo, COL_INFO, "…");
    }
    col_set_fence(pinfo->cinfo, COL_INFO);
    frame->shown++;
}

static void dissect_assigned_id(godot_packet *packet)
{
    int32_t id = (int32_t)le32(packet->bytes);
    proto_item *item = proto_tree_add_int(packet->tree, hf_godot_sys_assigned, packet->tvb, 0, 4, id);
    godot_add_delivery(packet);
    if (packet->learn) {
        godot_session_learn_peer_id(packet->message, GODOT_INITIATOR, id);
        godot_session_learn_peer_id(packet->message, GODOT_ACCEPTOR, 1);
    }
    godot_name_ends(packet);
    godot_append(packet->info, "you are ", godot_name_peer(packet, item, id), NULL);
    godot_set_tap(packet, NULL, "Assign Id");
}

static void add_wire_length(const godot_packet *packet)
{
    uint32_t length = packet->message->wire_length;
    if (!packet->tree || length == 0) {
        return;
    }
    proto_item *item = proto_tree_add_uint(packet->tree, hf_godot_wire_length, packet->tvb, 0, 0, length);
    proto_item_set_generated(item);
    if (packet->message->session->transport == GODOT_RECORDED) {
        proto_item_append_text(item, " (of the packet alone: a recording does not know its transport's)");
    }
}

/* Of a message whose datagrams were captured at two points; at the receiver's. */
static void add_transit(const godot_packet *packet)
{
    const enet_payload_info *enet = packet->enet;
    if (!enet || !enet->has_transit) {
        return;
    }
    proto_item_set_generated(
        proto_tree_add_time(packet->tree, hf_godot_transit, packet->tvb, 0, 0, &enet->transit));
}

/* Calls the taps. A message that both ends have recorded is counted once. */
static void queue_tap(const godot_packet *packet, godot_frame *frame)
{
    const godot_message *message = packet->message;
    godot_tap *tap = packet->tap;
    if (!frame_visited(packet->pinfo)) {
        godot_session_learn_partner(message, tap->from);
        godot_session_learn_partner(message, tap->to);
    }
    if (godot_recordings_is_second(message)) {
        frame->has_second_record = true;
        return;
    }
    if (!packet->tapped) {
        return;
    }
    tap->session = message->session->index;
    tap->number = message->number;
    tap->from_initiator = message->from_initiator;
    tap->sender = godot_session_peer_id(message, godot_sending_end(message));
    tap->receiver = godot_session_peer_id(message, godot_receiving_end(message));
    tap->source = godot_session_peer_id(message, packet->from);
    tap->target = packet->to ? godot_session_peer_id(message, packet->to) : 0;
    tap->repeated = message->repeated;
    tap->info = wmem_strbuf_get_str(packet->info);
    tap->length = tvb_reported_length(packet->tvb);
    tap->wire_length = message->wire_length;
    godot_frame_add(frame, tap);
    tap_queue_packet(godot_tap_id, packet->pinfo, tap);
    tap_queue_packet(message_tap_id, packet->pinfo, tap);
}

/* Members of the tap's data that only later passes can set, for a reliable message over ENet. */
static void set_transport_facts(const godot_packet *packet)
{
    const enet_payload_info *enet = packet->enet;
    godot_tap *tap = packet->tap;
    /* No conditional expression: GCC 14 makes a load without the condition of `known ? enet->transmissions -
     * 1 : -1`. */
    tap->retransmissions = -1;
    tap->round_trip = -1;
    if (enet && enet->transmissions > 0) {
        tap->retransmissions = (int32_t)enet->transmissions - 1;
        tap->round_trip = enet->round_trip;
    }
    tap->sent_here = enet ? enet->sent_here : !packet->message->repeated;
    if (enet) {
        tap->second_point = enet->second_point;
        tap->acknowledged = enet->acknowledged;
        tap->unanswered = enet->unanswered;
        tap->lost = enet->lost;
        tap->points_known = enet->points_known;
        tap->held = enet->held;
        tap->received_in = frame_position(enet->received_in);
        tap->delivered_in = frame_position(enet->delivered_in);
        tap->wait = nstime_to_sec(&enet->wait);
    }
}

/* Data that is known before the packet is read. */
static void begin_tap(const godot_packet *packet)
{
    wmem_allocator_t *pool = packet->pinfo->pool;
    godot_tap *tap = packet->tap;
    tap->transport = (int)packet->message->session->transport;
    tap->stream = packet->enet ? (int64_t)packet->enet->stream : -1;
    tap->initiator_known = packet->enet && packet->enet->direction_known;
    tap->api = packet->message->api;
    tap->net_frame = -1;
    tap->later_pass = frame_visited(packet->pinfo);
    tap->cut = packet->cut;
    set_transport_facts(packet);
    godot_recordings_set_arrival(packet->message, tap);
    if (have_tap_listener(message_tap_id)) {
        tap->arguments = wmem_array_new(pool, sizeof(godot_tap_variant));
        tap->values = wmem_array_new(pool, sizeof(godot_tap_variant));
    }
    if (packet->cut) {
        tap->problem = "The capture does not have the end of the message";
        tap->problem_code = "_ws.short";
    }
}

/* Sets the session and the data of the transport. */
static void add_session(const godot_packet *packet)
{
    const godot_message *message = packet->message;
    const enet_payload_info *enet = packet->enet;
    if (packet->encoding) {
        godot_add_generated_number(packet->encoding, packet->tvb, hf_godot_api, (uint32_t)message->api);
        godot_add_generated_number(packet->encoding, packet->tvb, hf_godot_session, message->session->index);
    }
    if (message->other_api) {
        godot_conclude(
            packet, packet->item, &ei_godot_generation, godot_packet_lacks(packet, GODOT_GENERATIONS_DIFFER),
            "This end uses Godot %d, the session Godot %d", message->api, message->api == 3 ? 4 : 3);
    }
    if (enet && enet->fragmented && enet->delivery != ENET_DELIVERY_RELIABLE && !enet->second_point) {
        expert_add_info(packet->pinfo, packet->item, &ei_godot_over_mtu);
    }
}

/* What follows missing TCP segments may be read from a wrong place: bytes that no engine writes are not shown
 * as a packet. */
static bool is_misread(const godot_packet *packet)
{
    if (!godot_session_is_garbled(packet->message)) {
        return false;
    }
    multiplayer_confidence confidence = packet->message->api == 4
                                            ? multiplayer_v4_judge(packet->bytes, packet->length)
                                            : multiplayer_v3_judge_websocket(packet->bytes, packet->length);
    return confidence == MULTIPLAYER_IMPOSSIBLE;
}

static void show_misread(godot_packet *packet)
{
    godot_add_item(packet, packet->tree, hf_godot_undecoded, 0, packet->length, ENC_NA);
    godot_add_delivery(packet);
    expert_add_info_format(
        packet->pinfo, packet->item, &ei_godot_not_judged,
        "Not judged (%s): these bytes are no packet of Godot. See Preferences > Protocols > "
        "TCP > Reassemble out-of-order segments",
        godot_missing_text(GODOT_MISSING_SEGMENTS));
    packet->tap->not_judged = godot_missing_text(GODOT_MISSING_SEGMENTS);
    wmem_strbuf_append_printf(packet->info, "%u bytes after missing TCP segments", packet->length);
    godot_set_tap(packet, NULL, "not readable");
}

/* What does not come again, and was lost or comes too late for ENet, has no receiver. */
static bool is_never_received(const enet_payload_info *enet)
{
    return enet && enet->delivery != ENET_DELIVERY_RELIABLE &&
           (enet->ignored || (enet->points_known && enet->lost));
}

static void dissect_known_message(godot_packet *packet, proto_tree *tree, godot_frame *frame)
{
    packet_info *pinfo = packet->pinfo;
    const godot_message *message = packet->message;
    const recorder_record *recorded = packet->recorded;
    godot_tap unheard = {.next = NULL};
    packet->cut = message->cut;
    packet->bytes = tvb_get_ptr(packet->tvb, 0, packet->length);
    packet->learn = !frame_visited(pinfo) && !message->repeated && !packet->cut;
    packet->from = godot_sending_end(message);
    packet->to = recorded && recorded->other_id <= 0 ? 0 : godot_other_end(packet->from);
    packet->broadcast = recorded && recorded->other_id < 0 ? recorded->other_id : 0;
    packet->info = compat_strbuf_new(pinfo->pool, 2 * MAX_INFO_TEXT);
    packet->tapped = have_tap_listener(godot_tap_id) || have_tap_listener(message_tap_id) ||
                     have_tap_listener(frame_tap_id);
    packet->tap = packet->tapped ? wmem_new0(pinfo->pool, godot_tap) : &unheard;
    if (packet->tapped) {
        begin_tap(packet);
    }
    godot_tap_set_ends(packet);
    packet->item = tree ? proto_tree_add_item(tree, proto_godot, packet->tvb, 0, -1, ENC_NA) : NULL;
    packet->tree = proto_item_add_subtree(packet->item, ett_godot);
    packet->encoding = godot_begin_encoding(packet, packet->tree, 0, packet->length);
    godot_reported_begin(packet);
    packet->answered |= is_never_received(packet->enet);
    packet->encoding_item = proto_tree_get_parent(packet->encoding);
    godot_set_transfer(packet);
    add_session(packet);
    if (is_misread(packet)) {
        show_misread(packet);
    } else if (message->assigns_id) {
        dissect_assigned_id(packet);
    } else if (message->api == 4) {
        godot_dissect_v4(packet);
    } else {
        godot_dissect_v3(packet);
    }
    add_wire_length(packet);
    godot_recordings_add(packet);
    godot_add_end_names(packet);
    add_transit(packet);
    godot_reported_add(packet);
    godot_end_encoding(packet->tree, packet->encoding);
    const char *text = wmem_strbuf_get_str(packet->info), *remarks = remarks_of(packet);
    if (packet->item) {
        proto_item_set_text(packet->item, "Godot Multiplayer, %s%s", text, remarks);
    }
    if (godot_session_has_forgotten(pinfo, message)) {
        expert_add_info(pinfo, packet->item, &ei_godot_forgotten);
    }
    write_info(pinfo, frame, text, remarks);
    queue_tap(packet, frame);
    if (packet->cut) {
        tvb_ensure_bytes_exist(packet->tvb, 0, (int)tvb_reported_length(packet->tvb));
    }
}

/* Bytes on the wire of a message over anything but ENet. Over WebSocket: its own frame header, and the
 * headers of the captured frame if it is the first in it (Ethernet, IP, TCP with time stamps). An estimate:
 * the segments before the last one of a long message, and TCP's own acknowledgements, are not available here.
 */
static uint32_t estimate_wire_length(const packet_info *pinfo, const godot_message *message,
                                     const tvbuff_t *tvb, uint32_t ordinal)
{
    enum { ETHERNET = 14, IPV4 = 20, IPV6 = 40, TCP = 32, MASK = 4 };
    uint32_t length = tvb_reported_length(tvb), headers = 0;
    if (message->session->transport != GODOT_OVER_WEBSOCKET) {
        return length;
    }
    headers = length < 126 ? 2 : length < 65536 ? 4 : 10;
    if (message->from_initiator) {
        headers += MASK;
    }
    if (ordinal == 0) {
        headers += ETHERNET + (pinfo->net_src.type == AT_IPv6 ? IPV6 : IPV4) + TCP;
    }
    return length + headers;
}

/* `packet`: with the bytes and what their transport says about them; its other members are set here. */
static bool dissect_message(godot_packet *packet, proto_tree *tree, godot_transport transport, bool forced)
{
    packet_info *pinfo = packet->pinfo;
    tvbuff_t *tvb = packet->tvb;
    const enet_payload_info *enet = packet->enet;
    const recorder_record *recorded = packet->recorded;
    godot_frame *frame = godot_frame_get(pinfo);
    uint32_t captured = tvb_captured_length(tvb);
    uint32_t ordinal = enet ? enet->message_index : frame->ordinal++;
    if (captured == 0) {
        return false;
    }
    godot_message message = {.frame = frame_order(pinfo),
                             .time = nanoseconds_of(&pinfo->abs_ts),
                             .place = transport << 28 | (ordinal & 0x0fffffff)};
    if (!godot_session_restore(pinfo, &frame->kept, &message) &&
        !godot_session_message(pinfo, transport, enet, recorded, &message)) {
        return false;
    }
    message.cut = captured < tvb_reported_length(tvb);
    if (!frame_visited(pinfo)) {
        godot_session_learn_evidence(pinfo, &message, enet, recorded);
    }
    if (recorded && !frame_visited(pinfo)) {
        godot_session_learn_recorded(&message, recorded);
        godot_recordings_learn(pinfo, &message, recorded, tvb);
    }
    godot_session_learn_api(pinfo, &message, enet, tvb, forced);
    if (message.api == 0) {
        return false;
    }
    if (!frame_visited(pinfo)) {
        message.wire_length = enet ? enet->wire_length : estimate_wire_length(pinfo, &message, tvb, ordinal);
        godot_session_count(pinfo, &message, godot_recordings_is_second(&message));
        godot_session_keep(pinfo, enet, &message, &frame->kept);
    }
    if (!frame->session) {
        frame->session = message.session;
    }
    packet->message = &message;
    packet->length = captured;
    dissect_known_message(packet, tree, frame);
    return true;
}

static int dissect_godot_enet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb, .enet = data}, tree, GODOT_OVER_ENET, true);
    return (int)tvb_captured_length(tvb);
}

static compat_bool heur_godot_enet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    return data && dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb, .enet = data}, tree,
                                   GODOT_OVER_ENET, false);
}

static int dissect_godot_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb}, tree, GODOT_OVER_WEBSOCKET, true);
    return (int)tvb_captured_length(tvb);
}

static compat_bool heur_godot_websocket(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return !websocket_is_claimed(tvb, pinfo) &&
           dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb}, tree, GODOT_OVER_WEBSOCKET, false);
}

static int dissect_godot_sctp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb}, tree, GODOT_OVER_SCTP, true);
    return (int)tvb_captured_length(tvb);
}

static compat_bool heur_godot_sctp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    return dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb}, tree, GODOT_OVER_SCTP, false);
}

/* Recorded inside of a game. */
static int dissect_godot_recorded(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (data && !dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb, .recorded = data}, tree,
                                 GODOT_RECORDED, true)) {
        col_set_str(pinfo->cinfo, COL_INFO, "Packet of a session beyond the limit on sessions");
        expert_add_info(pinfo, proto_tree_add_item(tree, proto_godot, tvb, 0, -1, ENC_NA),
                        &ei_godot_forgotten);
    }
    return (int)tvb_captured_length(tvb);
}

/* By name: the rest of another protocol's packet is one multiplayer packet. */
static int dissect_godot(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    dissect_message(&(godot_packet){.pinfo = pinfo, .tvb = tvb}, tree, GODOT_OVER_ANYTHING, true);
    return (int)tvb_captured_length(tvb);
}

/* --- registration -------------------------------------------------------------------------------- */

void proto_register_godot(void);
void proto_reg_handoff_godot(void);

void proto_register_godot(void)
{
    proto_godot = proto_register_protocol("Godot Multiplayer", "Godot", "godot");
    godot_fields_register(proto_godot);
    ends_register(proto_godot);
    tcp_register();
    register_dissector("godot", dissect_godot, proto_godot);
    godot_payload_register(proto_godot);
    register_dissector("godot.recorded", dissect_godot_recorded, proto_godot);
    godot_tap_id = register_tap("godot");
    message_tap_id = register_tap("godot_message");
    godot_state_init(proto_godot);
    godot_peer_names_init();
    godot_frame_init(proto_godot);
    godot_recordings_init();
    godot_names_init();
    godot_authority_init();
    godot_reports_init(proto_godot);
    godot_reports_register_fields(proto_godot);
    godot_report_search_init();
    godot_relayed_init();
    godot_pace_init();
    module_t *preferences = godot_preferences_register(proto_godot, NULL);
    godot_project_register(preferences);
    godot_peer_names_register(preferences);
    godot_response_register(preferences);
    godot_plot_register(preferences);
    godot_statistics_register(proto_godot, preferences);
}

void proto_reg_handoff_godot(void)
{
    godot_payload_handoff();
    frame_tap_id = find_tap_id("frame"); /* its listeners read the messages of a godot_frame */
    dissector_handle_t enet = create_dissector_handle(dissect_godot_enet, proto_godot);
    dissector_handle_t websocket = create_dissector_handle(dissect_godot_websocket, proto_godot);
    dissector_handle_t sctp = create_dissector_handle(dissect_godot_sctp, proto_godot);
    heur_dissector_add("enet", heur_godot_enet, "Godot multiplayer over ENet", "godot_enet", proto_godot,
                       HEURISTIC_ENABLE);
    heur_dissector_add("ws", heur_godot_websocket, "Godot multiplayer over WebSocket", "godot_ws",
                       proto_godot, HEURISTIC_ENABLE);
    heur_dissector_add("sctp", heur_godot_sctp, "Godot multiplayer on a WebRTC data channel", "godot_sctp",
                       proto_godot, HEURISTIC_DISABLE);
    offer_decode_as(find_dissector("godot"), (const char *const[]){"udp.port", "dtls.port", NULL});
    offer_decode_as(enet, (const char *const[]){"enet.channel", "enet.payload", NULL});
    offer_decode_as(websocket, (const char *const[]){"ws.port", "ws.protocol", NULL});
    offer_decode_as(sctp, (const char *const[]){"sctp.ppi", "sctp.port", NULL});
}
