/* count.c
 *
 * Statistics → Godot Summary, and `-z godot,summary[,FILTER]`: the capture as text. Players, losses, bytes
 * by category, problems and advice, each with frame numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/statistics/summary/summary.h"

#include <epan/conversation.h>
#include <epan/expert.h>
#include <epan/dissectors/packet-tcp.h>
#include <wiretap/wtap.h>

#include "base/columns.h"
#include "base/tcp.h"
#include "enet/api/tap.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/state/frame.h"
#include "multiplayer/statistics/values/filters.h"
#include "multiplayer/statistics/values/segments.h"
#include "multiplayer/statistics/values/shares.h"

/* Names that are counted by themselves; hostile traffic can have any number. */
#define MAX_NAMES 4000u

static void *begin(wmem_allocator_t *pool)
{
    summary *all = wmem_new0(pool, summary);
    all->pool = pool;
    all->players = report_list(pool);
    all->expenses = report_list(pool);
    all->problems = report_list(pool);
    all->filters = report_list(pool);
    all->filter = report_text(pool);
    all->player_of = wmem_map_new(pool, wmem_int64_hash, g_int64_equal);
    all->expense_of = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    all->problem_of = wmem_map_new(pool, wmem_str_hash, g_str_equal);
    all->bursts = godot_bursts_new(pool);
    summary_begin_said(all);
    segments_listen();
    return all;
}

/* --- counting ------------------------------------------------------------------------------------ */

void summary_see(summary *all, const packet_info *pinfo)
{
    if (pinfo->num > all->last_frame) {
        bool cut = pinfo->fd->cap_len < pinfo->fd->pkt_len;
        bool record = pinfo->rec->rec_header.packet_header.pkt_encap == WTAP_ENCAP_WIRESHARK_UPPER_PDU;
        all->cut_frames += cut && !record;
        all->cut_records += cut && record;
    }
    all->last_frame = MAX(all->last_frame, pinfo->num);
    all->last = MAX(all->last, nstime_to_sec(&pinfo->rel_ts));
}

/* A connection over ENet by its number, another session by its index. */
static gint64 key_of(bool over_enet, uint32_t number)
{
    return ((gint64)number << 1) | over_enet;
}

/* A connection that both ends have recorded has two sessions between the same two peers. 0: they are not
 * known. */
static gint64 key_of_pair(gint64 one, gint64 other)
{
    return MIN(one, other) > 0 ? -(MIN(one, other) << 31 | MAX(one, other)) : 0;
}

static void name_player(player *one, int32_t sender, int32_t receiver)
{
    int32_t client = godot_peer_client_of(sender, receiver);
    if (client) {
        one->peer = client;
        one->other = one->over_enet ? 0 : client == sender ? receiver : sender;
    }
}

/* NULL: there are too many. */
static player *player_at(summary *all, const packet_info *pinfo, gint64 key, bool over_enet, uint32_t number)
{
    player *one = wmem_map_lookup(all->player_of, &key);
    if (!one && all->players->len >= MAX_NAMES) {
        return NULL;
    }
    if (!one) {
        one = wmem_new0(all->pool, player);
        one->over_enet = over_enet;
        one->number = number;
        one->first_frame = pinfo->num;
        one->first = nstime_to_sec(&pinfo->rel_ts);
        g_ptr_array_add(all->players, one);
        wmem_map_insert(all->player_of, wmem_memdup(all->pool, &key, sizeof key), one);
    }
    one->last_frame = pinfo->num;
    one->last = nstime_to_sec(&pinfo->rel_ts);
    return one;
}

