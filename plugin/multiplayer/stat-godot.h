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

/* `-z godot,peers`: stat-godot-peers.c */
void godot_peers_register(void);

/* Flow graph, and `-z flow,godot,standard`: stat-godot-flow.c */
void godot_flow_register(int proto);

/* True if the flow graph and Follow show the message: a call, a spawn, a system message, the game's own bytes; not
 * synchronized properties and the path cache, nor what the capture has had before. */
bool godot_tap_is_event(const godot_tap *message);

/* Follow, and `-z follow,godot,ascii,SESSION`: follow-godot.c */
void godot_follow_register(int proto);

/* `-z godot,srt`: stat-godot-response.c */
void godot_response_statistics_register(int proto);

/* Conversation filter: stat-godot-views.c */
void godot_views_register(void);

#endif
