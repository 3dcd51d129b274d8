/* stat-godot.h
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef STAT_GODOT_H
#define STAT_GODOT_H

/* `-z godot,tree`: stat-godot.c */
void godot_statistics_register(void);

/* `-z godot,bandwidth`: stat-godot-bandwidth.c */
void godot_bandwidth_register(void);

/* `-z godot,peers`: stat-godot-peers.c */
void godot_peers_register(void);

/* Flow graph, and `-z flow,godot,standard`: stat-godot-flow.c */
void godot_flow_register(int proto);

/* `-z godot,srt`: stat-godot-response.c */
void godot_response_statistics_register(int proto);

/* Conversation filter: stat-godot-views.c */
void godot_views_register(void);

#endif
