/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/values/segments.h"

#include <epan/dissectors/packet-tcp.h>
#include <epan/tap.h>

#include "base/tcp.h"

/* The latest one: its tap gets it before the tap "frame" gets the frame. */
static tcp_segment latest;

/* The latest segments with data of one direction of a connection: what is lost is sent again before so many
 * others. */
enum { RECENT_SEGMENTS = 64 };
typedef struct {
    uint32_t next; /* the highest number so far, after the data */
    uint32_t acknowledged,
        selected; /* the other end has all data before the first, and some between (SACK) */
    uint32_t count;
    struct {
        uint32_t sequence;
        double time; /* seconds since the beginning of the capture */
        /* How often it was sent again, and how often as it was lost, without what the other end reports
         * to be needless; less than 0: the report was captured before. */
        int32_t again, lost;
    } list[RECENT_SEGMENTS];
} recent_segments;

/* Entries of each table; hostile traffic can have any number of connections. What is beyond is not judged. */
enum { MAX_TRACKED = 10000 };
static GHashTable *recent;  /* stream and direction -> recent_segments */
static GHashTable *endings; /* stream -> websocket_ending */

/* Copies that a capture makes come sooner than what is sent again. */
#define LEAST_TIMEOUT 0.002

static void *direction_of(const tcp_info_t *header, bool back)
{
    const bool forward = header->th_sport != header->th_dport
                             ? header->th_sport > header->th_dport
                             : cmp_address(&header->ip_src, &header->ip_dst) > 0;
    return GUINT_TO_POINTER(header->th_stream << 1 | (forward != back));
}

static uint32_t length_of(const tcp_info_t *header)
{
    return header->th_have_seglen ? header->th_seglen : 0;
}

/* Index of the segment with data that begin here; `count` or RECENT_SEGMENTS: there is none. */
static uint32_t find(const recent_segments *of, uint32_t sequence)
{
    uint32_t i = 0;
    while (i < MIN(of->count, RECENT_SEGMENTS) && of->list[i].sequence != sequence) {
        i++;
    }
    return i;
}

/* The other end lacks these data, and has later ones. Only this proves a loss: what is sent again after a
 * time-out may have arrived, and not every receiver says so. */
static bool is_hole(const recent_segments *of, uint32_t sequence)
{
    return (int32_t)(of->selected - sequence) > 0 && (int32_t)(sequence - of->acknowledged) >= 0;
}

/* Whether the data of the segment were captured before, so long ago that they are sent again, and the other
 * end lacks them; what comes out of order was not captured before. */
static bool is_lost(const tcp_info_t *header, double time)
{
    recent_segments *of = g_hash_table_lookup(recent, direction_of(header, false));
    if (!of && g_hash_table_size(recent) >= MAX_TRACKED) {
        return false;
    }
    if (!of) {
        of = g_new0(recent_segments, 1);
        g_hash_table_insert(recent, direction_of(header, false), of);
    }
    uint32_t sequence = header->th_rawseq, end = sequence + length_of(header);
    bool fresh = of->count == 0 || (int32_t)(sequence - of->next) >= 0;
    of->next = fresh || (int32_t)(end - of->next) > 0 ? end : of->next;
    uint32_t known = fresh ? RECENT_SEGMENTS : find(of, sequence);
    bool again = known < MIN(of->count, RECENT_SEGMENTS),
         late = again && time - of->list[known].time >= LEAST_TIMEOUT;
    known = again ? known : of->count++ % RECENT_SEGMENTS;
    of->list[known].sequence = sequence;
    of->list[known].time = time;
    of->list[known].again = again ? of->list[known].again + late : 0;
    bool lost = late && of->list[known].again > 0 && is_hole(of, sequence);
    of->list[known].lost = again ? of->list[known].lost + lost : 0;
    return lost;
}

static void note_acknowledgement(const tcp_info_t *header)
{
    recent_segments *other = g_hash_table_lookup(recent, direction_of(header, true));
    if (!other || !(header->th_flags & TH_ACK)) {
        return;
    }
    other->acknowledged = other->selected = header->th_rawack;
    for (unsigned i = 0; i < header->num_sack_ranges; i++) {
        uint32_t end = header->th_rawack + (header->sack_right_edge[i] - header->th_ack);
        other->selected = (int32_t)(end - other->selected) > 0 ? end : other->selected;
    }
}

/* Whether a block of the selective acknowledgement is below the acknowledgement: what came twice, and was
 * sent again. `arrived` is set if it was counted as lost. */
static bool reports_needless(const tcp_info_t *header, bool *arrived)
{
    recent_segments *other = g_hash_table_lookup(recent, direction_of(header, true));
    bool below =
        other && header->num_sack_ranges && (int32_t)(header->sack_right_edge[0] - header->th_ack) <= 0;
    uint32_t sequence = header->th_rawack - (header->th_ack - header->sack_left_edge[0]);
    uint32_t known = below ? find(other, sequence) : RECENT_SEGMENTS;
    if (!below || known >= MIN(other->count, RECENT_SEGMENTS)) {
        return false;
    }
    *arrived = other->list[known].lost > 0;
    other->list[known].lost -= *arrived;
    return other->list[known].again-- > 0;
}

/* Whether the other end may have closed the connection before: it has sent what was not captured, or what
 * Wireshark cannot read. */
