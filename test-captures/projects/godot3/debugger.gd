# SPDX-License-Identifier: GPL-2.0-or-later
# The editor's side of the remote debugger: listens, sends what an editor sends, logs every message both ways.
# Messages of the game are a name, a count and that many values, each logged as it comes.
# Steps are [command to send, message to wait for]; an argument "@Name" is replaced by the id of that node.
extends SceneTree

const Log = preload("log.gd")
const PORT = 6007
const PATIENCE = 1200  # in rounds of 5 ms

var server = TCP_Server.new()
var stream
var peer = PacketPeerStream.new()
var waiting_for = ""
var waited = 0
var ids = {}  # of the nodes, by name
var message = ""  # of the game, being received
var left = -1
var values = []

var steps = [
	[[], "output"],
	[["request_scene_tree"], "message:scene_tree"],
	[["inspect_object", "@Player"], "message:inspect_object"],
	[["set_object_property", "@Player", "position", Vector2(100, 200)], ""],
	[["inspect_object", "@Main"], "message:inspect_object"],
	[["save_node", "@Player", "user://player.tscn"], ""],
	[["breakpoint", "res://player.gd", 12, true], ""],
	[["request_video_mem"], "message:video_mem"],
	[[], "debug_enter"],  # by a script error
	[["get_stack_dump"], "stack_dump"],
	[["get_stack_frame_vars", 0], "stack_frame_vars"],
	[["continue"], "debug_exit"],
	[[], "debug_enter"],  # by the breakpoint
	[["get_stack_dump"], "stack_dump"],
	[["get_stack_frame_vars", 0], "stack_frame_vars"],
	[["next"], "debug_enter"],
	[["get_stack_frame_vars", 0], "stack_frame_vars"],
	[["step"], "debug_enter"],
	[["get_stack_dump"], "stack_dump"],
	[["breakpoint", "res://player.gd", 12, false], ""],
	[["continue"], "debug_exit"],
	[["break"], "debug_enter"],
	[["get_stack_dump"], ""],
	[["continue"], "debug_exit"],
	[["set_skip_breakpoints", true], ""],
	[["set_skip_breakpoints", false], ""],
	[["start_profiling", 16], "profile_frame"],
	[["stop_profiling"], "profile_total"],
	[["request_scene_tree"], "message:scene_tree"],
	[["reload_scripts"], ""],
	[["start_network_profiling"], "network_profile"],
	[[], "network_bandwidth"],
	[["stop_network_profiling"], ""],
	[[], "performance"],
	[[], "performance"],
	# Last and at once, for some of it crashes 3.6
	[["unknown_to_any_game", 1], ""],
	[["live_set_root", NodePath("/root/Main"), "res://main.tscn"], ""],
	[["live_node_path", NodePath("World/Player"), 1], ""],
	[["live_node_prop", 1, "rotation", 0.5], ""],
	[["live_node_prop", 1, "modulate", Color(1, 0, 0, 0.5)], ""],
	[["live_node_call", 1, "translate", Vector2(3, 4)], ""],
	[["live_res_path", "res://bullet.tscn", 1], ""],
	[["live_create_node", NodePath("World"), "Node2D", "Made"], ""],
	[["live_instance_node", NodePath("World"), "res://bullet.tscn", "Bullet"], ""],
	[["live_duplicate_node", NodePath("World/Made"), "Made2"], ""],
	[["live_reparent_node", NodePath("World/Made2"), NodePath("World/Made"), "Made3", -1], ""],
	[["live_remove_node", NodePath("World/Made")], ""],
	[["override_camera_2D:set", true], ""],
	[["override_camera_2D:transform", Transform2D(0.1, Vector2(5, 6))], ""],
	[["override_camera_2D:set", false], ""],
]


func _initialize():
	assert(server.listen(PORT, "127.0.0.1") == OK)
	Log.record("ready")
	while not server.is_connection_available():
		OS.delay_msec(5)
	stream = server.take_connection()
	stream.set_no_delay(true)
	peer.input_buffer_max_size = 1 << 23
	peer.stream_peer = stream


func _idle(_delta):
	OS.delay_msec(5)
	if stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		quit()
		return
	while peer.get_available_packet_count() > 0:
		take(peer.get_var())
	waited += 1
	if waiting_for != "" and waited > PATIENCE:
		Log.record("missed", {"name": waiting_for})
		waiting_for = ""
	while waiting_for == "" and not steps.empty():
		var step = steps.pop_front()
		waiting_for = step[1]
		waited = 0
		if not step[0].empty():
			send(step[0])


func send(command):
	for i in command.size():
		if command[i] is String and command[i].begins_with("@"):
			command[i] = ids[command[i].substr(1)]
	Log.value("to game", command[0], command, false, {"error": peer.put_var(command)})


func take(value):
	var opens = left < 0
	if opens and message == "":
		message = value
		Log.value("from game", message, value)
		return
	Log.value("from game", message, value)
	if opens:
		left = value
		values = []
	else:
		values.append(value)
		left -= 1
	if left == 0:
		complete()


func complete():
	Log.record("message", {"name": message, "count": values.size()})
	if message == "message:scene_tree":
		for i in range(0, values.size(), 4):
			if not ids.has(values[i + 1]):
				ids[values[i + 1]] = values[i + 3]
	if message == waiting_for:
		waiting_for = ""
	message = ""
	left = -1
