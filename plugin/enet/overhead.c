/* overhead.c
 *
 * Statistics → ENet Overhead, and `-z enet,overhead`: bytes on the wire of each ENet sender, divided into
 * messages, acknowledgements, other ENet commands, and headers below ENet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "statistics/table.h"

#include "enet/api/tap.h"
#include "enet/register.h"

enum { TOTAL, BY_SENDER, TABLES };
static const char *const titles[TABLES] = {
    [TOTAL] = "All connections",
    [BY_SENDER] = "By connection and sender",
};

enum {
    WIRE,
    SENDER,
    MESSAGES_SHARE,
    HEADERS_SHARE,
    ACKNOWLEDGEMENTS_SHARE,
    COMMANDS_SHARE,
    DATAGRAMS,
    MESSAGES,
    HEADERS,
    ACKNOWLEDGEMENTS,
    COMMANDS,
    FILTER,
    COLUMNS
};
static stat_tap_table_item columns[COLUMNS] = {
    [WIRE] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes on the wire", "%u"},
    [SENDER] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Sender", "%s"},
    [MESSAGES_SHARE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Messages %", "%.2f"},
    [HEADERS_SHARE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Headers %", "%.2f"},
    [ACKNOWLEDGEMENTS_SHARE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Acks %", "%.2f"},
    [COMMANDS_SHARE] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Other %", "%.2f"},
    [DATAGRAMS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Datagrams", "%u"},
    [MESSAGES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Messages", "%u"},
    [HEADERS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Headers", "%u"},
    [ACKNOWLEDGEMENTS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Acks", "%u"},
    [COMMANDS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Other", "%u"},
    [FILTER] = {STAT_TABLE_FILTER},
};

static void derive(stat_cell *row)
{
    double wire = stat_cell_sum(&row[WIRE]);
    double known =
        stat_cell_sum(&row[MESSAGES]) + stat_cell_sum(&row[ACKNOWLEDGEMENTS]) + stat_cell_sum(&row[HEADERS]);
    stat_cell_set_number(&row[COMMANDS], MAX(0, wire - known));
    for (unsigned i = 0; i < 4; i++) {
        double part = stat_cell_sum(&row[MESSAGES + i]);
        stat_cell_set_number(&row[MESSAGES_SHARE + i], wire > 0 ? 100 * part / wire : 0);
    }
}

/* Bytes of the commands of a record: of messages (data of fragments and retransmissions included), and of
 * acknowledgements. */
typedef struct {
    uint64_t messages, acknowledgements;
} command_bytes;

/* In a compressed datagram each command has the same share of the bytes on the wire. */
static command_bytes bytes_of(const enet_tap_datagram *datagram)
{
    command_bytes found = {0};
    for (uint32_t i = 0; i < datagram->command_count; i++) {
        const enet_tap_command *command = &datagram->commands[i];
        const enet_command_info *facts = &enet_commands[command->type];
        if (facts->data) {
            found.messages += command->length - MIN(command->length, facts->fixed_length);
        } else if (command->type == ENET_ACKNOWLEDGE) {
            found.acknowledgements += command->length;
        }
    }
    if (datagram->datagram->layout.compression != ENET_COMPRESSION_NONE && datagram->body_bytes) {
        found.messages = found.messages * datagram->datagram_bytes / datagram->body_bytes;
        found.acknowledgements = found.acknowledgements * datagram->datagram_bytes / datagram->body_bytes;
    }
    return found;
}

/* The row with this key; `sender`: as far as it is known by now. */
static stat_cell *row_of(stat_table *table, unsigned index, const char *key, const char *sender,
                         const char *filter)
{
    stat_cell *row = stat_table_row(table, index, key);
    if (!stat_row_is_other(row)) {
        stat_cell_set_text(&row[SENDER], sender);
        stat_row_set_filter(table, row, filter);
    }
    return row;
}

static void add(stat_table *table, unsigned index, stat_cell *row, const enet_tap_datagram *datagram)
{
    command_bytes bytes = bytes_of(datagram);
    stat_cell_add(&row[WIRE], datagram->frame_bytes);
    stat_cell_add(&row[HEADERS],
                  datagram->frame_bytes - MIN(datagram->frame_bytes, datagram->datagram_bytes));
    stat_cell_add(&row[MESSAGES], bytes.messages);
    stat_cell_add(&row[ACKNOWLEDGEMENTS], bytes.acknowledgements);
    stat_cell_add(&row[DATAGRAMS], datagram->frame_bytes > 0);
    derive(row);
    stat_table_rank(table, index, row);
}

/* The row of one end of a connection; if the handshake was not captured, the client is determined by the
 * port. */
static const char *filter_of(packet_info *pinfo, const enet_tap_datagram *datagram)
{
    const enet_sender *sender = datagram->datagram->sender;
    bool known = datagram->datagram->direction_known;
    return wmem_strdup_printf(pinfo->pool, "enet.stream == %u && %s == %u", sender->connection->stream,
                              known ? "enet.sender" : "udp.srcport",
                              known ? (unsigned)sender->side : pinfo->srcport);
}

static tap_packet_status packet(void *tap_data, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                                tap_flags_t flags _U_)
{
    const enet_tap_datagram *datagram = data;
    const enet_sender *sender = datagram->datagram->sender;
    stat_table *table = stat_table_of(tap_data);
    if (!sender) {
        return TAP_PACKET_DONT_REDRAW;
    }
    uint32_t stream = sender->connection->stream;
    bool from_client = sender->side == enet_client_side(pinfo, sender);
    const char *end = from_client ? "client" : "server";
    const char *name = from_client && enet_end_name
                           ? enet_end_name(pinfo->pool, sender->connection, (enet_side)sender->side)
                           : NULL;
    const char *who = wmem_strdup_printf(pinfo->pool, "%u, %s", stream, name ? name : end);
    const char *key = wmem_strdup_printf(pinfo->pool, "%u %s", stream, end);
    add(table, TOTAL, row_of(table, TOTAL, "", "(all)", "enet.stream"), datagram);
    add(table, BY_SENDER, row_of(table, BY_SENDER, key, who, filter_of(pinfo, datagram)), datagram);
    return TAP_PACKET_REDRAW;
}

void enet_overhead_register(void)
{
    static stat_table table = {STAT_TABLE("ENet Overhead", "enet,overhead", "enet", packet, columns, titles),
                               .sort_column = WIRE, .other_option = "godot,overhead", .derive = derive};
    stat_table_register(&table);
}
