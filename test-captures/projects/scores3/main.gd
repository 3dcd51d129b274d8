# SPDX-License-Identifier: GPL-2.0-or-later
# The world and its display have functions of the same names, of which only the world's are remote.
# Environment: ROLE (server or client), PORT, NUMBER of the client, SECONDS.
extends Node

var is_server = OS.get_environment("ROLE") == "server"


func _ready():
	var peer = NetworkedMultiplayerENet.new()
	get_tree().connect("network_peer_connected", self, "peer_connected")
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	get_tree().network_peer = peer
	yield(get_tree().create_timer(float(OS.get_environment("SECONDS"))), "timeout")
	peer.close_connection()
	get_tree().quit()


func peer_connected(id):
	Log.record("peer_connected", {"id": id, "me": get_tree().get_network_unique_id()})
	yield(get_tree().create_timer(1.5), "timeout")
	Log.call_at(id, $World, "ping", [0])
	if id != 1:
		return
	for node in [$World, $Display]:
		Log.call_at(1, node, "add_player", ["player"])
		Log.call_at(1, node, "add_player", ["player", 1])
		Log.call_at(1, node, "show_score", [1])
		Log.call_at(1, node, "show_score", [])
	Log.call_at(1, $World, "ping", [1, 2])
