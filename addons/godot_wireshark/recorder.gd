# SPDX-License-Identifier: MIT
## The autoload "GodotWireshark": records everything that the game sends and receives through its
## MultiplayerAPIs.
##
## Records nothing unless a file, a port or the editor is asked for: on the command line, after "--",
## in the environment or in the project settings, in this order. RecorderSettings has their names.
## {pid} and {time} in a file's name are replaced. Release builds record only if
## godot_wireshark/record/in_release is set.
extends Node

## Writes the records; null if nothing is recorded. For recorders that scripts create.
var writer: RecorderWriter

## A time between two frames is a pause if it is longer than this and than four times the usual one;
## in microseconds.
const PAUSE := 200000

## Ids of objects that have been handled; references would keep the objects alive.
var _apis: Array[int] = []
## Nodes that were added since the last frame, and when: id, ticks, id, ticks, …
var _fresh := PackedInt64Array()
var _seen := {}
var _mode := RecorderSettings.MODE_NOTHING
var _is_on := false
var _for_editor := false
var _save_key := KEY_NONE
var _last_frame := 0
var _usual_frame := 0
var _scene := 0


func _enter_tree() -> void:
	if EngineDebugger.is_active() and not EngineDebugger.has_capture(RecorderDebugger.CAPTURE):
		EngineDebugger.register_message_capture(RecorderDebugger.CAPTURE, _on_message)
		EngineDebugger.send_message(RecorderDebugger.CAPTURE + ":" + RecorderDebugger.READY, [])
	_start(RecorderSettings.is_for_editor())


## In _ready() because the engine enables both before it.
func _ready() -> void:
	set_process(_is_on)
	set_physics_process(_is_on)
	_save_key = OS.find_keycode_from_string(str(RecorderSettings.of_project("save_key")))
	set_process_input(_is_on and _save_key != KEY_NONE)


## Handles commands of the editor at the end of the frame: the engine looks for messages in between
## any two lines of a script, also of this add-on's.
func _on_message(message: String, data: Array) -> bool:
	_obey.call_deferred(message == RecorderDebugger.START, data)
	return true


func _obey(on: bool, data: Array) -> void:
	if on and not data.is_empty() and data[0] is int:
		var run: int = data[0]
		RecorderSettings.set_run_of_editor(run)
	if on == _for_editor or not is_inside_tree():
		return
	_seen.clear() # so that the editor gets all of them
	if on and not _is_on:
		_start(true)
		_ready()
	elif writer:
		_for_editor = on
		writer.set_editor(on)
		_receive_reports(writer.is_open())


func _start(for_editor: bool) -> void:
	var file := RecorderSettings.asked_for("file")
	var port := RecorderSettings.asked_for_port()
	if not file and port == 0 and not for_editor:
		return
	if not RecorderSettings.is_allowed():
		RecorderWriter.complain("nothing is recorded: this is a release build, "
				+ "and godot_wireshark/record/in_release is not set")
		return
	_for_editor = for_editor
	var mode := RecorderUses.choose_mode()
	if mode == RecorderSettings.MODE_NOTHING:
		if for_editor:
			RecorderDebugger.say_not_recorded("see its output")
		return
	writer = RecorderWriter.new(file,
			int(RecorderSettings.asked_for("size").to_float() * 1048576.0), port)
	if for_editor:
		writer.set_editor(true)
	_is_on = writer.is_open()
	if _is_on:
		writer.with_origins = RecorderSettings.is_asked_for("stack")
		_receive_reports(true)
		if not RecorderReports.are_possible():
			RecorderWriter.complain(
					"errors are not recorded, for Godot before 4.5 does not report them to scripts")
		_record(mode)


func _receive_reports(on: bool) -> void:
	if on and not writer.reports:
		writer.reports = RecorderReports.new(writer, RecorderSettings.is_asked_for("log"))
	elif not on and writer.reports:
		writer.reports.close()
		writer.reports = null


func _record(mode: String) -> void:
	process_mode = PROCESS_MODE_ALWAYS
	process_priority = 1 << 30 # after the game's own nodes
	process_physics_priority = 1 << 30
	_mode = mode
	if mode == RecorderSettings.MODE_API:
		_wrap_api(get_tree().get_multiplayer())
	# parts of the tree have APIs of their own
	get_tree().root.find_children("*", "", true, false).map(_on_node_added)
	watch(get_tree().get_multiplayer())
	get_tree().node_added.connect(_on_node_added)
	get_tree().process_frame.connect(_on_frame) # the engine has polled
	if not get_tree().root.is_node_ready():
		get_tree().root.ready.connect(look, CONNECT_ONE_SHOT)


## Returns the MultiplayerPeer or MultiplayerAPI that a recorder wraps, or any other object as it
## is.
static func original(object: Object) -> Object:
	var peer := object as RecorderPeer
	if peer:
		return peer._recorder_wrapped
	var api := object as RecorderAPI
	return api._recorder_wrapped if api else object


## The API of the whole tree is set before any script of the game can ask for it.
func _wrap_api(api: MultiplayerAPI) -> void:
	if not api is RecorderAPI:
		var wrapper := RecorderAPI.around(api, writer)
		var peer := api.get_multiplayer_peer()
		get_tree().set_multiplayer(wrapper)
		if peer and not peer is OfflineMultiplayerPeer:
			look() # a script has already set a peer


