# SPDX-License-Identifier: MIT
## The names that belong to packets of SceneMultiplayer, read from the running game: when a node is
## announced its RPC methods in the engine's order, a synchronizer's properties, a spawner's scenes;
## when a scene is spawned its synchronizers.
class_name RecorderNames
extends RefCounted

const COMMAND_MASK := 7
const SIMPLIFY_PATH := 1
const CONFIRM_PATH := 2
const SPAWN := 4
const DESPAWN := 5
const SYSTEM := 7
const SYSTEM_RELAY := 3
const RELAY_HEAD := 6
# command, scene, spawner, net id, number of synchronizers, length of the name
const SPAWN_HEAD := 18
const CHECKSUM_LENGTH := 33 # with its NUL byte
const CUSTOM_SCENE := 255
const NOTHING: Array[Dictionary] = []

var _api_id := 0
## "source id" -> path; source 0 is this game
var _paths := {}
var _named := {}
## Path of a scene that was described -> number of its synchronizers
var _synchronizers := {}
## [id of a spawner, name of a node, the peer that spawns it] of packets that the engine has not
## processed yet
var _late: Array[Array] = []


func _init(api: MultiplayerAPI) -> void:
	if api:
		_api_id = api.get_instance_id() # not a reference, which would keep it alive


## Key under which the writer keeps a packet for readers that connect later: packets that assign
## numbers to names. "" for others. If a packet makes another one obsolete: "-" and the key of that
## one.
static func key_of(packet: PackedByteArray, received: bool, other: int) -> String:
	var at := 0
	var relayed := 0
	if packet.size() > RELAY_HEAD and packet[0] & COMMAND_MASK == SYSTEM \
			and packet[1] == SYSTEM_RELAY:
		at = RELAY_HEAD
		relayed = packet.decode_s32(2)
	var id_at := 0
	var ending := ""
	match packet[at] & COMMAND_MASK if packet.size() > at else SYSTEM:
		SIMPLIFY_PATH:
			id_at = at + 1 + CHECKSUM_LENGTH
		CONFIRM_PATH:
			id_at = at + 2
		SPAWN:
			id_at = at + 6
		DESPAWN:
			id_at = at + 1
			ending = "-"
	if id_at == 0 or packet.size() < id_at + 4:
		return ""
	var command := SPAWN if ending else packet[at] & COMMAND_MASK
	return "%s%s%s %d %d %d" \
			% [ending, key_of_peer(other), "received" if received else "sent", relayed, command,
			packet.decode_u32(id_at)]


## Common prefix of the keys of packets from and to a peer.
static func key_of_peer(other: int) -> String:
	return "%s%d " % [RecorderWriter.KEY_PEER, other]


static func key_of_names(names: Dictionary) -> String:
	return "names %s" % [names.get("path", names.get("scene", names.get("spawned", "")))]


## The names to be recorded before this packet of `source` (0: sent by this game, which is the
## server if `is_server`).
func look_at(packet: PackedByteArray, source: int, is_server: bool) -> Array[Dictionary]:
	if packet.is_empty() or _api_id == 0:
		return NOTHING
	var command := packet[0] & COMMAND_MASK
	if command == SIMPLIFY_PATH:
		return _look_at_path(packet, 0, source)
	if command == SPAWN:
		return _look_at_spawn(packet, 0, source)
	if command == SYSTEM and packet.size() > RELAY_HEAD and packet[1] == SYSTEM_RELAY:
		var by_server := is_server if source == 0 else source == 1
		var sender := packet.decode_s32(2) if by_server else source
		command = packet[RELAY_HEAD] & COMMAND_MASK
		if command == SIMPLIFY_PATH:
			return _look_at_path(packet, RELAY_HEAD, sender)
		if command == SPAWN:
			return _look_at_spawn(packet, RELAY_HEAD, sender)
	return NOTHING


func _look_at_path(packet: PackedByteArray, at: int, source: int) -> Array[Dictionary]:
	var id_at := at + 1 + CHECKSUM_LENGTH
	if packet.size() <= id_at + 4:
		return NOTHING
	var path := packet.slice(id_at + 4).get_string_from_utf8()
	_paths["%d %d" % [source, packet.decode_u32(id_at)]] = path
	var node := find(path)
	if not node or _named.has(path):
		return NOTHING
	_named[path] = true
	return [describe_node(node, path, _root())]


