# SPDX-License-Identifier: GPL-2.0-or-later
# Ships with their whole transform, 20 times a second.
extends "res://game.gd"


func begin() -> void:
	for number in 6 if multiplayer.is_server() else 0:
		var ship: Node2D = load("res://ship_changed.tscn" if changed else "res://ship.tscn").instantiate()
		ship.name = "Ship%d" % number
		get_node("../World").add_child(ship)


func play(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var ship: Node2D = get_node("../World/Ship%d" % number)
		if multiplayer.is_server():
			ship.position = way(number, frame / 60.0)
			ship.rotation = wrapf(frame / 60.0, -PI, PI)
		else:
			result["far"] = maxf(result.get("far", 0.0), snappedf(ship.position.distance_to(way(number, frame / 60.0)), 1) if frame > 60 else 0.0)
			result["turned"] = snappedf(ship.rotation, 0.1)
