# SPDX-License-Identifier: GPL-2.0-or-later
# Synchronizers of the same name in several scenes, one that is a scene of its own, and a script that moves one of two
# spawners. The server sets, a client watches. Environment: ROLE (server or client), PORT.
extends Node

var is_server := OS.get_environment("ROLE") == "server"

@onready var mover: MultiplayerSpawner = $Mover


func _ready() -> void:
	mover.spawn_path = NodePath("../Yonder")
	for spawner: MultiplayerSpawner in [$Spawner, mover]:
		spawner.spawned.connect(spawned.bind(spawner))
		spawner.despawned.connect(despawned.bind(spawner))
	var lamp: Node = load("res://lamp.tscn").instantiate()  # made by both ends, nobody spawns it
	lamp.name = "Lamp7"
	$Lamps.add_child(lamp)
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


func spawned(node: Node, spawner: Node) -> void:
	Log.record("spawned", {"node": Log.path_of(node), "spawner": Log.path_of(spawner), "scene": node.scene_file_path})
	Log.state("spawn_state", node, ["f", "b"])


func despawned(node: Node, spawner: Node) -> void:  # the node has left the tree
	var parent := Log.path_of(spawner.get_node(spawner.spawn_path))
	Log.record("despawned", {"node": parent + "/" + node.name, "spawner": Log.path_of(spawner)})


func spawn(spawner: Node, as_name: String) -> Node:
	var node: Node = load("res://unit.tscn").instantiate()
	var parent := spawner.get_node(spawner.spawn_path)
	node.name = as_name
	for property in ["b", "f"]:
		node.set(property, "%s %s 0" % [as_name, property])
	Log.record("spawn", {"node": Log.path_of(parent) + "/" + as_name, "scene": node.scene_file_path})
	parent.add_child(node, true)
	return node


func serve(client: int) -> void:
	Log.record("peer_connected", {"id": client, "me": 1})
	var things := [$Door, $Crate, $Radio, $Lamps/Lamp7, spawn($Spawner, "Unit1"), spawn(mover, "Unit2")]
	for step in [1, 2]:
		await get_tree().create_timer(0.3).timeout
		for thing in things:
			thing.set_all(step)
	await get_tree().create_timer(0.4).timeout
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	get_tree().quit()
