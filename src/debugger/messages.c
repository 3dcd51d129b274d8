/* messages.c
 *
 * The messages of Godot's remote debugger as data, and the walk along their argument names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "debugger/messages.h"

#include <stdio.h>
#include <string.h>

#define GAME   DEBUGGER_FROM_GAME
#define EDITOR DEBUGGER_FROM_EDITOR

#define FRAME_VARIABLE "name scope type value"
#define FRAME_4        "frame frame_time process_time physics_time physics_frame_time script_time "
#define SERVERS_4                                                                                            \
    FRAME_4 "servers{server functions/2{function time}} functions/5{signature calls self total internal}"
#define FRAME_3 "frame frame_time idle_time physics_time physics_frame_time script_time servers functions"
#define ERROR_4                                                                                              \
    "hour minute second msec file function line error description warning callstack/3{file function line}"

static const debugger_message messages[] = {
    /* Godot 4, game to editor */
    {"set_pid", 4, GAME, DEBUGGER_PLAIN, "process_id", NULL},
    {"debug_enter", 4, GAME, DEBUGGER_BREAK, "can_continue error has_stack thread_id", "<error>"},
    {"debug_exit", 4, GAME, DEBUGGER_PLAIN, "", NULL},
    {"stack_dump", 4, GAME, DEBUGGER_PLAIN, "stack/3{file line function}", "<#> frames"},
    {"stack_frame_vars", 4, GAME, DEBUGGER_PLAIN, "variables", NULL},
    {"stack_frame_var", 4, GAME, DEBUGGER_PLAIN, FRAME_VARIABLE, "<name> = <value>"},
    {"evaluation_return", 4, GAME, DEBUGGER_PLAIN, FRAME_VARIABLE, "<name> = <value>"},
    {"output", 4, GAME, DEBUGGER_OUTPUT, "texts kinds", "<texts>"},
    {"error", 4, GAME, DEBUGGER_ERROR, ERROR_4, "<file 0|file>:<line 0|line> <error> <description>"},
    {"request_quit", 4, GAME, DEBUGGER_PLAIN, "", NULL},
    {"performance:profile_names", 4, GAME, DEBUGGER_PLAIN, "names types", NULL},
    {"performance:profile_frame", 4, GAME, DEBUGGER_PLAIN,
     /* the enum Performance.Monitor of 4.6.3; custom monitors follow */
     "time_fps time_process time_physics_process time_navigation_process memory_static "
     "memory_static_max memory_message_buffer_max object_count object_resource_count "
     "object_node_count object_orphan_node_count render_total_objects_in_frame "
     "render_total_primitives_in_frame render_total_draw_calls_in_frame render_video_mem_used "
     "render_texture_mem_used render_buffer_mem_used physics_2d_active_objects "
     "physics_2d_collision_pairs physics_2d_island_count physics_3d_active_objects "
     "physics_3d_collision_pairs physics_3d_island_count audio_output_latency "
     "navigation_active_maps navigation_region_count navigation_agent_count "
     "navigation_link_count navigation_polygon_count navigation_edge_count "
     "navigation_edge_merge_count navigation_edge_connection_count navigation_edge_free_count "
     "navigation_obstacle_count pipeline_compilations_canvas pipeline_compilations_mesh "
     "pipeline_compilations_surface pipeline_compilations_draw "
     "pipeline_compilations_specialization navigation_2d_active_maps navigation_2d_region_count "
     "navigation_2d_agent_count navigation_2d_link_count navigation_2d_polygon_count "
     "navigation_2d_edge_count navigation_2d_edge_merge_count "
     "navigation_2d_edge_connection_count navigation_2d_edge_free_count "
     "navigation_2d_obstacle_count navigation_3d_active_maps navigation_3d_region_count "
     "navigation_3d_agent_count navigation_3d_link_count navigation_3d_polygon_count "
     "navigation_3d_edge_count navigation_3d_edge_merge_count "
     "navigation_3d_edge_connection_count navigation_3d_edge_free_count "
     "navigation_3d_obstacle_count",
     "fps <time_fps>"},
    {"servers:function_signature", 4, GAME, DEBUGGER_PLAIN, "signature id", NULL},
    {"servers:profile_frame", 4, GAME, DEBUGGER_PLAIN, SERVERS_4, "frame <frame>"},
    {"servers:profile_total", 4, GAME, DEBUGGER_PLAIN, SERVERS_4, "frame <frame>"},
    {"servers:memory_usage", 4, GAME, DEBUGGER_PLAIN, "resources/4{path format type bytes}", "<#> resources"},
    {"servers:drawn", 4, GAME, DEBUGGER_PLAIN, "", NULL},
    {"visual:hardware_info", 4, GAME, DEBUGGER_PLAIN, "cpu gpu", NULL},
    {"visual:profile_frame", 4, GAME, DEBUGGER_PLAIN, "frame areas/3{area cpu_ms gpu_ms}",
     "frame <frame>, <#> areas"},
    {"multiplayer:bandwidth", 4, GAME, DEBUGGER_PLAIN, "incoming_bytes outgoing_bytes", NULL},
    {"multiplayer:rpc", 4, GAME, DEBUGGER_PLAIN,
     "nodes/6{node path incoming_count incoming_bytes outgoing_count outgoing_bytes}", "<#> nodes"},
    {"multiplayer:syncs", 4, GAME, DEBUGGER_PLAIN,
     "synchronizers/7{synchronizer config root_node incoming_count incoming_bytes outgoing_count "
     "outgoing_bytes}",
     "<#> synchronizers"},
    {"multiplayer:cache", 4, GAME, DEBUGGER_PLAIN, "{object class path}", "<#> objects"},
    {"scene:scene_tree", 4, GAME, DEBUGGER_PLAIN, "{child_count name type object scene_file view_flags}",
     "<#> nodes"},
    {"scene:inspect_objects", 4, GAME, DEBUGGER_PLAIN, "{object}", "<#> objects"},
    {"scene:inspect_object", 4, GAME, DEBUGGER_PLAIN, "object class properties", NULL},
    {"scene:click_ctrl", 4, GAME, DEBUGGER_PLAIN, "path class", NULL},
    {"scene:debug_mute_audio", 4, GAME, DEBUGGER_PLAIN, "mute", NULL},
    {"filesystem:update_file", 4, GAME, DEBUGGER_PLAIN, "paths", NULL},
    {"window:title", 4, GAME, DEBUGGER_PLAIN, "title", NULL},
    {"request_embed_suspend_toggle", 4, GAME, DEBUGGER_PLAIN, "", NULL},
    {"request_embed_next_frame", 4, GAME, DEBUGGER_PLAIN, "", NULL},
    {"remote_objects_selected", 4, GAME, DEBUGGER_PLAIN, "{object}", "<#> objects"},
    {"remote_node_clicked", 4, GAME, DEBUGGER_PLAIN, "object class properties", NULL},
    {"remote_nothing_selected", 4, GAME, DEBUGGER_PLAIN, "", NULL},
    {"remote_selection_invalidated", 4, GAME, DEBUGGER_PLAIN, "objects", NULL},
    {"show_selection_limit_warning", 4, GAME, DEBUGGER_PLAIN, "", NULL},
    {"game_view:get_screenshot", 4, GAME, DEBUGGER_PLAIN, "request width height file", NULL},
    {"game_view:setup_complete", 4, GAME, DEBUGGER_PLAIN, "", NULL}, /* with its requests, in 4.8 or before */
    {"game_view:window_size", 4, GAME, DEBUGGER_PLAIN, "size", NULL},
    {"game_view:hdr_state", 4, GAME, DEBUGGER_PLAIN,
     "requested enabled reference_luminance max_luminance max_linear_value display_can renderer_can", NULL},
    {"snapshot:snapshot_prepared", 4, GAME, DEBUGGER_PLAIN, "request size", NULL},
    {"snapshot:snapshot_chunk", 4, GAME, DEBUGGER_PLAIN, "request data", NULL},

    /* Godot 4, editor to game */
    {"step", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"next", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"out", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"continue", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"break", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"get_stack_dump", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"get_stack_frame_vars", 4, EDITOR, DEBUGGER_PLAIN, "level", NULL},
    {"breakpoint", 4, EDITOR, DEBUGGER_PLAIN, "script line set", NULL},
    {"set_skip_breakpoints", 4, EDITOR, DEBUGGER_PLAIN, "skip", NULL},
    {"set_ignore_error_breaks", 4, EDITOR, DEBUGGER_PLAIN, "ignore", NULL},
    {"reload_scripts", 4, EDITOR, DEBUGGER_PLAIN, "{path}", "<#> scripts"},
    {"reload_all_scripts", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"evaluate", 4, EDITOR, DEBUGGER_PLAIN, "expression frame", NULL},
    {"profiler:servers", 4, EDITOR, DEBUGGER_PLAIN, "enable options", NULL},
    {"profiler:visual", 4, EDITOR, DEBUGGER_PLAIN, "enable options", NULL},
    {"profiler:performance", 4, EDITOR, DEBUGGER_PLAIN, "enable options", NULL},
    {"profiler:multiplayer:bandwidth", 4, EDITOR, DEBUGGER_PLAIN, "enable options", NULL},
    {"profiler:multiplayer:rpc", 4, EDITOR, DEBUGGER_PLAIN, "enable options", NULL},
    {"profiler:multiplayer:replication", 4, EDITOR, DEBUGGER_PLAIN, "enable options", NULL},
    {"servers:memory", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"servers:draw", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"servers:foreground", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"multiplayer:cache", 4, EDITOR, DEBUGGER_PLAIN, "{object}", "<#> objects"},
    {"scene:setup_scene", 4, EDITOR, DEBUGGER_PLAIN, "{physical keycode}", "<#> shortcuts"},
    {"scene:setup_embedded_shortcuts", 4, EDITOR, DEBUGGER_PLAIN, "shortcuts", NULL},
    {"scene:request_scene_tree", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:save_node", 4, EDITOR, DEBUGGER_PLAIN, "object path", NULL},
    {"scene:inspect_objects", 4, EDITOR, DEBUGGER_PLAIN, "objects update_selection", NULL},
    {"scene:inspect_object", 4, EDITOR, DEBUGGER_PLAIN, "object", NULL},
    {"scene:clear_selection", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:suspend_changed", 4, EDITOR, DEBUGGER_PLAIN, "suspended", NULL},
    {"scene:next_frame", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:speed_changed", 4, EDITOR, DEBUGGER_PLAIN, "speed", NULL},
    {"scene:debug_mute_audio", 4, EDITOR, DEBUGGER_PLAIN, "mute", NULL},
    {"scene:override_cameras", 4, EDITOR, DEBUGGER_PLAIN, "enable from_editor", NULL},
    {"scene:transform_camera_2d", 4, EDITOR, DEBUGGER_PLAIN, "transform", NULL},
    {"scene:transform_camera_3d", 4, EDITOR, DEBUGGER_PLAIN, "transform perspective size_or_fov near far",
     NULL},
    {"scene:override_camera_2D:set", 4, EDITOR, DEBUGGER_PLAIN, "enable", NULL},
    {"scene:override_camera_2D:transform", 4, EDITOR, DEBUGGER_PLAIN, "transform", NULL},
    {"scene:override_camera_3D:set", 4, EDITOR, DEBUGGER_PLAIN, "enable", NULL},
    {"scene:override_camera_3D:transform", 4, EDITOR, DEBUGGER_PLAIN,
     "transform perspective size_or_fov near far", NULL},
    {"scene:set_object_property", 4, EDITOR, DEBUGGER_PLAIN, "object property value", NULL},
    {"scene:set_object_property_field", 4, EDITOR, DEBUGGER_PLAIN, "object property value field", NULL},
    {"scene:reload_cached_files", 4, EDITOR, DEBUGGER_PLAIN, "files", NULL},
    {"scene:live_set_root", 4, EDITOR, DEBUGGER_PLAIN, "root scene", NULL},
    {"scene:live_node_path", 4, EDITOR, DEBUGGER_PLAIN, "path id", NULL},
    {"scene:live_res_path", 4, EDITOR, DEBUGGER_PLAIN, "path id", NULL},
    {"scene:live_node_prop", 4, EDITOR, DEBUGGER_PLAIN, "id property value", NULL},
    {"scene:live_res_prop", 4, EDITOR, DEBUGGER_PLAIN, "id property value", NULL},
    {"scene:live_node_prop_res", 4, EDITOR, DEBUGGER_PLAIN, "id property resource", NULL},
    {"scene:live_res_prop_res", 4, EDITOR, DEBUGGER_PLAIN, "id property resource", NULL},
    {"scene:live_node_call", 4, EDITOR, DEBUGGER_PLAIN, "id method {argument}", NULL},
    {"scene:live_res_call", 4, EDITOR, DEBUGGER_PLAIN, "id method {argument}", NULL},
    {"scene:live_create_node", 4, EDITOR, DEBUGGER_PLAIN, "parent type name", NULL},
    {"scene:live_instantiate_node", 4, EDITOR, DEBUGGER_PLAIN, "parent scene name", NULL},
    {"scene:live_remove_node", 4, EDITOR, DEBUGGER_PLAIN, "path", NULL},
    {"scene:live_remove_and_keep_node", 4, EDITOR, DEBUGGER_PLAIN, "path keep_id", NULL},
    {"scene:live_restore_node", 4, EDITOR, DEBUGGER_PLAIN, "keep_id at position", NULL},
    {"scene:live_duplicate_node", 4, EDITOR, DEBUGGER_PLAIN, "path name", NULL},
    {"scene:live_reparent_node", 4, EDITOR, DEBUGGER_PLAIN, "path new_parent name position", NULL},
    {"scene:runtime_node_select_setup", 4, EDITOR, DEBUGGER_PLAIN, "settings", NULL},
    {"scene:runtime_node_select_set_type", 4, EDITOR, DEBUGGER_PLAIN, "type", NULL},
    {"scene:runtime_node_select_set_mode", 4, EDITOR, DEBUGGER_PLAIN, "mode", NULL},
    {"scene:runtime_node_select_set_visible", 4, EDITOR, DEBUGGER_PLAIN, "visible", NULL},
    {"scene:runtime_node_select_set_avoid_locked", 4, EDITOR, DEBUGGER_PLAIN, "avoid", NULL},
    {"scene:runtime_node_select_set_prefer_group", 4, EDITOR, DEBUGGER_PLAIN, "prefer", NULL},
    {"scene:runtime_node_select_reset_camera_2d", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:runtime_node_select_reset_camera_3d", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:rq_screenshot", 4, EDITOR, DEBUGGER_PLAIN, "request", NULL},
    {"scene:setup_game_view", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:window_request_size", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:hdr_output_request_state", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:hdr_output_toggle_requested", 4, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"scene:set_debug_collisions", 4, EDITOR, DEBUGGER_PLAIN, "enabled", NULL},
    {"scene:report_window_focused", 4, EDITOR, DEBUGGER_PLAIN, "focused", NULL},
    {"snapshot:request_prepare_snapshot", 4, EDITOR, DEBUGGER_PLAIN, "request version", NULL},
    {"snapshot:request_snapshot_chunk", 4, EDITOR, DEBUGGER_PLAIN, "request begin end", NULL},

    /* Godot 3, game to editor: each argument is a packet of its own */
    {"debug_enter", 3, GAME, DEBUGGER_BREAK, "can_continue error", "<error>"},
    {"debug_exit", 3, GAME, DEBUGGER_PLAIN, "", NULL},
    {"stack_dump", 3, GAME, DEBUGGER_PLAIN, "{frame}", "<#> frames"},
    {"stack_frame_vars", 3, GAME, DEBUGGER_PLAIN,
     "locals{name value} members{name value} globals{name value}", NULL},
    {"output", 3, GAME, DEBUGGER_OUTPUT, "{line}", "<#> lines"},
    {"error", 3, GAME, DEBUGGER_ERROR, "error callstack/3{file function line}", NULL},
    {"message:scene_tree", 3, GAME, DEBUGGER_PLAIN, "{child_count name class object}", "<#> nodes"},
    {"message:inspect_object", 3, GAME, DEBUGGER_PLAIN, "object class properties", NULL},
    {"message:video_mem", 3, GAME, DEBUGGER_PLAIN, "{path format type bytes}", "<#> resources"},
    {"message:click_ctrl", 3, GAME, DEBUGGER_PLAIN, "path class", NULL},
    {"performance", 3, GAME, DEBUGGER_PLAIN, "monitors", NULL},
    {"profile_sig", 3, GAME, DEBUGGER_PLAIN, "signature id", NULL},
    {"profile_frame", 3, GAME, DEBUGGER_PLAIN, FRAME_3, NULL},
    {"profile_total", 3, GAME, DEBUGGER_PLAIN, FRAME_3, NULL},
    {"network_profile", 3, GAME, DEBUGGER_PLAIN,
     "{node path incoming_rpc incoming_rset outgoing_rpc outgoing_rset}", "<#> nodes"},
    {"network_bandwidth", 3, GAME, DEBUGGER_PLAIN, "incoming_bytes outgoing_bytes", NULL},
    {"kill_me", 3, GAME, DEBUGGER_PLAIN, "", NULL},

    /* Godot 3, editor to game */
    {"step", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"next", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"continue", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"break", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"get_stack_dump", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"get_stack_frame_vars", 3, EDITOR, DEBUGGER_PLAIN, "level", NULL},
    {"breakpoint", 3, EDITOR, DEBUGGER_PLAIN, "script line set", NULL},
    {"set_skip_breakpoints", 3, EDITOR, DEBUGGER_PLAIN, "skip", NULL},
    {"reload_scripts", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"request_scene_tree", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"request_video_mem", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"inspect_object", 3, EDITOR, DEBUGGER_PLAIN, "object", NULL},
    {"set_object_property", 3, EDITOR, DEBUGGER_PLAIN, "object property value", NULL},
    {"save_node", 3, EDITOR, DEBUGGER_PLAIN, "object path", NULL},
    {"override_camera_2D:set", 3, EDITOR, DEBUGGER_PLAIN, "enable", NULL},
    {"override_camera_2D:transform", 3, EDITOR, DEBUGGER_PLAIN, "transform", NULL},
    {"override_camera_3D:set", 3, EDITOR, DEBUGGER_PLAIN, "enable", NULL},
    {"override_camera_3D:transform", 3, EDITOR, DEBUGGER_PLAIN, "transform perspective size_or_fov near far",
     NULL},
    {"start_profiling", 3, EDITOR, DEBUGGER_PLAIN, "max_functions", NULL},
    {"stop_profiling", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"start_network_profiling", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"stop_network_profiling", 3, EDITOR, DEBUGGER_PLAIN, "", NULL},
    {"live_set_root", 3, EDITOR, DEBUGGER_PLAIN, "root scene", NULL},
    {"live_node_path", 3, EDITOR, DEBUGGER_PLAIN, "path id", NULL},
    {"live_res_path", 3, EDITOR, DEBUGGER_PLAIN, "path id", NULL},
    {"live_node_prop", 3, EDITOR, DEBUGGER_PLAIN, "id property value", NULL},
    {"live_res_prop", 3, EDITOR, DEBUGGER_PLAIN, "id property value", NULL},
    {"live_node_prop_res", 3, EDITOR, DEBUGGER_PLAIN, "id property resource", NULL},
    {"live_res_prop_res", 3, EDITOR, DEBUGGER_PLAIN, "id property resource", NULL},
    {"live_node_call", 3, EDITOR, DEBUGGER_PLAIN, "id method {argument}", NULL},
    {"live_res_call", 3, EDITOR, DEBUGGER_PLAIN, "id method {argument}", NULL},
    {"live_create_node", 3, EDITOR, DEBUGGER_PLAIN, "parent type name", NULL},
    {"live_instance_node", 3, EDITOR, DEBUGGER_PLAIN, "parent scene name", NULL},
    {"live_remove_node", 3, EDITOR, DEBUGGER_PLAIN, "path", NULL},
    {"live_remove_and_keep_node", 3, EDITOR, DEBUGGER_PLAIN, "path keep_id", NULL},
    {"live_restore_node", 3, EDITOR, DEBUGGER_PLAIN, "keep_id at position", NULL},
    {"live_duplicate_node", 3, EDITOR, DEBUGGER_PLAIN, "path name", NULL},
    {"live_reparent_node", 3, EDITOR, DEBUGGER_PLAIN, "path new_parent name position", NULL},
};

/* Godot 4 has the same values in the same order as arguments. */
const debugger_message *debugger_v3_error_record(void)
{
    static const debugger_message record = {
        "error",
        3,
        GAME,
        DEBUGGER_ERROR,
        "hour minute second msec function file line error description warning",
        "<file>:<line> <error> <description>"};
    return &record;
}

const debugger_message *debugger_messages(size_t *count)
{
    *count = sizeof messages / sizeof messages[0];
    return messages;
}

const debugger_message *debugger_find_message(unsigned api, debugger_direction direction, const char *name,
                                              size_t length)
{
    const debugger_message *other = NULL;
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        const debugger_message *m = &messages[i];
        if (m->api != api || strlen(m->name) != length || memcmp(m->name, name, length) != 0) {
            continue;
        }
        if (m->direction == direction) {
            return m;
        }
        other = m;
    }
    return other;
}

void debugger_arguments_begin(debugger_arguments *arguments, const debugger_message *message)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->next = message ? message->arguments : NULL;
}

/* After the bracket that closes the group whose first name is at `p`. */
static const char *after_group(const char *p)
{
    for (unsigned open = 1; *p && open > 0; p++) {
        if (*p == '{') {
            open++;
        } else if (*p == '}') {
            open--;
        }
    }
    return p;
}

/* Enters the group at `begin` with `repetitions` to come, or skips it if there are none. */
static void enter_group(debugger_arguments *a, const char *begin, uint64_t repetitions)
{
    if (repetitions == 0 || a->depth == DEBUGGER_MAX_NESTING) {
        a->next = after_group(begin);
        return;
    }
    a->group[a->depth].begin = begin;
    a->group[a->depth].left = repetitions == UINT64_MAX ? UINT64_MAX : repetitions - 1;
    a->group[a->depth].number = 0;
    a->outermost += a->depth == 0;
    a->depth++;
    a->next = begin;
}

/* Moves `next` to the name of the next argument, across ends and beginnings of groups. */
static void find_name(debugger_arguments *a)
{
    if (a->counting) { /* the count was not an int: the group cannot be followed */
        a->counting = false;
        a->next = NULL;
    }
    while (a->next) {
        while (*a->next == ' ') {
            a->next++;
        }
        if (*a->next == '{') {
            enter_group(a, a->next + 1, UINT64_MAX);
        } else if (*a->next == '}') {
            unsigned top = a->depth - 1;
            if (a->group[top].left > 0) {
                if (a->group[top].left != UINT64_MAX) {
                    a->group[top].left--;
                }
                a->group[top].number++;
                a->outermost += top == 0;
                a->next = a->group[top].begin;
                return;
            }
            a->depth--;
            a->next++;
        } else if (*a->next == '\0') {
            a->next = NULL;
        } else {
            return;
        }
    }
}

void debugger_next_argument(debugger_arguments *arguments, char *name, size_t size)
{
    debugger_arguments *a = arguments;
    find_name(a);
    name[0] = '\0';
    if (!a->next) {
        return;
    }
    size_t length = strcspn(a->next, " /{}");
    if (a->depth > 0) {
        (void)snprintf(name, size, "%.*s %llu", (int)length, a->next,
                       (unsigned long long)a->group[a->depth - 1].number);
    } else {
        (void)snprintf(name, size, "%.*s", (int)length, a->next);
    }
    a->next += length;
    a->group_size = 1;
    if (*a->next == '/') {
        a->group_size = (uint32_t)(a->next[1] - '0');
        a->next += 2;
    }
    a->counting = *a->next == '{';
}

void debugger_argument_value(debugger_arguments *arguments, int64_t value)
{
    if (!arguments->counting) {
        return;
    }
    arguments->counting = false;
    uint64_t repetitions = value > 0 ? (uint64_t)value / arguments->group_size : 0;
    enter_group(arguments, arguments->next + 1, repetitions);
}
