# SPDX-License-Identifier: GPL-2.0-or-later
# Each end makes all players itself, and each player gives itself the authority that its name says. Over WebSocket.
# Environment: ROLE (server or client), PORT, NUMBER of the client, SECONDS.
extends Node

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := WebSocketMultiplayerPeer.new()
	multiplayer.peer_connected.connect(_on_peer_connected)
	multiplayer.peer_disconnected.connect(func(id): get_node(str(id)).queue_free())
	if is_server:
		peer.create_server(port, "127.0.0.1")
		Log.record("ready")
	else:
		peer.create_client("ws://127.0.0.1:%d" % port)
		multiplayer.connected_to_server.connect(play)
	multiplayer.multiplayer_peer = peer
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	peer.close()
	get_tree().quit()


func _on_peer_connected(id: int) -> void:
	Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()})
	create_player(id)


func create_player(id: int) -> void:
	var player = preload("res://player.tscn").instantiate()
	player.name = str(id)
	add_child(player)


func play() -> void:
	create_player(multiplayer.get_unique_id())
	await get_tree().create_timer(1.0).timeout
	var own := get_node(str(multiplayer.get_unique_id()))
	for round in 3:
		Log.call_at(0, own, "move_to", [Vector2(round, 2)])
		Log.call_at(0, own.get_node("Weapon"), "fire", [round])
		Log.call_at(1, $Door, "open", [])
		Log.call_at(1, $Door, "knock", [round])
		for id in multiplayer.get_peers():
			if id == 1:
				Log.call_at(1, get_node("1"), "move_to", [Vector2.ONE])
			else:
				Log.call_at(1, get_node(str(id)), "move_to", [Vector2.ZERO])
				Log.call_at(id, get_node(str(id)).get_node("Weapon"), "fire", [-1])
		await get_tree().create_timer(0.3).timeout
