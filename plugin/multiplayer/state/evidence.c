/* evidence.c
 *
 * What the transports know of packets that the capture does not have: godot_session_learn_evidence() of
 * session.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/tcp.h"
#include "enet/state/conversation.h"
#include "enet/state/evidence.h"
#include "multiplayer/state/session.h"

#include <epan/conversation.h>

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
    const enet_capture *capture = enet_state_of_file();
    const enet_sender *receiver = enet_evidence_sender(capture, session->stream, from_initiator),
                      *sender = enet_evidence_sender(capture, session->stream, !from_initiator);
    return receiver && sender &&
           (receiver->last_frame > message->frame || sender->last_time - receiver->last_time < ping_interval);
}

const void *godot_session_http(packet_info *pinfo)
{
    const conversation_t *conversation = pinfo->ptype == PT_TCP ? find_conversation_pinfo(pinfo, 0) : NULL;
    return conversation ? conversation_get_proto_data(conversation, proto_get_id_by_filter_name("http"))
                        : NULL;
}

void godot_session_learn_evidence(packet_info *pinfo, const godot_message *message,
                                  const enet_payload_info *enet)
{
    godot_session *session = message->session;
    if (enet && !session->transport_missing) {
        session->transport_missing = missing_over_enet;
        session->stream = enet->stream;
        session->swapped_ends = message->from_initiator != enet->from_initiator;
    }
    if (!session->seen[0].from_start && (enet ? enet->has_connect_data : godot_session_http(pinfo) != NULL)) {
        session->seen[0].from_start = session->seen[1].from_start = true;
    }
    if (session->transport == GODOT_OVER_WEBSOCKET && tcp_is_broken(pinfo)) {
        godot_session_learn_gap(message, godot_sending_end(message), GODOT_MISSING_SEGMENTS);
    }
    if (message->cut) {
        godot_session_learn_gap(message, godot_sending_end(message), GODOT_MISSING_BYTES);
    }
}
