# SPDX-License-Identifier: GPL-2.0-or-later
# A spawn function gives each tank to its player; a flag belongs to who has grabbed it. Environment: ROLE, PORT, SECONDS.
extends Node

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	$Spawner.spawn_function = make_tank
	multiplayer.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.peer_connected.connect(func(id): $Spawner.spawn({"owner": id, "place": Vector2(id % 100, 0)}))
		multiplayer.peer_disconnected.connect(func(id): $Tanks.get_node("Tank%d" % id).queue_free())
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
		multiplayer.connected_to_server.connect(play)
	multiplayer.multiplayer_peer = peer
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	peer.close()
	get_tree().quit()


func make_tank(data: Dictionary) -> Node:
	var tank := preload("res://tank.tscn").instantiate()
	tank.name = "Tank%d" % data.owner
	tank.position = data.place
	tank.get_node("Controls").set_multiplayer_authority(data.owner)
	return tank


func play() -> void:
	await get_tree().create_timer(1.0).timeout
	var me := multiplayer.get_unique_id()
	for round in 3:
		for tank in $Tanks.get_children():
			Log.call_at(1, tank.get_node("Controls"), "steer", [round])
			Log.call_at(1, tank, "explode", [])
		if round == int(OS.get_environment("NUMBER")):
			Log.call_at(1, $Flag, "grab", [])
		await get_tree().create_timer(0.3).timeout
		Log.call_at(0, $Flag, "carry", [round])


@rpc("any_peer")
func hello(text: String) -> void:
	Log.called(self, "hello", [text])
