# SPDX-License-Identifier: GPL-2.0-or-later
# Plays games/GAME.gd for FRAMES frames: as it is, or, with CHANGED, as the statistic "savings" advises.
# Environment: ROLE (server or client), PORT, GAME, CHANGED (1), PLAYERS (clients).
extends Node

const FRAMES := 180
const BEFORE := 30
const AFTER := 12

var is_server := OS.get_environment("ROLE") == "server"
var game: Node
var frame := -1


func _ready() -> void:
	game = load("res://games/%s.gd" % OS.get_environment("GAME")).new()
	game.name = "Game"
	game.changed = OS.get_environment("CHANGED") == "1"
	add_child(game, true)
	var peer := ENetMultiplayerPeer.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
		multiplayer.server_disconnected.connect(end)
	multiplayer.peer_connected.connect(func(id: int) -> void: peer.get_peer(id).throttle_configure(5000, 2, 0) if is_server or id == 1 else null)
	multiplayer.multiplayer_peer = peer
	Log.record("ready")


func _process(_delta: float) -> void:
	if is_server and frame < 0 and multiplayer.get_peers().size() == int(OS.get_environment("PLAYERS")):
		var players: Array = Array(multiplayer.get_peers())
		players.sort()
		begin.rpc(players)
	if frame < 0:
		return
	frame += 1
	if frame > BEFORE and frame <= BEFORE + FRAMES:
		game.play(frame - BEFORE)
	if is_server and frame == BEFORE + FRAMES + AFTER:
		Log.record("result", game.result)
		multiplayer.multiplayer_peer.close()
		multiplayer.multiplayer_peer = OfflineMultiplayerPeer.new()
		get_tree().quit()


func _physics_process(_delta: float) -> void:
	if frame > BEFORE and frame <= BEFORE + FRAMES:
		game.tick(frame - BEFORE)


@rpc("authority", "call_local", "reliable")
func begin(players: Array) -> void:
	game.players = players
	game.begin()
	frame = 0


func end() -> void:
	Log.record("result", game.result)
	multiplayer.multiplayer_peer = OfflineMultiplayerPeer.new()
	get_tree().quit()
