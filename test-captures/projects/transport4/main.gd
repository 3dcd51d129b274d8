# SPDX-License-Identifier: GPL-2.0-or-later
# A game that uses what its transport alone has: statistics, time-outs, addresses, kicks and bans, through multiplayer.multiplayer_peer.
# All that it asks for is logged, without what differs from run to run. Environment: PORT; ROLE server or client; TRANSPORT enet or
# websocket; STYLE, a script that asks: dynamic.gd or typed.gd. A client is kicked when it says so, and refused when it comes again.
extends Node

var style: RefCounted
var banned: Array[String] = []
var kicked := 0


func _ready() -> void:
	style = (load("res://%s.gd" % OS.get_environment("STYLE")) as GDScript).new()
	multiplayer.peer_connected.connect(_on_connected)
	multiplayer.peer_disconnected.connect(func(id: int) -> void: Log.record("peer_disconnected", {"is_server": id == 1}))
	multiplayer.server_disconnected.connect(_on_server_disconnected)
	multiplayer.connected_to_server.connect(_on_server_connected)
	multiplayer.connection_failed.connect(func() -> void: finish("refused"))
	start()


func start() -> void:
	var port := int(OS.get_environment("PORT"))
	var is_server := OS.get_environment("ROLE") == "server"
	var peer: MultiplayerPeer
	if OS.get_environment("TRANSPORT") == "websocket":
		var websocket := WebSocketMultiplayerPeer.new()
		websocket.handshake_timeout = 2.5
		if is_server:
			websocket.create_server(port, "127.0.0.1")
		else:
			websocket.create_client("ws://127.0.0.1:%d" % port)
		peer = websocket
	else:
		var enet := ENetMultiplayerPeer.new()
		enet.set_bind_ip("127.0.0.1")
		if is_server:
			enet.create_server(port, 5)
		else:
			enet.create_client("127.0.0.1", port)
		peer = enet
	peer.set_meta("made_by", "start")
	multiplayer.multiplayer_peer = peer
	style.call("look", multiplayer, peer)
	if is_server:
		Log.record("ready", {})


func _on_connected(id: int) -> void:
	Log.record("peer_connected", {"is_server": id == 1})
	if multiplayer.is_server():
		await get_tree().create_timer(0.3).timeout
		style.call("look_at_peer", multiplayer, id)
		if banned.has(style.call("address", multiplayer, id)):
			style.call("kick", multiplayer, id)
			await get_tree().create_timer(0.5).timeout
			finish("banned")
		else:
			greet.rpc_id(id, "hello")


func _on_server_connected() -> void:
	Log.record("connected_to_server", {})
	style.call("look_at_peer", multiplayer, 1)


func _on_server_disconnected() -> void:
	Log.record("server_disconnected", {})
	kicked += 1
	if kicked == 2:
		finish("kicked")
		return
	multiplayer.multiplayer_peer = OfflineMultiplayerPeer.new()
	await get_tree().create_timer(0.3).timeout
	start()


@rpc("authority", "reliable")
func greet(text: String) -> void:
	Log.called(self, "greet", [text])
	answer.rpc_id(1, "kick me")


@rpc("any_peer", "call_remote", "unreliable_ordered", 2)
func answer(text: String) -> void:
	var id := multiplayer.get_remote_sender_id()
	Log.called(self, "answer", [text])
	banned.append(style.call("address", multiplayer, id))
	style.call("kick", multiplayer, id)


func finish(how: String) -> void:
	Log.record("finished", {"how": how, "status": multiplayer.multiplayer_peer.get_connection_status(), "errors": style.get("errors")})
	get_tree().quit()
