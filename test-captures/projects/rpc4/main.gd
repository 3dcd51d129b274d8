# SPDX-License-Identifier: GPL-2.0-or-later
# One end of a game. Environment: ROLE (server or client); PORT; TRANSPORT (enet, websocket or wss); COMPRESSION mode 0..4; for a
# server ENDS, the number of departures after which it leaves; for a client PLAY, the method of plays.gd that it performs.
# AUTHENTICATE: both ends admit only who says the password.
extends Node

const Plays = preload("plays.gd")
const Item = preload("item.gd")
const Shop = preload("shop.gd")
const ITEMS := 300
const PASSWORD := "open sesame"


# A remote method of an inner class.
class Board:
	extends Node

	@rpc("any_peer")
	func place(x: int, y: int) -> void:
		Log.called(self, "place", [x, y])

	@rpc("any_peer", "unreliable")
	func hover(at: Vector2i) -> void:
		Log.called(self, "hover", [at])


var is_server := OS.get_environment("ROLE") == "server"
var api: SceneMultiplayer
var peers_gone := 0


func _ready() -> void:
	add_named(self, Board.new(), "Board")
	add_named(self, Shop.new(), "Shop")
	for i in ITEMS:
		add_named($Items, Item.new(), "Item%d" % i)
	if not is_server:
		add_named(self, Item.new(), "OnlyHere")
	api = multiplayer
	api.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": api.get_unique_id()}))
	api.peer_disconnected.connect(peer_disconnected)
	api.peer_packet.connect(peer_packet)
	api.peer_authenticating.connect(peer_authenticating)
	api.peer_authentication_failed.connect(authentication_failed)
	api.connection_failed.connect(func(): Log.record("connection_failed"))
	api.server_disconnected.connect(func(): Log.record("server_disconnected"))
	api.connected_to_server.connect(func(): Log.record("connected_to_server", {"me": api.get_unique_id()}))
	if OS.get_environment("AUTHENTICATE"):
		api.auth_callback = authenticate
	start()
	if is_server:
		Log.record("ready")
	else:
		await Plays.new(self).call(OS.get_environment("PLAY"))
		stop()
		get_tree().quit()


func add_named(parent: Node, child: Node, as_name: String) -> void:
	child.name = as_name
	parent.add_child(child)


func start() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer: MultiplayerPeer
	if OS.get_environment("TRANSPORT") == "wss":
		peer = WebSocketMultiplayerPeer.new()
		if is_server:
			var key := Crypto.new().generate_rsa(2048)
			var certificate := Crypto.new().generate_self_signed_certificate(key, "CN=localhost")
			peer.create_server(port, "127.0.0.1", TLSOptions.server(key, certificate))
		else:
			peer.create_client("wss://localhost:%d" % port, TLSOptions.client_unsafe())
	elif OS.get_environment("TRANSPORT") == "websocket":
		peer = WebSocketMultiplayerPeer.new()
		if OS.has_environment("PROTOCOL"):
			peer.supported_protocols = [OS.get_environment("PROTOCOL")]
		if is_server:
			peer.create_server(port, "127.0.0.1")
		else:
			peer.create_client("ws://127.0.0.1:%d" % port)
	else:
		peer = ENetMultiplayerPeer.new()
		if is_server:
			peer.set_bind_ip("127.0.0.1")
			peer.create_server(port)
		else:
			peer.create_client("127.0.0.1", port)
		peer.host.compress(int(OS.get_environment("COMPRESSION")))
	api.multiplayer_peer = peer


func stop() -> void:
	Log.record("close", {"me": api.get_unique_id()})
	api.multiplayer_peer.close()
	api.multiplayer_peer = null


func peer_disconnected(id: int) -> void:
	Log.record("peer_disconnected", {"id": id})
	one_gone()


func one_gone() -> void:
	peers_gone += 1
	if is_server and peers_gone == int(OS.get_environment("ENDS")):
		await get_tree().create_timer(0.2).timeout
		get_tree().quit()


func peer_packet(id: int, packet: PackedByteArray) -> void:
	Log.record("raw", {"from": id, "hex": packet.hex_encode()})
	if is_server and packet.get_string_from_utf8() == "disconnect me":
		Log.record("disconnect_peer", {"id": id})
		api.disconnect_peer(id)
		one_gone()  # without a signal
	if is_server and packet.get_string_from_utf8() == "call me":
		call_back(id)


# What a server calls at a client that asks for it.
func call_back(id: int) -> void:
	for tick in 10:
		Log.call_at(id, $Player, "update", [tick, Vector2(tick, -tick)])
	Log.call_at(0, $Player, "from_authority", ["to everyone"])
	Log.call_at(-id, $Player, "from_authority", ["to everyone but %d" % id])
	Log.call_at(id, $Player, "big_unreliable", ["large ".repeat(800)])
	Log.call_at(id, get_node("Board"), "place", [3, 4])


func send_raw(bytes: PackedByteArray, target: int, mode: int, channel: int) -> void:
	var error := api.send_bytes(bytes, target, mode, channel)
	Log.record("send_bytes", {
		"target": target, "mode": mode, "channel": channel, "hex": bytes.hex_encode(), "error": error,
	})


func send_auth(id: int, data: PackedByteArray) -> void:
	Log.record("send_auth", {"id": id, "hex": data.hex_encode(), "error": api.send_auth(id, data)})


func peer_authenticating(id: int) -> void:
	Log.record("peer_authenticating", {"id": id})
	if not is_server:
		send_auth(id, OS.get_environment("AUTHENTICATE").to_utf8_buffer())


func authenticate(id: int, data: PackedByteArray) -> void:
	Log.record("auth", {"from": id, "hex": data.hex_encode()})
	var accepted := data.get_string_from_utf8() == (PASSWORD if is_server else "welcome")
	if is_server:
		send_auth(id, ("welcome" if accepted else "go away").to_utf8_buffer())
	if accepted:
		Log.record("complete_auth", {"id": id, "error": api.complete_auth(id)})


func authentication_failed(id: int) -> void:
	Log.record("authentication_failed", {"id": id})
	one_gone()
