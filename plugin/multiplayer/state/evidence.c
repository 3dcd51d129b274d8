/* evidence.c
 *
 * What the transports and recorders know of packets that the capture does not have:
 * godot_session_learn_evidence() and godot_session_learn_record() of session.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/allocators.h"
#include "base/tcp.h"
#include "enet/api/tap.h"
#include "multiplayer/state/session.h"
#include "recorder/numbers.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>

static wmem_map_t *flows_of_session; /* over WebSocket: its two directions, by godot_end_index() */
static wmem_map_t *recorders;        /* recording -> recorder_numbers */
static uint32_t left_out_frame;      /* the latest that says that records were left out; 0: none */

/* Whether this end is the one that ENet knows as the initiator. */
static bool is_initiator(const godot_session *session, godot_party end)
{
    return (end == GODOT_INITIATOR) != session->swapped_ends;
}

/* ENet's reliable numbers. Both directions are needed: on the first pass what has come so far, and of a
 * direction that has ended before `to` all of it. */
static godot_missing missing_over_enet(const godot_session *session, godot_party end, uint32_t from,
                                       uint32_t to)
{
    bool from_initiator = is_initiator(session, end), proven;
    const enet_direction direction = enet_captured_of(session->stream, from_initiator),
                         other = enet_captured_of(session->stream, !from_initiator);
    enet_span span = {.stream = session->stream,
                      .from_initiator = from_initiator,
                      .reliable = true,
                      .channel = ENET_EVERY_CHANNEL,
                      .from = from,
                      .to = to};
    if (direction.last == 0) {
        return GODOT_MISSING_DIRECTION;
    }
    if (direction.clocks_differ) {
        return GODOT_MISSING_ORDER;
    }
    if (to && enet_captured_not(&span, &proven) > 0) {
        return GODOT_MISSING_PACKETS;
    }
    span.to = to <= MIN(direction.last, other.last) ? to : 0;
    switch (enet_captured_whole(&span)) {
    case ENET_YES:
        return GODOT_MISSING_NOTHING;
    case ENET_NO:
        return direction.missing ? GODOT_MISSING_PACKETS : GODOT_MISSING_BYTES;
    default:
        return from == 0 && !(direction.bits & ENET_COMPLETE_START) ? GODOT_MISSING_BEGINNING
                                                                    : GODOT_MISSING_PACKETS;
    }
}

/* Every reliable message waits at the receiver until those before it have come. */
static bool delivered_over_enet(const godot_session *session, const godot_path *path, int64_t *time)
{
    bool to_initiator = path->receiver == GODOT_INITIATOR;
    return enet_captured_delivery(session->stream,
                                  is_initiator(session, to_initiator ? GODOT_ACCEPTOR : GODOT_INITIATOR),
                                  path->channel, path->sent, time);
}

static int64_t heard_over_enet(const godot_session *session, godot_party end)
{
    const enet_sender *sender = enet_sender_in_file(session->stream, is_initiator(session, end));
    return sender ? sender->last_time : INT64_MIN / 2;
}

/* The same of all messages between two of one kind, by the numbers of unreliable ones and of groups. */
static bool has_all_over_enet(const godot_session *session, godot_party end, uint32_t from, uint32_t to)
{
    const enet_span span = {.stream = session->stream,
                            .from_initiator = is_initiator(session, end),
                            .channel = ENET_EVERY_CHANNEL,
                            .counted = true,
                            .from = from,
                            .to = to};
    return enet_captured_whole(&span) == ENET_YES;
}

/* --- WebSocket ----------------------------------------------------------------------------------- */

/* What follows a hole need not be a message any more, so that no message shows the hole. */
static godot_missing missing_over_tcp(const godot_session *session, godot_party end, uint32_t from _U_,
                                      uint32_t to)
{
    const void *const *flows = wmem_map_lookup(flows_of_session, session);
    if (flows && tcp_flow_is_broken(flows[godot_end_index(end)], to)) {
        return GODOT_MISSING_SEGMENTS;
    }
    return session->spoke[godot_end_index(end)] ? GODOT_MISSING_NOTHING : GODOT_MISSING_DIRECTION;
}

/* With its first message. */
static void learn_flows(packet_info *pinfo, const godot_message *message)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    if (tcp) {
        const void **flows = wmem_alloc_array(wmem_file_scope(), const void *, 2);
        flows[godot_end_index(godot_sending_end(message))] = tcp->fwd;
        flows[godot_end_index(godot_receiving_end(message))] = tcp->rev;
        wmem_map_insert(flows_of_session, message->session, flows);
        message->session->transport_missing = missing_over_tcp;
    }
}

/* --- recordings ---------------------------------------------------------------------------------- */

static void forget(void)
{
    left_out_frame = 0;
}

void godot_evidence_init(void)
{
    flows_of_session = file_map(g_direct_hash, g_direct_equal);
    recorders = file_map(g_direct_hash, g_direct_equal);
    register_cleanup_routine(forget);
}

static recorder_numbers *numbers_of(uint32_t recording)
{
    return wmem_map_lookup(recorders, GUINT_TO_POINTER(recording));
}

