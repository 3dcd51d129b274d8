/* register.h
 *
 * The statistics of `godot`. Each is one file, with one line here and one in register.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_STATISTICS_REGISTER_H
#define GODOT_STATISTICS_REGISTER_H

#include "base/wireshark-compat.h"

#include <epan/prefs.h>

/* Registers all of them. `proto`: id of `godot`; `preferences`: its module. */
void godot_statistics_register(int proto, module_t *preferences);

void godot_tree_register(int proto); /* `-z godot,tree`: tree.c */
/* `-z conv,godot`, `-z endpoints,godot`: conversations.c */
void godot_conversations_register(int proto);
void godot_bandwidth_register(int proto); /* `-z godot,bandwidth`: bandwidth.c */
void godot_messages_register(int proto);  /* `-z godot,messages,FILE`: messages.c */
void godot_timeline_register(int proto);  /* `-z godot,timeline`: timeline.c */
void godot_flow_register(int proto);      /* flow graph, and `-z flow,godot,standard`: flow.c */
void godot_follow_register(int proto);    /* Follow, and `-z follow,godot,ascii,SESSION`: follow.c */
void godot_overhead_register(int proto);  /* `-z godot,overhead`: overhead.c */
void godot_peers_register(int proto);     /* `-z godot,peers`: peers.c */
void godot_views_register(int proto);     /* conversation filter: views.c */
void godot_response_statistics_register(int proto); /* `-z godot,srt`: response.c */

#endif
