/* peers.c
 *
 * Statistics → Godot Peers, and `-z godot,peers`: one row for each connection of a peer, with the traffic
 * between it and the server. For recordings and WebRTC, packets only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "statistics/table.h"

#include <epan/dissectors/packet-tcp.h>

#include "base/columns.h"
#include "base/tcp.h"
#include "enet/api/tap.h"
#include "multiplayer/state/frame.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/state/session.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/values/segments.h"

enum {
    PEER,
    ID,
    FROM_PEER,
    TO_PEER,
    OPENED,
    DURATION,
    ROUND_TRIPS,
    AVERAGE,
    LONGEST,
    RELIABLE,
    LOST,
    NEEDLESS,
    LOSS,
    THROTTLED,
    MISSING,
    TRANSPORT,
    CLOSED_BY,
    CLOSED_HOW,
    CAPTURED,
    ADDRESS,
    FILTER,
    COLUMNS
};
static stat_tap_table_item columns[COLUMNS] = {
    [PEER] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Peer", "%s"},
    [ID] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "ID", "%s"},
    [FROM_PEER] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes from", "%u"},
    [TO_PEER] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes to", "%u"},
    [OPENED] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Opened, s", "%.2f"},
    [DURATION] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Duration, s", "%.2f"},
    [ROUND_TRIPS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Round trips", "%u"},
    [AVERAGE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Average, ms", "%.2f"},
    [LONGEST] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Longest, ms", "%.2f"},
    [RELIABLE] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Reliable", "%u"},
    [LOST] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Lost", "%u"},
    [NEEDLESS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Needless", "%u"},
    [LOSS] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Loss %", "%.2f"},
    [THROTTLED] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Throttled", "%u"},
    [MISSING] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Missing", "%u"},
    [TRANSPORT] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Over", "%s"},
    [CLOSED_BY] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Closed by", "%s"},
    [CLOSED_HOW] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "With", "%s"},
    [CAPTURED] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Captured", "%s"},
    [ADDRESS] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Address", "%s"},
    [FILTER] = {STAT_TABLE_FILTER},
};

static const char *const titles[] = {"Peers"};

/* Share of commands that were retransmitted because they did not arrive. */
static void derive(stat_cell *row)
{
    double reliable = stat_cell_sum(&row[RELIABLE]);
    stat_cell_set_number(&row[LOSS], reliable > 0 ? 100 * stat_cell_sum(&row[LOST]) / reliable : 0);
}

/* Sender, receiver and transport of a frame. */
typedef struct {
    const char *transport;
    const char *key;    /* of the connection, among those of the transport */
    const char *filter; /* field that has the number of the connection */
    uint32_t number;
    const char *other_filter; /* instead of these two; NULL: none */
    bool from_peer;
    bool has_address;
    int32_t peer;    /* 0: not known */
    int32_t other;   /* the other end; 0: the server, or not known */
    nstime_t opened; /* since the beginning of the capture */
} peer_frame;

/* Acknowledgements of one end, milliseconds. */
typedef struct {
    unsigned count;
    double sum, longest;
} round_trips;

/* What is counted of a connection besides its row. */
typedef struct {
    bool begun;             /* its row has the texts of a connection */
    uint32_t lost, missing; /* shown as long as losses are judged */
    round_trips trips[2];   /* acknowledged by the server, by the peer */
} connection_counts;

typedef struct {
    wmem_map_t *connections; /* by row: connection_counts */
    uint32_t last_frame;
} peers_state;

static void *begin(wmem_allocator_t *pool)
{
    peers_state *state = wmem_new0(pool, peers_state);
    state->connections = wmem_map_new(pool, g_direct_hash, g_direct_equal);
    return state;
}

/* Of the connections in a row, which stays where it is. */
static connection_counts *counts_of(const stat_table *table, const stat_cell *row)
{
    wmem_map_t *map = ((peers_state *)table->state)->connections;
    connection_counts *counts = wmem_map_lookup(map, row);
    if (!counts) {
        counts = wmem_new0(table->pool, connection_counts);
        wmem_map_insert(map, row, counts);
    }
    return counts;
}