func _look_at_spawn(packet: PackedByteArray, at: int, source: int) -> Array[Dictionary]:
	if packet.size() < at + SPAWN_HEAD:
		return NOTHING
	var spawner_path := str(_paths.get("%d %d" % [source, packet.decode_u32(at + 2)], ""))
	var spawner := find(spawner_path) as MultiplayerSpawner
	if spawner and packet[at + 1] == CUSTOM_SCENE:
		return _look_at_spawned(packet, at, source, spawner)
	if not spawner or packet[at + 1] >= spawner.get_spawnable_scene_count():
		return NOTHING
	var path := spawner.get_spawnable_scene(packet[at + 1])
	if not ResourceLoader.exists(path):
		return NOTHING
	var names: Array[Dictionary] = []
	if not _synchronizers.has(path):
		# the spawner loads it, too, unless it is loaded already
		var scene := load(path) as PackedScene
		if not scene:
			return NOTHING
		names.append(describe_scene(scene, path))
		var synchronizers: Array = names[0]["synchronizers"]
		_synchronizers[path] = synchronizers.size()
	# If other peers have authority over some of them, only the node shows which ones are announced.
	if packet.decode_u32(at + 10) == 1 and _synchronizers[path] > 1:
		names.append_array(_look_at_spawned(packet, at, source, spawner))
	return names


## A node whose names have to be recorded: at once if this game spawns it, otherwise when the engine
## has processed the packet.
func _look_at_spawned(packet: PackedByteArray, at: int, source: int,
		spawner: MultiplayerSpawner) -> Array[Dictionary]:
	var name_at := at + SPAWN_HEAD + 4 * packet.decode_u32(at + 10)
	var name_length := packet.decode_u32(at + 14)
	if name_at + name_length > packet.size():
		return NOTHING
	var node_name := packet.slice(name_at, name_at + name_length).get_string_from_utf8()
	if source != 0:
		_late.append([spawner.get_instance_id(), node_name, source])
		return NOTHING
	return _describe_spawned(spawner, node_name, spawner.multiplayer.get_unique_id())


## The names to be recorded for packets that the engine has processed in the meantime.
func look_back() -> Array[Dictionary]:
	var names: Array[Dictionary] = []
	for late: Array in _late:
		var id: int = late[0]
		var spawner := instance_from_id(id) as MultiplayerSpawner
		if spawner:
			var authority: int = late[2]
			names.append_array(_describe_spawned(spawner, str(late[1]), authority))
	_late.clear()
	return names


## Whether look_back() would return any names.
func has_late() -> bool:
	return not _late.is_empty()


## Includes the announced synchronizers, which are those that the spawning peer has authority over.
func _describe_spawned(spawner: MultiplayerSpawner, node_name: String,
		authority: int) -> Array[Dictionary]:
	var parent := spawner.get_node_or_null(spawner.spawn_path)
	var node := parent.get_node_or_null(NodePath(node_name)) if parent else null
	var root := _root()
	if not node or not root or not root.is_ancestor_of(node):
		return NOTHING
	var synchronizers: Array[Dictionary] = []
	for found in node.find_children("*", "MultiplayerSynchronizer", true, false):
		var synchronizer := found as MultiplayerSynchronizer
		if synchronizer.replication_config \
				and synchronizer.get_node_or_null(synchronizer.root_path) == node \
				and synchronizer.get_multiplayer_authority() == authority:
			var names := _properties(synchronizer.replication_config)
			names["path"] = str(node.get_path_to(synchronizer))
			synchronizers.append(names)
	return [{"spawned": str(root.get_path_to(node)), "synchronizers": synchronizers}]


func _root() -> Node:
	var api := instance_from_id(_api_id) as MultiplayerAPI
	var tree := Engine.get_main_loop() as SceneTree
	if not api or not tree or not tree.root:
		return null
	var scene_api := api as SceneMultiplayer
	var root_path := scene_api.root_path if scene_api else NodePath("/root")
	return tree.root.get_node_or_null(root_path)


## Relative to the root of the API, "" if the node is not below it.
func path_of(node: Node) -> String:
	var root := _root()
	return str(root.get_path_to(node)) if root and root.is_ancestor_of(node) else ""


## The node with this path below the root of the API, null if there is none.
func find(path: String) -> Node:
	var root := _root()
	return root.get_node_or_null(NodePath(path)) if root and path else null


# --- nodes ---

