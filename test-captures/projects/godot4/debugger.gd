# SPDX-License-Identifier: GPL-2.0-or-later
# The editor's side of the remote debugger: listens, sends what an editor sends, logs every message both ways.
# LINK is tcp or websocket. Steps are [what to send, arguments, message to wait for]; arguments may be a Callable.
extends SceneTree

const Log = preload("log.gd")
const PORT := 6007

var server := TCPServer.new()
var stream: StreamPeerTCP
var socket: WebSocketPeer
var steps: Array
var waiting_for := ""
var waited := 0
var thread := 1
var ids := {}  # of the nodes, by name
var received := {}  # how often, by message


func _initialize() -> void:
	assert(server.listen(PORT, "127.0.0.1") == OK)
	Log.record("ready")
	while not server.is_connection_available():
		OS.delay_msec(5)
	stream = server.take_connection()
	stream.set_no_delay(true)
	if OS.get_environment("LINK") == "websocket":
		socket = WebSocketPeer.new()
		socket.supported_protocols = ["binary"]
		socket.inbound_buffer_size = 1 << 23
		socket.accept_stream(stream)
	steps = session()


func session() -> Array:
	var player := func(): return ids["Player"]
	return [
		["", [], "window:title"],
		["game:print", [1, "two"], "game:done"],
		["game:warn", ["dog"], "game:done"],
		["game:engine_error", [], "game:done"],
		["game:values", [], "game:done"],
		["game:thread", [], "game:done"],
		# Breaking, by a script error
		["game:fail", [], "debug_enter"],
		["get_stack_dump", [], "stack_dump"],
		["get_stack_frame_vars", [0], "stack_frame_vars"],
		["evaluate", ["before.length() + 1", 0], "evaluation_return"],
		["continue", [], "debug_exit"],
		# by a breakpoint, then step by step
		["breakpoint", ["res://player.gd", 12, true], ""],
		["game:hit", [12.5], "debug_enter"],
		["get_stack_dump", [], "stack_dump"],
		["get_stack_frame_vars", [0], "stack_frame_vars"],
		["evaluate", ["[health, damage, self.name]", 0], "evaluation_return"],
		["next", [], "debug_enter"],
		["get_stack_frame_vars", [0], "stack_frame_vars"],
		["step", [], "debug_enter"],
		["get_stack_dump", [], "stack_dump"],
		["out", [], "debug_exit"],
		["breakpoint", ["res://player.gd", 12, false], ""],
		["set_skip_breakpoints", [true], ""],
		["set_skip_breakpoints", [false], ""],
		["set_ignore_error_breaks", [true], ""],
		["game:fail", [], "error"],
		["set_ignore_error_breaks", [false], ""],
		["break", [], "debug_enter"],
		["get_stack_dump", [], "stack_dump"],
		["continue", [], "debug_exit"],
		# Looking at the scene
		["scene:request_scene_tree", [], "scene:scene_tree"],
		["scene:inspect_objects", func(): return [typed([ids["Player"], ids["World"]]), true], "remote_objects_selected"],
		["scene:inspect_objects", func(): return [typed([ids["Main"]]), false], "scene:inspect_objects"],
		["scene:set_object_property", func(): return [ids["Player"], "position", Vector2(100, 200)], ""],
		["scene:set_object_property_field", func(): return [ids["Player"], "position", Vector2(5, 7), "x"], ""],
		["scene:inspect_objects", func(): return [typed([player.call()]), false], "scene:inspect_objects"],
		["scene:save_node", func(): return [ids["Player"], "user://player.tscn"], ""],
		["scene:clear_selection", [], ""],
		# Live editing; live_restore_node is missing: 4.6.3 hangs in it
		["scene:live_set_root", [^"/root/Main", "res://main.tscn"], ""],
		["scene:live_node_path", [^"World/Player", 1], ""],
		["scene:live_node_path", [^"World", 2], ""],
		["scene:live_node_prop", [1, &"rotation", 0.5], ""],
		["scene:live_node_prop", [1, &"modulate", Color(1, 0, 0, 0.5)], ""],
		["scene:live_node_call", [1, &"translate", Vector2(3, 4)], ""],
		["scene:live_create_node", [^"World", "Node2D", "Made"], ""],
		["scene:live_instantiate_node", [^"World", "res://bullet.tscn", "Bullet"], ""],
		["scene:live_duplicate_node", [^"World/Made", "Made2"], ""],
		["scene:live_reparent_node", [^"World/Made2", ^"World/Made", "Made3", -1], ""],
		["scene:live_remove_and_keep_node", [^"World/Bullet", 77], ""],
		["scene:live_remove_node", [^"World/Made"], ""],
		["scene:live_res_path", ["res://bullet.tscn", 1], ""],
		["scene:request_scene_tree", [], "scene:scene_tree"],
		# Running
		["scene:suspend_changed", [true], ""],
		["scene:next_frame", [], ""],
		["scene:suspend_changed", [false], ""],
		["scene:speed_changed", [2.0], ""],
		["scene:debug_mute_audio", [true], ""],
		["scene:override_cameras", [true, false], ""],
		["scene:transform_camera_2d", [Transform2D(0.1, Vector2(5, 6))], ""],
		["scene:transform_camera_3d", [Transform3D.IDENTITY, true, 75.0, 0.05, 4000.0], ""],
		["scene:override_cameras", [false, false], ""],
		["scene:reload_cached_files", [PackedStringArray(["res://bullet.tscn"])], ""],
		["reload_scripts", ["res://player.gd"], ""],
		["reload_all_scripts", [], ""],
		# Profilers
		["profiler:servers", [true, [16, true]], "servers:profile_frame"],
		["game:hit", [1.0], "game:done"],
		["", [], "servers:profile_frame"],
		["profiler:servers", [false, []], "servers:profile_total"],
		["profiler:visual", [true, []], "visual:hardware_info"],  # no frames without a screen
		["profiler:visual", [false, []], ""],
		["profiler:sampler", [true, ["option"]], "game:sample"],
		["profiler:sampler", [false, []], ""],
		["servers:memory", [], "servers:memory_usage"],
		["profiler:multiplayer:bandwidth", [true, []], "multiplayer:bandwidth"],
		["profiler:multiplayer:rpc", [true, []], "multiplayer:rpc"],
		["profiler:multiplayer:replication", [true, []], ""],
		["game:network", [], "game:connected"],
		["game:chat", ["cześć"], "game:done"],
		["game:chat", ["again"], "multiplayer:rpc"],
		["", [], "multiplayer:bandwidth"],
		["multiplayer:cache", func(): return [player.call()], "multiplayer:cache"],
		["profiler:multiplayer:rpc", [false, []], ""],
		["profiler:multiplayer:bandwidth", [false, []], ""],
		["profiler:multiplayer:replication", [false, []], ""],
		["", [], "performance:profile_frame"],
		["snapshot:request_prepare_snapshot", [1, "listener"], "snapshot:snapshot_prepared"],
		["snapshot:request_snapshot_chunk", [1, 0, 3000], "snapshot:snapshot_chunk"],
		# What no game knows
		["unknown_to_any_game", [1], ""],
		["nobody:listens", ["x"], ""],
		["game:quit", [], "game:done"],
	]


