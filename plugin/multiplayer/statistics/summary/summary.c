/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/summary/summary.h"

#include <epan/dissectors/packet-tcp.h>
#include <epan/expert.h>
#include <wsutil/str_util.h>

#include "multiplayer/peers/names.h"
#include "multiplayer/statistics/values/shares.h"
#include "statistics/option.h"
#include "project/project.h"

/* The larger of the numbers that the records of the two ends have. What is captured before and behind the
 * server that relays it is one event. */
static uint32_t count_of(const problem *one)
{
    uint32_t count = MAX(one->counts[0], one->counts[1]);
    return count - MIN(one->relayed[0], one->relayed[1]);
}

/* --- words --------------------------------------------------------------------------------------- */

static void append_how(GString *text, const player *one)
{
    static const char *const transports[] = {
        [GODOT_OVER_ENET] = "ENet",
        [GODOT_OVER_WEBSOCKET] = "WebSocket",
        [GODOT_OVER_SCTP] = "WebRTC",
        [GODOT_OVER_ANYTHING] = "another transport",
        [GODOT_RECORDED] = "the game's recorder",
    };
    if (one->api) {
        g_string_append_printf(text, ", Godot %d over %s", one->api, transports[one->transport]);
    } else {
        g_string_append(text, ", ENet without multiplayer messages of Godot");
    }
}

/* The display filter for the packets of a connection. */
static void append_filter(GString *text, const player *one)
{
    if (one->over_enet) {
        g_string_append_printf(text, "enet.stream == %u", one->number);
    } else if (one->tcp) {
        g_string_append_printf(text, "tcp.stream == %u", one->tcp->stream);
    } else if (one->other > 1 && one->transport == GODOT_RECORDED) {
        g_string_append_printf(text,
                               "godot.recorder.own_id in {%d, %d} && godot.recorder.other_id in {%d, %d}",
                               one->peer, one->other, one->peer, one->other);
    } else if (one->peer && one->transport == GODOT_RECORDED) {
        g_string_append_printf(text,
                               "godot.source == %d || godot.target == %d || godot.recorder.other_id == %d",
                               one->peer, one->peer, one->peer);
    } else {
        g_string_append_printf(text, "godot.session == %u", one->number);
    }
}

/* Sessions of which it is not known how they began. */
static void write_late_sessions(const summary *all, GString *text)
{
    unsigned begun_before = 0, taken = 0, taken_in = 0;
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        bool no_id = one->transport == GODOT_OVER_WEBSOCKET && one->api == 4 && !one->peer;
        begun_before += one->api && !one->not_given && (one->begun_before || no_id);
        taken_in = one->api && one->not_given && !taken++ ? one->not_given : taken_in;
    }
    if (begun_before) {
        g_string_append_printf(text,
                               "The capture begins in the middle of %u %s: peers, node paths and methods "
                               "announced before are not known. Start it before the game.\n",
                               begun_before, plurality(begun_before, "session", "sessions"));
    }
    if (taken) {
        g_string_append_printf(
            text,
            "The first packets of %u %s (frame %u) are shown as another protocol, to which "
            "the port belongs: what they announce is not known. To do: %s.\n",
            taken, plurality(taken, "session", "sessions"), taken_in,
            stat_is_tshark() ? "-o udp.try_heuristic_first:TRUE"
                             : "Preferences > Protocols > UDP > Try heuristic "
                               "sub-dissectors first");
    }
}

/* What the capture lacks: parts of frames, beginnings of sessions. */
static void write_beginning(const summary *all, GString *text)
{
    if (godot_project_problem()) {
        g_string_append_printf(text,
                               "The game's project (Preferences > Protocols > Godot > Godot projects): %s\n",
                               godot_project_problem());
    }
    if (all->cut_frames) {
        g_string_append_printf(text,
                               "%u %s not captured whole (snap length): names, values and counts are not "
                               "complete. Capture whole packets.\n",
                               all->cut_frames, all->cut_frames == 1 ? "frame was" : "frames were");
    }
    if (all->cut_records) {
        g_string_append_printf(text,
                               "%u recorded %s longer than Wireshark reads (256 KiB): the end is missing\n",
                               all->cut_records, all->cut_records == 1 ? "packet was" : "packets were");
    }
    summary_write_lacking(all, text);
    summary_write_twice(all, text);
    write_late_sessions(all, text);
    if (all->not_judged) {
        g_string_append_printf(text,
                               "Not judged, for lack of packets in the capture: %u %s (the first: %s), "
                               "filter: godot.not_judged\n",
                               all->not_judged, plurality(all->not_judged, "message", "messages"),
                               all->not_judged_why);
    }
    summary_write_lacking_segments(all, text);
}

