# SPDX-License-Identifier: GPL-2.0-or-later
# Crates that are pushed now and then.
extends "res://game.gd"

var scene := "res://crate_changed.tscn"


func begin() -> void:
	for number in 12 if multiplayer.is_server() else 0:
		var crate: Node2D = load(scene if changed else "res://crate.tscn").instantiate()
		crate.name = "Crate%d" % number
		get_node("../World").add_child(crate)


func place_of(number: int, frame: int) -> Vector2:
	var steps := 0
	for one in frame:
		steps += int((one / 30 + number) % 3 == 0)
	return way(number, steps / 60.0)


func play(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var crate: Node2D = get_node("../World/Crate%d" % number)
		if multiplayer.is_server():
			crate.position = place_of(number, frame)
		elif frame > 60:
			result["far"] = maxf(result.get("far", 0.0), crate.position.distance_to(place_of(number, frame)))
			count("seen")