/* Finds or creates the connection's row; a new one gets the peer's name and address. */
static stat_cell *row_of(stat_table *table, packet_info *pinfo, const peer_frame *frame)
{
    const char *key = wmem_strdup_printf(pinfo->pool, "%s %s", frame->transport, frame->key);
    stat_cell *row = stat_table_row(table, 0, key);
    if (stat_row_is_other(row)) {
        return row;
    }
    connection_counts *counts = counts_of(table, row);
    if (!counts->begun) { /* new, or its numbers were reset */
        counts->begun = true;
        const char *place = frame->has_address
                                ? ends_socket_text(pinfo->pool, frame->from_peer ? &pinfo->src : &pinfo->dst,
                                                   frame->from_peer ? pinfo->srcport : pinfo->destport)
                                : "";
        stat_cell_set_text(&row[ADDRESS], place);
        stat_row_set_filter(table, row,
                            frame->other_filter
                                ? frame->other_filter
                                : wmem_strdup_printf(pinfo->pool, "%s eq %u", frame->filter, frame->number));
        stat_cell_set_text(&row[TRANSPORT], frame->transport);
        stat_cell_set_number(&row[OPENED], nstime_to_sec(&frame->opened));
        stat_cell_set_text(&row[PEER], "?");
        stat_cell_set_text(&row[ID], "");
        stat_cell_set_text(&row[CLOSED_BY], "");
        stat_cell_set_text(&row[CLOSED_HOW], "");
        stat_cell_set_text(&row[CAPTURED], "");
    }
    if (frame->peer) {
        stat_cell_set_text(&row[PEER], godot_peer_connection_name(pinfo->pool, frame->peer, frame->other));
        stat_cell_set_text(&row[ID], wmem_strdup_printf(pinfo->pool, "%d", frame->peer));
    }
    return row;
}

/* `by`: "?" if it is not known who is the server. */
static void set_closed(stat_cell *row, const char *by, const char *how)
{
    if (stat_row_is_other(row)) {
        return;
    }
    stat_cell_set_text(&row[CLOSED_BY], by);
    stat_cell_set_text(&row[CLOSED_HOW], how);
}

static void set_end(stat_cell *row, const packet_info *pinfo)
{
    if (stat_row_is_other(row)) {
        return;
    }
    stat_cell_set_number(&row[DURATION], nstime_to_sec(&pinfo->rel_ts) - stat_cell_sum(&row[OPENED]));
}

/* From the place of the capture to one end and back, and to the other end and back, is once there and back
 * between the ends, wherever that place is. One of the two alone is not. */
static void count_round_trip(stat_cell *row, connection_counts *counts, bool by_peer, const nstime_t *time)
{
    round_trips *here = &counts->trips[by_peer];
    const round_trips *one = &counts->trips[0], *other = &counts->trips[1];
    double milliseconds = nstime_to_msec(time);
    here->longest = here->count++ ? MAX(here->longest, milliseconds) : milliseconds;
    here->sum += milliseconds;
    if (one->count && other->count) {
        double average = one->sum / one->count, other_average = other->sum / other->count;
        stat_cell_set_number(&row[AVERAGE], average + other_average);
        stat_cell_set_number(&row[LONGEST], MAX(one->longest + other_average, other->longest + average));
    }
    stat_cell_add(&row[ROUND_TRIPS], 1);
}

/* --- ENet ---------------------------------------------------------------------------------------- */

/* Numbers missing between two messages of one datagram were not lost on the way: the sender's throttle
 * dropped the messages after numbering them (enet_protocol_check_outgoing_commands() in protocol.c). */
static bool follows_in_datagram(const enet_tap_datagram *datagram, uint32_t index)
{
    const enet_tap_command *command = &datagram->commands[index];
    for (uint32_t i = 0; i < index; i++) {
        const enet_tap_command *before = &datagram->commands[i];
        bool same_numbers = before->channel == command->channel || command->type == ENET_SEND_UNSEQUENCED;
        if (same_numbers && before->type == command->type) {
            return true;
        }
    }
    return false;
}

