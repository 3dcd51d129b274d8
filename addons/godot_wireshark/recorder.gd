# SPDX-License-Identifier: MIT
## The autoload "GodotWireshark": puts a RecorderPeer around every peer that the game sets, in every MultiplayerAPI.
##
## Does nothing unless asked to, by the first of these that says something:
##   the command line, after "--":  --godot-record=FILE  --godot-record-udp=HOST:PORT  --godot-record-size=MIB
##   the environment:                GODOT_RECORD=FILE    GODOT_RECORD_UDP=HOST:PORT    GODOT_RECORD_SIZE=MIB
##   project settings:               godot_wireshark/record/file, udp, size
## {pid} and {time} in a file's name are replaced.
extends Node

const SETTINGS := "godot_wireshark/record/"

## Where records go; null if nothing is recorded. For recorders made by hand.
var writer: RecorderWriter

## Ids of the objects that are known, for references would keep them alive.
var _apis: Array[int] = []
var _fresh: Array[int] = []
var _seen := {}


func _enter_tree() -> void:
	var file := asked_for("file", "--godot-record", "GODOT_RECORD")
	var udp := asked_for("udp", "--godot-record-udp", "GODOT_RECORD_UDP")
	var mebibytes := asked_for("size", "--godot-record-size", "GODOT_RECORD_SIZE").to_float()
	if file or udp:
		writer = RecorderWriter.new(file, int(mebibytes * 1048576.0), udp)
	if not writer or not writer.is_open():
		set_process(false)
		set_physics_process(false)
		return
	process_mode = PROCESS_MODE_ALWAYS
	process_priority = 1 << 30 # after the game's own
	process_physics_priority = 1 << 30
	watch(get_tree().get_multiplayer())
	get_tree().node_added.connect(_on_node_added)
	if not get_tree().root.is_node_ready():
		get_tree().root.ready.connect(look, CONNECT_ONE_SHOT)


static func asked_for(setting: String, option: String, variable: String) -> String:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with(option + "="):
			return argument.trim_prefix(option + "=")
	if OS.has_environment(variable):
		return OS.get_environment(variable)
	return str(ProjectSettings.get_setting(SETTINGS + setting, ""))


## Records an API that is set for a part of the tree in which no node is added afterwards.
func watch(api: MultiplayerAPI) -> void:
	if api and not _apis.has(api.get_instance_id()):
		_apis.append(api.get_instance_id())
		look()


## Wraps a peer that the game has set since the last time. Nothing may have been sent or received by it.
func look() -> void:
	for id in _fresh:
		var node := instance_from_id(id) as Node
		if node and node.is_inside_tree() and node.multiplayer and not _apis.has(node.multiplayer.get_instance_id()):
			_apis.append(node.multiplayer.get_instance_id())
	_fresh.clear()
	for id: int in _apis.duplicate():
		var api := instance_from_id(id) as MultiplayerAPI
		if api:
			_look_at(api)
		else:
			_apis.erase(id)


func _look_at(api: MultiplayerAPI) -> void:
	var peer := api.multiplayer_peer
	if not peer or peer is RecorderPeer or peer is OfflineMultiplayerPeer:
		return
	if peer.get_connection_status() == MultiplayerPeer.CONNECTION_DISCONNECTED:
		return # cannot be set any more
	if not api.get_peers().is_empty() or not _authenticating(api).is_empty():
		if not _seen.has(peer.get_instance_id()):
			_seen[peer.get_instance_id()] = true
			printerr("godot_wireshark: a peer had connections already when it was found: it is not recorded")
		return
	api.multiplayer_peer = RecorderPeer.new(peer, writer, api)


static func _authenticating(api: MultiplayerAPI) -> PackedInt32Array:
	var scene_api := api as SceneMultiplayer
	return scene_api.get_authenticating_peers() if scene_api else PackedInt32Array()


func _on_node_added(node: Node) -> void:
	_fresh.append(node.get_instance_id())


## The engine polls at the beginning of a frame; what the game does in a frame is over when these are called.
func _process(_delta: float) -> void:
	look()
	get_tree().create_timer(0.0).timeout.connect(look) # what timers of the game have done in this frame


func _physics_process(_delta: float) -> void:
	look()


func _exit_tree() -> void:
	if writer:
		writer.close()
