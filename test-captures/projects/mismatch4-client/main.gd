# SPDX-License-Identifier: GPL-2.0-or-later
# Client and server of different versions. Environment: ROLE (server or client), PORT.
extends Node

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.peer_disconnected.connect(leave)
		multiplayer.peer_connected.connect(greet)
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
		multiplayer.connected_to_server.connect(play)
	multiplayer.multiplayer_peer = peer


func leave(_id: int) -> void:
	get_tree().quit()


func greet(id: int) -> void:
	await get_tree().create_timer(0.1).timeout
	Log.call_at(id, $Same, "talk", ["welcome"])
	Log.call_at(id, $Unit, "order", [id])
	await get_tree().create_timer(0.2).timeout
	Log.call_at(id, $Unit, "order", [id + 1])


func play() -> void:
	for i in 3:
		Log.call_at(1, $Same, "talk", ["hello %d" % i])
		Log.call_at(1, $Unit, "fire", [i])
		Log.call_at(1, $Unit, "stop")
		await get_tree().create_timer(0.2).timeout
	multiplayer.multiplayer_peer.close()
	get_tree().quit()
