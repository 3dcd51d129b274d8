/* follow.c
 *
 * Follow, and `-z follow,godot,ascii,SESSION,PEER`: a transcript of the calls, spawns and system messages of
 * one session. A line has the time, the two peers and the text of the Info column. The same messages as in
 * the flow graph are left out. A sub-stream (Wireshark 4.2 and later) is the traffic between the session's
 * client and one other peer; its number is that peer's id, or 0 for all of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include <epan/follow.h>
#include <epan/to_str.h>

#include "multiplayer/state/frame.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/statistics/register.h"

static const char arrow[] = " → ";

static char *index_filter(unsigned session, unsigned peer)
{
    if (peer == 0) {
        return ws_strdup_printf("godot.session eq %u", session);
    }
    return ws_strdup_printf("godot.session eq %u and (godot.source eq %u or godot.target eq %u)", session,
                            peer, peer);
}

/* Whether the message is of this sub-stream. A number that is not a peer's stands for all. */
static bool is_between(const godot_tap *message, uint64_t peer)
{
    return peer == 0 || peer > INT32_MAX || (uint64_t)message->from == peer || (uint64_t)message->to == peer;
}

#if WS_AT_LEAST(4, 2)
static bool next_peer(unsigned session, unsigned peer, bool lower, unsigned *next)
{
    uint32_t found;
    if (peer == 0 || !godot_session_next_partner(session, peer, lower, &found)) {
        *next = 0;
        return lower || peer == 0;
    }
    *next = found;
    return true;
}
#endif

static char *packet_filter(epan_dissect_t *edt _U_, packet_info *pinfo, unsigned *stream,
                           unsigned *sub_stream)
{
    const godot_session *session = godot_frame_get(pinfo)->session;
    if (!session) {
        return NULL;
    }
    *stream = session->index;
    *sub_stream = 0;
    return index_filter(*stream, *sub_stream);
}

/* Sessions between two sockets: ADDRESS:PORT,ADDRESS:PORT. */
static char *address_filter(address *source, address *destination, int source_port, int destination_port)
{
    const char *field = source->type == AT_IPv6 ? "ipv6.addr" : "ip.addr";
    char *from = address_to_str(NULL, source), *to = address_to_str(NULL, destination);
    char *filter = ws_strdup_printf(
        "godot and %s eq %s and %s eq %s and ((udp.port eq %d and udp.port eq %d) or "
        "(tcp.port eq %d and tcp.port eq %d))",
        field, from, field, to, source_port, destination_port, source_port, destination_port);
    wmem_free(NULL, from);
    wmem_free(NULL, to);
    return filter;
}

static char *port_text(wmem_allocator_t *allocator, unsigned port)
{
    return wmem_strdup_printf(allocator, "%u", port);
}

/* A peer as its name, 0 as `unknown`. */
static const char *peer_text(const packet_info *pinfo, int32_t peer, const char *unknown)
{
    return peer ? godot_peer_name(pinfo->pool, peer) : unknown;
}

/* The Info column's text, with the arrow before the node in ASCII: of all else tshark's form "ascii" makes
 * dots. */
static const char *text_of(const packet_info *pinfo, const godot_tap *message)
{
    const char *text = godot_tap_text(pinfo->pool, message);
    const char *last = g_strrstr(text, arrow);
    if (!last || !message->node || !g_str_has_prefix(last + strlen(arrow), message->node)) {
        return text;
    }
    return wmem_strdup_printf(pinfo->pool, "%.*s -> %s", (int)(last - text), text, last + strlen(arrow));
}

/* Node 0 is the end that opened the connection, even if the other one sends first. */
static void set_ends(follow_info_t *follow, const packet_info *pinfo, bool from_initiator)
{
    if (follow->client_ip.type != AT_NONE) {
        return;
    }
    follow->client_port = from_initiator ? pinfo->srcport : pinfo->destport;
    follow->server_port = from_initiator ? pinfo->destport : pinfo->srcport;
    copy_address(&follow->client_ip, from_initiator ? &pinfo->src : &pinfo->dst);
    copy_address(&follow->server_ip, from_initiator ? &pinfo->dst : &pinfo->src);
}

/* Not follow_tvb_tap_listener(), which distinguishes the two sides by their ports: recordings have none. */
static void add_line(follow_info_t *follow, const packet_info *pinfo, bool from_initiator, const char *line)
{
    unsigned length = (unsigned)strlen(line), side = from_initiator ? 0 : 1;
    follow_record_t *record = g_new0(follow_record_t, 1); /* it and its bytes are freed with `follow` */
    record->is_server = !from_initiator;
    record->packet_num = pinfo->num;
    record->abs_ts = pinfo->abs_ts;
    record->data = g_byte_array_append(g_byte_array_sized_new(length), (const uint8_t *)line, length);
    follow->bytes_written[side] += length;
    follow->payload = g_list_prepend(follow->payload, record);
}

static tap_packet_status follow_message(void *info, packet_info *pinfo, epan_dissect_t *edt _U_,
                                        const void *data, tap_flags_t flags _U_)
{
    const godot_tap *message = data;
    if (!godot_tap_is_event(message) || !is_between(message, ((const follow_info_t *)info)->substream_id)) {
        return TAP_PACKET_DONT_REDRAW;
    }
    /* A packet that was recorded on its way to several peers has no target, but a session with each of
     * them. */
    const char *others = message->receiver ? "all" : "?";
    set_ends(info, pinfo, message->from_initiator);
    add_line(info, pinfo, message->from_initiator,
             wmem_strdup_printf(pinfo->pool, "%.3f  %s -> %s  %s\n", nstime_to_sec(&pinfo->rel_ts),
                                peer_text(pinfo, message->source, "?"),
                                peer_text(pinfo, message->target, others), text_of(pinfo, message)));
    return TAP_PACKET_DONT_REDRAW;
}

void godot_follow_register(int proto)
{
    compat_register_follow_stream(proto, "godot", packet_filter, index_filter, address_filter, port_text,
                                  follow_message, godot_session_number, next_peer);
}