static void count_command(stat_cell *row, connection_counts *counts, const enet_tap_datagram *datagram,
                          uint32_t index)
{
    const enet_tap_command *command = &datagram->commands[index];
    if (enet_is_transmission(command->reliable, command->notes)) {
        stat_cell_add(&row[RELIABLE], 1);
    }
    counts->lost += command->loss.lost;
    stat_cell_add(&row[NEEDLESS], command->loss.needless);
    counts->missing -= MIN(counts->missing, command->loss.found);
    if (command->loss.skipped && follows_in_datagram(datagram, index)) {
        stat_cell_add(&row[THROTTLED], command->loss.skipped);
    } else {
        counts->missing += command->loss.skipped;
    }
}

/* Duration up to its end or to the last datagram that was read, regardless of the statistic's filter. */
static void set_duration(stat_cell *row, const enet_connection *connection)
{
    int64_t last = connection->end_frame ? connection->end_time
                                         : MAX(connection->senders[ENET_INITIATOR].last_time,
                                               connection->senders[ENET_ACCEPTOR].last_time);
    nstime_t duration = nstime_of(last - connection->first_time);
    if (!stat_row_is_other(row)) {
        stat_cell_set_number(&row[DURATION], nstime_to_sec(&duration));
    }
}

/* How the connection ends, as far as the file was read. */
static void set_ending(stat_cell *row, const enet_connection *connection, enet_side client)
{
    static const char *const words[ENET_ENDING_KINDS] = {[ENET_UNREACHABLE] = "closed socket (ICMP)",
                                                         [ENET_REPLACED] = "connected again",
                                                         [ENET_GIVEN_UP] = "time-out"};
    const enet_ending ending = enet_ending_in_file(connection);
    bool by_peer = (ending.side == client) != (ending.kind == ENET_GIVEN_UP);
    const char *how = words[ending.kind];
    if (ending.kind == ENET_GIVEN_UP && !ending.lives_on) {
        how = "time-out or exit";
    }
    if (ending.kind == ENET_DISCONNECTED) {
        how = connection->ended_gracefully ? "Disconnect" : "Disconnect at once";
    }
    set_closed(row,
               !how                                               ? ""
               : !enet_client_agrees(connection) || ending.either ? "?"
               : by_peer                                          ? "peer"
                                                                  : "server",
               how ? how : "");
}

/* What the capture has of the connection. If it lost datagrams, what is missing is not the network's loss. */
static void set_captured(stat_cell *row, const connection_counts *counts, const packet_info *pinfo,
                         const enet_connection *connection)
{
    bool judged = stat_row_is_other(row) || enet_losses_judged(connection);
    stat_cell_set_number(&row[LOST], judged ? counts->lost : 0);
    stat_cell_set_number(&row[MISSING], judged ? counts->missing : 0);
    if (stat_row_is_other(row)) {
        return;
    }
    const enet_direction one = enet_evidence_of(&connection->senders[ENET_INITIATOR]),
                         other = enet_evidence_of(&connection->senders[ENET_ACCEPTOR]);
    bool answered = connection->state != ENET_CONNECTING;
    stat_cell_set_text(&row[CAPTURED], answered ? enet_captured_text(pinfo->pool, one.bits | other.bits,
                                                                     one.bits & other.bits)
                                                : "no answer to Connect");
}

static void count_datagram(stat_table *table, packet_info *pinfo, const enet_tap_datagram *datagram)
{
    const enet_sender *sender = datagram->datagram->sender;
    if (!sender) {
        return;
    }
    const enet_connection *connection = sender->connection;
    enet_side client = enet_client_side(pinfo, sender);
    peer_frame frame = {.transport = "ENet",
                        .filter = "enet.stream",
                        .number = connection->stream,
                        .key = wmem_strdup_printf(pinfo->pool, "%u", connection->stream),
                        .from_peer = sender->side == client,
                        .has_address = true,
                        .peer = godot_session_client_of_stream(connection->stream)};
    nstime_t since = enet_time_since(pinfo, connection->first_time);
    nstime_delta(&frame.opened, &pinfo->rel_ts, &since);
    stat_cell *row = row_of(table, pinfo, &frame);
    connection_counts *counts = counts_of(table, row);
    for (uint32_t i = 0; i < datagram->command_count; i++) {
        count_command(row, counts, datagram, i);
        if (datagram->commands[i].answered) {
            nstime_t time = enet_time_since(pinfo, datagram->commands[i].answered->time);
            count_round_trip(row, counts, frame.from_peer, &time);
        }
    }
    stat_cell_add(&row[frame.from_peer ? FROM_PEER : TO_PEER], datagram->frame_bytes);
    set_duration(row, connection);
    set_ending(row, connection, client);
    set_captured(row, counts, pinfo, connection);
    derive(row);
}

