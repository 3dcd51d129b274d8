# SPDX-License-Identifier: GPL-2.0-or-later
# Three clients are told what becomes of units. One unit is handed over to a client, which begins to write before the
# server stops; it is despawned while that client's updates are on their way; another client is gone all at once.
# Environment: ROLE (server or client), PORT, NUMBER of the client, PLAYERS that the server waits for.
extends Node

const UnitScene = preload("unit.tscn")

var is_server := OS.get_environment("ROLE") == "server"
var number := int(OS.get_environment("NUMBER"))
var tick := 0
var first := 0  # the client that came first


func _ready() -> void:
	$Spawner.spawned.connect(func(node): Log.record("spawned", fact(node)))
	$Spawner.despawned.connect(func(node): Log.record("despawned", fact(node)))
	multiplayer.peer_connected.connect(func(id): first = first if first else id)
	multiplayer.server_disconnected.connect(func(): leave("server_disconnected"))
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = peer
	if is_server:
		Log.record("ready")
		serve()
	else:
		multiplayer.connected_to_server.connect(play)


func leave(why: String) -> void:
	Log.record(why)
	get_tree().quit()


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


func fact(node: Node) -> Dictionary:
	return {"node": "Main/World/" + node.name, "at": int(Time.get_unix_time_from_system() * 1e6)}


func spawn(as_name: String) -> void:
	var unit := UnitScene.instantiate()
	unit.name = as_name
	unit.put("title", "the " + as_name.to_lower())
	unit.put("health", 90)
	Log.record("spawn", fact(unit))
	$World.add_child(unit, true)


func despawn(as_name: String) -> void:
	Log.record("despawn", fact($World.get_node(as_name)))
	$World.get_node(as_name).queue_free()


# What this peer is the authority of changes.
func write() -> void:
	tick += 1
	for unit in $World.get_children():
		if unit.is_writer():
			unit.put("place", tick + 1000 * number)
			if tick % 4 == 0:
				unit.put("health", 1000 * number + 100 - tick)


func serve() -> void:
	while multiplayer.get_peers().size() < int(OS.get_environment("PLAYERS")):
		await pause(0.05)
	await pause(0.3)
	for as_name in ["Tower", "Rider"]:
		spawn(as_name)
	for step in 36:
		write()
		if step == 8:
			Log.record("hand_over", {"node": "Main/World/Rider", "to": first})
			hand_over.rpc(first)
		if step == 13:  # later than the client has begun
			$World/Rider/Synchronizer.set_multiplayer_authority(first)
		if step == 15:
			$World/Tower.put("story", "once ".repeat(500))
		if step == 18:
			spawn("Guest")
		if step == 25:
			despawn("Guest")
		if step == 30:
			despawn("Rider")
		await pause(0.1)
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	leave("closed")


@rpc("authority", "reliable")
func hand_over(id: int) -> void:
	Log.called(self, "hand_over", [id])
	if $World.has_node("Rider"):
		$World/Rider/Synchronizer.set_multiplayer_authority(id)


func play() -> void:
	Log.record("connected_to_server", {"me": multiplayer.get_unique_id()})
	while multiplayer.multiplayer_peer:
		write()
		if number == 3 and $World.has_node("Guest"):
			await pause(0.5)
			Log.record("killed")
			OS.kill(OS.get_process_id())
		await pause(0.1)
