# SPDX-License-Identifier: GPL-2.0-or-later
# The game that is debugged: does, on the debugger's word ("game:…"), what a debugger is there to see.
extends Node

const SPEED := 3
var counter := 0
var client_root: Node


class Sampler extends EngineProfiler:
	var ticks := 0

	func _tick(frame_time: float, _process: float, _physics: float, _physics_frame: float) -> void:
		ticks += 1
		if ticks % 50 == 0:
			EngineDebugger.send_message("game:sample", [ticks, frame_time])


func _ready() -> void:
	EngineDebugger.register_message_capture("game", order)
	EngineDebugger.register_profiler("sampler", Sampler.new())
	Performance.add_custom_monitor("game/counter", func(): return counter)
	print("hello debugger")


func _process(_delta: float) -> void:
	counter += 1


func order(message: String, arguments: Array) -> bool:
	match message:
		"print":
			print("line one\nline two ", arguments)
			print_rich("[b]bold[/b] and [color=red]red[/color]")
			printerr("printed as error")
		"warn":
			push_warning("careful, ", arguments[0])
			push_error("went wrong: Zażółć")
		"fail":
			fail.call_deferred(null)
		"engine_error":
			load("res://missing.tres")
			get_node("Nowhere")
		"hit":
			$World/Player.hit.call_deferred(arguments[0])
		"thread":
			var thread := Thread.new()
			thread.start(in_thread)
			thread.wait_to_finish()
		"network":
			connect_to_self()
		"values":
			EngineDebugger.send_message("game:values", [null, true, -1, 5000000000, 0.1, "text", &"name", ^"A/B",
					Vector3(1, 2, 3), Color.RED, {"a": [1, 2]}, PackedByteArray([1, 2, 3]), $World])
		"chat":
			$World/Player.rpc("chat", arguments[0])
		"quit":
			EngineDebugger.profiler_enable("sampler", false)
			EngineDebugger.unregister_profiler("sampler")
			get_tree().quit()
	EngineDebugger.send_message("game:done", [message])
	return true


func fail(nothing: Variant) -> void:
	var before := "local value"
	nothing.call_something(before)
	print("after the failure")


func in_thread() -> void:
	push_warning("warning from a thread")


# A server and a client in one process, for the network profilers.
func connect_to_self() -> void:
	var server := ENetMultiplayerPeer.new()
	assert(server.create_server(21032) == OK)
	multiplayer.multiplayer_peer = server
	client_root = Node.new()
	client_root.name = "Client"
	get_tree().root.add_child(client_root)
	var api := SceneMultiplayer.new()
	get_tree().set_multiplayer(api, ^"/root/Client")
	var copy: Node = load("res://main.tscn").instantiate()
	copy.set_script(null)
	copy.name = "Main"
	client_root.add_child(copy)
	var client := ENetMultiplayerPeer.new()
	assert(client.create_client("127.0.0.1", 21032) == OK)
	api.multiplayer_peer = client
	api.connected_to_server.connect(func(): EngineDebugger.send_message("game:connected", []))
