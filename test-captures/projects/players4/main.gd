# SPDX-License-Identifier: GPL-2.0-or-later
# Each client owns a player, whose place it tells the server and, relayed by the server, each other client all the time.
# Environment: ROLE (server or client), PORT, NUMBER of the client, PLAYERS that the server waits for, SECONDS to play.
extends Node

const PlayerScene = preload("player.tscn")

var is_server := OS.get_environment("ROLE") == "server"
var number := int(OS.get_environment("NUMBER"))
var seconds := float(OS.get_environment("SECONDS"))
var tick := 0


func _ready() -> void:
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


func serve() -> void:
	while multiplayer.get_peers().size() < int(OS.get_environment("PLAYERS")):
		await pause(0.05)
	await pause(0.3)
	for id in multiplayer.get_peers():
		var player := PlayerScene.instantiate()
		player.name = str(id)
		Log.record("spawn", {"node": "Main/World/" + player.name})
		$World.add_child(player, true)
	await pause(seconds + 2)  # what is on its way arrives
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	leave("closed")


func play() -> void:
	Log.record("connected_to_server", {"me": multiplayer.get_unique_id()})
	var me := str(multiplayer.get_unique_id())
	while not $World.has_node(me):
		await pause(0.02)
	var player := $World.get_node(me)
	var end := Time.get_ticks_msec() + int(seconds * 1000)
	while Time.get_ticks_msec() < end:
		tick += 1
		player.put("place", 100000 * number + tick)
		if tick % 20 == 0:
			player.put("health", 100000 * number + tick)
		await pause(0.02)
	player.get_node("Synchronizer").public_visibility = false  # nobody is told any more
	Log.record("stop")
