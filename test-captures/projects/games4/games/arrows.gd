# SPDX-License-Identifier: GPL-2.0-or-later
# Arrows that fly straight on, and whose places are told.
extends "res://game.gd"

var flying := {}


func play(frame: int) -> void:
	for number in 6:
		var arrow := number + frame / 60 * 6
		var place := Vector2(number * 10 + frame % 60 * 5, number * 20)
		if not multiplayer.is_server():
			continue
		if not changed:
			fly.rpc(arrow, place)
		elif frame % 60 == 0 or frame == 1:
			shoot.rpc(arrow, place, Vector2(5, 0))


@rpc("unreliable")
func fly(arrow: int, _place: Vector2) -> void:
	flying[arrow] = true
	result["arrows"] = flying.size()


@rpc("reliable")
func shoot(arrow: int, _place: Vector2, _velocity: Vector2) -> void:
	flying[arrow] = true
	result["arrows"] = flying.size()
