/* statistics.c
 *
 * Views of ENet traffic: statistics tree (-z enet,tree), response times (-z enet,srt), follow stream (-z
 * follow,enet,...), conversations and endpoints (-z conv,enet, -z endpoints,enet).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "codec/range_coder.h"
#include "enet/api/tap.h"
#include "enet/register.h"
#include "enet/wire/compression.h"
#include "statistics/tree-room.h"

#include <epan/addr_resolv.h>
#include <epan/conversation_filter.h>
#include <epan/conversation_table.h>
#include <epan/follow.h>
#include <epan/srt_table.h>
#include <epan/stats_tree.h>
#include <epan/to_str.h>

/* --- statistics tree ----------------------------------------------------------------------------- */

/* What is counted, each by connection. */
enum { DATAGRAMS, COMMANDS, ANOMALIES, FRAME_BYTES, DATAGRAM_BYTES, COMMAND_BYTES, PLAIN_BYTES, ROOTS };

static const char *const root_names[ROOTS] = {
    "Datagrams",
    "Commands",
    "Anomalies",
    "Bytes of frames",
    "Bytes of ENet datagrams",
    "Bytes of commands, decompressed",
    "Bytes of commands sent uncompressed",
};
static int roots[ROOTS];
static stat_tree_room room;

static void init_tree(stats_tree *tree)
{
    room = (stat_tree_room){.full = false};
    for (int i = 0; i < ROOTS; i++) {
        roots[i] = stats_tree_create_node(tree, root_names[i], 0, STAT_DT_INT, TRUE);
    }
}

static int add(stats_tree *tree, const char *name, int parent, uint32_t count)
{
    return increase_stat_node(tree, name, parent, TRUE, (int)count);
}

/* Adds to the root and to the connection's node below it. */
static int add_to(stats_tree *tree, int root, const char *connection, uint32_t count)
{
    add(tree, root_names[root], 0, count);
    return add(tree, connection, roots[root], count);
}

/* Anomalies, in the order of enet_note. */
static void count_notes(stats_tree *tree, const char *connection, uint32_t notes)
{
    static const struct {
        const char *name;
        uint32_t notes;
    } counts[] = {
        {"Retransmissions", ENET_NOTE(ENET_NOTE_RETRANSMISSION)},
        {"Spurious retransmissions", ENET_NOTE(ENET_NOTE_SPURIOUS)},
        {"Duplicates", ENET_NOTE(ENET_NOTE_DUPLICATE) | ENET_NOTE(ENET_NOTE_UNRELIABLE_REPEATED) |
                           ENET_NOTE(ENET_NOTE_GROUP_REPEATED)},
        {"Repeated acknowledgements", ENET_NOTE(ENET_NOTE_ACK_REPEATED)},
        {"Out of order", ENET_NOTE(ENET_NOTE_OUT_OF_ORDER) | ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE) |
                             ENET_NOTE(ENET_NOTE_OVERTAKEN)},
        {"Gaps", ENET_NOTE(ENET_NOTE_GAP) | ENET_NOTE(ENET_NOTE_UNRELIABLE_GAP)},
    };
    if (!notes) {
        return;
    }
    int anomalies = add_to(tree, ANOMALIES, connection, 1);
    for (size_t i = 0; i < array_length(counts); i++) {
        if (notes & counts[i].notes) {
            add(tree, counts[i].name, anomalies, 1);
        }
    }
}

static void count_commands(stats_tree *tree, const char *connection, const enet_tap_datagram *datagram)
{
    int commands = add_to(tree, COMMANDS, connection, datagram->command_count);
    int types = add(tree, "By type", commands, datagram->command_count);
    int channels = add(tree, "By channel", commands, datagram->command_count);
    char channel[32];

    for (uint32_t i = 0; i < datagram->command_count; i++) {
        const enet_tap_command *command = &datagram->commands[i];
        snprintf(channel, sizeof channel, "Channel %u", command->channel);
        add(tree, enet_commands[command->type].name, types, 1);
        add(tree, channel, channels, 1);
        add(tree, channel, add_to(tree, COMMAND_BYTES, connection, command->length), command->length);
        count_notes(tree, connection, command->notes);
    }
}

/* Whether commands were sent uncompressed, and are not counted in another record of the datagram. */
static bool is_plain(const enet_tap_datagram *datagram)
{
    return datagram->plain && datagram->frame_bytes && datagram->body_bytes;
}

