# SPDX-License-Identifier: GPL-2.0-or-later
# A dedicated server, a project of its own, with a multiplayer API whose root is this node. Environment: PORT, SECONDS.
extends Node


func _enter_tree() -> void:
	get_tree().set_multiplayer(SceneMultiplayer.new(), get_path())


func _ready() -> void:
	var peer := ENetMultiplayerPeer.new()
	peer.set_bind_ip("127.0.0.1")
	peer.create_server(int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = peer
	multiplayer.peer_connected.connect(greet)
	Log.record("ready")
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	peer.close()
	get_tree().quit()


func greet(id: int) -> void:
	Log.record("peer_connected", {"id": id, "me": 1})
	await get_tree().create_timer(0.5).timeout
	Log.call_at(id, $Account, "logged_in", ["welcome"])
	Log.call_at(id, $Account, "balance", [100])
