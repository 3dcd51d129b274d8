# SPDX-License-Identifier: GPL-2.0-or-later
# A match whose players change scenes at different times, and call meanwhile. Environment: ROLE (server or client); PORT; NUMBER
# of the client; PLAYERS that the server waits for; SCHEDULE, e.g. "0.3 arena, 1.2 lobby": seconds after the start; TALKS, names
# of the nodes that call the others.
extends Node

var is_server := OS.get_environment("ROLE") == "server"
var number := int(OS.get_environment("NUMBER"))
var running := false
var count := 0  # calls of nodes in scenes: each has another number


func _ready() -> void:
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = peer
	multiplayer.connected_to_server.connect(func(): Log.record("connected_to_server", {"me": multiplayer.get_unique_id()}))
	multiplayer.server_disconnected.connect(leave)
	if is_server:
		Log.record("ready")
		serve()


func now() -> int:
	return int(Time.get_unix_time_from_system() * 1e6)


func talks(about: String) -> bool:
	return about in OS.get_environment("TALKS").split(" ")


func serve() -> void:
	while multiplayer.get_peers().size() < int(OS.get_environment("PLAYERS")):
		await get_tree().create_timer(0.05).timeout
	await get_tree().create_timer(0.4).timeout
	for id in multiplayer.get_peers():
		Log.call_at(id, self, "start")
	await follow()
	await get_tree().create_timer(0.5).timeout
	multiplayer.multiplayer_peer.close()
	multiplayer.multiplayer_peer = null
	leave()


@rpc("authority", "reliable")
func start() -> void:
	Log.called(self, "start")
	follow()


func follow() -> void:
	running = true
	var passed := 0.0
	for entry in OS.get_environment("SCHEDULE").split(","):
		var parts := entry.strip_edges().split(" ")
		await get_tree().create_timer(float(parts[0]) - passed).timeout
		passed = float(parts[0])
		if parts[1] == "end":
			running = false
		else:
			Log.record("change_scene", {"to": parts[1], "at": now()})
			get_tree().change_scene_to_file("res://%s.tscn" % parts[1])


func leave() -> void:
	running = false
	Log.record("closed")
	get_tree().quit()
