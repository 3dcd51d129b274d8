/* stat-godot.h
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_GODOT_H
#define STAT_GODOT_H

#include "multiplayer/godot-tap.h"

/* `-z godot,tree`: stat-godot.c */
void godot_statistics_register(void);

/* `-z godot,bandwidth`: stat-godot-bandwidth.c */
void godot_bandwidth_register(void);

/* `-z godot,messages,FILE`: stat-godot-messages.c */
void godot_messages_register(void);

/* `-z godot,timeline`: stat-godot-timeline.c */
void godot_timeline_register(void);

/* `-z godot,summary`: stat-godot-summary.c */
void godot_summary_register(void);

/* `-z godot,replication`: stat-godot-replication.c */
void godot_replication_register(void);

/* `-z godot,peers`: stat-godot-peers.c */
void godot_peers_register(void);

/* Flow graph, and `-z flow,godot,standard`: stat-godot-flow.c */
void godot_flow_register(int proto);

/* True if the flow graph and Follow show the message: a call, a spawn, a system message, the game's own bytes; not
 * synchronized properties and the path cache, nor what the capture has had before. */
bool godot_tap_is_event(const godot_tap *message);

/* A message about several nodes is divided among them, in proportion to what is about each: stat-godot-shares.c */
typedef struct {
    const godot_tap *tap;
    uint32_t next;       /* number of the next part */
    uint64_t all, begin; /* lengths of all parts, and of those before the next */
} godot_shares;

typedef struct {
    const godot_tap_part *part; /* NULL: about the message's node alone */
    const char *node;           /* "(no node)" if it is about none */
    uint32_t messages; /* 1; 0 if the capture has had the message before: only its bytes on the wire count */
    uint64_t bytes, wire;
} godot_share;

godot_shares godot_shares_of(const godot_tap *tap);
/* False: there are no more. A message about one node or none has one share. */
bool godot_next_share(godot_shares *shares, godot_share *share);
/* `value` distributed: what falls to the bytes from `begin` to `end` of `all`. */
uint64_t godot_share_of(uint64_t value, uint64_t begin, uint64_t end, uint64_t all);

/* Follow, and `-z follow,godot,ascii,SESSION`: follow-godot.c */
void godot_follow_register(int proto);

/* `-z godot,srt`: stat-godot-response.c */
void godot_response_statistics_register(int proto);

/* Conversation filter: stat-godot-views.c */
void godot_views_register(void);

#endif
