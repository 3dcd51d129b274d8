# SPDX-License-Identifier: GPL-2.0-or-later
# A server that spawns, moves, hides and removes things for its clients. Environment: ROLE (server or client), PORT,
# TRANSPORT (enet, websocket or wss), COMPRESSION mode 0..4, NUMBER of the client, PLAYERS that the server waits for, HAMMER: the
# client calls a node without a pause.
extends Node

const Avatar = preload("avatar.gd")
const UnitScene = preload("unit.tscn")
const CrateScene = preload("crate.tscn")

var is_server := OS.get_environment("ROLE") == "server"
var clock := 0.0  # replicated by the synchronizer that is part of the scene, hence by path
var phase := "before"


func _ready() -> void:
	$AvatarSpawner.spawn_function = make_avatar
	for spawner in [$Spawner, $AvatarSpawner]:
		spawner.spawned.connect(spawned.bind(spawner))
		spawner.despawned.connect(despawned.bind(spawner))
	$Clock.synchronized.connect(func(): Log.state("synchronized", self, ["clock"], $Clock))
	$Clock.delta_synchronized.connect(func(): Log.state("delta_synchronized", self, ["phase"], $Clock))
	multiplayer.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	multiplayer.peer_disconnected.connect(func(id): Log.record("peer_disconnected", {"id": id}))
	multiplayer.server_disconnected.connect(leave)
	start()
	if is_server:
		add($World, UnitScene.instantiate(), "Early")
		Log.record("ready")
		serve()
	else:
		multiplayer.connected_to_server.connect(play)


func start() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer: MultiplayerPeer
	if OS.get_environment("TRANSPORT") == "wss":
		peer = WebSocketMultiplayerPeer.new()
		if is_server:
			var key := Crypto.new().generate_rsa(2048)
			var certificate := Crypto.new().generate_self_signed_certificate(key, "CN=localhost")
			peer.create_server(port, "127.0.0.1", TLSOptions.server(key, certificate))
		else:
			peer.create_client("wss://localhost:%d" % port, TLSOptions.client_unsafe())
	elif OS.get_environment("TRANSPORT") == "websocket":
		peer = WebSocketMultiplayerPeer.new()
		if is_server:
			peer.create_server(port, "127.0.0.1")
		else:
			peer.create_client("ws://127.0.0.1:%d" % port)
	else:
		peer = ENetMultiplayerPeer.new()
		if is_server:
			peer.set_bind_ip("127.0.0.1")
			peer.create_server(port)
		else:
			peer.create_client("127.0.0.1", port)
		peer.host.compress(int(OS.get_environment("COMPRESSION")))
	multiplayer.multiplayer_peer = peer


func leave() -> void:
	Log.record("server_disconnected")
	get_tree().quit()


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


func add(parent: Node, node: Node, as_name: String) -> Node:
	node.name = as_name
	Log.record("spawn", {"node": Log.path_of(parent) + "/" + as_name, "scene": node.scene_file_path})
	parent.add_child(node, true)
	return node


func make_avatar(data: Dictionary) -> Node:
	var avatar := Avatar.new()
	avatar.name = "Avatar%d" % data.owner
	avatar.prepare(data)
	return avatar


func spawned(node: Node, spawner: Node) -> void:
	Log.record("spawned", {"node": Log.path_of(node), "spawner": Log.path_of(spawner), "scene": node.scene_file_path})
	if "title" in node:
		Log.state("spawn_state", node, ["position", "health", "title", "Turret:rotation"])
	elif "contents" in node:
		Log.state("spawn_state", node, ["position", "contents", "open"])
	elif "color" in node:
		Log.state("spawn_state", node, ["color", "owner_id"])


func despawned(node: Node, spawner: Node) -> void:  # the node has left the tree
	var parent := Log.path_of(spawner.get_node(spawner.spawn_path))
	Log.record("despawned", {"node": parent + "/" + node.name, "spawner": Log.path_of(spawner)})


func serve() -> void:
	while multiplayer.get_peers().size() < int(OS.get_environment("PLAYERS")):
		await pause(0.05)
	var peers := multiplayer.get_peers()
	Log.put(self, "phase", "playing")
	for id in peers:
		Log.record("spawn_custom", {"owner": id})
		$AvatarSpawner.spawn({"owner": id, "color": Color(0.5, 0.25, 1), "tags": ["a", id]})
	var unit: Node = UnitScene.instantiate()
	put_before(unit, {"position": Vector2(10, 20), "health": 75, "title": "Żółw", "inventory": {"gold": 1}})
	unit = add($World, unit, "Unit1")
	var crate: Node = CrateScene.instantiate()
	put_before(crate, {"position": Vector3(1, 2, 3), "contents": ["rope"] as Array[String], "open": true})
	crate = add($World, crate, "Crate1")
	var secret: Node = UnitScene.instantiate()
	secret.get_node("Synchronizer").public_visibility = false
	secret.get_node("Synchronizer").set_visibility_for(peers[0], true)
	secret = add($World, secret, "Secret")
	for tick in 20:
		Log.put(self, "clock", tick * 0.1)
		Log.put(unit, "position", Vector2(10 + tick, 20 - tick))
		Log.put(unit, "velocity", Vector2(1, -1))
		Log.put(unit, "Turret:rotation", tick * 0.125)
		Log.put(secret, "position", Vector2(tick, tick))
		if tick % 5 == 0:
			Log.put(unit, "health", 75 - tick)
			Log.put(crate, "position", Vector3(tick, 2, 3))
		if tick == 8:
			Log.put(crate, "contents", ["rope", "lamp"] as Array[String])
			Log.put(unit, "inventory", {"gold": 5, "keys": ["red"]})
			Log.put(crate, "open", false)
		if tick == 10:
			Log.record("visible", {"node": Log.path_of(secret), "peers": peers})
			for id in peers:
				secret.get_node("Synchronizer").set_visibility_for(id, true)
		if tick == 15:
			secret.get_node("Synchronizer").set_visibility_for(peers[0], false)
		await pause(0.1)
	Log.put(self, "phase", "after")
	Log.record("despawn", {"node": Log.path_of(unit)})
	unit.queue_free()
	$World.get_node("Early").queue_free()
	await pause(0.4)
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	get_tree().quit()


func put_before(node: Node, values: Dictionary) -> void:
	for property in values:
		node.set(property, values[property])


func play() -> void:
	Log.record("connected_to_server", {"me": multiplayer.get_unique_id()})
	var mine := NodePath("Avatars/Avatar%d" % multiplayer.get_unique_id())
	while not has_node(mine):
		await pause(0.05)
	if OS.get_environment("HAMMER"):  # calls until the node is gone here, so that some arrive after it is gone there
		for tick in 60:
			if has_node("World/Unit1"):
				Log.call_at(1, $World/Unit1, "hit", [tick])
			await pause(0.05)
		return
	for tick in 15:
		Log.put(get_node(mine), "position", Vector2(tick * 10, int(OS.get_environment("NUMBER"))))
		if tick == 7 and has_node("World/Unit1"):
			Log.call_at(1, $World/Unit1, "hit", [int(OS.get_environment("NUMBER"))])
		await pause(0.1)
