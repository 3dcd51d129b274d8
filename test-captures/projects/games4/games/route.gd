# SPDX-License-Identifier: GPL-2.0-or-later
# The way that is left to go, at each step of a unit.
extends "res://game.gd"

var left: PackedVector2Array


func play(frame: int) -> void:
	if not multiplayer.is_server():
		return
	if frame % 90 == 1:
		left = PackedVector2Array(range(30).map(func(number): return way(frame, number / 7.0)))
		if changed:
			show_route.rpc(left)
	if frame % 3 == 0 and not left.is_empty():
		left.remove_at(0)
		if not changed:
			show_route.rpc(left)
		else:
			step.rpc(1)


@rpc("reliable")
func show_route(points: PackedVector2Array) -> void:
	left = points
	if not changed:
		walked()


@rpc("reliable")
func step(gone: int) -> void:
	for number in gone:
		left.remove_at(0)
	walked()


func walked() -> void:
	count("steps")
	result["sum"] = result.get("sum", 0.0) + (left[0].x if not left.is_empty() else 0.0)