## Records an API that is set for a part of the tree to which no node is added afterwards.
func watch(api: MultiplayerAPI) -> void:
	_know(api)
	look()


func _know(api: MultiplayerAPI) -> void:
	if api and not _apis.has(api.get_instance_id()):
		_apis.append(api.get_instance_id())


## Wraps a peer that the game has set since the last call. It must not have sent or received
## anything yet.
func look() -> void:
	for i in range(0, _fresh.size(), 2):
		var node := instance_from_id(_fresh[i]) as Node
		if node and node.is_inside_tree():
			_know(node.multiplayer)
			if RecorderNodes.is_named(node):
				_say_added(node, _fresh[i + 1])
	_fresh.clear()
	_know(get_tree().get_multiplayer()) # the game may have set its own API
	for id: int in _apis.duplicate():
		var api := instance_from_id(id) as MultiplayerAPI
		if api:
			_look_at(original(api) as MultiplayerAPI)
		else:
			_apis.erase(id)


func _look_at(api: MultiplayerAPI) -> void:
	var hides := _mode == RecorderSettings.MODE_PROPERTY and RecorderProperty.give(api, writer)
	var peer := api.get_multiplayer_peer() # not the property: see RecorderProperty
	if not peer or peer is RecorderPeer or peer is OfflineMultiplayerPeer:
		return
	if peer.get_connection_status() == MultiplayerPeer.CONNECTION_DISCONNECTED:
		return # the peer cannot be replaced any more
	var reason := ""
	if not hides and _mode != RecorderSettings.MODE_PEER and not RecorderUses.may_wrap_peers():
		reason = "a MultiplayerAPI of the game's own is not recorded, " \
				+ "for scripts ask for the class of its peer"
	elif not api.get_peers().is_empty() or not _authenticating(api).is_empty():
		reason = "it had connected before recording began"
	if reason:
		if not _seen.has(peer.get_instance_id()):
			_seen[peer.get_instance_id()] = true
			RecorderWriter.complain("not recorded: %s" % reason)
			if _for_editor:
				RecorderDebugger.say_not_recorded(reason)
		return
	api.set_multiplayer_peer(RecorderPeer.around(peer, writer, api))


static func _authenticating(api: MultiplayerAPI) -> PackedInt32Array:
	var scene_api := api as SceneMultiplayer
	return scene_api.get_authenticating_peers() if scene_api else PackedInt32Array()


func _on_node_added(node: Node) -> void:
	_fresh.append(node.get_instance_id())
	_fresh.append(Time.get_ticks_usec())


func _say_added(node: Node, time: int) -> void:
	var api := original(node.multiplayer) as MultiplayerAPI
	var peer := api.get_multiplayer_peer() as RecorderPeer
	if peer and writer.is_open():
		peer._recorder_say_added(node, time)


func _input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key and key.pressed and not key.echo and key.keycode == _save_key:
		save()


## The files of the recording so far. In a browser, they are in the page's file system, and save()
## downloads them.
func save() -> PackedStringArray:
	var files := writer.get_files() if writer else PackedStringArray()
	if OS.has_feature("web"):
		for file in files:
			Engine.get_singleton("JavaScriptBridge").call("download_buffer",
					FileAccess.get_file_as_bytes(file), file.get_file(), "application/octet-stream")
	return files


## The engine polls at the beginning of a frame. These functions are called after what the game does
## in the frame.
func _process(_delta: float) -> void:
	look()
	if writer.is_open():
		_look_at_game()
	# for what the game's timers have done in this frame
	get_tree().create_timer(0.0).timeout.connect(look)
	writer.poll()


func _on_frame() -> void:
	writer.processing = 0


func _look_at_game() -> void:
	var now := Time.get_ticks_usec()
	var took := now - _last_frame
	if _last_frame > 0 and took > PAUSE and took > 4 * _usual_frame:
		writer.write_of_game(RecorderRecord.KIND_PAUSE, {"microseconds": took, "time": now})
	elif _last_frame > 0:
		_usual_frame += (took - _usual_frame) >> 3
	_last_frame = now
	var scene := get_tree().current_scene
	if scene and scene.get_instance_id() != _scene:
		if _scene:
			writer.write_of_game(RecorderRecord.KIND_NODE,
					{"event": "scene", "scene": scene.scene_file_path, "time": now})
		_scene = scene.get_instance_id()
	for id in _apis:
		var api := original(instance_from_id(id)) as MultiplayerAPI if is_instance_id_valid(id) \
				else null
		var peer := api.get_multiplayer_peer() as RecorderPeer if api else null
		if peer:
			peer._recorder_nodes.poll()


func _physics_process(_delta: float) -> void:
	look()


## Not when it leaves the tree: nodes that leave after it print, too.
func _notification(what: int) -> void:
	if what != NOTIFICATION_PREDELETE:
		return
	if writer:
		writer.close()
	if EngineDebugger.has_capture(RecorderDebugger.CAPTURE):
		# the engine would report an error
		EngineDebugger.unregister_message_capture(RecorderDebugger.CAPTURE)
