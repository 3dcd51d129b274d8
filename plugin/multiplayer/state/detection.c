/* detection.c
 *
 * Whether a conversation is Godot's multiplayer, and of which generation: godot_session_learn_api() and
 * godot_session_learn_recorded() of session.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/wire/scene_v4.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/state/session.h"

#include "base/bytes.h"

/* Evidence is summed over the messages of a session. One strong message is enough, or two medium ones. A
 * CONNECT with a random number where Godot has the peer id is evidence for Godot, as is Godot 4's number of
 * channels, but neither is enough by itself. Weak messages only count together with such evidence, because
 * any protocol may have messages that begin with a small number. For the same reason a message that no engine
 * writes resets the evidence to zero. */
enum { ENOUGH = 7, LIKELY_PEER_ID = 3, GODOT4_CHANNELS = 255 };
static const int weights[] = {
    [MULTIPLAYER_IMPOSSIBLE] = 0, [MULTIPLAYER_WEAK] = 1,         [MULTIPLAYER_MEDIUM] = 4,
    [MULTIPLAYER_STRONG] = 10,    [MULTIPLAYER_CONCLUSIVE] = 100,
};

static int weigh_v3(godot_message *message, const enet_payload_info *enet, const uint8_t *bytes,
                    uint32_t length)
{
    multiplayer_confidence confidence;
    if (message->session->transport == GODOT_OVER_WEBSOCKET) {
        message->carrier = MULTIPLAYER_V3_WEBSOCKET;
        return weights[multiplayer_v3_judge_websocket(bytes, length)];
    }
    if (!enet) {
        message->carrier = MULTIPLAYER_V3_BARE;
        return weights[multiplayer_v3_judge(bytes, length)];
    }
    confidence = multiplayer_v3_judge_enet(bytes, length, enet->channel, &message->carrier);
    if (confidence == MULTIPLAYER_IMPOSSIBLE) {
        return 0;
    }
    int weight = weights[confidence];
    if (enet->has_connect_data && godot_is_likely_peer_id(enet->connect_data)) {
        bool own_id = message->from_initiator ? le32(bytes) == enet->connect_data
                                              : le32(bytes) == 1 && enet->channel != 0;
        weight += own_id ? weights[MULTIPLAYER_STRONG] : LIKELY_PEER_ID;
    }
    return weight;
}

static int weigh_v4(const godot_message *message, const enet_payload_info *enet, const uint8_t *bytes,
                    uint32_t length)
{
    int weight = weights[multiplayer_v4_judge(bytes, length)];
    if (weight == 0) {
        return 0;
    }
    if (enet && enet->has_connect_data && godot_is_likely_peer_id(enet->connect_data)) {
        weight += LIKELY_PEER_ID;
        if (enet->channel_count == GODOT4_CHANNELS) {
            weight += LIKELY_PEER_ID;
        }
    }
    /* WebSocket: the first message of the server looks like a peer id. */
    if (!enet && message->session->evidence[4] >= LIKELY_PEER_ID) {
        weight += LIKELY_PEER_ID;
    }
    /* One end has finished authentication: two bytes, but in this place few other things. */
    if (length == 2 && bytes[0] == MULTIPLAYER_V4_SYS && message->session->messages <= 4) {
        weight += LIKELY_PEER_ID;
    }
    return weight;
}

/* Godot requests no extension, and a sub-protocol only if the game sets one. */
static bool has_negotiated(packet_info *pinfo)
{
    const void *http = godot_session_http(pinfo);
    return http && compat_websocket_negotiated(http);
}

/* Godot 4 over WebSocket: the server's first message is the client's peer id, four bytes. */
static bool assigns_id(const godot_message *message, const uint8_t *bytes, uint32_t length)
{
    const godot_session *session = message->session;
    return session->transport == GODOT_OVER_WEBSOCKET && !session->server_spoke && !message->from_initiator &&
           length == 4 && godot_is_likely_peer_id(le32(bytes));
}

/* Godot 3 over ENet: which header a packet has that makes no sense. */
static multiplayer_v3_carrier default_carrier(const godot_session *session, const enet_payload_info *enet)
{
    if (session->transport != GODOT_OVER_ENET || !enet) {
        return session->carrier;
    }
    if (enet->channel == 0) {
        return MULTIPLAYER_V3_ENET_SYSTEM;
    }
    return session->carrier == MULTIPLAYER_V3_ENET_FLAGS ? MULTIPLAYER_V3_ENET_FLAGS : MULTIPLAYER_V3_ENET;
}

/* The generation of a message: that of the session, unless the message is impossible in it and strong in the
 * other. Godot 3's header is checked first, since that is faster than reading the values of a Godot 4
 * packet. */
