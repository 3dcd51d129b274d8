# SPDX-License-Identifier: GPL-2.0-or-later
# Plays games/GAME.gd for FRAMES frames: as it is, or, with CHANGED, as the statistic "savings" advises.
# Environment: ROLE (server or client), PORT, GAME, CHANGED (1), PLAYERS (clients).
extends Node

const FRAMES = 180
const BEFORE = 30
const AFTER = 12

var is_server = OS.get_environment("ROLE") == "server"
var game
var frame = -1


func _ready():
	Engine.target_fps = 60
	game = load("res://games/%s.gd" % OS.get_environment("GAME")).new()
	game.name = "Game"
	game.changed = OS.get_environment("CHANGED") == "1"
	add_child(game, true)
	var peer = NetworkedMultiplayerENet.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
		get_tree().connect("server_disconnected", self, "end", [], CONNECT_DEFERRED)
	get_tree().network_peer = peer
	Log.record("ready")


func _process(_delta):
	if is_server and frame < 0 and get_tree().get_network_connected_peers().size() == int(OS.get_environment("PLAYERS")):
		var players = Array(get_tree().get_network_connected_peers())
		players.sort()
		rpc("begin", players)
	if frame < 0:
		return
	frame += 1
	if frame > BEFORE and frame <= BEFORE + FRAMES:
		game.play(frame - BEFORE)
	if is_server and frame == BEFORE + FRAMES + AFTER:
		Log.record("result", game.result)
		get_tree().network_peer.close_connection()
		get_tree().network_peer = null
		get_tree().quit()


puppetsync func begin(players):
	game.players = players
	game.begin()
	frame = 0


func end():
	Log.record("result", game.result)
	get_tree().network_peer = null
	get_tree().quit()
