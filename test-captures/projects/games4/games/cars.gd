# SPDX-License-Identifier: GPL-2.0-or-later
# Cars that also send what is computed from their position and speed.
extends "res://game.gd"


func begin() -> void:
	random.seed = 29
	for number in 6 if multiplayer.is_server() else 0:
		var car: Node2D = load("res://car_changed.tscn" if changed else "res://car.tscn").instantiate()
		car.name = "Car%d" % number
		car.position = Vector2(150 * number, 80)
		get_node("../World").add_child(car)


func play(frame: int) -> void:
	var number := 0
	for car in get_node("../World").get_children():
		if multiplayer.is_server():
			car.drive(random)
		elif changed:
			car.derive()
		if frame % 60 == 0:
			result["car%d.%d" % [number, frame]] = "camera %v fov %d" % [(car.camera_position - car.position).round(), snappedi(car.fov, 10)]
		number += 1
