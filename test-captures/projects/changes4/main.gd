# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes that both ends make by themselves, of scenes whose synchronizers have the same name. The server sets, a client watches.
# Environment: ROLE (server or client), PORT.
extends Node

const KINDS := ["walker", "turret", "mast"]


func _ready() -> void:
	for kind: String in KINDS:
		var thing: Node = load("res://%s.tscn" % kind).instantiate()
		thing.name = kind.capitalize()
		add_child(thing)
	multiplayer.server_disconnected.connect(leave)
	var peer := ENetMultiplayerPeer.new()
	var port := int(OS.get_environment("PORT"))
	if OS.get_environment("ROLE") == "server":
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.multiplayer_peer = peer
		multiplayer.peer_connected.connect(serve)
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
		multiplayer.multiplayer_peer = peer
		multiplayer.connected_to_server.connect(func(): Log.record("connected_to_server", {"me": multiplayer.get_unique_id()}))


func leave() -> void:
	Log.record("server_disconnected")
	get_tree().quit()


func serve(client: int) -> void:
	Log.record("peer_connected", {"id": client, "me": 1})
	for step in [1, 2, 3]:
		await get_tree().create_timer(0.3).timeout
		for thing in get_children():
			thing.set_all(step)
	await get_tree().create_timer(0.4).timeout
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	get_tree().quit()
