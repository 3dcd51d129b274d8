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

#include "multiplayer/api/tap.h"
#include "statistics/table.h"

/* Registers all of them. `proto`: id of `godot`; `preferences`: its module. */
void godot_statistics_register(int proto, module_t *preferences);

void godot_tree_register(int proto); /* `-z godot,tree`: node-tree.c */
/* `-z conv,godot`, `-z endpoints,godot`, conversation filter: conversations.c */
void godot_conversations_register(int proto);
void godot_bandwidth_register(int proto);  /* `-z godot,bandwidth`: bandwidth.c */
void godot_properties_register(int proto); /* `-z godot,properties`: properties.c */
void godot_messages_register(int proto);   /* `-z godot,messages,FILE`: message-rows.c */
void godot_flow_register(int proto);       /* flow graph, and `-z flow,godot,standard`: flow.c */
/* True if the flow graph and Follow show the message: a call, a spawn, a system message or bytes of the game;
 * not synchronized properties, the path cache or retransmissions. */
bool godot_tap_is_event(const godot_tap *message);
/* The message's text in the Info column and its relay: `say("hi") [relayed from client 2]`. In `scope`, or
 * the message's. */
const char *godot_tap_text(wmem_allocator_t *scope, const godot_tap *message);
/* Names of peers in the path of a node, for rows of two captures are compared and ids differ from run to run:
 * bandwidth.c */
void godot_name_peers(stat_cell *node);
void godot_log_register(int proto);    /* Godot Log, `-z godot,log`: log.c */
void godot_follow_register(int proto); /* Follow, and `-z follow,godot,ascii,SESSION`: follow.c */
void godot_menu_register(int proto);   /* entries of a packet's context menu: menu.c */
void godot_peers_register(int proto);  /* `-z godot,peers`: peers.c */
void godot_response_statistics_register(int proto); /* `-z godot,srt`: response-times.c */

#endif