/* --- WebSocket: of its connection only TCP sees everything --------------------------------------- */

/* If the capture has lost segments, it may lack the acknowledgement of what is sent again, too. */
static void count_segment(stat_cell *row, connection_counts *counts, bool from_peer,
                          const tcp_segment *segment, bool judged)
{
    stat_cell_add(&row[RELIABLE], segment->length > 0 && !segment->copy);
    counts->lost += segment->lost;
    counts->lost -= segment->arrived;
    stat_cell_set_number(&row[LOST], judged ? counts->lost : 0);
    stat_cell_add(&row[NEEDLESS], segment->needless);
    if (segment->answers) {
        count_round_trip(row, counts, from_peer, &segment->answered);
    }
}

/* Up to what closes it, as answers to that come later; else up to the last segment that was read, regardless
 * of the statistic's filter. */
static void set_end_of_websocket(stat_cell *row, const struct tcp_analysis *tcp)
{
    if (stat_row_is_other(row)) {
        return;
    }
    const websocket_ending *ending = websocket_ending_of(tcp->stream);
    nstime_t lasted;
    nstime_delta(&lasted, ending ? &ending->time : &tcp->ts_prev, &tcp->ts_first);
    stat_cell_set_number(&row[DURATION], nstime_to_sec(&lasted));
    if (ending) {
        set_closed(row,
                   !ending->ends_known   ? "?"
                   : ending->from_client ? "peer"
                                         : "server",
                   websocket_closing_text(ending->how));
    }
}

static void count_frame_of_websocket(stat_table *table, packet_info *pinfo, const godot_session *session)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    const tcp_segment *segment = segment_of(pinfo);
    if (!tcp || !segment) {
        return;
    }
    nstime_t since;
    peer_frame frame = {.transport = "WebSocket",
                        .filter = "tcp.stream",
                        .number = tcp->stream,
                        .key = wmem_strdup_printf(pinfo->pool, "%u", session->index),
                        .has_address = true,
                        .from_peer = tcp_is_from_client(pinfo),
                        .peer = godot_session_client(session)};
    nstime_delta(&since, &pinfo->abs_ts, &tcp->ts_first); /* since the connection was opened */
    nstime_delta(&frame.opened, &pinfo->rel_ts, &since);
    stat_cell *row = row_of(table, pinfo, &frame);
    count_segment(row, counts_of(table, row), frame.from_peer, segment, !tcp_lacks_segments(tcp));
    stat_cell_add(&row[frame.from_peer ? FROM_PEER : TO_PEER], segment->copy ? 0 : pinfo->fd->pkt_len);
    set_end_of_websocket(row, tcp);
    derive(row);
}

/* --- recordings, data channels: no connection in the capture ------------------------------------- */

/* Both ends have recorded the same connection: it is that of these two peers. NULL: they are not known. */
static const char *key_of(const packet_info *pinfo, int32_t one, int32_t other)
{
    return MIN(one, other) > 0 ? wmem_strdup_printf(pinfo->pool, "%d %d", MIN(one, other), MAX(one, other))
                               : NULL;
}

/* Each of the two recordings has a session of its own: either has packets that the other end did not get. */
static void add_session(const stat_table *table, const packet_info *pinfo, stat_cell *row, uint32_t session)
{
    const char *filter = row[FILTER].value.string_value, *first = strstr(filter, "godot.session");
    if (first && strstr(first, "||")) {
        return;
    }
    const char *own = wmem_strdup_printf(pinfo->pool, "godot.session eq %u", session);
    if (!first || strcmp(first, own) != 0) {
        stat_row_set_filter(table, row, wmem_strdup_printf(pinfo->pool, "%s || %s", filter, own));
    }
}

