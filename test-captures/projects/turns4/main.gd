# SPDX-License-Identifier: GPL-2.0-or-later
# A board game: the board belongs to whose turn it is, at all ends. Environment: ROLE, PORT, NUMBER of the client, SECONDS;
# EXTRA: calls of the board have an argument that it does not expect.
extends Node

var is_server := OS.get_environment("ROLE") == "server"
var turn := 0


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	if is_server:
		referee()
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	peer.close()
	get_tree().quit()


func referee() -> void:
	while multiplayer.get_peers().size() < 2:
		await get_tree().create_timer(0.05).timeout
	await get_tree().create_timer(0.3).timeout
	for round in 4:
		var id: int = multiplayer.get_peers()[round % 2]
		set_turn(id)
		Log.call_at(0, self, "set_turn", [id])
		await get_tree().create_timer(0.4).timeout


@rpc("reliable")
func set_turn(id: int) -> void:
	if not is_server:
		Log.called(self, "set_turn", [id])
	$Board.set_multiplayer_authority(id)
	if not is_server:
		await get_tree().create_timer(0.1).timeout
		var extra := [1] if OS.get_environment("EXTRA") else []
		Log.call_at(0, $Board, "put", [turn, "stone"] + extra)  # refused if it is not this player's turn
		Log.call_at(1, $Board/Clock, "stop", [turn])
		Log.call_at(1, $Chat, "stop", [turn])
		Log.call_at(1, self, "set_turn", [multiplayer.get_unique_id()])
		turn += 1