static bool lacks_other_end(packet_info *pinfo, const tcp_info_t *header)
{
    const recent_segments *other = g_hash_table_lookup(recent, direction_of(header, true));
    return !other || (header->th_flags & TH_ACK && (int32_t)(header->th_rawack - other->next) > 0) ||
           tcp_is_broken(pinfo) || tcp_is_broken_back(pinfo);
}

/* Whether data of this end before the segment are missing so far: a Close may be among them. */
static bool lacks_own_end(const tcp_info_t *header)
{
    const recent_segments *own = g_hash_table_lookup(recent, direction_of(header, false));
    return !own || (int32_t)(header->th_rawseq - own->next) > 0;
}

/* Returns the connection's ending, which may be an earlier one; NULL: there are too many. */
static websocket_ending *note_ending(packet_info *pinfo, const tcp_info_t *header, websocket_closing how)
{
    void *stream = GUINT_TO_POINTER(header->th_stream);
    websocket_ending *ending = g_hash_table_lookup(endings, stream);
    if (!ending && g_hash_table_size(endings) < MAX_TRACKED) {
        ending = g_new0(websocket_ending, 1);
        *ending = (websocket_ending){.how = how,
                                     .frame = pinfo->num,
                                     .time = pinfo->abs_ts,
                                     .seconds = nstime_to_sec(&pinfo->rel_ts),
                                     .from_client = tcp_is_from_client(pinfo),
                                     .ends_known = !lacks_other_end(pinfo, header)};
        ending->without_close = how != WEBSOCKET_CLOSE && ending->ends_known && !lacks_own_end(header);
        g_hash_table_insert(endings, stream, ending);
    }
    return ending;
}

/* Another pass, or another file, begins. */
static void forget(const packet_info *pinfo)
{
    if (pinfo->num < latest.frame) {
        g_hash_table_remove_all(recent);
        g_hash_table_remove_all(endings);
    }
    latest.frame = pinfo->num;
}

/* What Wireshark's TCP analysis has found out about the segment. It takes what is captured out of order, or
 * twice, for a retransmission, too. */
static const struct tcp_acked *analysis_of(packet_info *pinfo, const tcp_info_t *header)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    uint32_t numbers[] = {pinfo->num, header->th_rawseq, header->th_rawack};
    wmem_tree_key_t key[] = {{array_length(numbers), numbers}, {0, NULL}};
    return tcp ? wmem_tree_lookup32_array(tcp->acked_table, key) : NULL;
}

static tap_packet_status see_segment(void *data _U_, packet_info *pinfo, epan_dissect_t *edt _U_,
                                     const void *tcp, tap_flags_t flags _U_)
{
    const tcp_info_t *header = tcp;
    forget(pinfo);
    const struct tcp_acked *analysis = analysis_of(pinfo, header);
    latest = (tcp_segment){.frame = pinfo->num, .length = length_of(header)};
    latest.answers = analysis && analysis->frame_acked;
    if (latest.answers) {
        latest.answered = analysis->ts;
    }
    latest.lost = latest.length && is_lost(header, nstime_to_sec(&pinfo->rel_ts));
    latest.needless = reports_needless(header, &latest.arrived);
    note_acknowledgement(header);
    if (header->th_flags & (TH_FIN | TH_RST)) {
        (void)note_ending(pinfo, header, header->th_flags & TH_RST ? TCP_RST : TCP_FIN);
    }
    return TAP_PACKET_DONT_REDRAW;
}

/* The listener has a filter: these are the frames with a Close. It goes before a FIN of the same end, which
 * may be captured before it if the network has delayed it. After segments out of order Wireshark may take
 * other bytes for one. */
static tap_packet_status see_close(void *data _U_, packet_info *pinfo, epan_dissect_t *edt _U_,
                                   const void *tcp, tap_flags_t flags _U_)
{
    forget(pinfo);
    websocket_ending *ending = tcp_is_broken(pinfo) ? NULL : note_ending(pinfo, tcp, WEBSOCKET_CLOSE);
    if (ending && ending->how != WEBSOCKET_CLOSE && ending->from_client == tcp_is_from_client(pinfo)) {
        ending->how = WEBSOCKET_CLOSE;
        ending->without_close = false;
        ending->frame = pinfo->num;
        ending->time = pinfo->abs_ts;
        ending->seconds = nstime_to_sec(&pinfo->rel_ts);
    }
    return TAP_PACKET_DONT_REDRAW;
}

static bool listen_with(const char *filter, tap_packet_cb packet)
{
    GString *problem =
        register_tap_listener("tcp", &latest, filter, TL_IS_DISSECTOR_HELPER, NULL, packet, NULL, NULL);
    if (problem) {
        g_string_free(problem, TRUE);
    }
    return !problem;
}

void segments_listen(void)
{
    static bool listening;
    if (!listening) {
        recent = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
        endings = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
        listening = listen_with(NULL, see_segment) && listen_with("websocket.opcode == 8", see_close);
    }
}

const tcp_segment *segment_of(const packet_info *pinfo)
{
    return latest.frame == pinfo->num ? &latest : NULL;
}

const char *websocket_closing_text(websocket_closing how)
{
    static const char *const texts[] = {
        [WEBSOCKET_CLOSE] = "WebSocket Close", [TCP_FIN] = "TCP FIN", [TCP_RST] = "TCP RST"};
    return texts[how];
}

const websocket_ending *websocket_ending_of(uint32_t stream)
{
    return endings ? g_hash_table_lookup(endings, GUINT_TO_POINTER(stream)) : NULL;
}
