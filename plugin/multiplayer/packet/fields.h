/* fields.h
 *
 * The fields, subtrees and expert infos of `godot`, registered in fields.c and filled in by the parts
 * of the dissector.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GODOT_FIELDS_H
#define GODOT_FIELDS_H

#include "base/wireshark-compat.h"

#include <epan/expert.h>

#include "multiplayer/wire/packet.h"

/* fields.c, which has the variables, defines this as nothing. */
#ifndef GODOT_FIELD
#define GODOT_FIELD extern
#endif

GODOT_FIELD int hf_godot_api, hf_godot_command, hf_godot_byte, hf_godot_byte_command, hf_godot_byte_node_size,
    hf_godot_byte_method_size, hf_godot_byte_raw, hf_godot_byte_delta, hf_godot_source, hf_godot_target,
    hf_godot_source_name, hf_godot_target_name, hf_godot_peer_name, hf_godot_transfer_mode, hf_godot_channel,
    hf_godot_repeated, hf_godot_relayed, hf_godot_encoding, hf_godot_plot, hf_godot_plot_x, hf_godot_plot_y,
    hf_godot_plot_z, hf_godot_plot_w, hf_godot_plot_change, hf_godot_relay_source, hf_godot_relay_target,
    hf_godot_wire_length, hf_godot_session, hf_godot_path, hf_godot_spawner_path, hf_godot_path_id,
    hf_godot_path_offset, hf_godot_path_checksum, hf_godot_path_defined_in, hf_godot_path_confirmed_in,
    hf_godot_path_confirms, hf_godot_path_valid, hf_godot_path_time, hf_godot_rpc_method_id,
    hf_godot_rpc_method, hf_godot_rpc_count, hf_godot_rpc_call, hf_godot_rpc_script, hf_godot_rpc_authority,
    hf_godot_rpc_authority_in, hf_godot_rpc_arguments, hf_godot_rpc_bytes, hf_godot_rset_property,
    hf_godot_raw, hf_godot_spawn_scene_id, hf_godot_spawn_scene, hf_godot_property, hf_godot_spawn_spawner,
    hf_godot_spawn_net_id, hf_godot_spawn_sync_count, hf_godot_spawn_sync_ids, hf_godot_spawn_sync_id,
    hf_godot_spawn_name_length, hf_godot_spawn_name, hf_godot_spawn_argument_length, hf_godot_spawn_state,
    hf_godot_despawn_net_id, hf_godot_spawned_in, hf_godot_sync_time, hf_godot_sync_interval,
    hf_godot_sync_jitter, hf_godot_sync_net_id, hf_godot_sync_path_id, hf_godot_sync_mask, hf_godot_sync_size,
    hf_godot_sync_entry, hf_godot_sys_command, hf_godot_sys_command_name, hf_godot_sys_peer,
    hf_godot_sys_auth, hf_godot_sys_assigned, hf_godot_sys_data, hf_godot_relay_peer, hf_godot_relay_packet,
    hf_godot_header_message, hf_godot_header_flags, hf_godot_undecoded, hf_godot_finding,
    hf_godot_response_to, hf_godot_response_in, hf_godot_response_time, hf_godot_sent_in,
    hf_godot_received_in, hf_godot_transit;

extern int ett_godot, ett_godot_byte, ett_godot_relay, ett_godot_arguments, ett_godot_state, ett_godot_entry,
    ett_godot_ids, ett_godot_encoding, ett_godot_property, ett_godot_own;

GODOT_FIELD expert_field ei_godot_problem[MULTIPLAYER_PROBLEM_COUNT];
GODOT_FIELD expert_field ei_godot_path_undefined, ei_godot_path_later, ei_godot_despawned,
    ei_godot_no_project, ei_godot_never_confirmed, ei_godot_node_not_found, ei_godot_refused_call,
    ei_godot_never_admitted, ei_godot_spawned_later, ei_godot_scene_assumed, ei_godot_path_redefined,
    ei_godot_path_unconfirmed, ei_godot_checksum_refused, ei_godot_checksum_differs, ei_godot_no_script,
    ei_godot_project, ei_godot_not_declared, ei_godot_unknown_peer, ei_godot_unknown_net_id,
    ei_godot_over_mtu, ei_godot_object, ei_godot_generation, ei_godot_versions, ei_godot_source,
    ei_godot_only_server, ei_godot_capped, ei_godot_forgotten, ei_godot_wrong_arguments, ei_godot_wrong_type,
    ei_godot_not_allowed, ei_godot_not_judged, ei_godot_method_not_found, ei_godot_method_missing,
    ei_godot_auth_failed, ei_godot_direction, ei_godot_confirms_nothing, ei_godot_authority_unknown,
    ei_godot_names_misfit, ei_godot_names_differ;

void godot_fields_register(int proto);

#endif
