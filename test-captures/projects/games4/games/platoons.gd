# SPDX-License-Identifier: GPL-2.0-or-later
# Platoons that walk when they get an order, and rest for most of the time.
extends "res://game.gd"


func begin() -> void:
	random.seed = 25
	for number in 24 if multiplayer.is_server() else 0:
		var soldier: Node2D = load("res://private_changed.tscn" if changed else "res://private.tscn").instantiate()
		soldier.name = "Private%d" % number
		soldier.position = Vector2(40 * number, 300)
		soldier.target = soldier.position
		get_node("../World").add_child(soldier)


func play(frame: int) -> void:
	if not multiplayer.is_server():
		if frame == 180:
			for soldier in get_node("../World").get_children():
				result[soldier.name] = soldier.position.x
		return
	var soldiers := get_node("../World").get_children()
	if frame % 40 == 1:
		var at := Vector2(random.randf_range(0, 1000), random.randf_range(0, 600))
		var platoon := random.randi_range(0, 3)
		for number in 6:
			var soldier: Node2D = soldiers[platoon * 6 + number]
			soldier.target = soldier.position.move_toward(at, 100) + Vector2(random.randf_range(-40, 40), random.randf_range(-40, 40))
	for soldier in soldiers:
		soldier.position = soldier.position.move_toward(soldier.target, 2.5)
