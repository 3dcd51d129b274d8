# SPDX-License-Identifier: GPL-2.0-or-later
# The latest places of a player, the newest first.
extends "res://game.gd"

const LONGEST := 12

var trail := []
var trails := {}


func play(frame: int) -> void:
	if multiplayer.is_server() or frame % 3:
		return
	trail.push_front(way(index(), frame / 60.0))
	trail.resize(mini(trail.size(), LONGEST))
	if changed and frame > 3:
		add_points.rpc({"points": [trail[0]]}, 1)
	else:
		show_trail.rpc({"player": multiplayer.get_unique_id(), "points": trail, "width": 2.5})


@rpc("any_peer", "unreliable")
func show_trail(of: Dictionary) -> void:
	trails[of.player] = of.points.duplicate()
	show_end(of.player)


@rpc("any_peer", "reliable")
func add_points(more: Dictionary, _added: int) -> void:
	var player := multiplayer.get_remote_sender_id()
	trails[player] = more.points + trails[player]
	trails[player].resize(mini(trails[player].size(), LONGEST))
	show_end(player)


func show_end(player: int) -> void:
	count("%d: %d points" % [players.find(player), trails[player].size()])
	result["end of %d" % players.find(player)] = str(trails[player]).hash()