func typed(list: Array) -> Array[int]:
	return Array(list, TYPE_INT, &"", null) as Array[int]


func _process(_delta: float) -> bool:
	OS.delay_msec(5)
	if socket:
		socket.poll()
		if socket.get_ready_state() == WebSocketPeer.STATE_CLOSED:
			return true
		while socket.get_available_packet_count() > 0:
			take(socket.get_var())
	else:
		stream.poll()
		if stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
			return true
		while stream.get_available_bytes() > 0:
			take(stream.get_var())
	waited += 1
	if waiting_for == "" or waited > 400:
		if waited > 400:
			Log.record("missed", {"name": waiting_for})
		next_step()
	return false


func next_step() -> void:
	waiting_for = ""
	if steps.is_empty() or socket and socket.get_ready_state() != WebSocketPeer.STATE_OPEN:
		return
	var step: Array = steps.pop_front()
	waiting_for = step[2]
	waited = 0
	if step[0] == "":
		return
	var message := [step[0], thread, step[1].call() if step[1] is Callable else step[1]]
	if socket:
		socket.put_var(message)
	else:
		# In one write: 4.6.3 gives up a connection whose payload lags behind its length.
		var frame := StreamPeerBuffer.new()
		frame.put_var(message)
		stream.put_data(frame.data_array)
	Log.value("to game", step[0], message)


func take(message: Variant) -> void:
	Log.value("from game", message[0], message)
	if message[0] == "debug_enter":
		thread = message[1]
	elif message[0] == "scene:scene_tree":
		for i in range(0, message[2].size(), 6):
			if not ids.has(message[2][i + 1]):
				ids[message[2][i + 1]] = message[2][i + 3]
	if message[0] == waiting_for:
		waiting_for = ""
