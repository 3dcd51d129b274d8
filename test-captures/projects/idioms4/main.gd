# SPDX-License-Identifier: GPL-2.0-or-later
# The ways in which scripts give away authority: by unique name, by a variable, in a loop, not recursively, from outside.
# Environment: ROLE (server or client), PORT, SECONDS.
extends Node

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(add)
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	await get_tree().create_timer(float(OS.get_environment("SECONDS"))).timeout
	peer.close()
	get_tree().quit()


func add(id: int) -> void:
	Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()})
	if id == 1:
		add_hero(multiplayer.get_unique_id())
		play()
	else:
		add_hero(id)


func add_hero(id: int) -> void:
	var hero := preload("res://hero.tscn").instantiate()
	hero.name = "Hero%d" % id
	hero.id = id
	hero.get_node("Pet").set_multiplayer_authority(id)
	$World.add_child(hero)


func play() -> void:
	await get_tree().create_timer(1.0).timeout
	for round in 2:
		for hero in $World.get_children():
			for path in [".", "Look", "Look/Eye", "Bag", "Bag/Coin", "Sword", "Pet", "Shadow"]:
				var node: Node = hero.get_node(path)
				Log.call_at(0, node, "act", [path])
			Log.call_at(1, hero, "ask", [round])
		await get_tree().create_timer(0.5).timeout
