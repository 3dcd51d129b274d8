# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


func _ready():
	Game.start()


func add_players(ids):
	for id in ids:
		var player = preload("res://player.tscn").instance()
		player.set_name(str(id))
		player.set_network_master(id)
		$Players.add_child(player)
	if not Game.is_server:
		play(ids)


func play(ids):
	yield(get_tree().create_timer(0.5), "timeout")
	var me = get_tree().get_network_unique_id()
	for turn in 2:
		for id in ids:
			var player = $Players.get_node(str(id))
			Log.set_at(0, player, "puppet_motion", Vector2(turn, 1), true)
			Log.call_at(0, player, "stunned", [turn])
			Log.call_at(id if id != me else 1, player, "exploded", [me])
			Log.call_at(1, player, "setup_bomb", ["bomb", turn])
		Log.call_at(1, $Rock, "exploded", [me])
		Log.call_at(1, $Rock, "do_explosion", [])
		Log.call_at(1, $Rock, "hidden", [])
		yield(get_tree().create_timer(0.4), "timeout")
