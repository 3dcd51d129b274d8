# SPDX-License-Identifier: GPL-2.0-or-later
# Players who come and go in every way there is. Environment: ROLE (server or client), PORT, OWN_PORT of a client (0: any),
# SECONDS after which the process ends: by get_tree().quit() alone, as a closed window does, or with CLOSE=1 after close().
extends Node

var is_server := OS.get_environment("ROLE") == "server"
var shots := 0


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(func(id): note("peer_connected", id))
	multiplayer.peer_disconnected.connect(func(id): note("peer_disconnected", id))
	multiplayer.server_disconnected.connect(func(): note("server_disconnected", 1))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.peer_connected.connect(add)
		multiplayer.peer_disconnected.connect(func(id): $World.get_node(str(id)).queue_free())
	else:
		peer.create_client("127.0.0.1", port, 0, 0, 0, int(OS.get_environment("OWN_PORT")))
	multiplayer.multiplayer_peer = peer
	if is_server:
		Log.record("ready")
	play()
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	if OS.get_environment("CLOSE") == "1":
		multiplayer.multiplayer_peer.close()
	Log.record("quit")
	get_tree().quit()


func note(what: String, id: int) -> void:
	Log.record(what, {"id": id, "me": multiplayer.get_unique_id(), "time": Time.get_unix_time_from_system()})


func add(id: int) -> void:
	var player := preload("player.tscn").instantiate()
	player.name = str(id)
	$World.add_child(player, true)


func play() -> void:
	while true:
		await get_tree().create_timer(0.2).timeout
		shots += 1
		if is_server:
			for id in multiplayer.get_peers():
				Log.call_at(id, self, "score", [shots])
			continue
		var own := $World.get_node_or_null(str(multiplayer.get_unique_id()))
		if own and multiplayer.get_peers().size():
			Log.call_at(0, own, "aim", [0.1 * shots])
			Log.call_at(1, own, "hit", [shots])


@rpc("reliable")
func score(points: int) -> void:
	Log.called(self, "score", [points])