/* Bytes that compression would save. A host with the range coder sends a datagram uncompressed if it would
 * not become shorter (enet_protocol_send_outgoing_commands() in protocol.c). Each datagram is compressed on
 * its own. */
static uint32_t saved_by_coding(wmem_allocator_t *pool, const enet_tap_datagram *datagram)
{
    uint32_t plain = datagram->body_bytes;
    uint8_t *out = wmem_alloc(pool, plain);
    uint32_t coded = (uint32_t)enet_range_encode(datagram->plain, plain, out, plain);
    return coded ? plain - coded : 0; /* 0: would not become shorter */
}

/* The datagrams that are all encoded; of one in how many later ones the encoder makes an estimate. */
enum { FIRST_DATAGRAMS = 16384, ONE_IN = 8 };

/* One in so many, without a period that a game may have, too (Knuth's multiplicative hash). */
static bool is_tried(uint64_t number)
{
    return (uint32_t)number * 2654435761u < UINT32_MAX / ONE_IN;
}

bool enet_coding_add(enet_coding *coding, wmem_allocator_t *pool, const enet_tap_datagram *datagram)
{
    if (!is_plain(datagram)) {
        return false;
    }
    if (++coding->datagrams <= FIRST_DATAGRAMS) {
        coding->saved += saved_by_coding(pool, datagram);
        return true;
    }
    coding->later += datagram->body_bytes;
    if (is_tried(coding->datagrams)) {
        coding->tried += datagram->body_bytes;
        coding->saved_of_tried += saved_by_coding(pool, datagram);
    }
    return true;
}

uint64_t enet_coding_saved(const enet_coding *coding)
{
    double share = coding->tried ? (double)coding->saved_of_tried / (double)coding->tried : 0;
    return coding->saved + (uint64_t)(share * (double)coding->later + 0.5);
}

static void count_compression(stats_tree *tree, packet_info *pinfo, const char *connection,
                              const enet_tap_datagram *datagram)
{
    if (is_plain(datagram)) {
        uint32_t saved = saved_by_coding(pinfo->pool, datagram);
        int bytes = add_to(tree, PLAIN_BYTES, connection, datagram->body_bytes);
        add(tree, "Left by the range coder", bytes, datagram->body_bytes - saved);
        add(tree, "Saved by the range coder", bytes, saved);
    }
}

static bool has_room(stats_tree *tree, const enet_tap_datagram *datagram)
{
    uint64_t amounts[STAT_TREE_ROOTS] = {[FRAME_BYTES] = datagram->frame_bytes,
                                         [DATAGRAM_BYTES] = datagram->datagram_bytes,
                                         [PLAIN_BYTES] = datagram->body_bytes};
    for (uint32_t i = 0; i < datagram->command_count; i++) {
        amounts[COMMAND_BYTES] += datagram->commands[i].length;
    }
    return stat_tree_has_room(tree, &room, amounts);
}

/* With a row of their own. A row is found by walking along the others, so hostile traffic could take
 * hours. */
#define MAX_CONNECTIONS 1000u

static tap_packet_status count_datagram(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt _U_,
                                        const void *data, tap_flags_t flags _U_)
{
    const enet_tap_datagram *datagram = data;
    const enet_sender *sender = datagram->datagram->sender;
    bool first = datagram->frame_bytes > 0;
    bool listed = sender && sender->connection->stream < MAX_CONNECTIONS;
    char connection[32] = "No connection";

    if (listed) {
        snprintf(connection, sizeof connection, "Connection %u", sender->connection->stream);
    } else if (sender) {
        snprintf(connection, sizeof connection, "Other connections");
    }
    const char *direction =
        !listed
            ? "(any)"
            : wmem_strdup_printf(pinfo->pool, "%s:%u → %s:%u", address_to_str(pinfo->pool, &pinfo->src),
                                 pinfo->srcport, address_to_str(pinfo->pool, &pinfo->dst), pinfo->destport);
    if (!has_room(tree, datagram)) {
        return TAP_PACKET_REDRAW;
    }
    add(tree, direction, add_to(tree, DATAGRAMS, connection, first), first);
    add_to(tree, DATAGRAM_BYTES, connection, datagram->datagram_bytes);
    int frames = add_to(tree, FRAME_BYTES, connection, datagram->frame_bytes);
    add(tree, "Share of messages", frames, datagram->message_bytes);
    add(tree, "Protocol overhead", frames, datagram->overhead_bytes);
    /* Increased by acknowledgements, decreased by the messages to which they are finally counted. */
    increase_stat_node(tree, "Not claimed by a message", frames, TRUE,
                       (int)(datagram->frame_bytes - datagram->message_bytes - datagram->overhead_bytes));
    count_commands(tree, connection, datagram);
    count_compression(tree, pinfo, connection, datagram);
    return TAP_PACKET_REDRAW;
}

