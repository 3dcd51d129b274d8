# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that their receiver refuses. Environment: ROLE (server or client), PORT, NUMBER of the client.
extends Node

var is_server = OS.get_environment("ROLE") == "server"
var others = []


func _ready():
	var peer = NetworkedMultiplayerENet.new()
	var port = int(OS.get_environment("PORT"))
	var tree = get_tree()
	tree.connect("network_peer_connected", self, "peer_connected")
	tree.connect("network_peer_disconnected", self, "peer_disconnected")
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
	tree.network_peer = peer
	while others.size() < 2:
		yield(pause(0.05), "completed")
	if is_server:
		for id in others:
			Log.call_at(id, $Unit, "to_puppet", ["welcome"])
			Log.call_at(id, $Unit, "to_master", ["only the server may be called so"])
			Log.call_at(id, $Unit, "two", [1])
			Log.set_at(id, $Unit, "velocity", 2)
			Log.set_at(id, $Unit, "wish", 2)
		return
	yield(pause(0.5), "completed")
	yield(play(1), "completed")
	if OS.get_environment("NUMBER") == "1":
		yield(play(others[0] if others[0] != 1 else others[1]), "completed")
	yield(pause(1), "completed")
	peer.close_connection()
	tree.quit()


func _process(_delta):
	OS.delay_msec(10)


func pause(seconds):
	yield(get_tree().create_timer(seconds), "timeout")


func peer_connected(id):
	Log.record("peer_connected", {"id": id, "me": get_tree().get_network_unique_id()})
	others.append(id)


func peer_disconnected(id):
	others.erase(id)
	if is_server and others.empty():
		get_tree().quit()


func play(target):
	for round_number in 2:
		for arguments in [[], [1], [1, 2], [1, 2, 3]]:
			for method in ["none", "two", "to_master", "to_puppet", "not_remote", "no_such_method"]:
				Log.call_at(target, $Unit, method, arguments)
		for arguments in [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]]:
			Log.call_at(target, $Unit, "optional", arguments)
		Log.set_at(target, $Unit, "velocity", 3)
		Log.set_at(target, $Unit, "wish", 3)
		yield(pause(0.3), "completed")
