# SPDX-License-Identifier: GPL-2.0-or-later
# Planets go round the sun.
extends "res://game.gd"


func begin() -> void:
	for number in 6 if multiplayer.is_server() else 0:
		var planet: Node2D = load("res://planet_changed.tscn" if changed else "res://planet.tscn").instantiate()
		planet.name = "Planet%d" % number
		get_node("../World").add_child(planet)


func play(frame: int) -> void:
	for planet in get_node("../World").get_children():
		if frame == 150:
			result[String(planet.name)] = "%.0f away" % planet.position.distance_to(Vector2(960, 540))
		result["turned"] = snappedf(planet.rotation, 1)