/* --- response times ------------------------------------------------------------------------------ */

/* A row for each type of command: time from the command to its acknowledgement. */
static void init_round_trips(struct register_srt *srt _U_, GArray *srt_array)
{
    srt_stat_table *table =
        init_srt_table("Round trips", NULL, srt_array, ENET_COMMAND_COUNT, "Command", NULL, NULL);
    for (int i = 0; i < ENET_COMMAND_COUNT; i++) {
        init_srt_table_row(table, i, enet_commands[i].name);
    }
}

static tap_packet_status count_round_trips(void *listener, packet_info *pinfo, epan_dissect_t *edt _U_,
                                           const void *data, tap_flags_t flags _U_)
{
    const enet_tap_datagram *datagram = data;
    const srt_data_t *tables = listener;
    srt_stat_table *table = g_array_index(tables->srt_array, srt_stat_table *, 0);

    for (uint32_t i = 0; i < datagram->command_count; i++) {
        const enet_transmission *answered = datagram->commands[i].answered;
        if (answered) {
            nstime_t time = nstime_of(answered->time);
            add_srt_table_data(table, answered->type, &time, pinfo);
        }
    }
    return TAP_PACKET_REDRAW;
}

/* --- follow -------------------------------------------------------------------------------------- */

static char *follow_filter(unsigned stream, unsigned sub_stream _U_)
{
    return ws_strdup_printf("enet.stream eq %u", stream);
}

static char *follow_packet(epan_dissect_t *edt _U_, packet_info *pinfo, unsigned *stream,
                           unsigned *sub_stream)
{
    const enet_sender *sender = enet_sender_in_frame(pinfo);

    if (!sender) {
        return NULL;
    }
    *stream = sender->connection->stream;
    *sub_stream = ENET_CONNECTION_CHANNEL; /* all */
    return follow_filter(*stream, *sub_stream);
}

/* `-z follow,enet,ascii,ADDRESS:PORT,ADDRESS:PORT`: the port belongs to its address. */
static char *follow_addresses(address *source, address *destination, int source_port, int destination_port)
{
    const char *from = source->type == AT_IPv6 ? "ipv6.src" : "ip.src";
    const char *to = source->type == AT_IPv6 ? "ipv6.dst" : "ip.dst";
    char *one = address_to_str(NULL, source), *other = address_to_str(NULL, destination);
    char *filter =
        ws_strdup_printf("enet and ((%s eq %s and udp.srcport eq %d and %s eq %s and udp.dstport eq %d) or "
                         "(%s eq %s and udp.srcport eq %d and %s eq %s and udp.dstport eq %d))",
                         from, one, source_port, to, other, destination_port, from, other, destination_port,
                         to, one, source_port);
    wmem_free(NULL, one);
    wmem_free(NULL, other);
    return filter;
}

/* Where sub-streams exist (Wireshark 4.2 and later) they are the channels, and 255 is all of them. */
static tap_packet_status follow_message(void *info, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                        tap_flags_t flags)
{
    const follow_info_t *follow = info;
    const enet_tap_message *message = data;

    if (follow->substream_id < ENET_CONNECTION_CHANNEL && follow->substream_id != message->channel) {
        return TAP_PACKET_DONT_REDRAW;
    }
    return follow_tvb_tap_listener(info, pinfo, edt, message->message, flags);
}

#if WS_AT_LEAST(4, 2)
static bool next_channel(unsigned stream _U_, unsigned channel, bool smaller, unsigned *next)
{
    *next = MIN(channel, ENET_CONNECTION_CHANNEL);
    return smaller || channel <= ENET_CONNECTION_CHANNEL;
}
#endif

