# SPDX-License-Identifier: GPL-2.0-or-later
# Guards, each of them on a floor of its own: the height of each is always the same.
extends "res://game.gd"


func begin() -> void:
	for number in 8 if multiplayer.is_server() else 0:
		var guard: Node3D = load("res://balcony_changed.tscn" if changed else "res://balcony.tscn").instantiate()
		guard.name = "Guard%d" % number
		if changed:
			guard.height = 3 * number
		get_node("../World").add_child(guard)
		put(guard, number, 0)


func put(guard: Node3D, number: int, frame: int) -> void:
	var place := way(number, frame / 60.0)
	if changed:
		guard.ground = place
	else:
		guard.position = Vector3(place.x, 3 * number, place.y)


func play(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var guard: Node3D = get_node("../World/Guard%d" % number)
		if multiplayer.is_server():
			put(guard, number, frame)
		elif frame > 60:
			var place := way(number, frame / 60.0)
			result["far"] = maxf(result.get("far", 0.0), guard.position.distance_to(Vector3(place.x, 3 * number, place.y)))
			count("seen")
