# SPDX-License-Identifier: GPL-2.0-or-later
# The first instance is the server, others are its clients. Each says something ten times a second; clients also call what only the
# authority may call. Environment: PORT.
extends Node

var clock := 0.0


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	peer.set_bind_ip("127.0.0.1")
	if peer.create_server(port) != OK:
		peer = ENetMultiplayerPeer.new()
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	var timer := Timer.new()
	timer.timeout.connect(talk)
	add_child(timer)
	timer.start(0.1)
	get_tree().create_timer(600.0).timeout.connect(get_tree().quit) # should the editor end without it


func talk() -> void:
	clock += 0.1
	if multiplayer.get_peers().is_empty():
		return
	say.rpc("hello")
	if not multiplayer.is_server():
		decide.rpc_id(1)


@rpc("any_peer")
func say(_text: String) -> void:
	pass


@rpc("authority")
func decide() -> void:
	pass
