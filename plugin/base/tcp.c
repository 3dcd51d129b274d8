/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/tcp.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/prefs-int.h>

#include "base/allocators.h"
#include "base/frame.h"

/* tcp_flow_t -> GUINT_TO_POINTER(order of the first frame) */
static wmem_map_t *holes;   /* after a segment that is missing, or comes later */
static wmem_map_t *skipped; /* from a frame on that the snap length has cut, or after bytes that were
                             * acknowledged before they were captured, if at all */
static wmem_map_t *unseen;  /* the latter */

/* Bits of tcp.completeness. */
enum { SYN = 0x01, SYN_ACK = 0x02, FIN = 0x10, RST = 0x20 };

static bool is_switched_on(const char *name)
{
    module_t *module = prefs_find_module("tcp");
    pref_t *preference = module ? prefs_find_preference(module, name) : NULL;
    return preference && prefs_get_bool_value(preference, pref_current);
}

bool tcp_is_put_in_order(void)
{
    return is_switched_on("reassemble_out_of_order");
}

const struct tcp_analysis *tcp_connection(packet_info *pinfo)
{
    conversation_t *conversation = pinfo->ptype == PT_TCP ? find_conversation_pinfo(pinfo, 0) : NULL;
    return conversation ? get_tcp_conversation_data(conversation, pinfo) : NULL;
}

/* Bytes of this direction were not captured before the latest segment. Without the analysis of sequence
 * numbers, a preference of TCP, nothing is known. */
static bool has_hole(const struct tcp_analysis *tcp)
{
    const tcp_analyze_seq_flow_info_t *seen = tcp->fwd ? tcp->fwd->tcp_analyze_seq_info : NULL;
    return seen && seen->maxseqtobeacked && (int32_t)(seen->nextseq - seen->maxseqtobeacked) > 0;
}

/* Segments of this direction wait for one before them, with the preference. */
static bool is_waiting(const tcp_flow_t *flow)
{
    return flow->ooo_segments && wmem_list_count(flow->ooo_segments) > 0;
}

/* The other direction's bytes up to here are acknowledged, and not all of them were captured before. TCP
 * takes a segment with them for a needless retransmission, and does not pass it on, whatever its preferences.
 * Segments without an acknowledgement, as a SYN, set `lastack` to 0. */
static bool acknowledges_unseen(const struct tcp_analysis *tcp)
{
    const tcp_analyze_seq_flow_info_t *own = tcp->fwd ? tcp->fwd->tcp_analyze_seq_info : NULL;
    const tcp_analyze_seq_flow_info_t *other = tcp->rev ? tcp->rev->tcp_analyze_seq_info : NULL;
    if (!own || !other || !own->lastack || !other->nextseq) {
        return false;
    }
    uint32_t captured = other->nextseq;
    if (is_waiting(tcp->rev)) {
        captured =
            tcp->rev->maxnextseq + (is_switched_on("relative_sequence_numbers") ? tcp->rev->base_seq : 0);
    }
    return (int32_t)(own->lastack - captured) > 0;
}

static void note(wmem_map_t *first, const tcp_flow_t *flow, const packet_info *pinfo)
{
    if (!wmem_map_contains(first, flow)) {
        wmem_map_insert(first, flow, GUINT_TO_POINTER(frame_order(pinfo)));
    }
}

/* This end acknowledges an answer to its SYN that was not captured before: of a handshake above TCP, only one
 * direction is read so far. */
static bool lacks_answer(const struct tcp_analysis *tcp)
{
    const tcp_analyze_seq_flow_info_t *own = tcp->fwd ? tcp->fwd->tcp_analyze_seq_info : NULL;
    const tcp_analyze_seq_flow_info_t *other = tcp->rev ? tcp->rev->tcp_analyze_seq_info : NULL;
    return own && other && own->lastack && !other->nextseq && tcp->conversation_completeness & SYN;
}

static void learn(const struct tcp_analysis *tcp, const packet_info *pinfo)
{
    if (tcp && lacks_answer(tcp)) {
        note(skipped, tcp->fwd, pinfo);
    }
    if (tcp && has_hole(tcp)) {
        note(holes, tcp->fwd, pinfo);
    }
    if (tcp && acknowledges_unseen(tcp)) {
        note(skipped, tcp->rev, pinfo);
        note(unseen, tcp->rev, pinfo);
    }
    if (tcp && pinfo->fd->cap_len < pinfo->fd->pkt_len) {
        note(skipped, tcp->fwd, pinfo);
    }
}

static void look(packet_info *pinfo)
{
    if (pinfo->ptype == PT_TCP) {
        learn(tcp_connection(pinfo), pinfo);
    }
}

void tcp_register(void)
{
    frame_look_at_new(look);
    holes = file_map(g_direct_hash, g_direct_equal);
    skipped = file_map(g_direct_hash, g_direct_equal);
    unseen = file_map(g_direct_hash, g_direct_equal);
}

/* Whether it is in the map since a frame up to this one; 0: since any. */
static bool is_since(wmem_map_t *first, const void *flow, uint32_t before)
{
    unsigned since = GPOINTER_TO_UINT(wmem_map_lookup(first, flow));
    return since && (!before || since <= before);
}

bool tcp_flow_is_broken(const void *flow, uint32_t before)
{
    return is_since(skipped, flow, before) || (is_since(holes, flow, before) && !tcp_is_put_in_order()) ||
           (!before && is_waiting(flow));
}

static bool is_broken(packet_info *pinfo, bool back)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    const tcp_flow_t *flow = !tcp ? NULL : back ? tcp->rev : tcp->fwd;
    if (!flow) {
        return false;
    }
    if (!frame_visited(pinfo)) {
        learn(tcp, pinfo);
    }
    return tcp_flow_is_broken(flow, frame_order(pinfo));
}

bool tcp_is_broken(packet_info *pinfo)
{
    return is_broken(pinfo, false);
}

bool tcp_is_broken_back(packet_info *pinfo)
{
    return is_broken(pinfo, true);
}

bool tcp_lacks_segments(const struct tcp_analysis *tcp)
{
    return wmem_map_contains(unseen, tcp->fwd) || wmem_map_contains(unseen, tcp->rev);
}

bool tcp_is_from_client(packet_info *pinfo)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    return tcp && tcp->server_port ? pinfo->destport == tcp->server_port : frame_seems_from_client(pinfo);
}

bool tcp_has_start(packet_info *pinfo)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    return !tcp || tcp->conversation_completeness & (SYN | SYN_ACK);
}

bool tcp_is_closed(packet_info *pinfo)
{
    const struct tcp_analysis *tcp = tcp_connection(pinfo);
    return tcp && tcp->conversation_completeness & (FIN | RST);
}
