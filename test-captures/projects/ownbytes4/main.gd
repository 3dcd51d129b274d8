# SPDX-License-Identifier: GPL-2.0-or-later
# Bytes of a game's own in each place where they can stand: arguments of calls, a property, authentication data, the data of a
# spawn function, packets of send_bytes(). Environment: ROLE (server or client), PORT.
extends Node

const FRAMES := 60

var is_server := OS.get_environment("ROLE") == "server"
var random := RandomNumberGenerator.new()
var frame := 0
var other := 0


func _ready() -> void:
	random.seed = 39
	$Spawner.spawn_function = make
	multiplayer.auth_callback = authenticate
	multiplayer.peer_authenticating.connect(send_authentication)
	multiplayer.peer_packet.connect(func(id: int, data: PackedByteArray) -> void: record("received", "raw", data, id))
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		multiplayer.peer_connected.connect(begin)
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
		multiplayer.connected_to_server.connect(begin.bind(1))
		multiplayer.server_disconnected.connect(get_tree().quit)
	multiplayer.multiplayer_peer = peer
	if is_server:
		Log.record("ready")


func record(what: String, place: String, data: PackedByteArray, id := 0) -> void:
	Log.record(what, {"place": place, "hex": data.hex_encode(), "peer": id, "me": multiplayer.get_unique_id()})


func next() -> Dictionary:
	return {
		"tick": frame, "jump": random.randf() < 0.2, "weapon": random.randi_range(0, 7),
		"aim": random.randf_range(-PI, PI), "x": random.randf_range(-100, 100),
	}


func packed(place: String) -> PackedByteArray:
	var values := next()
	var data: PackedByteArray = $Player.pack(values.tick, values.jump, values.weapon, values.aim, values.x)
	Log.record("packed", {"place": place, "hex": data.hex_encode(), "values": values})
	return data


func send_authentication(id: int) -> void:
	var data := packed("auth of the server" if is_server else "auth of a client")
	multiplayer.send_auth(id, data)


func authenticate(id: int, data: PackedByteArray) -> void:
	record("received", "auth", data, id)
	multiplayer.complete_auth(id)


func make(data: PackedByteArray) -> Node:
	record("received", "spawn", data)
	return Node.new()


func begin(id: int) -> void:
	other = id
	if is_server:
		$Spawner.spawn(packed("spawn"))


func _process(_delta: float) -> void:
	if other == 0:
		return
	frame += 1
	if is_server:
		$Player.packed = packed("property")
		if frame == FRAMES + 30:
			multiplayer.multiplayer_peer.close()
			get_tree().quit()
	elif frame <= FRAMES:
		$Player.submit_input.rpc_id(1, packed("argument"))
		if frame % 10 == 0:
			$Player.submit_input_of.rpc_id(1, 3, packed("second argument"))
			multiplayer.send_bytes(packed("raw"), 1)
