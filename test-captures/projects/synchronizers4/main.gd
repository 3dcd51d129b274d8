# SPDX-License-Identifier: GPL-2.0-or-later
# Scenes with several synchronizers, and spawners that put them into all kinds of places. The server spawns, a client
# watches. Environment: ROLE (server or client), PORT.
extends Node

var is_server := OS.get_environment("ROLE") == "server"
var late: Node


func _ready() -> void:
	for spawner in spawners():
		spawner.spawned.connect(spawned.bind(spawner))
		spawner.despawned.connect(despawned.bind(spawner))
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
		# Given away only after it has entered the tree: the server then has its synchronizers in another order, and announces
		# them so to whoever joins. (The client has three that it takes for the server's; the engine complains.)
		late = spawn($Absolute, "late", "Late1")
		late.get_node("Mine").set_multiplayer_authority(77)
		multiplayer.peer_connected.connect(serve)
		Log.record("ready")
	else:
		multiplayer.connected_to_server.connect(func(): Log.record("connected_to_server", {"me": multiplayer.get_unique_id()}))


func spawners() -> Array:
	return find_children("*", "MultiplayerSpawner", true, false)


func leave() -> void:
	Log.record("server_disconnected")
	get_tree().quit()


func spawned(node: Node, spawner: Node) -> void:
	Log.record("spawned", {"node": Log.path_of(node), "spawner": Log.path_of(spawner), "scene": node.scene_file_path})
	var properties := []
	for synchronizer in node.find_children("*", "MultiplayerSynchronizer", true, false):
		if synchronizer.get_node(synchronizer.root_path) == node and synchronizer.get_multiplayer_authority() == 1:
			properties += node.listed(synchronizer, "spawn")
	Log.state("spawn_state", node, properties)


func despawned(node: Node, spawner: Node) -> void:  # the node has left the tree
	var parent := Log.path_of(spawner.get_node(spawner.spawn_path))
	Log.record("despawned", {"node": parent + "/" + node.name, "spawner": Log.path_of(spawner)})


func spawn(spawner: Node, scene: String, as_name: String) -> Node:
	var node: Node = load("res://%s.tscn" % scene).instantiate()
	var parent := spawner.get_node(spawner.spawn_path)
	node.name = as_name
	for property in ["a", "b", "c", "d", "e", "f"]:
		node.set(property, "%s %s 0" % [as_name, property])
	if node.has_node("Body"):
		node.get_node("Body").heat = "%s heat 0" % as_name
	Log.record("spawn", {"node": Log.path_of(parent) + "/" + as_name, "scene": node.scene_file_path})
	parent.add_child(node, true)
	return node


func serve(client: int) -> void:
	Log.record("peer_connected", {"id": client, "me": 1})
	var units := [late, spawn($Inside, "squad", "Squad1"), spawn($Level/ArenaSpawner, "heir", "Heir1")]
	units.append(spawn($Group/Above, "mixed", "Mixed_%d" % client))
	units.append(spawn($Group/Beside, "twins", "Twins_%d" % client))
	units.append(spawn($Absolute, "holder", "Holder1"))
	units.append(spawn($Unique, "squad", "Squad2"))
	units.append(spawn($Gate/GateSpawner, "mixed", "Mixed1"))
	for step in [1, 2]:
		await get_tree().create_timer(0.5).timeout
		for unit in units:
			unit.set_all(step)
	await get_tree().create_timer(0.5).timeout
	for unit in units:
		Log.record("despawn", {"node": Log.path_of(unit)})
		unit.queue_free()
	await get_tree().create_timer(0.4).timeout
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	get_tree().quit()
