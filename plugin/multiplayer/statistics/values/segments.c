/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "multiplayer/statistics/values/segments.h"

#include <epan/dissectors/packet-tcp.h>
#include <epan/tap.h>

#include "base/frame.h"
#include "base/memory.h"
#include "base/tcp.h"

/* The latest one: its tap gets it before the tap "frame" gets the frame. */
static tcp_segment latest;
static uint32_t latest_point; /* its capture point */

/* The latest segments with data of one direction of a connection at one capture point: what is lost is sent
 * again before so many others. */
enum { RECENT_SEGMENTS = 64 };
typedef struct {
    int64_t flow;        /* see flow_of() */
    uint32_t from, next; /* the highest number so far, after the data; nothing between them was skipped */
    uint32_t acknowledged,
        selected;      /* the other end has all data before the first, and some between (SACK) */
    uint32_t answered; /* the highest acknowledgement, by answers_here() */
    uint32_t count;
    struct {
        uint32_t sequence, end;
        double time; /* seconds since the beginning of the capture */
        /* How often it was sent again, and how often as it was lost, without what the other end reports
         * to be needless; less than 0: the report was captured before. */
        int32_t again, lost;
    } list[RECENT_SEGMENTS];
} recent_segments;

/* Entries of each table; hostile traffic can have any number of connections. What is beyond is not judged. */
enum { MAX_TRACKED = 10000 };
static GHashTable *recent;  /* flow -> recent_segments */
static GHashTable *places;  /* stream -> capture point of its first segment, as a pointer */
static GHashTable *endings; /* stream -> websocket_ending */

/* Copies that a capture makes come sooner than what is sent again. */
#define LEAST_TIMEOUT 0.002

/* How often each capture point has had the same segment. Of the segments before the latest ones, and of those
 * of further points, copies are not recognised. */
enum { MAX_POINTS = 8, LATEST_SIGHTINGS = 65536 };
typedef struct {
    int64_t hash;
    uint32_t count[MAX_POINTS];
} segment_sightings;
static GHashTable *sightings[2];    /* hash -> segment_sightings; the latest ones, and as many before these */
static uint32_t points[MAX_POINTS]; /* frame_capture_point() of each */
static unsigned point_count;

static uint32_t direction_of(const tcp_info_t *header)
{
    return header->th_sport != header->th_dport ? header->th_sport > header->th_dport
                                                : cmp_address(&header->ip_src, &header->ip_dst) > 0;
}

/* One direction of a connection at a capture point. */
static int64_t flow_of(const tcp_info_t *header, bool back, uint32_t point)
{
    return (int64_t)((uint64_t)point << 32 | header->th_stream << 1 | (direction_of(header) ^ back));
}

static recent_segments *recent_at(const tcp_info_t *header, bool back, uint32_t point)
{
    const int64_t flow = flow_of(header, back, point);
    return g_hash_table_lookup(recent, &flow);
}