bool godot_session_learn_record(const packet_info *pinfo, const recorder_record *record)
{
    const memory_allocator memory = file_memory();
    recorder_numbers *numbers = numbers_of(record->recording);
    if (record->kind == RECORDER_LEFT_OUT) {
        left_out_frame = frame_order(pinfo); /* of any recording */
        return false;
    }
    if (record->kind != RECORDER_PACKET && record->kind != RECORDER_CONNECTED) {
        return false;
    }
    if (!numbers) {
        if (!godot_store_may_keep(godot_state_store(), sizeof *numbers)) {
            return false;
        }
        numbers = wmem_new0(wmem_file_scope(), recorder_numbers);
        wmem_map_insert(recorders, GUINT_TO_POINTER(record->recording), numbers);
    }
    if (record->kind == RECORDER_CONNECTED) {
        number_map_put(&memory, &numbers->connected, (uint32_t)record->other_id, frame_order(pinfo));
        return false;
    }
    return recorder_numbers_learn(&memory, numbers, record->number, frame_order(pinfo));
}

/* A recorder numbers the packets of both ends together. */
static godot_missing missing_in_recording(const godot_session *session, godot_party end _U_, uint32_t from,
                                          uint32_t to)
{
    const recorder_numbers *numbers = numbers_of(session->recording);
    if (!numbers || numbers->unnumbered) {
        return GODOT_MISSING_NUMBERS;
    }
    bool ends_short = to == 0 && left_out_frame > numbers->last_frame;
    return !ends_short && recorder_numbers_whole(numbers, from ? from : session->connected_in, to)
               ? GODOT_MISSING_NOTHING
               : GODOT_MISSING_PACKETS;
}

/* With its first message: a session begins with the record that the other peer has connected. One with
 * packets to several peers begins with the recording. */
static void learn_recorder(godot_session *session, const recorder_record *recorded)
{
    const recorder_numbers *numbers = numbers_of(session->recording);
    if (session->transport_missing || !numbers) {
        return;
    }
    session->transport_missing = missing_in_recording;
    session->connected_in =
        recorded->other_id > 0 ? number_map_get(&numbers->connected, (uint32_t)recorded->other_id) : 0;
    session->seen[0].from_start = session->seen[1].from_start =
        session->connected_in || recorder_numbers_whole(numbers, 0, numbers->last_frame);
}

/* --- all transports ------------------------------------------------------------------------------ */

/* ENet pings every 500 ms (ENET_PEER_PING_INTERVAL): if the capture ends sooner, the receiver was still
 * there. */
bool godot_session_is_heard_later(const godot_message *message)
{
    const int64_t ping_interval = 500000000;
    const godot_session *session = message->session;
    if (session->transport != GODOT_OVER_ENET) {
        return true;
    }
    bool from_initiator = is_initiator(session, godot_receiving_end(message));
    const enet_sender *receiver = enet_sender_in_file(session->stream, from_initiator),
                      *sender = enet_sender_in_file(session->stream, !from_initiator);
    return receiver && sender &&
           (receiver->last_frame > message->frame || sender->last_time - receiver->last_time < ping_interval);
}

bool godot_session_has_all(uint32_t index, bool from_initiator, godot_moment from, godot_moment to)
{
    const godot_session *session = godot_session_at(index);
    const godot_party end = from_initiator ? GODOT_INITIATOR : GODOT_ACCEPTOR;
    if (!session || session->transport == GODOT_OVER_SCTP || session->transport == GODOT_OVER_ANYTHING) {
        return false; /* their numbers are not read */
    }
    if (session->transport == GODOT_OVER_ENET) {
        return session->transport_missing && has_all_over_enet(session, end, from.frame, to.frame);
    }
    return (!session->transport_missing ||
            session->transport_missing(session, end, from.frame, to.frame) == GODOT_MISSING_NOTHING) &&
           (session->transport != GODOT_OVER_WEBSOCKET ||
            godot_evidence_between(&session->seen[godot_end_index(end)], from.number, to.number) ==
                GODOT_MISSING_NOTHING);
}

const void *godot_session_http(packet_info *pinfo)
{
    const conversation_t *conversation = pinfo->ptype == PT_TCP ? find_conversation_pinfo(pinfo, 0) : NULL;
    return conversation ? conversation_get_proto_data(conversation, proto_get_id_by_filter_name("http"))
                        : NULL;
}

void godot_session_learn_evidence(packet_info *pinfo, const godot_message *message,
                                  const enet_payload_info *enet, const recorder_record *recorded)
{
    godot_session *session = message->session;
    if (recorded) {
        learn_recorder(session, recorded);
    }
    if (enet && !session->transport_missing) {
        session->transport_missing = missing_over_enet;
        session->transport_delivered = delivered_over_enet;
        session->transport_heard = heard_over_enet;
        session->stream = enet->stream;
        session->swapped_ends = message->from_initiator != enet->from_initiator;
    }
    if (!session->seen[0].from_start && (enet ? enet->has_connect_data : godot_session_http(pinfo) != NULL)) {
        session->seen[0].from_start = session->seen[1].from_start = true;
    }
    if (session->transport == GODOT_OVER_WEBSOCKET && !session->transport_missing) {
        learn_flows(pinfo, message);
    }
    if (session->transport == GODOT_OVER_WEBSOCKET && tcp_is_broken(pinfo)) {
        godot_session_learn_gap(message, godot_sending_end(message), GODOT_MISSING_SEGMENTS);
    }
    /* What follows a hole need not be a message any more. */
    if (session->transport == GODOT_OVER_WEBSOCKET && tcp_is_broken_back(pinfo)) {
        godot_session_learn_gap(message, godot_receiving_end(message), GODOT_MISSING_SEGMENTS);
    }
    if (message->cut) {
        godot_session_learn_gap(message, godot_sending_end(message), GODOT_MISSING_BYTES);
    }
}
