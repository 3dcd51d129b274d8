/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/summary/summary.h"

#include <epan/dissectors/packet-tcp.h>
#include <wsutil/str_util.h>

#include "base/tcp.h"
#include "multiplayer/peers/names.h"
#include "multiplayer/statistics/values/segments.h"
#include "multiplayer/statistics/values/shares.h"

/* ENet sends a ping every half second: a connection without datagrams for this long is not in use. */
#define IDLE_SECONDS 5.0
/* Two of these pings, and what they take. */
#define UNHEARD_SECONDS 1.2

void summary_heading(GString *text, const char *title)
{
    g_string_append_printf(text, "\n%s\n", title);
}

/* "client 5 (127.0.0.1:4711)", as far as known. */
void summary_append_who(const summary *all, GString *text, const player *one)
{
    int32_t peer = one->peer ? one->peer : one->over_enet ? godot_session_client_of_stream(one->number) : 0;
    if (peer) {
        g_string_append(text, godot_peer_connection_name(all->pool, peer, one->other));
    } else {
        g_string_append(text, "A peer");
    }
    if (one->address) {
        g_string_append_printf(text, " (%s)", one->address);
    }
}

/* Seconds since the capture began, of a time of the connection. */
static double since_begin(const player *one, int64_t time)
{
    nstime_t since = nstime_of(time - one->connection->first_time);
    return one->begun + nstime_to_sec(&since);
}

/* `of_peer`, `of_server`: words about the end that an ending is about; `other`: if it is not known which
 * one is the server. */
static const char *about_end(const player *one, const enet_ending *ending, const char *of_peer,
                             const char *of_server, const char *other)
{
    return !one->client_known ? other : ending->side == one->client ? of_peer : of_server;
}

/* How a connection over ENet ends without a DISCONNECT. */
static void append_gone(GString *text, const player *one, const enet_ending *ending)
{
    double last = since_begin(one, ending->time);
    uint32_t frame = frame_number(ending->frame);
    if (ending->kind != ENET_GIVEN_UP) {
        g_string_append_printf(text, "; %s gone after frame %u, %.2f s, without a Disconnect",
                               about_end(one, ending, "it is", "the server is", "one end is"), frame, last);
    }
    if (ending->kind == ENET_UNREACHABLE) {
        g_string_append_printf(text, ": its socket is closed (ICMP, frame %u)",
                               frame_number(ending->shown_in));
    } else if (ending->kind == ENET_REPLACED) {
        g_string_append_printf(text, ": the same socket has connected again, enet.stream == %u",
                               ending->next_stream);
    }
    if (ending->given_up) {
        g_string_append_printf(
            text, "; %s up (time-out) at about %.2f s%s",
            about_end(one, ending, "the server gives it", "it gives the server", "the other one gives it"),
            since_begin(one, ending->given_up_time), ending->lives_on ? "" : ", or has exited before");
    }
    if (ending->kind == ENET_GIVEN_UP && frame) { /* it may be heard again after that */
        g_string_append_printf(text, "%s not heard since frame %u, %.2f s", ending->given_up ? "," : ";",
                               frame, last);
    }
    if (one->connection->end_frame) {
        g_string_append_printf(text, "; a Disconnect follows in frame %u",
                               frame_number(one->connection->end_frame));
    }
}

/* Seconds and frame of what closed the connection, as in *Peers*; else of the last one with it. The other end
 * may send for a while after that. */
void summary_last_of(const player *one, double *last, uint32_t *frame)
{
    const websocket_ending *ending = one->tcp ? websocket_ending_of(one->tcp->stream) : NULL;
    if (ending) {
        *last = ending->seconds;
        *frame = ending->frame;
        return;
    }
    bool closed = one->connection && one->connection->end_frame;
    uint32_t end = closed ? frame_number(one->connection->end_frame) : 0;
    *last = closed ? since_begin(one, one->connection->end_time) : one->last;
    *frame = end ? end : one->last_frame; /* a read filter can drop the end */
}