/* Advice for missing names, which are not a problem of the game. */
static void write_missing_names(const summary *all, GString *text)
{
    for (unsigned i = 0; i < all->problems->len; i++) {
        const problem *one = all->problems->pdata[i];
        if (strcmp(one->filter, "godot.rpc.no_project") == 0) {
            g_string_append_printf(
                text,
                "Names of methods are not on the wire (frame %u is the first), nor who may call them, so "
                "that "
                "some refused calls are not recognised: add the game at Preferences > Protocols > Godot > "
                "Godot projects, or -o godot.project:FOLDER\n",
                one->first_frame);
        } else if (strcmp(one->filter, "godot.rpc.not_judged") == 0) {
            g_string_append_printf(text,
                                   "Whether %u %s allowed is not known (frame %u is the first: %s), "
                                   "filter: godot.rpc.not_judged\n",
                                   count_of(one), count_of(one) == 1 ? "call is" : "calls are",
                                   one->first_frame, one->texts->text);
        } else if (strcmp(one->filter, "godot.rpc.unknown_script") == 0 && !all->has_names) {
            g_string_append_printf(
                text,
                "The game's project has none of the scripts in this capture (frame %u is the first): it "
                "is another game, or another version.\n",
                one->first_frame);
        }
    }
}

static void write_players(const summary *all, GString *text)
{
    summary_heading(text, "Peers");
    for (unsigned i = 0; i < MIN(all->players->len, MAX_PLAYERS_SHOWN); i++) {
        const player *one = all->players->pdata[i];
        double last;
        uint32_t frame;
        summary_last_of(one, &last, &frame);
        g_string_append(text, "  ");
        summary_append_who(all, text, one);
        append_how(text, one);
        g_string_append_printf(text, ": %.2f to %.2f s, frames %u to %u", one->first, last, one->first_frame,
                               frame);
        summary_append_end(text, all, one);
        summary_append_transit(text, one);
        if (stat_is_tshark()) {
            g_string_append(text, ", filter: ");
            append_filter(text, one);
        }
        g_string_append_c(text, '\n');
    }
    if (all->players->len > MAX_PLAYERS_SHOWN) {
        g_string_append_printf(text, "  and %u more: Godot Peers, -z godot,peers\n",
                               all->players->len - MAX_PLAYERS_SHOWN);
    }
    if (!all->players->len) {
        g_string_append(
            text, "  None: no ENet, no multiplayer message of Godot. If a WebSocket was opened before the "
                  "capture began, choose it at Decode As: tcp.port, WebSocket\n");
    }
}

static int by_bytes(gconstpointer a, gconstpointer b)
{
    const expense *first = *(const expense *const *)a, *second = *(const expense *const *)b;
    if (first->wire_bytes != second->wire_bytes) {
        return first->wire_bytes > second->wire_bytes ? -1 : 1;
    }
    return strcmp(first->name, second->name);
}

static bool is_over_tcp(const summary *all)
{
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        if (!one->over_enet && one->transport == GODOT_OVER_WEBSOCKET) {
            return true;
        }
    }
    return false;
}

static void write_expenses(const summary *all, GString *text)
{
    const godot_totals *totals = godot_session_totals();
    summary_heading(text, totals->any && !totals->wire_known
                              ? "Bytes by category (of packets: their headers are not known)"
                          : is_over_tcp(all)
                              ? "Bytes by category (on the wire, with headers; not TCP's frames without a "
                                "message, as its acknowledgements)"
                              : "Bytes by category (on the wire, all headers and acknowledgements "
                                "included)");
    g_ptr_array_sort(all->expenses, by_bytes);
    for (unsigned i = 0; i < MIN(all->expenses->len, MAX_EXPENSES_SHOWN); i++) {
        const expense *one = all->expenses->pdata[i];
        g_string_append_printf(text, "  %5.1f %%  ",
                               ratio(100.0 * (double)one->wire_bytes, (double)all->wire_bytes));
        godot_peer_append_path(text, one->name);
        g_string_append_printf(text, ": %" PRIu64 " bytes, %" PRIu64 " message%s", one->wire_bytes,
                               one->messages, plurality(one->messages, "", "s"));
        if (stat_is_tshark()) {
            g_string_append_printf(text, ", first in frame %u, filter: %s", one->first_frame, one->filter);
        }
        g_string_append_c(text, '\n');
    }
    if (all->expenses->len > MAX_EXPENSES_SHOWN) {
        g_string_append_printf(
            text, "  and %u other %s: Godot Bandwidth, -z godot,bandwidth\n",
            all->expenses->len - MAX_EXPENSES_SHOWN,
            plurality(all->expenses->len - MAX_EXPENSES_SHOWN, "method or kind", "methods and kinds"));
    }
    if (!all->expenses->len) {
        g_string_append(text, "  None: no multiplayer message of Godot.\n");
    }
}

