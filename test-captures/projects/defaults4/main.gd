# SPDX-License-Identifier: GPL-2.0-or-later
# Spawners and synchronizers that all have the name that the editor gives them: in the main scene, in scenes within scenes, in
# one that a script adds, in an autoload, in what is spawned. The server spawns, a client watches. Environment: ROLE, PORT.
extends "thing.gd"

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	super()
	add_child(load("res://level.tscn").instantiate())
	multiplayer.server_disconnected.connect(leave)
	var peer := ENetMultiplayerPeer.new()
	var port := int(OS.get_environment("PORT"))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
	else:
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	if is_server:
		multiplayer.peer_connected.connect(serve)
		Log.record("ready")
	else:
		multiplayer.connected_to_server.connect(func(): Log.record("connected_to_server", {"me": multiplayer.get_unique_id()}))


func leave() -> void:
	Log.record("server_disconnected")
	get_tree().quit()


func serve(client: int) -> void:
	Log.record("peer_connected", {"id": client, "me": 1})
	var things := [self, $World, $World/Cave, $World/Deep, $Level, Net]
	for owner_of_spawner: Node in things.duplicate():
		for index in 2:
			things.append(owner_of_spawner.spawn(index))
	await get_tree().create_timer(0.3).timeout
	for thing: Node in things.duplicate():
		if thing.has_node("MultiplayerSpawner") and things.find(thing) >= 6:
			for index in 2:
				things.append(thing.spawn(index))
	for step in [1, 2]:
		await get_tree().create_timer(0.4).timeout
		for thing: Node in things:
			thing.set_all(step)
	await get_tree().create_timer(0.5).timeout
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	get_tree().quit()
