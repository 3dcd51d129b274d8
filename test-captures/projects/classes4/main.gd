# SPDX-License-Identifier: GPL-2.0-or-later
# A server and a client whose scripts ask for the classes of both the MultiplayerAPI and the peer. Calls that are refused, raw packets,
# states of a node that the client has freed, errors while the tree is left. Environment: ROLE (server or client), PORT.
extends Node

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(_on_connected)
	multiplayer.peer_disconnected.connect(_on_disconnected)
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.multiplayer_peer = peer
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
		multiplayer.multiplayer_peer = peer
		await multiplayer.connected_to_server
		await play()
	Log.record("same", {"peer": multiplayer.multiplayer_peer == peer, "api": multiplayer is SceneMultiplayer, "early": Early._known == multiplayer})


func _process(_delta: float) -> void:
	if is_server:
		$Unit.health += 1


func _on_connected(id: int) -> void:
	var enet := multiplayer.multiplayer_peer as ENetMultiplayerPeer
	Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id(), "loss": enet.get_peer(id).get_statistic(ENetPacketPeer.PEER_PACKET_LOSS)})


func _on_disconnected(_id: int) -> void:
	multiplayer.multiplayer_peer = null
	Log.record("closed", {"offline": multiplayer.multiplayer_peer is OfflineMultiplayerPeer or multiplayer.multiplayer_peer == null})
	get_tree().quit()


func pause(seconds := 0.2) -> void:
	await get_tree().create_timer(seconds).timeout


func play() -> void:
	await pause(0.3)
	Log.call_at(1, $Unit, "hit", [3])
	Log.call_at(1, $Unit, "heal")
	$Unit.rpc_id(1, "hit", 1, 2)
	await pause()
	for text: String in ["good", "bad"]:
		(multiplayer as SceneMultiplayer).send_bytes(text.to_utf8_buffer(), 1)
		Log.record("put_packet", {"hex": text.to_utf8_buffer().hex_encode()})
		await pause()
	Log.call_at(1, $Unit, "fails_later")
	await pause(0.5)
	$Unit.queue_free() # its states still come
	await pause(0.5)
	get_tree().create_timer(0.1).timeout.connect(func() -> void: get_tree().quit())
	multiplayer.multiplayer_peer.close()