/* --- conversations and endpoints ----------------------------------------------------------------- */

static const char *filter_name(const address *of, conv_filter_type_e type)
{
    enum { OTHER, IPV4, IPV6, KINDS };
    static const char *const names[][KINDS] = {
        [CONV_FT_SRC_ADDRESS] = {NULL, "ip.src", "ipv6.src"},
        [CONV_FT_DST_ADDRESS] = {NULL, "ip.dst", "ipv6.dst"},
        [CONV_FT_ANY_ADDRESS] = {NULL, "ip.addr", "ipv6.addr"},
        [CONV_FT_SRC_PORT] = {"udp.srcport", "udp.srcport", "udp.srcport"},
        [CONV_FT_DST_PORT] = {"udp.dstport", "udp.dstport", "udp.dstport"},
        [CONV_FT_ANY_PORT] = {"udp.port", "udp.port", "udp.port"},
    };
    unsigned kind = of->type == AT_IPv4 ? IPV4 : of->type == AT_IPv6 ? IPV6 : OTHER;
    const char *name = (size_t)type < array_length(names) ? names[type][kind] : NULL;
    return name ? name : CONV_FILTER_INVALID;
}

static const char *conversation_filter(conv_item_t *item, conv_filter_type_e type)
{
    return filter_name(&item->src_address, type);
}

static const char *endpoint_filter(endpoint_item_t *item, conv_filter_type_e type)
{
    return filter_name(&item->myaddress, type);
}

static tap_packet_status count_conversation(void *table, packet_info *pinfo, epan_dissect_t *edt _U_,
                                            const void *data, tap_flags_t flags)
{
    static ct_dissector_info_t info = {conversation_filter};
    const enet_tap_datagram *datagram = data;
    const enet_sender *sender = datagram->datagram->sender;
    conv_hash_t *hash = table;

    hash->flags = flags;
    if (datagram->frame_bytes) {
        /* Wireshark takes the number of a UDP conversation for a udp.stream and leaves the ports of most
         * other types out of its filters, but not of this one. */
        add_conversation_table_data_with_conv_id(
            hash, &pinfo->src, &pinfo->dst, pinfo->srcport, pinfo->destport,
            sender ? sender->connection->stream : CONV_ID_UNSET, 1, (int)datagram->frame_bytes,
            &pinfo->rel_ts, &pinfo->abs_ts, &info, CONVERSATION_NCP);
    }
    return TAP_PACKET_REDRAW;
}

static tap_packet_status count_endpoints(void *table, packet_info *pinfo, epan_dissect_t *edt _U_,
                                         const void *data, tap_flags_t flags)
{
    static et_dissector_info_t info = {endpoint_filter};
    const enet_tap_datagram *datagram = data;
    conv_hash_t *hash = table;
    int bytes = (int)datagram->frame_bytes;

    hash->flags = flags;
    if (bytes) {
        add_endpoint_table_data(hash, &pinfo->src, pinfo->srcport, TRUE, 1, bytes, &info, ENDPOINT_UDP);
        add_endpoint_table_data(hash, &pinfo->dst, pinfo->destport, FALSE, 1, bytes, &info, ENDPOINT_UDP);
    }
    return TAP_PACKET_REDRAW;
}

/* --- conversation filter: Conversation Filter and Colorize Conversation of the window ------------ */

static compat_bool has_connection(packet_info *pinfo COMPAT_CONVERSATION_FILTER_DATA)
{
    return enet_sender_in_frame(pinfo) != NULL;
}

static char *connection_filter(packet_info *pinfo COMPAT_CONVERSATION_FILTER_DATA)
{
    unsigned stream, sub_stream;
    return follow_packet(NULL, pinfo, &stream, &sub_stream);
}

void enet_stat_register(int proto)
{
    stats_tree_register_plugin("enet", "enet", "ENet", 0, count_datagram, init_tree, NULL);
    register_srt_table(proto, "enet", 1, count_round_trips, init_round_trips, NULL);
    compat_register_follow_stream(proto, "enet_follow", follow_packet, follow_filter, follow_addresses,
                                  udp_port_to_display, follow_message, enet_state_connections, next_channel);
    register_conversation_table(proto, FALSE, count_conversation, count_endpoints);
    compat_register_conversation_filter("enet", "ENet connection", has_connection, connection_filter);
}