static void decide_api(godot_message *message, const enet_payload_info *enet, const uint8_t *bytes,
                       uint32_t length)
{
    godot_session *session = message->session;
    int v3 = weigh_v3(message, enet, bytes, length);
    message->api = session->api;
    if (godot_session_is_garbled(message)) {
        message->carrier = session->carrier; /* it may be part of another message */
    } else if (session->api == 4 && v3 >= weights[MULTIPLAYER_STRONG] &&
               weigh_v4(message, enet, bytes, length) == 0) {
        message->api = 3;
    } else if (session->api == 3 && v3 == 0 &&
               weigh_v4(message, enet, bytes, length) >= weights[MULTIPLAYER_CONCLUSIVE]) {
        message->api = 4;
    }
    message->other_api = message->api != session->api;
    if (message->api == 3 && v3 == 0 && !message->other_api) {
        message->carrier = default_carrier(session, enet);
    } else if (message->api == 3 && message->carrier == MULTIPLAYER_V3_ENET_FLAGS) {
        session->carrier = MULTIPLAYER_V3_ENET_FLAGS;
    }
}

/* Peer ids that the transport provides. ENet: CONNECT of a Godot client contains its own id, a random number
 * of 31 bits, and the other end is the server. In a mesh (ENetMultiplayerPeer.create_mesh) CONNECT contains
 * the game's argument of ENetConnection.connect_to_host(), usually 0 or a small number, so no id is known. */
static void learn_ends(const godot_message *message, const enet_payload_info *enet)
{
    bool client = enet && enet->direction_known && enet->has_connect_data &&
                  godot_is_likely_peer_id(enet->connect_data);
    if (client) {
        godot_session_learn_peer_id(message, GODOT_INITIATOR, (int32_t)enet->connect_data);
    }
    if (client || message->session->transport == GODOT_OVER_WEBSOCKET) {
        godot_session_learn_peer_id(message, GODOT_ACCEPTOR, 1);
    }
}

/* The server's first message was an id after all. */
static void learn_assigned_id(const godot_message *message)
{
    const godot_session *session = message->session;
    godot_message first = *message;
    if (session->api == 4 && session->assigned_id) {
        first.number = session->assigned_number;
        godot_session_learn_peer_id(&first, GODOT_INITIATOR, session->assigned_id);
        godot_session_learn_peer_id(&first, GODOT_ACCEPTOR, 1);
    }
}

static void gather(int *evidence, int weight, bool cut)
{
    if (weight == weights[MULTIPLAYER_IMPOSSIBLE] && !cut) {
        *evidence = 0;
    } else if (weight > weights[MULTIPLAYER_WEAK]) {
        *evidence += weight;
    }
}

void godot_session_learn_api(packet_info *pinfo, godot_message *message, const enet_payload_info *enet,
                             tvbuff_t *tvb, bool forced)
{
    godot_session *session = message->session;
    if (frame_visited(pinfo) || message->api != 0) {
        return;
    }
    const uint32_t length = tvb_captured_length(tvb);
    const uint8_t *bytes = tvb_get_ptr(tvb, 0, length);
    message->assigns_id = assigns_id(message, bytes, length);
    session->server_spoke |= !message->from_initiator;
    if (message->assigns_id) {
        /* Four bytes are no proof: accepted if the user has selected it, else later messages decide. */
        message->api = forced ? 4 : 0;
        session->evidence[4] += has_negotiated(pinfo) ? 0 : LIKELY_PEER_ID;
        session->assigned_id = forced ? 0 : (int32_t)le32(bytes);
        session->assigned_number = message->number;
        const godot_peer_facts client = {.address = &pinfo->dst, .port = pinfo->destport};
        godot_peer_appears((int32_t)le32(bytes), &client);
        return;
    }
    if (session->api == 0) {
        int v3 = weigh_v3(message, enet, bytes, length);
        int v4 = weigh_v4(message, enet, bytes, length);
        gather(&session->evidence[3], v3, message->cut);
        gather(&session->evidence[4], v4, message->cut);
        bool prefer_v3 = v3 != v4 ? v3 > v4 : session->evidence[3] > session->evidence[4];
        if (session->evidence[prefer_v3 ? 3 : 4] < ENOUGH && !forced) {
            return;
        }
        session->api = prefer_v3 ? 3 : 4;
        session->recognised_in = frame_order(pinfo);
        session->recognised_number = message->number;
        session->carrier = message->carrier;
        learn_assigned_id(message);
    }
    decide_api(message, enet, bytes, length);
    learn_ends(message, enet);
}
