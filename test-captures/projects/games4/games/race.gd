# SPDX-License-Identifier: GPL-2.0-or-later
# Cars that their players place, each tick of physics.
extends "res://game.gd"

var cars := {}
var largest := 0.0


func tick(frame: int) -> void:
	if multiplayer.is_server() or (changed and frame % 3 != 1):
		return
	var at := way(index(), frame / 60.0)
	drive.rpc(at, at.angle())


@rpc("any_peer", "unreliable_ordered")
func drive(at: Vector2, _angle: float) -> void:
	var who := multiplayer.get_remote_sender_id()
	largest = maxf(largest, at.distance_to(cars.get(who, at)))
	cars[who] = at
	count("driven")
	result["largest_step"] = snappedf(largest, 1)
	result["interpolated_error"] = snappedf(largest * largest / 8 / 300, 0.01)
