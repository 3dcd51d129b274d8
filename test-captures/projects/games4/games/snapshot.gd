# SPDX-License-Identifier: GPL-2.0-or-later
# What the server knows of all players, in each frame; only one of them moves.
extends "res://game.gd"

var sent := {}
var known := {}


func play(frame: int) -> void:
	if not multiplayer.is_server():
		return
	var states := {}
	for id in players:
		states[id] = {"position": way(0, frame / 60.0) if id == players[0] else Vector2(100, 100), "title": "Player of the north", "health": 100}
	if changed:
		show_changed.rpc(changes(states))
	else:
		show_players.rpc(states)


# What is different from what was sent before.
func changes(states: Dictionary) -> Dictionary:
	var found := {}
	for id in states:
		for key in states[id]:
			if id not in sent or sent[id][key] != states[id][key]:
				found.get_or_add(id, {})[key] = states[id][key]
	sent = states
	return found


@rpc("unreliable_ordered")
func show_players(states: Dictionary) -> void:
	count("shown")
	result["known"] = states.size()
	result["x"] = snappedf(states[players[0]]["position"].x, 50)


@rpc("reliable")
func show_changed(states: Dictionary) -> void:
	for id in states:
		known.get_or_add(id, {}).merge(states[id], true)
	show_players(known)
