# SPDX-License-Identifier: GPL-2.0-or-later
# The autoload of most tutorials: hosts and joins. Environment: ROLE (server or client), PORT, NUMBER of the client, SECONDS.
extends Node

signal joined

var is_server := OS.get_environment("ROLE") == "server"
var number := int(OS.get_environment("NUMBER"))


func start() -> void:
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	multiplayer.connected_to_server.connect(func(): joined.emit())
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")))
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = peer
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	multiplayer.multiplayer_peer.close()
	get_tree().quit()


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


# Only the server may: the authority of an autoload.
@rpc
func kick_everyone(why: String) -> void:
	Log.called(self, "kick_everyone", [why])


@rpc("any_peer", "call_local", "reliable")
func say(text: String) -> void:
	Log.called(self, "say", [text])