/* Without a transport's frames nothing is known of its acknowledgements and numbers. */
static stat_cell *row_of_messages(stat_table *table, packet_info *pinfo, const peer_frame *frame)
{
    stat_cell *row = row_of(table, pinfo, frame);
    set_end(row, pinfo);
    if (!stat_row_is_other(row)) {
        stat_cell_set_text(&row[CAPTURED], "messages only, so no losses");
    }
    return row;
}

static void count_message(stat_table *table, packet_info *pinfo, const godot_tap *message)
{
    peer_frame frame = {.transport = message->transport == GODOT_RECORDED ? "recording" : "WebRTC",
                        .filter = "godot.session",
                        .number = message->session,
                        .key = key_of(pinfo, message->sender, message->receiver),
                        .from_peer =
                            message->sender != 1 && (message->from_initiator || message->receiver == 1),
                        .has_address = message->transport != GODOT_RECORDED,
                        .opened = pinfo->rel_ts};
    frame.key = frame.key ? frame.key : wmem_strdup_printf(pinfo->pool, "session %u", message->session);
    frame.peer = frame.from_peer ? message->sender : message->receiver;
    frame.other = frame.from_peer ? message->receiver : message->sender;
    stat_cell *row = row_of_messages(table, pinfo, &frame);
    add_session(table, pinfo, row, message->session);
    stat_cell_add(&row[RELIABLE], message->transfer_mode == GODOT_TRANSFER_RELIABLE);
    stat_cell_add(&row[frame.from_peer ? FROM_PEER : TO_PEER], message->wire_length);
    derive(row);
}

/* A recorded game says that a peer has come or gone. */
static void note_peer(stat_table *table, packet_info *pinfo, const godot_peer_tap *peer)
{
    peer_frame frame = {.transport = "recording",
                        .other_filter = wmem_strdup_printf(
                            pinfo->pool, "(godot.recorder.own_id eq %d && godot.recorder.other_id eq %d)",
                            peer->own, peer->other),
                        .key = key_of(pinfo, peer->own, peer->other),
                        .peer = godot_peer_client_of(peer->own, peer->other),
                        .opened = pinfo->rel_ts};
    frame.other = frame.peer == peer->own ? peer->other : peer->own;
    if (frame.key) {
        stat_cell *row = row_of_messages(table, pinfo, &frame);
        if (peer->gone) {
            set_closed(row, "?", "disconnected");
        }
    }
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_,
                                const void *data _U_, tap_flags_t flags _U_)
{
    stat_table *table = stat_table_of(tap_data);
    if (pinfo->num < ((peers_state *)table->state)->last_frame) {
        stat_table_restart(table); /* a window reads the file again, its rows are empty */
    }
    ((peers_state *)table->state)->last_frame = pinfo->num;
    const godot_session *session = godot_session_over_tcp(pinfo);
    if (session && session->transport == GODOT_OVER_WEBSOCKET) {
        count_frame_of_websocket(table, pinfo, session);
    }
    for (const enet_tap_datagram *datagram = enet_taps_of_frame(pinfo); datagram; datagram = datagram->next) {
        count_datagram(table, pinfo, datagram);
    }
    const godot_frame *frame = godot_frame_get(pinfo);
    if (frame->peer) {
        note_peer(table, pinfo, frame->peer);
    }
    for (const godot_tap *message = frame->first; message; message = message->next) {
        if (message->transport != GODOT_OVER_ENET && message->transport != GODOT_OVER_WEBSOCKET) {
            count_message(table, pinfo, message);
        }
    }
    return TAP_PACKET_REDRAW;
}

void godot_peers_register(int proto _U_)
{
    static stat_table table = {STAT_TABLE("Godot Peers", "godot,peers", "frame", packet, columns, titles),
                               .prints_filters = true,
                               .sort_column = STAT_TABLE_UNSORTED,
                               .start = segments_listen,
                               .begin = begin,
                               .derive = derive};
    stat_table_register(&table);
}
