# SPDX-License-Identifier: GPL-2.0-or-later
# A client that sends packets as no engine makes them, each followed by its name as a raw packet, and errors about what is not sent:
# "provoke" in the log names the text that the engine prints next in this process. Environment: ROLE (server or client), PORT.
extends Node

const NUMBER = "010200000001000000" # one argument
const HEX = {
	"announcement": "02" + "01000000" + "4d61696e00",
	"call that is too short": "0001",
	"call with a path beyond its end": "00ff000080" + "7469636b00" + NUMBER,
	"call to a path id that was not announced": "0063000000" + "7469636b00" + NUMBER,
	"announcement that is too short": "0261",
	"announcement of a node that is not there": "02" + "02000000" + "4d61696e2f4e6f6265" + "00",
	"call to a node that is not there": "0002000000" + "7469636b00" + NUMBER,
	"call with a path to a node that is not there": "0013000080" + "7469636b00" + NUMBER + "4d61696e2f4e6f6265" + "00",
	"call with too few bytes of arguments": "0001000000" + "7469636b00" + "01" + "0205",
	"property with too few bytes": "0101000000" + "7769736800" + "0205",
	"call of a method that is not there": "0001000000" + "6e6f626f647900" + "00",
	"property that is not there": "0101000000" + "6e6f626f647900" + "02000000" + "01000000",
	"confirmation of what was not announced": "03" + "4e6f626f647900",
	"raw packet without bytes": "04",
}

remote var wish = 1

var is_server = OS.get_environment("ROLE") == "server"
var port = int(OS.get_environment("PORT"))


func _ready():
	var tree = get_tree()
	tree.multiplayer.connect("network_peer_packet", self, "raw")
	tree.connect("network_peer_disconnected", self, "ended")
	tree.connect("network_peer_connected", self, "connected")
	var peer = NetworkedMultiplayerENet.new()
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		tree.network_peer = peer
		Log.record("ready")
		return
	without_a_peer()
	yield(of_websockets(), "completed")
	peer.create_client("127.0.0.1", port)
	tree.network_peer = peer
	provoke("Trying to call an RPC via a network peer which is not connected.")
	rpc("tick", 1)
	provoke("Trying to send a raw packet via a network peer which is not connected.")
	tree.multiplayer.send_bytes(PoolByteArray([1]))
	yield(tree, "connected_to_server")
	provoke("RPC 'tick' on yourself is not allowed by selected mode.")
	rpc_id(tree.get_network_unique_id(), "tick", 1)
	provoke("Attempt to remote call unexisting ID: 12345")
	rpc_id(12345, "tick", 1)
	provoke("Trying to send an empty raw packet.")
	tree.multiplayer.send_bytes(PoolByteArray())
	peer.set_target_peer(1)
	for title in HEX:
		Log.record("put_packet", {"name": title, "hex": HEX[title]})
		peer.put_packet(bytes(HEX[title]))
		peer.put_packet(PoolByteArray([4]) + title.to_utf8())
		yield(tree.create_timer(0.1), "timeout")
	yield(tree.create_timer(0.5), "timeout")
	peer.close_connection()
	tree.quit()


func _process(_delta):
	OS.delay_msec(10)


func without_a_peer():
	var tree = get_tree()
	provoke("Trying to call an RPC while no network peer is active.")
	rpc("tick", 1)
	provoke("Trying to send a raw packet while no network peer is active.")
	tree.multiplayer.send_bytes(PoolByteArray([1]))
	provoke("Supplied NetworkedMultiplayerPeer must be connecting or connected.")
	tree.network_peer = NetworkedMultiplayerENet.new()
	provoke("No network peer is assigned. Unable to get unique network ID.")
	tree.multiplayer.get_network_unique_id()
	provoke("The multiplayer instance isn't currently active.")
	NetworkedMultiplayerENet.new().get_unique_id()
	provoke("Couldn't create an ENet multiplayer server.")
	var busy = UDPServer.new()
	busy.listen(port + 1, "127.0.0.1")
	var peer = NetworkedMultiplayerENet.new()
	peer.set_bind_ip("127.0.0.1")
	peer.create_server(port + 1)
	busy.stop()


func of_websockets():
	var server = WebSocketServer.new()
	server.set_handshake_timeout(0.2)
	server.listen(port + 2)
	var silent = StreamPeerTCP.new()
	silent.connect_to_host("127.0.0.1", port + 2)
	provoke("WebSocket handshake timed out after 0.200 seconds.")
	for i in 50:
		server.poll()
		yield(get_tree().create_timer(0.01), "timeout")
	server.stop()
	yield(too_many(port + 3, "Too many packets in queue! Dropping data.", 64, 2), "completed")
	yield(too_many(port + 4, "Buffer payload full! Dropping data.", 1, 64), "completed")


# The receiver has room for so many kibibytes and packets.
func too_many(at, text, kibibytes, packets):
	var server = WebSocketServer.new()
	var client = WebSocketClient.new()
	server.set_buffers(64, 64, 64, 64)
	client.set_buffers(kibibytes, packets, 64, 64)
	server.connect("client_connected", self, "send_many", [server])
	server.listen(at)
	client.connect_to_url("ws://127.0.0.1:%d" % at)
	provoke(text)
	for i in 50:
		server.poll()
		client.poll()
		yield(get_tree().create_timer(0.01), "timeout")
	server.stop()


func send_many(id, _protocol, server):
	for i in 10:
		var data = PoolByteArray()
		data.resize(300)
		server.get_peer(id).put_packet(data)


func provoke(text):
	Log.record("provoke", {"text": text})


func connected(id):
	Log.record("peer_connected", {"id": id, "me": get_tree().get_network_unique_id()})


func ended(_id):
	if is_server:
		get_tree().quit()


func raw(id, data):
	Log.record("raw", {"from": id, "hex": Log.hex(data)})


remote func tick(n):
	Log.called(self, "tick", [n])


func bytes(digits):
	var data = PoolByteArray()
	for i in range(0, digits.length(), 2):
		data.append(("0x" + digits.substr(i, 2)).hex_to_int())
	return data