/* `at_sender`: the capture point is the sender's, of two. */
static void count_command(player *one, const packet_info *pinfo, const enet_tap_command *command,
                          bool at_sender)
{
    uint32_t *missing = at_sender ? &one->dropped : &one->missing,
             *first = at_sender ? &one->first_dropped : &one->first_missing;
    const enet_loss *loss = &command->loss;
    one->reliable += enet_is_transmission(command->reliable, command->notes);
    one->repeated |= (command->notes & ENET_NOTE(ENET_NOTE_RETRANSMISSION)) != 0;
    if (loss->lost) {
        one->first_again =
            one->again ? MIN(one->first_again, frame_number(loss->again)) : frame_number(loss->again);
        one->again += loss->lost;
    }
    if (loss->needless) {
        one->first_needless = one->needless ? one->first_needless : pinfo->num;
        one->needless += loss->needless;
    }
    if (loss->skipped) {
        *first = *missing ? *first : pinfo->num;
        *missing += loss->skipped;
    }
    *missing -= MIN(*missing, loss->found);
    if (command->notes & ENET_NOTE(ENET_NOTE_UNRELIABLE_LATE)) {
        one->first_late = one->late++ ? one->first_late : pinfo->num;
    }
}

static void note_address(const summary *all, player *one, packet_info *pinfo, bool from_peer)
{
    if (!one->address) {
        one->address = ends_socket_text(all->pool, from_peer ? &pinfo->src : &pinfo->dst,
                                        from_peer ? pinfo->srcport : pinfo->destport);
    }
}

static void count_compression(summary *all, packet_info *pinfo, const enet_tap_datagram *datagram)
{
    if (datagram->datagram->layout.compression != ENET_COMPRESSION_NONE && !all->compressed_datagrams++) {
        all->first_compressed = pinfo->num;
    }
    enet_coding_add(&all->coding, pinfo->pool, datagram);
}

/* 127.0.0.0/8 and ::1. */
static bool is_loopback(const address *of)
{
    static const uint8_t ipv6[16] = {[15] = 1};
    return (of->type == AT_IPv4 && *(const uint8_t *)of->data == 127) ||
           (of->type == AT_IPv6 && memcmp(of->data, ipv6, sizeof ipv6) == 0);
}

static void count_player(summary *all, player *one, packet_info *pinfo, const enet_tap_datagram *datagram)
{
    const enet_datagram_record *record = datagram->datagram;
    const enet_connection *connection = record->sender->connection;
    enet_sighting_facts facts = enet_state_sighting(pinfo, record);
    enet_side client = enet_client_side(pinfo, record->sender);
    bool from_peer = record->sender->side == client;
    note_address(all, one, pinfo, from_peer);
    nstime_t since = enet_time_since(pinfo, connection->first_time);
    all->beyond_loopback |= !is_loopback(&pinfo->src) || !is_loopback(&pinfo->dst);
    one->connection = connection;
    one->client = client;
    one->client_known = enet_client_agrees(connection);
    one->begun = nstime_to_sec(&pinfo->rel_ts) - nstime_to_sec(&since);
    one->begun_before = !connection->from_start;
    one->not_given = one->begun_before ? enet_state_not_given(connection) : 0;
    all->points_known |= facts.placed;
    if (facts.lost && datagram->frame_bytes) {
        one->first_lost = one->lost++ ? one->first_lost : pinfo->num;
    }
    if (facts.has_transit && facts.sender_frame == frame_order(pinfo)) {
        double milliseconds = (double)facts.transit / 1e6;
        one->transits[from_peer].sum += milliseconds;
        one->transits[from_peer].longest = one->transits[from_peer].count++
                                               ? MAX(one->transits[from_peer].longest, milliseconds)
                                               : milliseconds;
    }
    for (uint32_t i = 0; i < datagram->command_count; i++) {
        all->acknowledgements += datagram->commands[i].type == ENET_ACKNOWLEDGE;
        count_command(one, pinfo, &datagram->commands[i],
                      facts.placed && facts.sender_frame == frame_order(pinfo));
    }
}

static tap_packet_status count_datagram(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                        const void *data, tap_flags_t flags _U_)
{
    summary *all = state;
    const enet_tap_datagram *datagram = data;
    const enet_sender *sender = datagram->datagram->sender;
    summary_see(all, pinfo);
    if (!sender) {
        return TAP_PACKET_REDRAW;
    }
    player *one =
        player_at(all, pinfo, key_of(true, sender->connection->stream), true, sender->connection->stream);
    if (datagram->frame_bytes) {
        all->datagram_frames[0] = all->datagrams++ ? all->datagram_frames[0] : pinfo->num;
        all->datagram_frames[1] = pinfo->num;
        all->header_bytes += datagram->frame_bytes - MIN(datagram->frame_bytes, datagram->datagram_bytes);
        godot_bursts_count(all->bursts, pinfo, datagram);
        count_compression(all, pinfo, datagram);
    }
    all->frame_bytes += datagram->frame_bytes;
    all->server_bytes += sender->side == enet_client_side(pinfo, sender) ? 0 : datagram->frame_bytes;
    if (one) {
        count_player(all, one, pinfo, datagram);
    }
    return TAP_PACKET_REDRAW;
}

