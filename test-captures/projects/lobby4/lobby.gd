# SPDX-License-Identifier: GPL-2.0-or-later
# A lobby, then a match in another scene, as in Godot's documentation. Nothing in it sets an authority.
# Environment: ROLE (server or client), PORT, NUMBER of the client, PLAYERS, SECONDS.
extends Node

var is_server := OS.get_environment("ROLE") == "server"
var number := int(OS.get_environment("NUMBER"))
var players := {}
var players_loaded := 0


func _ready() -> void:
	multiplayer.peer_connected.connect(_on_peer_connected)
	multiplayer.peer_disconnected.connect(func(id): players.erase(id))
	multiplayer.connected_to_server.connect(play)
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = peer
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	multiplayer.multiplayer_peer.close()
	get_tree().quit()


func _on_peer_connected(id: int) -> void:
	Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()})
	Log.call_at(id, self, "_register_player", [{"name": "Player %d" % number}])


@rpc("any_peer", "reliable")
func _register_player(info: Dictionary) -> void:
	Log.called(self, "_register_player", [info])
	players[multiplayer.get_remote_sender_id()] = info
	if is_server and players.size() == int(OS.get_environment("PLAYERS")):
		await get_tree().create_timer(0.5).timeout
		load_game("res://match.tscn")
		Log.call_at(0, self, "load_game", ["res://match.tscn"])


@rpc("reliable")
func load_game(path: String) -> void:
	if not is_server:
		Log.called(self, "load_game", [path])
		if number == 2:
			await get_tree().create_timer(0.4).timeout
	get_tree().change_scene_to_file(path)


@rpc("any_peer", "call_local", "reliable")
func player_loaded() -> void:
	Log.called(self, "player_loaded", [])
	if is_server:
		players_loaded += 1
		if players_loaded == players.size():
			get_node("/root/Match").start_game()


func play() -> void:
	await get_tree().create_timer(0.2).timeout
	Log.call_at(1, self, "load_game", ["res://cheat.tscn"])  # only the server may
	Log.call_at(1, self, "_register_player", ["a name", "and too much"])
