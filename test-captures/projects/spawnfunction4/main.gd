# SPDX-License-Identifier: GPL-2.0-or-later
# A spawn function that makes scenes, and nodes without a scene. The server spawns, a client watches. Environment: ROLE (server
# or client), PORT.
extends Node

const Thing = preload("thing.gd")

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	$Spawner.spawn_function = make
	$Spawner.spawned.connect(spawned)
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


# data: [name of the node, name of the scene ("": none)]
func make(data: Array) -> Node:
	var node: Node = load("res://%s.tscn" % data[1]).instantiate() if data[1] else make_in_code()
	node.name = data[0]
	node.health = hash(data[0]) % 100
	node.title = data[0] + " title"
	return node


func make_in_code() -> Node:
	var node := Node2D.new()
	node.set_script(Thing)
	var synchronizer := MultiplayerSynchronizer.new()
	var config := SceneReplicationConfig.new()
	for property: NodePath in [^".:title", ^".:health"]:
		config.add_property(property)
	synchronizer.name = "Synchronizer"
	synchronizer.replication_config = config
	synchronizer.replication_interval = 0.2
	node.add_child(synchronizer)
	return node


func spawned(node: Node) -> void:
	Log.record("spawned", {"node": Log.path_of(node), "spawner": Log.path_of($Spawner), "scene": node.scene_file_path})
	Log.state("spawn_state", node, node.listed())


func serve(client: int) -> void:
	Log.record("peer_connected", {"id": client, "me": 1})
	var things := []
	for data in [["Plane1", "plane"], ["Solid1", "solid"], ["Plane2", "plane"], ["Red1", "red"], ["Blue1", "blue"],
			["Box1", "box"], ["Crate1", "crate"], ["Code1", ""]]:
		Log.record("spawn_custom", {"node": data[0], "scene": data[1]})
		things.append($Spawner.spawn(data))
	for step in 2:
		await get_tree().create_timer(0.3).timeout
		for thing: Node in things:
			Log.put(thing, "health", 200 + step)
			Log.put(thing, "title", "%s %d" % [thing.name, step])
			if thing is Node2D:
				Log.put(thing, "position", Vector2(step, 7))
			elif thing is Node3D:
				Log.put(thing, "position", Vector3(step, 7, 8))
	await get_tree().create_timer(0.4).timeout
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	get_tree().quit()
