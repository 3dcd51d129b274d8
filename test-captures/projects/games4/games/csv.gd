# SPDX-License-Identifier: GPL-2.0-or-later
# Where a player is, as a text.
extends "res://game.gd"


func play(frame: int) -> void:
	if multiplayer.is_server() or frame % 3:
		return
	var x := 500 + 300 * cos(frame / 60.0 * (index() + 1))
	var y := 400 + 200 * sin(frame / 50.0)
	var turn := wrapf(frame / 40.0, -PI, PI)
	if changed:
		place_as.rpc(Vector3(x, y, turn))
	else:
		place.rpc("%f,%f,%f" % [x, y, turn])


@rpc("any_peer", "unreliable_ordered")
func place(text: String) -> void:
	var parts := text.split_floats(",")
	place_as(Vector3(parts[0], parts[1], parts[2]))


@rpc("any_peer", "unreliable_ordered")
func place_as(at: Vector3) -> void:
	count("placed")
	result["sum"] = result.get("sum", 0.0) + at.x + at.y + at.z