/* Whether both ends were captured to their end, as far as numbers and acknowledgements show. */
static bool is_captured(const enet_connection *connection)
{
    const unsigned lacks = ENET_LACKS_RELIABLE | ENET_LACKS_ARRIVED | ENET_LACKS_BYTES;
    return !((enet_evidence_of(&connection->senders[ENET_INITIATOR]).bits |
              enet_evidence_of(&connection->senders[ENET_ACCEPTOR]).bits) &
             lacks);
}

static void append_end_of_websocket(GString *text, const player *one)
{
    const websocket_ending *ending = websocket_ending_of(one->tcp->stream);
    if (ending) {
        const char *what = !ending->ends_known   ? "closed"
                           : ending->from_client ? "left"
                                                 : "disconnected by the server";
        g_string_append_printf(text, "; %s in frame %u%s (%s)", what, ending->frame,
                               ending->without_close ? ", without a WebSocket Close" : "",
                               websocket_closing_text(ending->how));
    }
}

void summary_append_end(GString *text, const summary *all, const player *one)
{
    if (one->tcp) {
        append_end_of_websocket(text, one);
        return;
    }
    if (one->gone_frame) {
        g_string_append_printf(text, "; disconnected in frame %u", one->gone_frame);
    }
    const enet_ending ending =
        one->connection ? enet_ending_in_file(one->connection) : (enet_ending){.kind = ENET_NO_END};
    if (ending.kind == ENET_DISCONNECTED) {
        char *frame = frame_text(NULL, ending.shown_in);
        g_string_append_printf(text, "; %s in %s%s",
                               about_end(one, &ending, "left", "disconnected by the server", "closed"), frame,
                               one->connection->ended_gracefully ? "" : " (at once)");
        wmem_free(NULL, frame);
        double last;
        uint32_t unused;
        summary_last_of(one, &last, &unused);
        const enet_sender *client = &one->connection->senders[one->client];
        double heard = since_begin(one, client->last_time);
        if (one->client_known && ending.side != one->client && client->last_frame &&
            is_captured(one->connection) && last - heard > UNHEARD_SECONDS) {
            g_string_append_printf(text, "; not heard for %.2f s before that, last in frame %u", last - heard,
                                   frame_number(client->last_frame));
        }
    } else if (one->connection && one->connection->state == ENET_CONNECTING) {
        g_string_append(text, "; its Connect is not answered in this capture");
    } else if (ending.kind != ENET_NO_END && ending.kind != ENET_SILENT) {
        append_gone(text, one, &ending);
    } else if (ending.kind == ENET_SILENT || all->last - one->last > IDLE_SECONDS ||
               (one->connection && enet_is_followed(one->connection))) {
        uint32_t frame = ending.kind == ENET_SILENT ? frame_number(ending.frame) : one->last_frame;
        g_string_append_printf(text,
                               "; nothing %safter frame %u, and no Disconnect: gone, or no longer captured",
                               ending.kind != ENET_SILENT
                                   ? ""
                                   : about_end(one, &ending, "from it ", "from the server ", "from one end "),
                               frame);
    } else if (one->over_enet) {
        g_string_append(text, "; still there when the capture ends");
    }
}

void summary_append_transit(GString *text, const player *one)
{
    static const char *const ways[] = {"from the server", "to the server"};
    for (unsigned i = 0; one->client_known && i < array_length(ways); i++) {
        if (one->transits[i].count) {
            g_string_append_printf(text, "; %s %.1f ms on average, at most %.1f ms", ways[i],
                                   one->transits[i].sum / one->transits[i].count, one->transits[i].longest);
        }
    }
}

/* Whether only one direction of the connection was captured. */
static bool is_one_sided(const player *one)
{
    return one->connection && one->connection->state == ENET_ESTABLISHED &&
           (!one->connection->senders[ENET_INITIATOR].first_frame ||
            !one->connection->senders[ENET_ACCEPTOR].first_frame);
}

