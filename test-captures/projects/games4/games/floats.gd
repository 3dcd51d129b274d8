# SPDX-License-Identifier: GPL-2.0-or-later
# Where a player is, as three numbers.
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
		place.rpc(x, y, turn)


@rpc("any_peer", "unreliable_ordered")
func place(x: float, y: float, turn: float) -> void:
	count("placed")
	result["sum"] = result.get("sum", 0.0) + x + y + turn


@rpc("any_peer", "unreliable_ordered")
func place_as(at: Vector3) -> void:
	place(at.x, at.y, at.z)