static func describe_node(node: Node, path: String, root: Node) -> Dictionary:
	var names := {"path": path, "class": node.get_class(),
			"authority": node.get_multiplayer_authority()}
	var script: Script = node.get_script()
	if script:
		names["script"] = script.resource_path
		var config: Variant = script.call(&"get_rpc_config") \
				if script.has_method(&"get_rpc_config") else null
		names["methods"] = _methods(config)
	if node.has_method(&"get_node_rpc_config"): # since Godot 4.5
		names["node_methods"] = _methods(node.call(&"get_node_rpc_config"))
	var synchronizer := node as MultiplayerSynchronizer
	if synchronizer and synchronizer.replication_config:
		names["synchronizer"] = _properties(synchronizer.replication_config)
	var spawner := node as MultiplayerSpawner
	if spawner:
		names["spawner"] = _spawner(spawner, root)
	return names


## In the order by which the engine numbers them.
static func _methods(config: Variant) -> Array[Dictionary]:
	const MODES: Array[String] = ["disabled", "any_peer", "authority"]
	const TRANSFERS: Array[String] = ["unreliable", "unreliable_ordered", "reliable"]
	var methods: Array[Dictionary] = []
	if not config is Dictionary:
		return methods
	var configured: Dictionary = config
	var sorted: Array[String] = []
	for name: Variant in configured:
		sorted.append(str(name))
	sorted.sort()
	for name in sorted:
		var method: Dictionary = configured[StringName(name)]
		var mode: int = method.get("rpc_mode", 0)
		var transfer: int = method.get("transfer_mode", 0)
		methods.append({
			"name": name, "mode": MODES[clampi(mode, 0, 2)],
			"transfer_mode": TRANSFERS[clampi(transfer, 0, 2)],
			"channel": method.get("channel", 0), "call_local": method.get("call_local", false),
		})
	return methods


static func _properties(config: SceneReplicationConfig) -> Dictionary:
	var spawn: Array[String] = []
	var always: Array[String] = []
	var on_change: Array[String] = []
	for property in config.get_properties():
		var name := str(property).trim_prefix(".:")
		if config.property_get_spawn(property):
			spawn.append(name)
		match config.property_get_replication_mode(property):
			SceneReplicationConfig.REPLICATION_MODE_ALWAYS:
				always.append(name)
			SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE:
				on_change.append(name)
	return {"spawn": spawn, "always": always, "on_change": on_change}


static func _spawner(spawner: MultiplayerSpawner, root: Node) -> Dictionary:
	var scenes: Array[String] = []
	for i in spawner.get_spawnable_scene_count():
		scenes.append(spawner.get_spawnable_scene(i))
	var description := {"scenes": scenes}
	var parent := spawner.get_node_or_null(spawner.spawn_path)
	if parent and root and root.is_ancestor_of(parent):
		description["parent"] = str(root.get_path_to(parent))
	return description


# --- scenes ---

## The synchronizers of a scene's root, in the order in which they enter the tree.
static func describe_scene(scene: PackedScene, path: String) -> Dictionary:
	var found := {}
	_collect(scene.get_state(), "", found)
	var synchronizers: Array[Dictionary] = []
	for inside: String in found:
		var properties: Dictionary = found[inside]
		var config: SceneReplicationConfig = properties.get(&"replication_config")
		var root_path: NodePath = properties.get(&"root_path", NodePath(".."))
		if config and _is_above(root_path, inside.split("/").size()):
			var names := _properties(config)
			names["path"] = inside
			synchronizers.append(names)
	return {"scene": path, "synchronizers": synchronizers}


## Whether a path consists of that many "..".
static func _is_above(path: NodePath, levels: int) -> bool:
	for i in path.get_name_count():
		if path.get_name(i) != &"..":
			return false
	return path.get_name_count() == levels


## Path inside the scene -> properties that the scene sets. Inherited and instantiated scenes come
## first.
static func _collect(state: SceneState, prefix: String, found: Dictionary) -> void:
	for i in state.get_node_count():
		var inside := str(state.get_node_path(i)).trim_prefix(".").trim_prefix("/")
		# path_join() would append a slash
		var path := prefix.path_join(inside) if inside else prefix
		var instance := state.get_node_instance(i)
		if instance:
			_collect(instance.get_state(), path, found)
		elif ClassDB.is_parent_class(state.get_node_type(i), &"MultiplayerSynchronizer"):
			found[path] = {}
		if found.has(path):
			var properties: Dictionary = found[path]
			for property in state.get_node_property_count(i):
				var name := state.get_node_property_name(i, property)
				properties[name] = state.get_node_property_value(i, property)
