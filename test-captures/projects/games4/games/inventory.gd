# SPDX-License-Identifier: GPL-2.0-or-later
# Chests whose content is a property.
extends "res://game.gd"


func begin() -> void:
	random.seed = 17
	for number in 2 if multiplayer.is_server() else 0:
		var chest: Node = load("res://chest_changed.tscn" if changed else "res://chest.tscn").instantiate()
		chest.name = "Chest%d" % number
		get_node("../World").add_child(chest)


func play(frame: int) -> void:
	for chest in get_node("../World").get_children():
		if multiplayer.is_server() and frame % 6 == 0:
			chest.put(random.randi_range(0, 29), random.randi_range(1, 99), changed)


func _process(_delta: float) -> void:
	for chest in get_node("../World").get_children():
		result[String(chest.name)] = str(chest.items).hash()