/* Who is the server is more than a guess, of all connections. */
static bool knows_servers(const summary *all)
{
    for (unsigned i = 0; i < all->players->len; i++) {
        const player *one = all->players->pdata[i];
        if (one->connection && !one->client_known) {
            return false;
        }
    }
    return true;
}

static void write_headers(const summary *all, GString *text)
{
    g_string_append_printf(text, "  %" PRIu64 " datagrams in frames %u to %u, %" PRIu64 " bytes",
                           all->datagrams, all->datagram_frames[0], all->datagram_frames[1],
                           all->frame_bytes);
    if (knows_servers(all)) {
        g_string_append_printf(text, " (%" PRIu64 " from the server)", all->server_bytes);
    }
    g_string_append_printf(text, ": %.1f %% headers below ENet, ",
                           ratio(100.0 * (double)all->header_bytes, (double)all->frame_bytes));
    if (all->compressed_datagrams) {
        g_string_append(text, "the rest ENet's, compressed\n");
    } else {
        uint64_t acknowledged = all->acknowledgements * enet_commands[ENET_ACKNOWLEDGE].fixed_length;
        g_string_append_printf(text,
                               "%.1f %% Godot's messages, %.1f %% acknowledgements, the rest ENet's own\n",
                               ratio(100.0 * (double)all->message_bytes, (double)all->frame_bytes),
                               ratio(100.0 * (double)acknowledged, (double)all->frame_bytes));
    }
    if (all->bursts->joined) {
        g_string_append_printf(
            text,
            "  If the messages that one peer sends within %.0f ms shared a datagram, as those "
            "in frames %u and %u: %" PRIu64 " fewer datagrams, at least %" PRIu64
            " bytes of headers (%.1f %%) less\n",
            1000 * GODOT_BURST_SECONDS, all->bursts->frames[0], all->bursts->frames[1], all->bursts->joined,
            all->bursts->bytes, ratio(100.0 * (double)all->bursts->bytes, (double)all->frame_bytes));
    }
}

static void write_savings(const summary *all, GString *text)
{
    if (!all->datagrams) {
        return;
    }
    summary_heading(text, "ENet");
    write_headers(all, text);
    if (all->compressed_datagrams) {
        g_string_append_printf(
            text, "  Compression is on: %" PRIu64 " of the datagrams are compressed, the first in frame %u\n",
            all->compressed_datagrams, all->first_compressed);
    }
    uint64_t saved = enet_coding_saved(&all->coding);
    if (saved) {
        g_string_append_printf(text,
                               "  %s ENet's range coder (COMPRESS_RANGE_CODER) would save %s%" PRIu64
                               " bytes (%.1f %%) of what is sent uncompressed\n",
                               all->compressed_datagrams ? "Of the others," : "Compression is off:",
                               all->coding.later ? "about " : "", saved,
                               ratio(100.0 * (double)saved, (double)all->frame_bytes));
    }
}

#define SAME_SCRIPT   "same version of the node's script on both ends"
#define CAPTURED_LATE "start the capture before the game"
#define ENET_REPAIRS  "nothing while it is rare: ENet repairs it"
#define ENET_DROPS                                                                                           \
    "nothing while it is rare: unreliable messages can be dropped. Send reliably what must arrive"
#define DAMAGED_SENDER "check the sender: no released engine sends this"

/* Advice for expert infos; more is in docs/engine-errors.md. */
static const struct {
    const char *filter;
    const char *advice;    /* if the network is proven to lose something */
    const char *unproven;  /* otherwise */
    const char *one_point; /* with one capture point, instead of that; NULL: nothing else */
    const char *arrived;   /* if all of it had arrived; NULL: nothing else */
} network_advices[] = {
    {"enet.analysis.retransmission", "a better network, or fewer reliable messages", ENET_REPAIRS,
     ENET_REPAIRS ". Often: capture at both ends to see where it happens",
     "nothing: what was sent again had arrived"},
    {"enet.analysis.spurious_retransmission", "a better network, or fewer reliable messages", ENET_REPAIRS,
     NULL, NULL},
    {"enet.analysis.unreliable_gap", "a better network, or less traffic: ENet's throttle drops the excess",
     ENET_DROPS, NULL, NULL},
    {"enet.analysis.gap", "a better network", ENET_REPAIRS,
     ENET_REPAIRS ". Often: capture at both ends to see where it is lost", NULL},
};

typedef struct {
    const char *filter; /* with a '.' or '_' at its end: all that begin with it */
    const char *advice;
} filter_advice;

/* For Godot 3, where it differs. */
static const filter_advice advices3[] = {
    {"godot.rpc.not_allowed", "call it from the network master of its node, or declare it remote or master"},
    {"godot.rpc.not_declared", "declare the method remote, master or puppet, or call the right one"},
};

static const filter_advice advices[] = {
    {"godot.path.checksum_refused", SAME_SCRIPT "; godot.project shows which methods differ"},
    {"godot.path.checksum_differs", SAME_SCRIPT "; godot.project shows which methods differ"},
    {"godot.rpc.checksum_failed", SAME_SCRIPT},
    {"godot.rpc.method_not_found", SAME_SCRIPT},
    {"godot.names.", SAME_SCRIPT},
    {"godot.path.node_not_found", "same tree and node names on both ends; call when the node is there"},
    {"godot.rpc.node_not_found", "same tree and node names on both ends; call when the node is there"},
    {"godot.rpc.despawned", "stop calling the node before it is despawned"},
    {"godot.rpc.not_declared", "declare the method with @rpc, or call the right one"},
    {"godot.rpc.unknown_script", "add the version of the game that was captured at Preferences > Protocols > "
                                 "Godot > Godot projects, or -o godot.project:FOLDER"},
    {"godot.project.unreadable", "check the paths at Preferences > Protocols > Godot > Godot projects and "
                                 "Project of this profile, or -o godot.project:FOLDER"},
    {"godot.generation_mismatch", "use the same generation of the engine on both ends"},
    {"godot.version_mismatch", "export client and server with the same version of Godot"},
    {"godot.over_mtu", "make the messages smaller, or send them reliably"},
    {"godot.object_argument", "send the object's data, not the object"},
    {"godot.sys.never_admitted", "call complete_auth() on both ends"},
    {"godot.source.mismatch", "check the sender: the packet may be forged"},
    {"godot.sys.not_server", "check the sender: the packet may be forged"},
    {"godot.peer.unknown", "do not call peers that have left; within a round trip after that it is normal"},
    {"godot.problem.", DAMAGED_SENDER},
    {"godot.variant.problem.full_object", "send the object's data; allow_object_decoding has to be off"},
    {"godot.variant.problem.", DAMAGED_SENDER},
    {"godot.variant.object.code", "keep allow_object_decoding off: such an object runs code"},
    {"godot.rpc.not_allowed", "call it from the authority of its node, or declare @rpc(\"any_peer\")"},
    {"godot.rpc.wrong_type", "convert the argument before the call, or change the parameter's type"},
    {"godot.rpc.wrong_arguments", "call it with the arguments of the receiver's version"},
    {"godot.sys.auth_failed", "let auth_callback of both ends accept, and call complete_auth()"},
    {"godot.debugger.break", "see where it stopped in the editor, and continue"},
    {"godot.recorder.paused", "find what takes long in this frame: loading, a breakpoint"},
    {"godot.recorder.reports_left_out", "print less: the first ones are in the recording"},
    {"godot.spawn.scene_assumed", "nothing, unless names of its properties look wrong"},
    {"godot.capped", "nothing: the rest is in the bytes"},
    {"godot.path.announced_later", ENET_REPAIRS},
    {"godot.net_id.spawned_later", ENET_REPAIRS},
    {"godot.path.", CAPTURED_LATE},
    {"godot.net_id.unknown", CAPTURED_LATE},
    {"godot.relay.direction", CAPTURED_LATE},
    {"godot.stream.", CAPTURED_LATE},
    {"enet.checksum.bad", "the same checksum setting on both ends; or the datagram is damaged"},
    {"enet.compression.undecoded", "the same compression on both ends"},
    {"enet.analysis.throttled", "a better network, or less traffic: ENet's throttle drops the excess"},
    {"enet.analysis.paused", "find what stops the process: loading, a breakpoint, a suspended window"},
    {"enet.analysis.before_handshake",
     "nothing while it is rare: the acknowledgement of Verify Connect was lost or came later"},
    {"enet.analysis.ack_repeated", ENET_REPAIRS},
    {"enet.analysis.ack_", CAPTURED_LATE},
    {"enet.analysis.too_big_for_unreliable", "make the message smaller than the MTU, or send it reliably"},
    {"enet.analysis.timeout", "see what stopped at the other end: its process, or its network; or "
                              "refuse_new_connections is set there"},
    {"enet.analysis.connect_unanswered",
     "check that the server runs; address, port and firewall; max_clients; compression and encryption "
     "of both ends"},
    {"enet.analysis.unacknowledged", "nothing at the end of a connection; else see how it ended, below"},
    {"enet.analysis.unreliable_", ENET_DROPS},
    {"enet.analysis.unsequenced_", ENET_DROPS},
    {"enet.analysis.fragment_", ENET_REPAIRS},
    {"enet.analysis.duplicate", ENET_REPAIRS},
    {"enet.analysis.out_of_order", ENET_REPAIRS},
    {"enet.analysis.refused_before", ENET_REPAIRS},
    {"enet.compression.useless", "switch compression off for this traffic"},
    {"enet.problem.", "check the sender: ENet itself does not send this"},
};

