/* godot-fields.c
 *
 * Names, types and texts of everything that `godot` shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "multiplayer/godot-fields.h"

int hf_godot_api = -1, hf_godot_command = -1, hf_godot_byte = -1, hf_godot_byte_command = -1,
    hf_godot_byte_node_size = -1, hf_godot_byte_method_size = -1, hf_godot_byte_raw = -1,
    hf_godot_byte_delta = -1, hf_godot_source = -1, hf_godot_target = -1, hf_godot_transfer_mode = -1,
    hf_godot_channel = -1, hf_godot_repeated = -1, hf_godot_relayed = -1, hf_godot_wire_length = -1,
    hf_godot_session = -1, hf_godot_path = -1, hf_godot_path_id = -1, hf_godot_path_offset = -1,
    hf_godot_path_checksum = -1, hf_godot_path_defined_in = -1, hf_godot_path_confirmed_in = -1,
    hf_godot_path_confirms = -1, hf_godot_path_valid = -1, hf_godot_path_time = -1,
    hf_godot_rpc_method_id = -1, hf_godot_rpc_method = -1, hf_godot_rpc_count = -1, hf_godot_rpc_call = -1,
    hf_godot_rpc_script = -1, hf_godot_rpc_arguments = -1, hf_godot_rpc_bytes = -1,
    hf_godot_rset_property = -1, hf_godot_raw = -1, hf_godot_spawn_scene_id = -1, hf_godot_spawn_scene = -1,
    hf_godot_property = -1, hf_godot_spawn_spawner = -1, hf_godot_spawn_net_id = -1,
    hf_godot_spawn_sync_count = -1, hf_godot_spawn_sync_ids = -1, hf_godot_spawn_sync_id = -1,
    hf_godot_spawn_name_length = -1, hf_godot_spawn_name = -1, hf_godot_spawn_argument_length = -1,
    hf_godot_spawn_state = -1, hf_godot_despawn_net_id = -1, hf_godot_spawned_in = -1,
    hf_godot_sync_time = -1, hf_godot_sync_net_id = -1, hf_godot_sync_path_id = -1, hf_godot_sync_mask = -1,
    hf_godot_sync_size = -1, hf_godot_sync_entry = -1, hf_godot_sys_command = -1,
    hf_godot_sys_command_name = -1, hf_godot_sys_peer = -1, hf_godot_sys_auth = -1,
    hf_godot_sys_assigned = -1, hf_godot_sys_data = -1, hf_godot_relay_peer = -1, hf_godot_relay_packet = -1,
    hf_godot_header_message = -1, hf_godot_header_flags = -1, hf_godot_undecoded = -1, hf_godot_finding = -1,
    hf_godot_response_to = -1, hf_godot_response_in = -1, hf_godot_response_time = -1;

int ett_godot = -1, ett_godot_byte = -1, ett_godot_relay = -1, ett_godot_arguments = -1, ett_godot_state = -1,
    ett_godot_entry = -1, ett_godot_ids = -1;

expert_field ei_godot_problem[MULTIPLAYER_PROBLEM_COUNT];
expert_field ei_godot_path_undefined = EI_INIT, ei_godot_path_redefined = EI_INIT,
             ei_godot_path_unconfirmed = EI_INIT, ei_godot_checksum_refused = EI_INIT,
             ei_godot_checksum_differs = EI_INIT, ei_godot_no_script = EI_INIT,
             ei_godot_not_declared = EI_INIT, ei_godot_unknown_peer = EI_INIT,
             ei_godot_unknown_net_id = EI_INIT, ei_godot_over_mtu = EI_INIT, ei_godot_object = EI_INIT,
             ei_godot_generation = EI_INIT, ei_godot_versions = EI_INIT, ei_godot_source = EI_INIT,
             ei_godot_only_server = EI_INIT, ei_godot_capped = EI_INIT, ei_godot_forgotten = EI_INIT,
             ei_godot_direction = EI_INIT, ei_godot_confirms_nothing = EI_INIT;

static const value_string api_names[] = {{3, "Godot 3"}, {4, "Godot 4"}, {0, NULL}};
static const value_string command_names[] = {{0, "Remote Call"}, {1, "Simplify Path"}, {2, "Confirm Path"},
                                             {3, "Raw"},         {4, "Spawn"},         {5, "Despawn"},
                                             {6, "Sync"},        {7, "System"},        {0, NULL}};
static const value_string node_sizes[] = {
    {0, "8 bits"}, {1, "16 bits"}, {2, "32 bits"}, {3, "invalid"}, {0, NULL}};
static const value_string flag_names[] = {{0, "Ordered"}, {1, "Reliable"}, {2, "Unsequenced"}, {0, NULL}};
static const true_false_string method_sizes = {"16 bits", "8 bits"};
static const true_false_string raw_forms = {"None, or the bytes of one PackedByteArray", "Counted"};
static const true_false_string delta_forms = {"Watched properties that changed",
                                              "All always-synchronized properties"};

static hf_register_info fields[] = {
    {&hf_godot_api,
     {"Engine Generation", "godot.api", FT_UINT8, BASE_DEC, VALS(api_names), 0x0, NULL, HFILL}},
    {&hf_godot_session,
     {"Session", "godot.session", FT_UINT32, BASE_DEC, NULL, 0x0,
      "Number of the multiplayer connection in this file", HFILL}},
    {&hf_godot_command, {"Command", "godot.command", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_byte, {"Command Byte", "godot.command_byte", FT_UINT8, BASE_HEX, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_byte_command,
     {"Command", "godot.command_byte.command", FT_UINT8, BASE_DEC, VALS(command_names), 0x07, NULL, HFILL}},
    {&hf_godot_byte_node_size,
     {"Node ID Size", "godot.command_byte.node_size", FT_UINT8, BASE_DEC, VALS(node_sizes), 0x30, NULL,
      HFILL}},
    {&hf_godot_byte_method_size,
     {"Method ID Size", "godot.command_byte.method_size", FT_BOOLEAN, 8, TFS(&method_sizes), 0x40, NULL,
      HFILL}},
    {&hf_godot_byte_raw,
     {"Arguments", "godot.command_byte.raw", FT_BOOLEAN, 8, TFS(&raw_forms), 0x80, NULL, HFILL}},
    {&hf_godot_byte_delta,
     {"Delta", "godot.command_byte.delta", FT_BOOLEAN, 8, TFS(&delta_forms), 0x10, NULL, HFILL}},
    {&hf_godot_source, {"Source Peer", "godot.source", FT_INT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_target, {"Target Peer", "godot.target", FT_INT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_transfer_mode,
     {"Transfer Mode", "godot.transfer_mode", FT_STRING, BASE_NONE, NULL, 0x0,
      "As the game asked for it: reliable, unreliable ordered, unreliable. Of an unreliable message in "
      "fragments "
      "it cannot be told whether it is ordered",
      HFILL}},
    {&hf_godot_channel,
     {"Transfer Channel", "godot.channel", FT_UINT8, BASE_DEC, NULL, 0x0,
      "As the game numbers them; 0 is the default", HFILL}},
    {&hf_godot_repeated,
     {"Repeated", "godot.repeated", FT_BOOLEAN, BASE_NONE, NULL, 0x0,
      "This packet has been in the capture before: sent again or doubled on the way", HFILL}},
    {&hf_godot_relayed, {"Relayed", "godot.relayed", FT_BOOLEAN, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_wire_length,
     {"Bytes on the Wire", "godot.wire_length", FT_UINT32, BASE_DEC, NULL, 0x0,
      "This message's share of the bytes of the frames that carried it, all overhead included", HFILL}},
    {&hf_godot_path,
     {"Node Path", "godot.path", FT_STRING, BASE_NONE, NULL, 0x0,
      "Relative to the multiplayer root, usually /root", HFILL}},
    {&hf_godot_path_id, {"Path ID", "godot.path.id", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_path_offset,
     {"Offset of Node Path", "godot.path.offset", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_path_checksum,
     {"RPC Checksum", "godot.path.checksum", FT_STRING, BASE_NONE, NULL, 0x0,
      "MD5 of the names of the node's RPC methods", HFILL}},
    {&hf_godot_path_defined_in,
     {"Announced in Frame", "godot.path.defined_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE),
      0x0, NULL, HFILL}},
    {&hf_godot_path_confirmed_in,
     {"Confirmed in Frame", "godot.path.confirmed_in", FT_FRAMENUM, BASE_NONE,
      FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0x0, NULL, HFILL}},
    {&hf_godot_path_confirms,
     {"Confirms Frame", "godot.path.confirms", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_REQUEST),
      0x0, NULL, HFILL}},
    {&hf_godot_path_time,
     {"Time since Announcement", "godot.path.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_path_valid,
     {"Checksum Agrees", "godot.path.valid", FT_BOOLEAN, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_rpc_method_id,
     {"Method ID", "godot.rpc.method_id", FT_UINT16, BASE_DEC, NULL, 0x0,
      "Position among the sorted names of the script's RPC methods; from 32768 on among those "
      "configured on the node",
      HFILL}},
    {&hf_godot_rpc_method, {"Method", "godot.rpc.method", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_rpc_count,
     {"Argument Count", "godot.rpc.argument_count", FT_UINT8, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_rpc_arguments,
     {"Arguments", "godot.rpc.arguments", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_rpc_call, {"Call", "godot.rpc.call", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_rpc_script,
     {"Script with this Checksum", "godot.rpc.script", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_rpc_bytes,
     {"PackedByteArray Argument", "godot.rpc.bytes", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_rset_property,
     {"Property", "godot.rset.property", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_raw, {"Application Data", "godot.raw", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_scene_id,
     {"Scene ID", "godot.spawn.scene_id", FT_UINT8, BASE_DEC, NULL, 0x0,
      "Index in the spawner's list of scenes, 255: made by its spawn function", HFILL}},
    {&hf_godot_spawn_scene, {"Scene", "godot.spawn.scene", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_property, {"Property", "godot.sync.property", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_spawner,
     {"Spawner Path ID", "godot.spawn.spawner_id", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_net_id, {"Net ID", "godot.spawn.net_id", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_sync_count,
     {"Synchronizer Count", "godot.spawn.sync_count", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_sync_ids,
     {"Synchronizers", "godot.spawn.sync_ids", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_sync_id,
     {"Synchronizer Net ID", "godot.spawn.sync_id", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_name_length,
     {"Name Length", "godot.spawn.name_length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_name, {"Node Name", "godot.spawn.name", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_argument_length,
     {"Argument Length", "godot.spawn.argument_length", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawn_state, {"State", "godot.spawn.state", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_spawned_in,
     {"Spawned in Frame", "godot.spawn.frame", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_NONE), 0x0,
      NULL, HFILL}},
    {&hf_godot_despawn_net_id,
     {"Net ID", "godot.despawn.net_id", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sync_time, {"Network Frame", "godot.sync.time", FT_UINT16, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sync_entry, {"Synchronizer", "godot.sync.entry", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sync_net_id, {"Net ID", "godot.sync.net_id", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sync_path_id, {"Path ID", "godot.sync.path_id", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sync_mask,
     {"Changed Properties", "godot.sync.mask", FT_UINT64, BASE_HEX, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sync_size, {"Size", "godot.sync.size", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sys_command,
     {"System Command ID", "godot.sys.command_id", FT_UINT8, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sys_command_name,
     {"System Command", "godot.sys.command", FT_STRING, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sys_peer, {"Peer", "godot.sys.peer", FT_INT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sys_assigned,
     {"Assigned Peer ID", "godot.sys.assigned_id", FT_INT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sys_auth,
     {"Authentication Data", "godot.sys.auth", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_sys_data,
     {"Unknown System Data", "godot.sys.data", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_relay_peer, {"Relay Peer", "godot.relay.peer", FT_INT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_relay_packet,
     {"Relayed packet", "godot.relay.packet", FT_NONE, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_header_message,
     {"Peer Message", "godot.header.message", FT_UINT32, BASE_DEC, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_header_flags,
     {"ENet Packet Flags", "godot.header.flags", FT_UINT32, BASE_DEC, VALS(flag_names), 0x0, NULL, HFILL}},
    {&hf_godot_response_to,
     {"Response to Frame", "godot.response_to", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_REQUEST),
      0x0, "What this answers, by the names of the methods or as part of the authentication", HFILL}},
    {&hf_godot_response_in,
     {"Response in Frame", "godot.response_in", FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE),
      0x0, NULL, HFILL}},
    {&hf_godot_response_time,
     {"Response Time", "godot.response_time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0x0, NULL, HFILL}},
    {&hf_godot_finding,
     {"Finding", "godot.finding", FT_NONE, BASE_NONE, NULL, 0x0, "Bytes that an expert info is about",
      HFILL}},
    {&hf_godot_undecoded, {"Undecoded Data", "godot.undecoded", FT_BYTES, BASE_NONE, NULL, 0x0, NULL, HFILL}},
};

static ei_register_info expert_infos[] = {
    {&ei_godot_path_undefined,
     {"godot.path.undefined", PI_ASSUMPTION, PI_NOTE, "Path id has not been announced in this capture",
      EXPFILL}},
    {&ei_godot_path_redefined,
     {"godot.path.redefined", PI_PROTOCOL, PI_WARN,
      "Path id is in use already: Godot 4.3 and later drop the announcement", EXPFILL}},
    {&ei_godot_path_unconfirmed,
     {"godot.path.unconfirmed", PI_ASSUMPTION, PI_NOTE,
      "Path id is used although its confirmation is not in this capture", EXPFILL}},
    {&ei_godot_confirms_nothing,
     {"godot.path.confirms_nothing", PI_ASSUMPTION, PI_NOTE,
      "The announcement this confirms is not in this capture", EXPFILL}},
    {&ei_godot_checksum_refused,
     {"godot.path.checksum_refused", PI_PROTOCOL, PI_WARN,
      "The receiver's RPC methods differ from the sender's", EXPFILL}},
    {&ei_godot_checksum_differs,
     {"godot.path.checksum_differs", PI_PROTOCOL, PI_WARN,
      "Both ends have different RPC methods for this node", EXPFILL}},
    {&ei_godot_no_script,
     {"godot.rpc.unknown_script", PI_ASSUMPTION, PI_NOTE,
      "No script of the project has RPC methods with this checksum", EXPFILL}},
    {&ei_godot_not_declared,
     {"godot.rpc.not_declared", PI_PROTOCOL, PI_NOTE,
      "No script of the project declares this as remote: the engine refuses it unless it is "
      "configured in code",
      EXPFILL}},
    {&ei_godot_unknown_peer, {"godot.peer.unknown", PI_PROTOCOL, PI_WARN, "Peer is not connected", EXPFILL}},
    {&ei_godot_unknown_net_id,
     {"godot.net_id.unknown", PI_ASSUMPTION, PI_NOTE, "Net id has not been spawned in this capture",
      EXPFILL}},
    {&ei_godot_over_mtu,
     {"godot.over_mtu", PI_PROTOCOL, PI_NOTE,
      "Unreliable message larger than the MTU: lost as a whole if one of its fragments is", EXPFILL}},
    {&ei_godot_object,
     {"godot.object_argument", PI_PROTOCOL, PI_NOTE,
      "Object among the values: without allow_object_decoding only its id arrives, which means nothing "
      "to the receiver",
      EXPFILL}},
    {&ei_godot_generation,
     {"godot.generation_mismatch", PI_PROTOCOL, PI_ERROR, "The two ends speak different engine generations",
      EXPFILL}},
    {&ei_godot_versions,
     {"godot.version_mismatch", PI_PROTOCOL, PI_ERROR,
      "One end is Godot 4.0 to 4.2, the other 4.3 or later: path confirmations are not understood", EXPFILL}},
    {&ei_godot_source,
     {"godot.source.mismatch", PI_PROTOCOL, PI_WARN, "Source is not the sender's peer id", EXPFILL}},
    {&ei_godot_only_server,
     {"godot.sys.not_server", PI_PROTOCOL, PI_WARN, "Only the server may send this: the engine drops it",
      EXPFILL}},
    {&ei_godot_direction,
     {"godot.relay.direction", PI_ASSUMPTION, PI_NOTE,
      "The capture does not tell which end is the server: taken to be the one with the lower port", EXPFILL}},
    {&ei_godot_capped, {"godot.capped", PI_UNDECODED, PI_NOTE, "Not everything is shown", EXPFILL}},
    {&ei_godot_forgotten,
     {"godot.forgotten", PI_UNDECODED, PI_WARN,
      "More paths, nodes and requests than can be remembered: later packets may refer to what is not known",
      EXPFILL}},
};

/* One expert info per problem that the parsers know: godot.problem.too_short, … */
static void register_problems(expert_module_t *module)
{
    static ei_register_info problems[MULTIPLAYER_PROBLEM_COUNT];
    for (int i = 0; i < MULTIPLAYER_PROBLEM_COUNT; i++) {
        static const expert_field unset = EI_INIT;
        multiplayer_problem problem = (multiplayer_problem)i;
        ei_godot_problem[i] = unset;
        problems[i].ids = &ei_godot_problem[i];
        problems[i].eiinfo.name =
            wmem_strdup_printf(wmem_epan_scope(), "godot.problem.%s", multiplayer_problem_name(problem));
        problems[i].eiinfo.summary = multiplayer_problem_text(problem);
        switch (problem) {
        case MULTIPLAYER_PROBLEM_TOO_SHORT:
        case MULTIPLAYER_PROBLEM_SIZE_FIELD:
        case MULTIPLAYER_PROBLEM_PATH_OFFSET:
        case MULTIPLAYER_PROBLEM_ID_SIZE:
        case MULTIPLAYER_PROBLEM_VALUE:
            problems[i].eiinfo.group = PI_MALFORMED;
            problems[i].eiinfo.severity = PI_ERROR;
            break;
        case MULTIPLAYER_PROBLEM_UNKNOWN_COMMAND:
        case MULTIPLAYER_PROBLEM_SUBCOMMAND:
            problems[i].eiinfo.group = PI_UNDECODED;
            problems[i].eiinfo.severity = PI_WARN;
            break;
        case MULTIPLAYER_PROBLEM_NOT_MINIMAL:
            problems[i].eiinfo.group = PI_PROTOCOL;
            problems[i].eiinfo.severity = PI_NOTE;
            break;
        default:
            problems[i].eiinfo.group = PI_PROTOCOL;
            problems[i].eiinfo.severity = PI_WARN;
        }
    }
    expert_register_field_array(module, problems, MULTIPLAYER_PROBLEM_COUNT);
}

void godot_fields_register(int proto)
{
    static int *trees[] = {&ett_godot,       &ett_godot_byte,  &ett_godot_relay, &ett_godot_arguments,
                           &ett_godot_state, &ett_godot_entry, &ett_godot_ids};
    proto_register_field_array(proto, fields, array_length(fields));
    proto_register_subtree_array(trees, array_length(trees));
    expert_module_t *expert = expert_register_protocol(proto);
    expert_register_field_array(expert, expert_infos, array_length(expert_infos));
    register_problems(expert);
}
