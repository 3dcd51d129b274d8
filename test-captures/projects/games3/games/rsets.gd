# SPDX-License-Identifier: GPL-2.0-or-later
# A unit whose properties are set one by one.
extends "res://game.gd"

puppet var position = Vector2()
puppet var rotation = 0.0
puppet var speed = 0.0
puppet var health = 100 setget set_health


func set_health(value):
	health = value
	if not get_tree().is_network_server():
		count("set")
		result["sum"] = result.get("sum", 0.0) + position.x + rotation + speed + health


func play(frame):
	if not get_tree().is_network_server() or frame % 3:
		return
	if changed:
		rpc_unreliable("set_all", way(0, frame / 60.0), frame / 40.0, frame / 7.0, 1000 - frame)
	else:
		rset_unreliable("position", way(0, frame / 60.0))
		rset_unreliable("rotation", frame / 40.0)
		rset_unreliable("speed", frame / 7.0)
		rset_unreliable("health", 1000 - frame)


puppet func set_all(to_position, to_rotation, to_speed, to_health):
	position = to_position
	rotation = to_rotation
	speed = to_speed
	set_health(to_health)
