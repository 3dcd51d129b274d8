# SPDX-License-Identifier: GPL-2.0-or-later
# Calls with values of every type for parameters of every type: the engine converts some, and refuses the others.
# Environment: ROLE (server or client), PORT, NUMBER of the client, SECONDS.
extends Node

var is_server = OS.get_environment("ROLE") == "server"
var values = [null, true, 3, 2.5, "text", NodePath("Main/Unit"), Vector2(1, 2), Vector3(1, 2, 3), Rect2(1, 2, 3, 4), Color(1, 0, 0),
	Quat(0, 0, 0, 1), Transform(), Basis(), {"a": 1}, [1, 2], PoolByteArray([1, 2]), PoolIntArray([1, 2]), PoolRealArray([1.5]),
	PoolStringArray(["a"]), PoolVector3Array([Vector3.ONE]), PoolColorArray([Color(1, 0, 0)])]


func _ready():
	var peer = NetworkedMultiplayerENet.new()
	get_tree().connect("network_peer_connected", self, "peer_connected")
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	get_tree().network_peer = peer
	yield(get_tree().create_timer(float(OS.get_environment("SECONDS"))), "timeout")
	peer.close_connection()
	get_tree().quit()


func peer_connected(id):
	Log.record("peer_connected", {"id": id, "me": get_tree().get_network_unique_id()})
	yield(get_tree().create_timer(0.5), "timeout")
	if id != 1:
		rpc_id(id, "take_int", 1)
		return
	rpc_id(1, "only_for_the_server", "text")
	for method in get_method_list():
		if not method.name.begins_with("take_"):
			continue
		for value in values:
			rpc_id(1, method.name, value)
		yield(get_tree().create_timer(0.05), "timeout")
	rpc_id(1, "two", 1, "text")
	rpc_id(1, "two", "text", 1)
	rpc_id(1, "two", 1, 2)
	rpc_id(1, "by_default", "text")


puppet func only_for_the_server(value: int):
	Log.called(self, "only_for_the_server", [value])


remote func take_any(value):
	Log.called(self, "take_any", [value])


remote func take_node(value: Node):
	Log.called(self, "take_node", [value])


remote func take_bool(value: bool):
	Log.called(self, "take_bool", [value])


remote func take_int(value: int):
	Log.called(self, "take_int", [value])


remote func take_float(value: float):
	Log.called(self, "take_float", [value])


remote func take_string(value: String):
	Log.called(self, "take_string", [value])


remote func take_nodepath(value: NodePath):
	Log.called(self, "take_nodepath", [value])


remote func take_vector2(value: Vector2):
	Log.called(self, "take_vector2", [value])


remote func take_vector3(value: Vector3):
	Log.called(self, "take_vector3", [value])


remote func take_rect2(value: Rect2):
	Log.called(self, "take_rect2", [value])


remote func take_color(value: Color):
	Log.called(self, "take_color", [value])


remote func take_dictionary(value: Dictionary):
	Log.called(self, "take_dictionary", [value])


remote func take_array(value: Array):
	Log.called(self, "take_array", [value])


remote func two(first: int, second: String = "x"):
	Log.called(self, "two", [first, second])


remote func by_default(value := 1):
	Log.called(self, "by_default", [value])