/* Problems of a packet that the server relays to one client, or to all, and does not read itself. */
static void count_relayed(const summary *all, const godot_tap *tap)
{
    problem *one =
        tap->relayed && tap->problem_code ? wmem_map_lookup(all->problem_of, tap->problem_code) : NULL;
    bool counts = tap->passed_on || tap->to > 1 || tap->to == -1;
    if (one && !tap->repeated && !tap->second_point && counts) {
        one->relayed[tap->passed_on]++;
    }
}

static void count_expense(summary *all, const packet_info *pinfo, const godot_tap *tap)
{
    const char *counted = godot_counted_name(pinfo->pool, tap), *node = godot_counted_node(tap, NULL);
    const char *name = node ? wmem_strdup_printf(pinfo->pool, "%s → %s", counted, node) : counted;
    expense *one = wmem_map_lookup(all->expense_of, name);
    if (!one && all->expenses->len < MAX_NAMES) {
        one = wmem_new0(all->pool, expense);
        one->name = wmem_strdup(all->pool, name);
        const char *filter = godot_filter_counted(pinfo->pool, tap),
                   *kind = godot_filter_kind(pinfo->pool, tap);
        one->filter = wmem_strdup(all->pool, *filter ? filter : *kind ? kind : "godot");
        one->first_frame = pinfo->num;
        g_ptr_array_add(all->expenses, one);
        wmem_map_insert(all->expense_of, one->name, one);
    }
    if (one) {
        one->messages += !tap->repeated;
        one->wire_bytes += tap->wire_length;
    }
}

/* A WebSocket begins with its TCP connection, as in *Peers*. */
static void note_tcp(player *one, packet_info *pinfo)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    if (tcp && !one->tcp) {
        nstime_t since;
        nstime_delta(&since, &pinfo->abs_ts, &tcp->ts_first);
        one->tcp = tcp;
        one->first = nstime_to_sec(&pinfo->rel_ts) - nstime_to_sec(&since);
        one->first_frame = find_conversation_pinfo(pinfo, 0)->setup_frame;
    }
}

static tap_packet_status count_message(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                       const void *data, tap_flags_t flags _U_)
{
    summary *all = state;
    const godot_tap *tap = data;
    bool over_enet = tap->stream >= 0;
    all->has_names |= tap->checksum && tap->what && *tap->what != '#';
    if (tap->not_judged) {
        all->not_judged_why = all->not_judged++ ? all->not_judged_why : tap->not_judged;
        all->lacks_segments |= tap->not_judged == godot_missing_text(GODOT_MISSING_SEGMENTS);
    }
    uint32_t number = over_enet ? (uint32_t)tap->stream : tap->session;
    gint64 recorded = tap->transport == GODOT_RECORDED ? key_of_pair(tap->sender, tap->receiver) : 0,
           key = recorded ? recorded : key_of(over_enet, number);
    player *one = player_at(all, pinfo, key, over_enet, number);
    summary_see(all, pinfo);
    if (one) {
        one->transport = (godot_transport)tap->transport;
        one->api = tap->api;
        name_player(one, tap->sender, tap->receiver);
        if (!over_enet && one->transport == GODOT_OVER_WEBSOCKET) {
            note_address(all, one, pinfo, tap->from_initiator);
            note_tcp(one, pinfo);
        }
    }
    all->wire_bytes += tap->wire_length;
    all->message_bytes += over_enet && !tap->second_point ? tap->length : 0;
    count_relayed(all, tap);
    count_expense(all, pinfo, tap);
    return TAP_PACKET_REDRAW;
}

