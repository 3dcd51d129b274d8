# SPDX-License-Identifier: GPL-2.0-or-later
# The server plays the left paddle, its first client the right one; others only watch, and try.
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
	var me = get_tree().get_network_unique_id()
	Log.record("peer_connected", {"id": id, "me": me})
	var number = OS.get_environment("NUMBER")
	if is_server and get_tree().get_network_connected_peers().size() == 1:
		$Right.set_network_master(id)
		play($Left)
	elif number == "1" and id == 1:
		$Right.set_network_master(me)
		play($Right)
	elif number == "2" and id != 1:
		$Right.set_network_master(id)
		play($Right)


func play(paddle):
	yield(get_tree().create_timer(1.5), "timeout")
	for turn in 4:
		Log.set_at(0, paddle, "place", turn, true)
		Log.call_at(0, paddle, "flash", [turn])
		Log.call_at(0, $Ball, "bounce", [turn % 2 == 0, turn])
		if not is_server:
			Log.call_at(1, $Left, "flash", [turn])
			Log.call_at(1, $Ball, "missed", [turn])
			Log.call_at(1, $Ball, "reset_ball", [])
		yield(get_tree().create_timer(0.3), "timeout")