static const char *advice_of(const filter_advice *from, size_t count, const char *filter)
{
    for (size_t i = 0; i < count; i++) {
        const char *of = from[i].filter;
        bool all_of = g_str_has_suffix(of, ".") || g_str_has_suffix(of, "_");
        if (all_of ? g_str_has_prefix(filter, of) : strcmp(filter, of) == 0) {
            return from[i].advice;
        }
    }
    return NULL;
}

/* Of what the network may have done; NULL: there is none. */
static const char *network_advice_for(const summary *all, const problem *one)
{
    for (size_t i = 0; i < array_length(network_advices); i++) {
        if (strcmp(one->filter, network_advices[i].filter) != 0) {
            continue;
        }
        const char *one_point = all->points_known ? NULL : network_advices[i].one_point;
        if (network_advices[i].arrived && summary_all_had_arrived(all, count_of(one))) {
            return network_advices[i].arrived;
        }
        if (!summary_has_network_losses(all)) {
            return one_point ? one_point : network_advices[i].unproven;
        }
        return all->beyond_loopback ? network_advices[i].advice
                                    : "this is the loopback interface: a process that pauses, a receive "
                                      "buffer that is full, or simulated losses";
    }
    return NULL;
}

static const char *advice_for(const summary *all, const problem *one)
{
    const char *of_network = network_advice_for(all, one),
               *of_godot3 = one->godot3 ? advice_of(advices3, array_length(advices3), one->filter) : NULL;
    return of_network  ? of_network
           : of_godot3 ? of_godot3
                       : advice_of(advices, array_length(advices), one->filter);
}

/* The most severe first, then the most frequent. */
static int by_severity(gconstpointer a, gconstpointer b)
{
    const problem *first = *(const problem *const *)a, *second = *(const problem *const *)b;
    if (first->severity != second->severity) {
        return first->severity > second->severity ? -1 : 1;
    }
    if (count_of(first) != count_of(second)) {
        return count_of(first) > count_of(second) ? -1 : 1;
    }
    return strcmp(first->filter, second->filter);
}

/* What several expert infos of a kind say: each text, if there are few, else the first one. */
static void write_texts(const problem *one, GString *text)
{
    unsigned shown = one->other_texts ? 1 : one->text_count;
    if (count_of(one) < 2 || (one->text_count == 1 && strcmp(one->texts->text, one->name) == 0)) {
        return;
    }
    for (unsigned i = 0; i < shown; i++) {
        g_string_append(text, "    ");
        if (one->text_count > 1) {
            g_string_append_printf(text, "frame %u: ", one->texts[i].frame);
        }
        g_string_append_printf(text, "%s\n", one->texts[i].text);
    }
    if (one->other_texts) {
        g_string_append(text, "    and others\n");
    }
}

