/* flow.c
 *
 * Statistics → Flow Graph, flow type "Godot", and `-z flow,godot,standard`: calls, spawns, system messages
 * and the opening and closing of ENet connections, with a column for each peer. Synchronized properties, the
 * path cache and retransmissions are left out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/wireshark-compat.h"

#include "enet/api/tap.h"
#include "multiplayer/state/frame.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/statistics/register.h"

/* Wireshark has no room for more than 40 columns (MAX_NUM_NODES). With 40, `-z flow` of 4.6 erases text
 * past the end of its line: a GLib critical. */
enum { SERVER = 1, MAX_COLUMNS = 39 };

/* Returns its name. `server`: if `peer` is 0, it is the server. */
static const char *set_column(address *column, const packet_info *pinfo, int32_t peer, bool server,
                              uint32_t session)
{
    if (!peer && server) {
        godot_peer_appears(SERVER, NULL); /* else it has no name in a capture that begins late */
    }
    const char *name = peer || server ? godot_peer_name(pinfo->pool, peer ? peer : SERVER)
                                      : wmem_strdup_printf(pinfo->pool, "client of session %u", session);
    set_address(column, AT_STRINGZ, (int)strlen(name) + 1, name);
    return name;
}

/* The columns of the graph that is being made. */
static struct {
    GHashTable *names;
    bool full; /* and the graph has a note about it */
} columns;

static bool has_column(const char *name)
{
    bool room = g_hash_table_size(columns.names) < MAX_COLUMNS;
    return g_hash_table_contains(columns.names, name) ||
           (room && g_hash_table_add(columns.names, g_strdup(name)));
}

static void begin_columns(const compat_seq_info *graph)
{
    if (!columns.names) {
        columns.names = g_hash_table_new_full(wmem_str_hash, g_str_equal, g_free, NULL);
    }
    if (g_queue_is_empty(graph->items)) {
        g_hash_table_remove_all(columns.names);
        columns.full = false;
    }
}

/* An arrow from one end of a connection to the other. If there are too many columns it is left out, and the
 * first such arrow becomes a remark at the server. */
static void add_arrow(compat_seq_info *graph, packet_info *pinfo, const godot_tap *ends, const char *label)
{
    packet_info of_peers = *pinfo; /* libwireshark reads the addresses from either of the two pairs */
    begin_columns(graph);
    /* The direction is a guess if the capture begins late: the other end can be the server after all. */
    bool from_server = !ends->from_initiator && ends->receiver != SERVER;
    bool to_server = ends->from_initiator && ends->sender != SERVER;
    const char *from = set_column(&of_peers.src, pinfo, ends->sender, from_server, ends->session);
    const char *to = set_column(&of_peers.dst, pinfo, ends->receiver, to_server, ends->session);
    if (!has_column(from) || !has_column(to)) {
        const char *known = g_hash_table_contains(columns.names, from) ? from : to;
        if (columns.full || !g_hash_table_contains(columns.names, known)) {
            return;
        }
        columns.full = true;
        label = "From here on there are more peers than columns: theirs are left out";
        set_address(&of_peers.src, AT_STRINGZ, (int)strlen(known) + 1, known);
        of_peers.dst = of_peers.src;
    }
    of_peers.net_src = of_peers.src;
    of_peers.net_dst = of_peers.dst;
    compat_seq_item *arrow = sequence_analysis_create_sai_with_addresses(&of_peers, graph);
    if (!arrow) {
        return;
    }
    arrow->frame_number = pinfo->num;
    arrow->port_src = (uint16_t)pinfo->srcport;
    arrow->port_dst = (uint16_t)pinfo->destport;
    arrow->frame_label = g_strdup(label);
    arrow->comment = g_strdup(label);
    arrow->display = TRUE;
    sequence_analysis_use_color_filter(pinfo, arrow);
    g_queue_push_tail(graph->items, arrow);
}

const char *godot_tap_text(wmem_allocator_t *scope, const godot_tap *message)
{
    const char *text = message->info ? message->info : "";
    return message->relay ? wmem_strdup_printf(scope, "%s%s", text, message->relay) : text;
}

bool godot_tap_is_event(const godot_tap *message)
{
    const char *what = message->what ? message->what : "";
    return !message->repeated && !g_str_has_prefix(what, "synchronize") && strcmp(what, "path cache") != 0;
}

/* The effect of the first command of an ENet datagram on the connection; NULL: none. */
static const char *change_of_connection(const packet_info *pinfo, const enet_sender *sender)
{
    const enet_connection *connection = sender->connection;
    if (frame_order(pinfo) == connection->connect_frame) {
        return "Connect";
    }
    if (frame_order(pinfo) == connection->end_frame) {
        return connection->ended_gracefully ? "Disconnect" : "Disconnect at once";
    }
    return NULL;
}

static void add_connection(compat_seq_info *graph, packet_info *pinfo, const enet_sender *sender)
{
    const char *change = change_of_connection(pinfo, sender);
    int32_t client = godot_session_client_of_stream(sender->connection->stream);
    if (!client && godot_is_likely_peer_id(sender->connection->connect.data)) {
        client = (int32_t)sender->connection->connect.data; /* there was no message yet */
    }
    if (!change || !client) { /* or it is not Godot's */
        return;
    }
    godot_peer_appears(SERVER, NULL);
    godot_peer_appears(client, NULL);
    bool by_client = sender->side == ENET_INITIATOR;
    godot_tap ends = {.session = sender->connection->stream,
                      .from_initiator = by_client,
                      .sender = by_client ? client : SERVER,
                      .receiver = by_client ? SERVER : client};
    add_arrow(graph, pinfo, &ends, change);
}

static tap_packet_status packet(void *graph, packet_info *pinfo, epan_dissect_t *edt _U_,
                                const void *data _U_, tap_flags_t flags _U_)
{
    const enet_sender *sender = enet_sender_in_frame(pinfo);
    if (sender) {
        add_connection(graph, pinfo, sender);
    }
    for (const godot_tap *message = godot_frame_get(pinfo)->first; message; message = message->next) {
        if (godot_tap_is_event(message)) {
            add_arrow(graph, pinfo, message, godot_tap_text(pinfo->pool, message));
        }
    }
    return TAP_PACKET_REDRAW;
}

void godot_flow_register(int proto)
{
    register_seq_analysis("godot", "Godot", proto, "frame", 0, packet);
}
