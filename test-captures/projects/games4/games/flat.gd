# SPDX-License-Identifier: GPL-2.0-or-later
# Robots on a floor: their position has a height that is always 0.
extends "res://game.gd"


func begin() -> void:
	for number in 8 if multiplayer.is_server() else 0:
		var robot: Node3D = load("res://robot_changed.tscn" if changed else "res://robot.tscn").instantiate()
		robot.name = "Robot%d" % number
		get_node("../World").add_child(robot)


func play(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var robot: Node3D = get_node("../World/Robot%d" % number)
		var place := way(number, frame / 60.0)
		if multiplayer.is_server():
			robot.position = Vector3(place.x, 0, place.y)
		elif frame > 60:
			result["far"] = maxf(result.get("far", 0.0), robot.position.distance_to(Vector3(place.x, 0, place.y)))
			count("seen")
