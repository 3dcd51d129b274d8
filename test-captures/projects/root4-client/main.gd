# SPDX-License-Identifier: GPL-2.0-or-later
# The client of another project, an older version of the script on purpose: log_in() has one argument less.
# Environment: PORT, SECONDS.
extends Node


func _enter_tree() -> void:
	get_tree().set_multiplayer(SceneMultiplayer.new(), get_path())


func _ready() -> void:
	var peer := ENetMultiplayerPeer.new()
	peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = peer
	multiplayer.peer_connected.connect(play)
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	peer.close()
	get_tree().quit()


func play(id: int) -> void:
	Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()})
	if id != 1:
		return
	await get_tree().create_timer(0.3).timeout
	for round in 2:
		Log.call_at(1, $Account, "log_in", ["somebody"])
		Log.call_at(1, $Account, "buy", ["sword"])
		Log.call_at(1, $Account, "buy", [])
		Log.call_at(1, $Account, "buy", ["sword", 2, "now"])
		Log.call_at(1, $Account, "shut_down", [])
		Log.call_at(1, $Account, "balance", [1000000])
		await get_tree().create_timer(0.4).timeout
