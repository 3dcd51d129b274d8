# SPDX-License-Identifier: GPL-2.0-or-later
# Tanks with a synchronizer for each property.
extends "res://game.gd"


func begin() -> void:
	for number in 4 if multiplayer.is_server() else 0:
		var tank: Node2D = load("res://tank_changed.tscn" if changed else "res://tank.tscn").instantiate()
		tank.name = "Tank%d" % number
		get_node("../World").add_child(tank)


func play(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var tank: Node2D = get_node("../World/Tank%d" % number)
		if multiplayer.is_server():
			tank.position = way(number, frame / 60.0)
			tank.rotation = wrapf(frame / 60.0, -PI, PI)
			tank.fuel = 1000 - frame * (number + 1)
		else:
			result["far"] = maxf(result.get("far", 0.0), snappedf(tank.position.distance_to(way(number, frame / 60.0)), 1) if frame > 60 else 0.0)
			result["fuel"] = snappedf(tank.fuel, 20)