/* Whether the capture has lost datagrams of the connection. */
static bool is_lossy(const player *one)
{
    return one->connection && !enet_losses_judged(one->connection);
}

#define CORRECT_CLOCKS "correct one of the captures with editcap -t SECONDS, and merge them again.\n"

/* Datagrams of ENet that were sent and are not in the capture, or at a wrong time. */
void summary_write_lacking(const summary *all, GString *text)
{
    uint32_t one_sided = 0, lost = 0, acknowledged = 0, differ = 0;
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        bool half = is_one_sided(one);
        one_sided += half;
        differ += one->connection && one->connection->clocks_differ;
        for (unsigned side = 0;
             one->connection && !half && !one->connection->clocks_differ && side < ENET_SIDES; side++) {
            enet_direction direction = enet_evidence_of(&one->connection->senders[side]);
            lost += direction.lost;
            acknowledged += direction.acknowledged;
        }
    }
    if (one_sided) {
        g_string_append_printf(text,
                               "Only one direction of %u %s was captured: what rests on the other one is not "
                               "judged. Capture both.\n",
                               one_sided, plurality(one_sided, "connection", "connections"));
    }
    if (differ) {
        g_string_append_printf(text,
                               "The clocks of the capture points differ: %u %s acknowledged before it was "
                               "sent. What rests on the order is not judged: " CORRECT_CLOCKS,
                               differ,
                               plurality(differ, "connection has what was", "connections have what was"));
    }
    if (lost) {
        g_string_append_printf(
            text,
            "The capture lost datagrams: it lacks %u reliable %s of ENet that arrived, %u of "
            "them by their acknowledgements. Losses of these connections are not judged.\n",
            lost, plurality(lost, "command", "commands"), acknowledged);
    }
}

void summary_write_lacking_segments(const summary *all, GString *text)
{
    uint32_t lacking = 0;
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        lacking += one->tcp && tcp_lacks_segments(one->tcp);
    }
    if (lacking && tcp_is_put_in_order()) {
        g_string_append_printf(text,
                               "The capture lacks TCP segments of %u %s that arrived. Nothing behind them is "
                               "shown while Preferences > Protocols > TCP > Reassemble out-of-order segments "
                               "is on\n",
                               lacking, plurality(lacking, "connection", "connections"));
    } else if (all->lacks_segments && !tcp_is_put_in_order()) {
        g_string_append(
            text, "  If TCP segments are only out of order, as a network loses and delays some: switch on "
                  "Preferences > Protocols > TCP > Reassemble out-of-order segments, or "
                  "-o tcp.reassemble_out_of_order:TRUE\n");
    }
    if (segments_have_points() && (lacking || all->lacks_segments)) {
        g_string_append(text, "  If the clocks of the capture points differ: " CORRECT_CLOCKS);
    }
}

/* A CONNECT with the same random number between other sockets: before and behind a NAT or a proxy. On two
 * interfaces they count as one connection (enet/analysis/points.h). */
void summary_write_twice(const summary *all, GString *text)
{
    GHashTable *by_id = g_hash_table_new(NULL, NULL);
    const player *first = NULL, *second = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        if (!one->connection || !one->connection->connect_frame) {
            continue;
        }
        gpointer id = GUINT_TO_POINTER(one->connection->connect.connect_id);
        const player *known = g_hash_table_lookup(by_id, id);
        if (!known) {
            g_hash_table_insert(by_id, id, (gpointer)one);
        } else if (known->connection->conversation != one->connection->conversation && !count++) {
            first = known;
            second = one;
        }
    }
    if (count) {
        g_string_append_printf(text,
                               "%u %s captured twice, with other addresses (enet.stream %u is %u): merge "
                               "captures of both ends with mergecap -I none, so that they are compared.\n",
                               count, plurality(count, "connection was", "connections were"), second->number,
                               first->number);
    }
    g_hash_table_destroy(by_id);
}

