# SPDX-License-Identifier: GPL-2.0-or-later
# Calls with values of every type for parameters of every type: the engine converts some, and refuses the others.
# Environment: ROLE (server or client), PORT, NUMBER of the client, SECONDS.
extends Node

var values := [null, true, 3, 2.5, "text", &"name", ^"Main/Unit", Vector2(1, 2), Vector2i(1, 2), Vector3(1, 2, 3), Vector3i(1, 2, 3),
	Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, 4), Rect2(1, 2, 3, 4), Rect2i(1, 2, 3, 4), Color(1, 0, 0), Quaternion(0, 0, 0, 1),
	{"a": 1}, [1, 2], [[1, 2]], PackedByteArray([1, 2]), PackedInt32Array([1, 2]), PackedStringArray(["a"]), PackedVector3Array([Vector3.ONE])]

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(connected)
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	peer.close()
	get_tree().quit()


func connected(id: int) -> void:
	Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()})
	await get_tree().create_timer(0.5).timeout
	if id != 1:
		rpc_id(id, "take_int", 1)
		return
	only_for_the_server.rpc_id(1, "text")
	for method in get_script().get_rpc_config():
		if not String(method).begins_with("take_"):
			continue
		for value in values:
			rpc_id(1, method, value)
		await get_tree().create_timer(0.05).timeout
	rpc_id(1, "two", 1, "text")
	rpc_id(1, "two", "text", 1)
	rpc_id(1, "two", 1, 2)
	rpc_id(1, "rest", 1, "text", null)
	rpc_id(1, "by_default", "text")


@rpc("reliable")
func only_for_the_server(value: int) -> void:
	Log.called(self, "only_for_the_server", [value])


@rpc("any_peer", "reliable")
func take_any(value) -> void:
	Log.called(self, "take_any", [value])


@rpc("any_peer", "reliable")
func take_variant(value: Variant) -> void:
	Log.called(self, "take_variant", [value])


@rpc("any_peer", "reliable")
func take_node(value: Node) -> void:
	Log.called(self, "take_node", [value])


@rpc("any_peer", "reliable")
func take_typed_array(value: Array[int]) -> void:
	Log.called(self, "take_typed_array", [value])


@rpc("any_peer", "reliable")
func take_bool(value: bool) -> void:
	Log.called(self, "take_bool", [value])


@rpc("any_peer", "reliable")
func take_int(value: int) -> void:
	Log.called(self, "take_int", [value])


@rpc("any_peer", "reliable")
func take_float(value: float) -> void:
	Log.called(self, "take_float", [value])


@rpc("any_peer", "reliable")
func take_string(value: String) -> void:
	Log.called(self, "take_string", [value])


@rpc("any_peer", "reliable")
func take_stringname(value: StringName) -> void:
	Log.called(self, "take_stringname", [value])


@rpc("any_peer", "reliable")
func take_nodepath(value: NodePath) -> void:
	Log.called(self, "take_nodepath", [value])


@rpc("any_peer", "reliable")
func take_vector2(value: Vector2) -> void:
	Log.called(self, "take_vector2", [value])


@rpc("any_peer", "reliable")
func take_vector2i(value: Vector2i) -> void:
	Log.called(self, "take_vector2i", [value])


@rpc("any_peer", "reliable")
func take_vector3(value: Vector3) -> void:
	Log.called(self, "take_vector3", [value])


@rpc("any_peer", "reliable")
func take_vector3i(value: Vector3i) -> void:
	Log.called(self, "take_vector3i", [value])


@rpc("any_peer", "reliable")
func take_vector4(value: Vector4) -> void:
	Log.called(self, "take_vector4", [value])


@rpc("any_peer", "reliable")
func take_vector4i(value: Vector4i) -> void:
	Log.called(self, "take_vector4i", [value])


@rpc("any_peer", "reliable")
func take_rect2(value: Rect2) -> void:
	Log.called(self, "take_rect2", [value])


@rpc("any_peer", "reliable")
func take_rect2i(value: Rect2i) -> void:
	Log.called(self, "take_rect2i", [value])


@rpc("any_peer", "reliable")
func take_color(value: Color) -> void:
	Log.called(self, "take_color", [value])


@rpc("any_peer", "reliable")
func take_dictionary(value: Dictionary) -> void:
	Log.called(self, "take_dictionary", [value])


@rpc("any_peer", "reliable")
func take_array(value: Array) -> void:
	Log.called(self, "take_array", [value])


@rpc("any_peer", "reliable")
func two(first: int, second: String = "x") -> void:
	Log.called(self, "two", [first, second])


@rpc("any_peer", "reliable")
func by_default(value := 1) -> void:
	Log.called(self, "by_default", [value])


@rpc("any_peer", "reliable")
func rest(first: int, ...others: Array) -> void:
	Log.called(self, "rest", [first] + others)
