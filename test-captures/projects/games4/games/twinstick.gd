# SPDX-License-Identifier: GPL-2.0-or-later
# Players who tell, twice for each velocity, where they go, and where they aim.
extends "res://game.gd"

var place := Vector2(400, 300)
var velocity := Vector2.ZERO
var aim := 0.0


func begin() -> void:
	random.seed = 24 + index()


func play(frame: int) -> void:
	if multiplayer.is_server():
		return
	velocity = (velocity + Vector2(random.randf_range(-30, 30), random.randf_range(-30, 30))).limit_length(300)
	place += velocity / 60
	aim = wrapf(aim + random.randf_range(-0.3, 0.3), -PI, PI)
	if frame % 3:
		return
	if changed:
		steer.rpc(place, velocity, aim)
	else:
		move.rpc(place, velocity, velocity.normalized(), velocity.angle(), velocity.length(), aim)


@rpc("any_peer", "unreliable_ordered")
func move(_at: Vector2, _velocity: Vector2, direction: Vector2, _angle: float, _speed: float, _aim: float) -> void:
	result["right"] = result.get("right", 0) + int(direction.x > 0)
	count("moves")


@rpc("any_peer", "unreliable_ordered")
func steer(_at: Vector2, of: Vector2, _aim: float) -> void:
	result["right"] = result.get("right", 0) + int(of.normalized().x > 0)
	count("moves")