static void append_losses(GString *text, const player *one)
{
    char *again = g_strdup_printf("of %u reliable commands sent again because they, or their "
                                  "acknowledgements, did not arrive (%.2f %%)",
                                  one->reliable, ratio(100.0 * one->again, one->reliable));
    const struct {
        uint32_t count;
        const char *noun; /* what is counted, in the singular; NULL: `what` says it */
        const char *what, *where;
        uint32_t frame;
    } losses[] = {
        {one->lost, "datagram", "lost on the network", "in", one->first_lost},
        {one->dropped, "unreliable message", "dropped by the sender's throttle", "before",
         one->first_dropped},
        {one->missing, "unreliable message", "missing in the capture", "before", one->first_missing},
        {one->late, "unreliable message", "after a later one, which a receiver drops", "in", one->first_late},
        {is_lossy(one) ? 0 : one->again, NULL, again, "retransmission in", one->first_again},
    };
    for (size_t i = 0; i < array_length(losses); i++) {
        const uint32_t count = losses[i].count;
        if (!count) {
            continue;
        }
        g_string_append_printf(text, "%s %u ", text->str[text->len - 1] == ':' ? "" : ";", count);
        if (losses[i].noun) {
            g_string_append_printf(text, "%s%s ", losses[i].noun, plurality(count, "", "s"));
        }
        g_string_append_printf(text, "%s, the first %s frame %u", losses[i].what, losses[i].where,
                               losses[i].frame);
    }
    g_free(again);
}

static bool has_losses(const player *one)
{
    return (one->again && !is_lossy(one)) || one->missing || one->dropped || one->lost || one->late;
}

/* Whether something was lost between the peers, and neither by the capture nor by a process. */
bool summary_has_network_losses(const summary *all)
{
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        if (one->lost || (one->again && !is_lossy(one))) {
            return true;
        }
    }
    return false;
}

bool summary_all_had_arrived(const summary *all, uint32_t retransmissions)
{
    uint32_t needless = 0, again = 0;
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        needless += one->needless;
        again += one->again;
    }
    return needless >= retransmissions && !again;
}

static void write_needless(const summary *all, GString *text)
{
    uint32_t needless = 0, first = 0;
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        first = !needless || (one->needless && one->first_needless < first) ? one->first_needless : first;
        needless += one->needless;
    }
    if (needless) {
        g_string_append_printf(
            text,
            "  Not lost: %u %s needless, what is repeated had arrived; the first is known in frame %u, "
            "filter: enet.analysis.retransmission || enet.analysis.spurious_retransmission\n",
            needless, plurality(needless, "retransmission was", "retransmissions were"), first);
    }
}

void summary_write_losses(const summary *all, GString *text)
{
    unsigned shown = 0;
    bool repeated = false;
    if (!all->datagrams) {
        return; /* only ENet has numbers that show it */
    }
    summary_heading(text, "Loss");
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        repeated |= one->repeated;
        if (!has_losses(one) || shown++ >= MAX_PLAYERS_SHOWN) {
            continue;
        }
        g_string_append(text, "  ");
        summary_append_who(all, text, one);
        g_string_append(text, ":");
        append_losses(text, one);
        g_string_append_printf(
            text, ", filter: enet.stream == %u && (%s)\n", one->number,
            all->points_known
                ? "enet.analysis.lost || enet.analysis.throttled || enet.analysis.retransmission"
                : "enet.analysis.retransmission || enet.analysis.unreliable_gap");
    }
    if (!shown) {
        g_string_append_printf(text, "  None: %s, and no number is missing.\n",
                               repeated ? "what was sent again had arrived, or its receiver was gone"
                                        : "nothing had to be sent again");
    } else if (!all->points_known) {
        g_string_append(text,
                        "  Missing: lost on the way, dropped by the sender's throttle, or not captured; a "
                        "capture of both ends tells which.\n");
    }
    write_needless(all, text);
}
