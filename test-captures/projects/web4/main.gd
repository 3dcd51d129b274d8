# SPDX-License-Identifier: GPL-2.0-or-later
# A game of several players, of whom some are in a browser. Arguments after "--": TRANSPORT websocket, wss (a server, and a page that is
# the client) or webrtc (a server and two clients in one page, each in a part of the tree with an API of its own); ROLE of this process:
# server, client or, over webrtc, all; PORT; CALLS of each kind. A page saves its recording by KEY at its end, if the add-on records it.
extends Node

const Player = preload("player.gd")
const CHANNELS: Array = [MultiplayerPeer.TRANSFER_MODE_RELIABLE, MultiplayerPeer.TRANSFER_MODE_UNRELIABLE]

var players := {} # id -> Player


func setting(setting_name: String) -> String:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with(setting_name + "="):
			return argument.get_slice("=", 1)
	return ""


func _ready() -> void:
	if setting("TRANSPORT") == "webrtc":
		for id: int in [1, 2, 300]:
			add_player("End%d" % id, id)
		connect_by_webrtc()
	else:
		var is_server := setting("ROLE") == "server"
		add_player("End", 1 if is_server else 0)
		players.values()[0].api.multiplayer_peer = listen() if is_server else join()
		if is_server:
			Log.record("ready")
			return
	await play()
	await get_tree().create_timer(0.5).timeout
	await save()
	Log.record("closed")
	get_tree().quit()


func add_player(root_name: String, id: int) -> void:
	var player := Player.new()
	player.name = "Player"
	players[id] = player
	var root := Node.new()
	root.name = root_name
	add_child(root)
	get_tree().set_multiplayer(player.api, root.get_path())
	root.add_child(player)


func listen() -> WebSocketMultiplayerPeer:
	var peer := WebSocketMultiplayerPeer.new()
	var options: TLSOptions = null
	if setting("TRANSPORT") == "wss":
		var key := Crypto.new().generate_rsa(2048)
		options = TLSOptions.server(key, Crypto.new().generate_self_signed_certificate(key, "CN=localhost"))
	peer.create_server(int(setting("PORT")), "127.0.0.1", options)
	players[1].api.peer_disconnected.connect(func(_id: int) -> void: get_tree().quit())
	return peer


func join() -> WebSocketMultiplayerPeer:
	var peer := WebSocketMultiplayerPeer.new()
	peer.create_client("%s://localhost:%s" % ["wss" if setting("TRANSPORT") == "wss" else "ws", setting("PORT")])
	return peer


# Offers, answers and candidates go from one end to the other by these calls, instead of through a server for that.
func connect_by_webrtc() -> void:
	var peers := {}
	for id: int in players:
		peers[id] = WebRTCMultiplayerPeer.new()
		if id == 1:
			peers[id].create_server(CHANNELS)
		else:
			peers[id].create_client(id, CHANNELS)
		players[id].api.multiplayer_peer = peers[id]
	for id: int in players:
		if id != 1:
			var ends: Array[WebRTCPeerConnection] = [WebRTCPeerConnection.new(), WebRTCPeerConnection.new()]
			for i in 2:
				var other := ends[1 - i]
				ends[i].initialize({"iceServers": []})
				ends[i].session_description_created.connect(func(type: String, sdp: String) -> void:
					ends[i].set_local_description(type, sdp)
					other.set_remote_description(type, sdp))
				ends[i].ice_candidate_created.connect(other.add_ice_candidate)
			peers[1].add_peer(ends[0], id)
			peers[id].add_peer(ends[1], 1)
			ends[1].create_offer()


func play() -> void:
	for player: Player in players.values():
		await player.all_there(players.size() if players.size() > 1 else 2)
	for number in int(setting("CALLS")):
		for player: Player in players.values():
			player.call_all(number)
			await get_tree().create_timer(0.02).timeout
	for player: Player in players.values():
		player.leave_word()


# By the key that the project's settings name.
func save() -> void:
	if not get_node_or_null("/root/GodotWireshark"):
		return
	for pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.keycode = OS.find_keycode_from_string(setting("KEY"))
		event.pressed = pressed
		Input.parse_input_event(event)
	await get_tree().create_timer(1.0).timeout
