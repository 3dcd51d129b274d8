# SPDX-License-Identifier: GPL-2.0-or-later
# Stones that tremble while they rest, and lamps that flicker for a while.
extends "res://game.gd"


func begin() -> void:
	random.seed = 31
	for number in 5 if multiplayer.is_server() else 0:
		add("stone" if number < 3 else "lamp", number)


func add(kind: String, number: int) -> void:
	var node: Node2D = load("res://%s%s.tscn" % [kind, "_changed" if changed else ""]).instantiate()
	node.name = "%s%d" % [kind.capitalize(), number]
	node.position = Vector2(90 * number, 40)
	get_node("../World").add_child(node)


func play(frame: int) -> void:
	for node in get_node("../World").get_children():
		if node.has_method("flicker"):
			if multiplayer.is_server():
				node.flickers = frame % 90 < 60
			if multiplayer.is_server() or changed:
				node.flicker(frame)
		elif multiplayer.is_server():
			rest(node, frame)
		if frame % 45 == 0:
			result["%s.%d" % [node.name, frame]] = str(node.position.round())


# Each falls for a moment, and trembles then.
func rest(stone: Node2D, frame: int) -> void:
	var falls := clampi(frame - 30, 0, 20)
	var place := Vector2(stone.position.round().x, 40 + 8 * falls) + Vector2(random.randf_range(-0.003, 0.003), random.randf_range(-0.003, 0.003))
	stone.position = place.snappedf(0.01) if changed else place