/* In the window, its filter is behind the button, and the first frame is what that shows. */
static void write_problem(const problem *one, GString *text)
{
    const char *shown = count_of(one) > 1 ? one->name : one->texts->text;
    g_string_append_printf(text, "  %s: %u × %s",
                           val_to_str_const((uint32_t)one->severity, expert_severity_vals, "?"),
                           count_of(one), shown);
    if (one->node && !strstr(shown, one->node)) {
        g_string_append(text, ", at ");
        godot_peer_append_path(text, one->node);
    }
    if (stat_is_tshark()) {
        g_string_append_printf(text, ", first in frame %u, filter: %s", one->first_frame, one->filter);
    }
    g_string_append_c(text, '\n');
    write_texts(one, text);
}

/* The problems that have the advice of the one at `first`, with it. Returns how many: none if they were
 * `written` with another one. */
static unsigned write_group(summary *all, unsigned first, GHashTable *written, GString *text)
{
    const char *advice = advice_for(all, (const problem *)all->problems->pdata[first]);
    unsigned shown = 0;
    for (unsigned i = first; i < all->problems->len; i++) {
        problem *one = all->problems->pdata[i];
        bool together = i == first || (advice && g_strcmp0(advice_for(all, one), advice) == 0);
        if (together && one->severity >= PI_NOTE && g_hash_table_add(written, one)) {
            write_problem(one, text);
            g_ptr_array_add(all->filters, (char *)one->filter);
            shown++;
        }
    }
    if (shown && advice) {
        g_string_append_printf(text, "    To do: %s\n", advice);
    }
    return shown;
}

/* From the most serious on. There are as many kinds as fields of expert infos. */
static void write_problems(summary *all, GString *text)
{
    unsigned shown = 0;
    GHashTable *written = g_hash_table_new(NULL, NULL);
    summary_heading(text, "Problems");
    g_ptr_array_sort(all->problems, by_severity);
    for (unsigned i = 0; i < all->problems->len; i++) {
        shown += write_group(all, i, written, text);
    }
    if (!shown) {
        g_string_append_printf(text, "  %s error, no warning, no note.\n",
                               all->said->len ? "Besides what the engines have said: no" : "No");
    }
    g_hash_table_destroy(written);
}

const char *summary_problem_filter(void *state, unsigned number)
{
    const GPtrArray *filters = ((const summary *)state)->filters;
    return number < filters->len ? filters->pdata[number] : NULL;
}

const char *summary_expense_filter(void *state, unsigned number)
{
    const GPtrArray *expenses = ((const summary *)state)->expenses;
    return number < MIN(expenses->len, MAX_EXPENSES_SHOWN)
               ? ((const expense *)expenses->pdata[number])->filter
               : NULL;
}

const char *summary_player_filter(void *state, unsigned number)
{
    summary *all = state;
    if (number >= MIN(all->players->len, MAX_PLAYERS_SHOWN)) {
        return NULL;
    }
    g_string_truncate(all->filter, 0);
    append_filter(all->filter, all->players->pdata[number]);
    return all->filter->str;
}

/* What closes a connection may be in a frame without a message. */
static void see_ends(summary *all)
{
    for (unsigned i = 0; i < all->players->len; i++) {
        double last;
        uint32_t frame;
        summary_last_of(all->players->pdata[i], &last, &frame);
        all->last = MAX(all->last, last);
        all->last_frame = MAX(all->last_frame, frame);
    }
}

void summary_write(void *state, GString *text)
{
    summary *all = state;
    see_ends(all);
    g_string_append_printf(text,
                           "\n===================================================================\n"
                           "Godot Summary: up to frame %u, %.2f s\n",
                           all->last_frame, all->last);
    write_beginning(all, text);
    write_missing_names(all, text);
    g_ptr_array_set_size(all->filters, 0);
    summary_write_said(all, text);
    write_problems(all, text);
    summary_write_losses(all, text);
    write_players(all, text);
    write_expenses(all, text);
    write_savings(all, text);
    g_string_append(text, "===================================================================\n");
}