/* A recorded game says that a peer has come or gone. */
static tap_packet_status count_peer(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                    const void *data, tap_flags_t flags _U_)
{
    const godot_peer_tap *peer = data;
    gint64 key = key_of_pair(peer->own, peer->other);
    player *one = key ? player_at((summary *)state, pinfo, key, false, 0) : NULL;
    summary_see((summary *)state, pinfo);
    if (one) {
        one->transport = GODOT_RECORDED;
        one->api = 4;
        name_player(one, peer->own, peer->other);
        one->gone_frame = peer->gone ? pinfo->num : 0;
    }
    return TAP_PACKET_REDRAW;
}

/* Path of the node that a message with this problem is about; "": of none. */
static const char *node_of_problem(packet_info *pinfo, const char *filter)
{
    for (const godot_tap *tap = godot_frame_get(pinfo)->first; tap; tap = tap->next) {
        if (tap->node && g_strcmp0(tap->problem_code, filter) == 0) {
            return tap->node;
        }
    }
    return "";
}

static void count_text(const summary *all, problem *one, const packet_info *pinfo, const expert_info_t *info)
{
    char *text = info_column_text(NULL, info->summary, strlen(info->summary), ITEM_LABEL_LENGTH);
    uint32_t i = 0;
    while (i < one->text_count && strcmp(one->texts[i].text, text) != 0) {
        i++;
    }
    if (i == MAX_TEXTS_SHOWN) {
        one->other_texts++;
    } else if (i == one->text_count) {
        one->texts[one->text_count++] = (problem_text){wmem_strdup(all->pool, text), 1, pinfo->num};
    } else {
        one->texts[i].count++;
    }
    wmem_free(NULL, text);
}

static problem *problem_of(summary *all, packet_info *pinfo, const expert_info_t *info,
                           const header_field_info *field)
{
    problem *one = wmem_map_lookup(all->problem_of, field->abbrev);
    if (!one) {
        one = wmem_new0(all->pool, problem);
        one->filter = field->abbrev;
        one->name = field->name;
        one->severity = info->severity;
        one->node = wmem_strdup(all->pool, node_of_problem(pinfo, one->filter));
        one->first_frame = pinfo->num;
        g_ptr_array_add(all->problems, one);
        wmem_map_insert(all->problem_of, one->filter, one);
    } else if (one->node && strcmp(one->node, node_of_problem(pinfo, one->filter)) != 0) {
        one->node = NULL;
    }
    return one;
}

static tap_packet_status count_problem(void *state, packet_info *pinfo, epan_dissect_t *edt _U_,
                                       const void *data, tap_flags_t flags _U_)
{
    const expert_info_t *info = data;
    const header_field_info *field =
        info->hf_index > 0 ? proto_registrar_get_nth((unsigned)info->hf_index) : NULL;
    const char *filter = field ? field->abbrev : "";
    bool ours = g_str_has_prefix(filter, "godot.") || g_str_has_prefix(filter, "enet.");
    if (!ours || summary_is_said(filter)) {
        return TAP_PACKET_DONT_REDRAW;
    }
    problem *one = problem_of((summary *)state, pinfo, info, field);
    const godot_tap *tap = godot_frame_get(pinfo)->first;
    one->counts[godot_frame_get(pinfo)->has_second_record]++;
    one->godot3 |= tap && tap->api == 3;
    count_text((const summary *)state, one, pinfo, info);
    return TAP_PACKET_REDRAW;
}

void godot_summary_register(int proto _U_)
{
    static const report_source sources[] = {{"enet", count_datagram},
                                            {"godot", count_message},
                                            {"expert", count_problem},
                                            {"godot_peer", count_peer},
                                            {"godot_report", summary_count_said}};
    static const report_button buttons[] = {{"Next problem", summary_problem_filter},
                                            {"Next peer", summary_player_filter},
                                            {"Next category", summary_expense_filter},
                                            {NULL, NULL}};
    static const report summary_report = {.title = "Godot Summary",
                                          .option = "godot,summary",
                                          .sources = sources,
                                          .source_count = array_length(sources),
                                          .buttons = buttons,
                                          .begin = begin,
                                          .write = summary_write};
    report_register(&summary_report);
}
