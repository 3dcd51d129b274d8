/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/tcp.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/prefs-int.h>

#include "base/allocators.h"
#include "base/frame.h"

static wmem_map_t *broken; /* tcp_flow_t -> GUINT_TO_POINTER(order of the first frame that is) */

static bool is_put_in_order(void)
{
    module_t *module = prefs_find_module("tcp");
    pref_t *order = module ? prefs_find_preference(module, "reassemble_out_of_order") : NULL;
    return order && prefs_get_bool_value(order, pref_current);
}

static const struct tcp_analysis *analysis_of(packet_info *pinfo)
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

static void learn(const struct tcp_analysis *tcp, const packet_info *pinfo)
{
    if (tcp && has_hole(tcp) && !wmem_map_contains(broken, tcp->fwd)) {
        wmem_map_insert(broken, tcp->fwd, GUINT_TO_POINTER(frame_order(pinfo)));
    }
}

static void look(packet_info *pinfo)
{
    if (pinfo->ptype == PT_TCP) {
        learn(analysis_of(pinfo), pinfo);
    }
}

void tcp_register(void)
{
    frame_look_at_new(look);
    broken = file_map(g_direct_hash, g_direct_equal);
}

bool tcp_is_broken(packet_info *pinfo)
{
    const struct tcp_analysis *tcp = analysis_of(pinfo);
    if (!tcp || !tcp->fwd) {
        return false;
    }
    if (!frame_visited(pinfo)) {
        learn(tcp, pinfo);
    }
    unsigned since = GPOINTER_TO_UINT(wmem_map_lookup(broken, tcp->fwd));
    return since && since <= frame_order(pinfo) && !is_put_in_order();
}

bool tcp_has_start(packet_info *pinfo)
{
    enum { SYN = 0x01, SYN_ACK = 0x02 }; /* bits of tcp.completeness */
    const struct tcp_analysis *tcp = analysis_of(pinfo);
    return !tcp || tcp->conversation_completeness & (SYN | SYN_ACK);
}

bool tcp_is_closed(packet_info *pinfo)
{
    enum { FIN = 0x10, RST = 0x20 }; /* bits of tcp.completeness */
    const struct tcp_analysis *tcp = analysis_of(pinfo);
    return tcp && tcp->conversation_completeness & (FIN | RST);
}