/* What is known of it at the latest segment's point; NULL: it had no data. */
static recent_segments *recent_of(const tcp_info_t *header, bool back)
{
    return recent_at(header, back, latest_point);
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

/* Another capture point has found as many losses of these data. */
static bool is_lost_elsewhere(const tcp_info_t *header, bool back, uint32_t sequence, int32_t losses)
{
    bool elsewhere = false;
    for (unsigned i = 0; i < point_count; i++) {
        const recent_segments *other = points[i] == latest_point ? NULL : recent_at(header, back, points[i]);
        uint32_t known = other ? find(other, sequence) : RECENT_SEGMENTS;
        elsewhere |= other && known < MIN(other->count, RECENT_SEGMENTS) && other->list[known].lost >= losses;
    }
    return elsewhere;
}

/* Whether the data of the segment were captured before, so long ago that they are sent again, and the other
 * end lacks them; what comes out of order was not captured before. */
static bool is_lost(const tcp_info_t *header, double time)
{
    recent_segments *of = recent_of(header, false);
    if (!of && g_hash_table_size(recent) >= MAX_TRACKED) {
        return false;
    }
    if (!of) {
        of = g_new0(recent_segments, 1);
        of->flow = flow_of(header, false, latest_point);
        g_hash_table_insert(recent, &of->flow, of);
    }
    uint32_t sequence = header->th_rawseq, end = sequence + length_of(header);
    bool fresh = of->count == 0 || (int32_t)(sequence - of->next) >= 0;
    of->answered = of->count == 0 ? sequence : of->answered;
    of->from = of->count == 0 || (int32_t)(sequence - of->next) > 0 ? sequence : of->from;
    of->next = fresh || (int32_t)(end - of->next) > 0 ? end : of->next;
    uint32_t known = fresh ? RECENT_SEGMENTS : find(of, sequence);
    bool again = known < MIN(of->count, RECENT_SEGMENTS),
         late = again && time - of->list[known].time >= LEAST_TIMEOUT;
    known = again ? known : of->count++ % RECENT_SEGMENTS;
    of->list[known].sequence = sequence;
    of->list[known].end = end;
    of->list[known].time = time;
    of->list[known].again = again ? of->list[known].again + late : 0;
    bool lost = late && of->list[known].again > 0 && is_hole(of, sequence);
    of->list[known].lost = again ? of->list[known].lost + lost : 0;
    return lost && !is_lost_elsewhere(header, false, sequence, of->list[known].lost);
}

static void note_acknowledgement(const tcp_info_t *header)
{
    recent_segments *other = recent_of(header, true);
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
    recent_segments *other = recent_of(header, true);
    bool below =
        other && header->num_sack_ranges && (int32_t)(header->sack_right_edge[0] - header->th_ack) <= 0;
    uint32_t sequence = header->th_rawack - (header->th_ack - header->sack_left_edge[0]);
    uint32_t known = below ? find(other, sequence) : RECENT_SEGMENTS;
    if (!below || known >= MIN(other->count, RECENT_SEGMENTS)) {
        return false;
    }
    int32_t *losses = &other->list[known].lost;
    *arrived = *losses > 0 && !is_lost_elsewhere(header, true, sequence, *losses);
    *losses -= *losses > 0;
    return other->list[known].again-- > 0;
}

/* Whether the other end may have closed the connection before: it has sent what was not captured, or what
 * Wireshark cannot read. */
static bool lacks_other_end(packet_info *pinfo, const tcp_info_t *header)
{
    const recent_segments *other = recent_of(header, true);
    return !other || (header->th_flags & TH_ACK && (int32_t)(header->th_rawack - other->next) > 0) ||
           tcp_is_broken(pinfo) || tcp_is_broken_back(pinfo);
}

/* Whether data of this end before the segment are missing so far: a Close may be among them. */
static bool lacks_own_end(const tcp_info_t *header)
{
    const recent_segments *own = recent_of(header, false);
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

/* --- two capture points -------------------------------------------------------------------------- */

/* Index of the latest segment's point; MAX_POINTS: there are too many. */
static unsigned index_of_point(void)
{
    unsigned i = 0;
    while (i < point_count && points[i] != latest_point) {
        i++;
    }
    if (i == point_count && i < MAX_POINTS) {
        points[point_count++] = latest_point;
    }
    return i;
}

static segment_sightings *sightings_of(int64_t hash)
{
    segment_sightings *found = g_hash_table_lookup(sightings[0], &hash);
    found = found ? found : g_hash_table_lookup(sightings[1], &hash);
    if (found) {
        return found;
    }
    if (g_hash_table_size(sightings[0]) >= LATEST_SIGHTINGS) {
        GHashTable *oldest = sightings[1];
        g_hash_table_remove_all(oldest);
        sightings[1] = sightings[0];
        sightings[0] = oldest;
    }
    found = g_new0(segment_sightings, 1);
    found->hash = hash;
    g_hash_table_insert(sightings[0], &found->hash, found);
    return found;
}

static int64_t hash_of(const tcp_info_t *header)
{
    uint32_t numbers[7 + 2 * MAX_TCP_SACK_RANGES] = {
        header->th_stream, direction_of(header), header->th_rawseq, header->th_rawack,
        length_of(header), header->th_flags,     header->th_win};
    for (unsigned i = 0; i < header->num_sack_ranges; i++) {
        numbers[7 + 2 * i] = header->sack_left_edge[i];
        numbers[8 + 2 * i] = header->sack_right_edge[i];
    }
    return (int64_t)hash_bytes((const uint8_t *)numbers, sizeof numbers);
}

/* This capture point has had all of these data, in other segments. */
static bool has_divided(const recent_segments *of, uint32_t sequence, uint32_t end)
{
    uint32_t known = find(of, sequence);
    bool alike = known < MIN(of->count, RECENT_SEGMENTS) && of->list[known].end == end;
    return !alike && (int32_t)(sequence - of->from) >= 0 && (int32_t)(of->next - end) >= 0;
}

/* The data are new at this point, and another one has had all of them: a sender's network card divides what
 * was captured as one segment, a receiver's joins several. */
static bool was_elsewhere(const tcp_info_t *header)
{
    const recent_segments *own = recent_of(header, false);
    uint32_t sequence = header->th_rawseq, end = sequence + length_of(header);
    bool fresh = end != sequence && (!own || (int32_t)(sequence - own->next) >= 0), elsewhere = false;
    for (unsigned i = 0; fresh && i < point_count; i++) {
        const recent_segments *other = recent_at(header, false, points[i]);
        elsewhere |= other && other != own && has_divided(other, sequence, end);
    }
    return elsewhere;
}

/* Another capture point has had the segment before, and this one not as often. */
static bool is_copy(const tcp_info_t *header)
{
    const unsigned point = index_of_point();
    if (!latest_point || point == MAX_POINTS) {
        return false;
    }
    segment_sightings *seen = sightings_of(hash_of(header));
    const uint32_t before = seen->count[point]++;
    bool copy = was_elsewhere(header);
    for (unsigned i = 0; i < MAX_POINTS; i++) {
        copy |= seen->count[i] > before && i != point;
    }
    return copy;
}

/* --- taps ---------------------------------------------------------------------------------------- */

/* Also if another pass, or another file, begins. */
static void begin_frame(const packet_info *pinfo)
{
    if (pinfo->num < latest.frame) {
        g_hash_table_remove_all(recent);
        g_hash_table_remove_all(places);
        g_hash_table_remove_all(endings);
        g_hash_table_remove_all(sightings[0]);
        g_hash_table_remove_all(sightings[1]);
        point_count = 0;
    }
    latest.frame = pinfo->num;
    latest_point = frame_capture_point(pinfo);
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

/* With two capture points Wireshark's analysis, which takes a copy for a retransmission, mixes their clocks.
 * So round trips are then those of one point, from what was sent once. */
static bool answers_here(const tcp_info_t *header, double time, nstime_t *answered)
{
    recent_segments *other = recent_of(header, true);
    void *place = g_hash_table_lookup(places, GUINT_TO_POINTER(header->th_stream));
    if (!other || !(header->th_flags & TH_ACK) || (int32_t)(header->th_rawack - other->answered) <= 0 ||
        GPOINTER_TO_UINT(place) != latest_point) {
        return false;
    }
    other->answered = header->th_rawack;
    for (uint32_t i = 0; i < MIN(other->count, RECENT_SEGMENTS); i++) {
        if (other->list[i].end == header->th_rawack && other->list[i].again == 0) {
            *answered = nstime_of((int64_t)(MAX(time - other->list[i].time, 0) * 1e9));
            return true;
        }
    }
    return false;
}

static void note_answer(packet_info *pinfo, const tcp_info_t *header)
{
    void *stream = GUINT_TO_POINTER(header->th_stream);
    if (!g_hash_table_contains(places, stream) && g_hash_table_size(places) < MAX_TRACKED) {
        g_hash_table_insert(places, stream, GUINT_TO_POINTER(latest_point));
    }
    if (point_count > 1) {
        latest.answers = answers_here(header, nstime_to_sec(&pinfo->rel_ts), &latest.answered);
        return;
    }
    const struct tcp_acked *analysis = analysis_of(pinfo, header);
    latest.answers = analysis && analysis->frame_acked;
    if (latest.answers) {
        latest.answered = analysis->ts;
    }
}

static tap_packet_status see_segment(void *data _U_, packet_info *pinfo, epan_dissect_t *edt _U_,
                                     const void *tcp, tap_flags_t flags _U_)
{
    const tcp_info_t *header = tcp;
    begin_frame(pinfo);
    latest = (tcp_segment){.frame = pinfo->num, .length = length_of(header), .copy = is_copy(header)};
    note_answer(pinfo, header);
    latest.lost = latest.length && is_lost(header, nstime_to_sec(&pinfo->rel_ts));
    latest.needless = reports_needless(header, &latest.arrived) && !latest.copy;
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
    begin_frame(pinfo);
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
        recent = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
        sightings[0] = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
        sightings[1] = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
        places = g_hash_table_new(g_direct_hash, g_direct_equal);
        endings = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
        listening = listen_with(NULL, see_segment) && listen_with("websocket.opcode == 8", see_close);
    }
}

const tcp_segment *segment_of(const packet_info *pinfo)
{
    return latest.frame == pinfo->num ? &latest : NULL;
}

bool segments_have_points(void)
{
    return point_count > 1;
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
