# SPDX-License-Identifier: GPL-2.0-or-later
# One end of a game. Environment: ROLE (server or client); PORT; TRANSPORT (enet or websocket); COMPRESSION mode 0..4; for a
# server ENDS, the number of departures after which it leaves; for a client PLAY, the method of plays.gd that it performs.
extends Node

const Plays = preload("plays.gd")
const Shop = preload("shop.gd")


class Board:
	extends Node

	remote func place(x, y):
		Log.called(self, "place", [x, y])


class Item:
	extends Node

	remote func touch(value):
		Log.called(self, "touch", [value])


var is_server = OS.get_environment("ROLE") == "server"
var plays
var peers_gone = 0


func _ready():
	add_named(Board.new(), "Board")
	add_named(Shop.new(), "Shop")
	if not is_server:
		add_named(Item.new(), "OnlyHere")
	var tree = get_tree()
	tree.connect("network_peer_connected", self, "peer_connected")
	tree.connect("network_peer_disconnected", self, "peer_disconnected")
	tree.connect("server_disconnected", self, "server_disconnected")
	tree.multiplayer.connect("network_peer_packet", self, "peer_packet")
	start()
	if is_server:
		Log.record("ready")
	else:
		plays = Plays.new(self)
		yield(plays.call(OS.get_environment("PLAY")), "completed")
		stop()
		tree.quit()


func add_named(child, as_name):
	child.name = as_name
	add_child(child)


func start():
	var port = int(OS.get_environment("PORT"))
	var peer
	if OS.get_environment("TRANSPORT") == "websocket":
		if is_server:
			peer = WebSocketServer.new()
			peer.bind_ip = "127.0.0.1"
			peer.listen(port, PoolStringArray(), true)
		else:
			peer = WebSocketClient.new()
			peer.connect_to_url("ws://127.0.0.1:%d" % port, PoolStringArray(), true)
	else:
		peer = NetworkedMultiplayerENet.new()
		peer.compression_mode = int(OS.get_environment("COMPRESSION"))
		if is_server:
			peer.set_bind_ip("127.0.0.1")
			peer.create_server(port)
		else:
			peer.create_client("127.0.0.1", port)
	get_tree().network_peer = peer


func stop():
	var peer = get_tree().network_peer
	Log.record("close", {"me": get_tree().get_network_unique_id()})
	if peer is NetworkedMultiplayerENet:
		peer.close_connection()
	else:
		peer.disconnect_from_host()
	get_tree().network_peer = null


func _process(_delta):
	OS.delay_msec(10)
	var peer = get_tree().network_peer
	if peer is WebSocketServer or peer is WebSocketClient:
		peer.poll()


func peer_connected(id):
	Log.record("peer_connected", {"id": id, "me": get_tree().get_network_unique_id()})


func peer_disconnected(id):
	Log.record("peer_disconnected", {"id": id})
	peers_gone += 1
	if is_server and peers_gone == int(OS.get_environment("ENDS")):
		yield(get_tree().create_timer(0.2), "timeout")
		get_tree().quit()


func server_disconnected():
	Log.record("server_disconnected")


func peer_packet(id, packet):
	Log.record("raw", {"from": id, "hex": Log.hex(packet)})
	if is_server and packet.get_string_from_utf8() == "disconnect me":
		Log.record("disconnect_peer", {"id": id})
		get_tree().network_peer.disconnect_peer(id)
	if is_server and packet.get_string_from_utf8() == "call me":
		call_back(id)


# What a server calls at a client that asks for it.
func call_back(id):
	for tick in 5:
		Log.call_at(id, $Player, "to_puppet", [tick], true)
		Log.set_at(id, $Player, "velocity", Vector2(tick, -tick), tick % 2 == 0)
	Log.call_at(0, $Player, "to_puppets_too", ["to all puppets"])
	Log.call_at(-id, $Player, "to_puppet", ["to everyone but %d" % id])
	Log.call_at(id, $Player, "big", ["large ".repeat(800)], true)
	Log.call_at(id, $Board, "place", [3, 4])
	Log.set_at(0, $Player, "label", "from the server")


func send_raw(bytes, target, mode):
	var error = get_tree().multiplayer.send_bytes(bytes, target, mode)
	Log.record("send_bytes", {"target": target, "mode": mode, "hex": Log.hex(bytes), "error": error})
