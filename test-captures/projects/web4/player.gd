# SPDX-License-Identifier: GPL-2.0-or-later
# One player, at each end: calls in every mode, on several channels, of every size, and logs what is called here.
extends Node

var api := SceneMultiplayer.new()


func _init() -> void:
	api.peer_packet.connect(func(id: int, packet: PackedByteArray) -> void: record("raw", {"from": id, "hex": packet.hex_encode()}))
	api.peer_connected.connect(func(id: int) -> void: record("peer_connected", {"id": id}))
	api.peer_disconnected.connect(func(id: int) -> void: record("peer_disconnected", {"id": id}))


func record(what: String, fields := {}) -> void:
	fields["me"] = api.get_unique_id() if api.multiplayer_peer.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED else 0
	Log.record(what, fields)


func all_there(count: int) -> void:
	while api.get_peers().size() < count - 1:
		await get_tree().create_timer(0.02).timeout


func at(target: int, method: String, arguments: Array) -> void:
	var config: Dictionary = get_script().get_rpc_config()[method]
	var error: int = callv("rpc_id", [target, method] + arguments)
	record("call", {"method": method, "target": target, "args": Log.texts(arguments), "error": error,
		"mode": config["transfer_mode"], "channel": config.get("channel", 0)})


func called(method: String, arguments: Array) -> void:
	record("called", {"method": method, "from": api.get_remote_sender_id(), "args": Log.texts(arguments)})


func call_all(number: int) -> void:
	for target in api.get_peers():
		at(target, "say", ["hello %d" % number])
		at(target, "move", [Vector2(number, 0.5)])
		at(target, "turn", [number])
		at(target, "chat", ["on channel 1", number])
		at(target, "steer", [number * 0.25])
	if number == 1:
		for target in api.get_peers():
			at(target, "say", ["long ".repeat(1000)])


func leave_word() -> void:
	record("send_bytes", {"target": 0, "hex": "bye".to_utf8_buffer().hex_encode(), "error": api.send_bytes("bye".to_utf8_buffer())})


@rpc("any_peer", "reliable")
func say(text: String) -> void:
	called("say", [text])


@rpc("any_peer", "unreliable")
func move(to: Vector2) -> void:
	called("move", [to])


@rpc("any_peer", "unreliable_ordered")
func turn(number: int) -> void:
	called("turn", [number])


@rpc("any_peer", "call_remote", "reliable", 1)
func chat(text: String, number: int) -> void:
	called("chat", [text, number])


@rpc("any_peer", "call_remote", "unreliable", 2)
func steer(angle: float) -> void:
	called("steer", [angle])
