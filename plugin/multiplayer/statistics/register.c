/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wireshark-compat.h"

#include "base/preferences.h"
#include "multiplayer/statistics/register.h"
#include "multiplayer/statistics/replication/replication.h"
#include "multiplayer/statistics/savings/savings.h"
#include "multiplayer/statistics/summary/summary.h"
#include "multiplayer/statistics/time/time.h"
#include "statistics/compare.h"

/* In the order of Wireshark's lists, where these are not sorted. */
static void (*const registrations[])(int proto) = {
    godot_tree_register,     godot_bandwidth_register,   godot_properties_register,
    godot_messages_register, godot_timeline_register,    godot_summary_register,
    godot_log_register,      godot_replication_register, godot_flow_register,
    godot_follow_register,   godot_peers_register,       godot_response_statistics_register,
    godot_savings_register,  godot_menu_register,        godot_conversations_register,
    godot_frames_register};

void godot_statistics_register(int proto, module_t *preferences)
{
    godot_preferences_add_heading("heading.compare", "Godot Compare");
    stat_compare_register("godot,compare", preferences);
    for (size_t i = 0; i < array_length(registrations); i++) {
        registrations[i](proto);
    }
}
