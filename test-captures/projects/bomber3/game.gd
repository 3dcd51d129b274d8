# SPDX-License-Identifier: GPL-2.0-or-later
# Autoload: hosts, joins, starts the match. Environment: ROLE (server or client), PORT, NUMBER of the client, PLAYERS, SECONDS.
extends Node

var is_server = OS.get_environment("ROLE") == "server"
var others = []


func start():
	var peer = NetworkedMultiplayerENet.new()
	var tree = get_tree()
	tree.connect("network_peer_connected", self, "peer_connected")
	tree.connect("network_peer_disconnected", self, "peer_disconnected")
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	tree.network_peer = peer
	yield(tree.create_timer(float(OS.get_environment("SECONDS"))), "timeout")
	peer.close_connection()
	tree.quit()


func peer_connected(id):
	Log.record("peer_connected", {"id": id, "me": get_tree().get_network_unique_id()})
	others.append(id)
	if is_server and others.size() == int(OS.get_environment("PLAYERS")):
		yield(get_tree().create_timer(0.5), "timeout")
		Log.call_at(0, self, "begin", [others])
		begin(others)


func peer_disconnected(id):
	others.erase(id)


puppet func begin(ids):
	if not is_server:
		Log.called(self, "begin", [ids])
	get_node("/root/Main").add_players(ids)
