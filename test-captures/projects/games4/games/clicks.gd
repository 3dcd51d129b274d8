# SPDX-License-Identifier: GPL-2.0-or-later
# Units that glide to where somebody has clicked.
extends "res://game.gd"


func begin() -> void:
	random.seed = 37
	for number in 6 if multiplayer.is_server() else 0:
		var unit: Node2D = load("res://unit_changed.tscn" if changed else "res://unit.tscn").instantiate()
		unit.name = "Unit%d" % number
		unit.position = Vector2(120 * number, 60)
		unit.target = unit.position
		get_node("../World").add_child(unit)


func play(frame: int) -> void:
	for unit in get_node("../World").get_children():
		if multiplayer.is_server() and (frame + 7 * unit.get_index()) % 45 == 1:
			unit.target = Vector2(random.randi_range(0, 800), random.randi_range(0, 600))
		if multiplayer.is_server() or changed:
			unit.glide()
		if frame % 60 == 40:
			result["%s.%d" % [unit.name, frame]] = str(unit.position.snapped(Vector2(100, 100)))
