# SPDX-License-Identifier: GPL-2.0-or-later
# The server moves all players; what a player wants comes from its node Input, which belongs to its client.
extends Node


func _ready() -> void:
	if Net.is_server:
		multiplayer.peer_connected.connect(add_player)
	else:
		Net.joined.connect(play)
	Net.start()


func add_player(id: int) -> void:
	var player := preload("player.tscn").instantiate()
	player.name = str(id)
	player.player = id
	$Players.add_child(player, true)


func play() -> void:
	await Net.pause(1.2)
	var own := $Players.get_node(str(multiplayer.get_unique_id()))
	var other := $Players.get_children().filter(func(one): return one != own)
	for round in 2:
		Log.call_at(0, Net, "say", ["hello"])
		Log.call_at(1, Net, "kick_everyone", ["I may not"])
		Log.call_at(1, own.get_node("Input"), "jump", [round])
		Log.call_at(0, own.get_node("Input"), "wave", [])
		Log.call_at(1, own, "take_damage", [10])
		Log.call_at(1, own, "ask_for", ["ammunition"])
		if other:
			Log.call_at(1, other[0].get_node("Input"), "jump", [99])
			Log.call_at(int(str(other[0].name)), other[0].get_node("Input"), "wave", [])
			Log.call_at(int(str(other[0].name)), other[0], "take_damage", [99])
		await Net.pause(0.4)
