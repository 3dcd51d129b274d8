# SPDX-License-Identifier: GPL-2.0-or-later
# The first instance is the server, others are its clients. Their calls are refused in every way; the server's calls at Seat are refused by
# all clients at the same time. Environment: PORT, CLIENTS.
extends Node

var port := int(OS.get_environment("PORT"))


func _ready() -> void:
	var peer := ENetMultiplayerPeer.new()
	peer.set_bind_ip("127.0.0.1")
	if peer.create_server(port) != OK:
		peer = ENetMultiplayerPeer.new()
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	print("started as ", multiplayer.get_unique_id())
	if multiplayer.is_server():
		serve()
	else:
		play()


func serve() -> void:
	while multiplayer.get_peers().size() < int(OS.get_environment("CLIENTS")):
		await pause(0.05)
	await pause(0.5)
	for turn in 3:
		$Seat.kick_everyone.rpc()
		$Net.say.rpc("turn %d" % turn)
		await pause(0.4)


func play() -> void:
	$Seat.set_multiplayer_authority(multiplayer.get_unique_id())
	await multiplayer.connected_to_server
	await pause(1.5)
	for turn in 4:
		$Net.kick_everyone.rpc_id(1)
		$Net.say.rpc_id(1, "hello")
		$Net.two.rpc_id(1, 7)
		await pause(0.2)
	for again in 3: # in one frame
		$Net.kick_everyone.rpc_id(1)
	$Net.warn.rpc_id(1, "careful")
	await pause(0.3)
	var lonely := Node.new()
	lonely.name = "OnlyHere"
	lonely.set_script(load("res://net.gd"))
	add_child(lonely)
	lonely.say.rpc_id(1, "nobody hears it")
	await pause(0.3)
	$Net.kick_everyone.rpc()


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout
