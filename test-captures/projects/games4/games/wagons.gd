# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes that a spawn function makes of a Dictionary.
extends "res://game.gd"

const KINDS := ["coal", "grain", "iron"]

@onready var depot := MultiplayerSpawner.new()


func _ready() -> void:
	depot.name = "Depot"
	depot.spawn_function = make_wagon
	add_child(depot)
	depot.spawn_path = depot.get_path_to(get_node("../World"))


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var wagon := {"position": way(1, frame / 60.0), "kind_of_load": KINDS[frame / 3 % 3], "weight": frame}
	depot.spawn(wagon.values() if changed else wagon)
	if get_node("../World").get_child_count() > 30:
		get_node("../World").get_child(0).free()


func make_wagon(wagon: Variant) -> Node:
	var values: Array = wagon if changed else wagon.values()
	var node := Node2D.new()
	node.position = values[0]
	count(values[1])
	result["weight"] = result.get("weight", 0) + values[2]
	return node
