/* stat-godot-peers.c
 *
 * Statistics → Godot Peers, and `-z godot,peers`: one row for each peer that has connected over ENet, with what
 * it and the server sent each other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common/stat-table.h"

#include <epan/to_str.h>

#include "enet/enet-tap.h"
#include "multiplayer/godot-session.h"
#include "multiplayer/stat-godot.h"

enum {
    PEER,
    ADDRESS,
    OPENED,
    CLOSED_BY,
    CLOSED_HOW,
    DURATION,
    ROUND_TRIPS,
    AVERAGE,
    LONGEST,
    RELIABLE,
    AGAIN,
    LOSS,
    MISSING,
    FROM_PEER,
    TO_PEER,
    COLUMNS
};
static stat_tap_table_item columns[COLUMNS] = {
    [PEER] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Peer", "%-12s"},
    [ADDRESS] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Address", "%-21s"},
    [OPENED] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Opened, s", "%.2f"},
    [CLOSED_BY] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Closed by", "%-10s"},
    [CLOSED_HOW] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "With", "%-20s"},
    [DURATION] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Duration, s", "%.2f"},
    [ROUND_TRIPS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Round trips", "%u"},
    [AVERAGE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Average, ms", "%.2f"},
    [LONGEST] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Longest, ms", "%.2f"},
    [RELIABLE] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Reliable commands", "%u"},
    [AGAIN] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Sent again", "%u"},
    [LOSS] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Sent again %", "%.2f"},
    [MISSING] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Unreliable missing", "%u"},
    [FROM_PEER] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes from peer", "%u"},
    [TO_PEER] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes to peer", "%u"},
};

static const char *const titles[] = {"Peers that connected over ENet"};

static void derive(stat_cell *row)
{
    double reliable = stat_cell_sum(&row[RELIABLE]);
    stat_cell_set_number(&row[LOSS], reliable > 0 ? 100 * stat_cell_sum(&row[AGAIN]) / reliable : 0);
}

/* A new row: who and from where. */
static void introduce(stat_cell *row, packet_info *pinfo, const enet_sender *sender)
{
    bool from_peer = sender->side == ENET_INITIATOR;
    const char *address = address_to_str(pinfo->pool, from_peer ? &pinfo->src : &pinfo->dst);
    uint32_t port = from_peer ? pinfo->srcport : pinfo->destport;
    stat_cell_set_text(&row[ADDRESS], wmem_strdup_printf(pinfo->pool, "%s:%u", address, port));
    stat_cell_set_number(&row[OPENED], nstime_to_sec(&pinfo->rel_ts));
    stat_cell_set_text(&row[PEER], "");
    stat_cell_set_text(&row[CLOSED_BY], "");
    stat_cell_set_text(&row[CLOSED_HOW], "");
}

static void count_round_trip(stat_cell *row, const packet_info *pinfo, const enet_transmission *answered)
{
    nstime_t time = enet_time_since(pinfo, answered->time);
    double milliseconds = nstime_to_msec(&time), count = stat_cell_sum(&row[ROUND_TRIPS]);
    stat_cell_set_number(&row[AVERAGE], (stat_cell_sum(&row[AVERAGE]) * count + milliseconds) / (count + 1));
    stat_cell_set_number(&row[LONGEST], MAX(milliseconds, stat_cell_sum(&row[LONGEST])));
    stat_cell_add(&row[ROUND_TRIPS], 1);
}

static void count_command(stat_cell *row, const packet_info *pinfo, const enet_tap_command *command)
{
    if (enet_command_facts(command->type)->byte & ENET_COMMAND_ACKNOWLEDGE) {
        stat_cell_add(&row[RELIABLE], 1);
    }
    if (command->notes & ENET_NOTE(ENET_NOTE_RETRANSMISSION)) {
        stat_cell_add(&row[AGAIN], 1);
    }
    stat_cell_add(&row[MISSING], command->skipped);
    if (command->answered) {
        count_round_trip(row, pinfo, command->answered);
    }
}

static void close_connection(stat_cell *row, const packet_info *pinfo, const enet_connection *connection)
{
    if (!connection->end_frame || pinfo->num <= connection->end_frame) {
        stat_cell_set_number(&row[DURATION], nstime_to_sec(&pinfo->rel_ts) - stat_cell_sum(&row[OPENED]));
    }
    if (connection->end_frame) {
        bool by_peer = connection->ended_by == ENET_INITIATOR;
        stat_cell_set_text(&row[CLOSED_BY], by_peer ? "peer" : "server");
        stat_cell_set_text(&row[CLOSED_HOW],
                           connection->ended_gracefully ? "Disconnect" : "Disconnect at once");
    }
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    const enet_tap_datagram *datagram = data;
    const enet_sender *sender = datagram->datagram->sender;
    if (!sender) {
        return TAP_PACKET_DONT_REDRAW;
    }
    const enet_connection *connection = sender->connection;
    int32_t id = godot_session_client_of_stream(connection->stream);
    char key[16];
    snprintf(key, sizeof key, "%u", connection->stream);
    stat_cell *row = stat_table_row(stat_table_of(tap_data), 0, key);
    if (stat_cell_sum(&row[FROM_PEER]) + stat_cell_sum(&row[TO_PEER]) ==
        0) { /* new, or its numbers were reset */
        introduce(row, pinfo, sender);
    }
    if (id) {
        stat_cell_set_text(&row[PEER], wmem_strdup_printf(pinfo->pool, "%d", id));
    }
    for (uint32_t i = 0; i < datagram->command_count; i++) {
        count_command(row, pinfo, &datagram->commands[i]);
    }
    stat_cell_add(&row[sender->side == ENET_INITIATOR ? FROM_PEER : TO_PEER], datagram->frame_bytes);
    close_connection(row, pinfo, connection);
    derive(row);
    return TAP_PACKET_REDRAW;
}

void godot_peers_register(void)
{
    static stat_table table = {.ui = {.group = REGISTER_PACKET_STAT_GROUP_UNSORTED,
                                      .title = "Godot Peers",
                                      .tap_name = "enet",
                                      .cli_string = "godot,peers",
                                      .packet_func = packet,
                                      .nfields = COLUMNS,
                                      .fields = columns},
                               .titles = titles,
                               .title_count = array_length(titles),
                               .sort_column = STAT_TABLE_UNSORTED,
                               .derive = derive};
    stat_table_register(&table);
}
