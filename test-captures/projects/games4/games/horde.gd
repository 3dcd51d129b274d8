# SPDX-License-Identifier: GPL-2.0-or-later
# Zombies that are spawned with all that belongs to their type.
extends "res://game.gd"

const TYPES := {
	"walker": {"health": 50, "speed": 1.0, "damage": 5, "tint": Color(0.5, 0.8, 0.5), "sprite": "res://sprites/walker.png"},
	"runner": {"health": 30, "speed": 2.5, "damage": 5, "tint": Color(0.9, 0.6, 0.5), "sprite": "res://sprites/runner.png"},
	"tank": {"health": 300, "speed": 0.6, "damage": 20, "tint": Color(0.4, 0.4, 0.7), "sprite": "res://sprites/tank.png"}}


func begin() -> void:
	random.seed = 23
	get_node("../Spawner").spawn_function = make


func play(frame: int) -> void:
	if multiplayer.is_server() and frame % 3 == 0:
		var type: String = TYPES.keys()[random.randi() % 3]
		var data := {"number": frame / 3, "type": type, "place": Vector2(random.randf_range(0, 800), 0)}
		if not changed:
			data.merge(TYPES[type])
		get_node("../Spawner").spawn(data)


func make(data: Dictionary) -> Node:
	var zombie := Node2D.new()
	var stats: Dictionary = TYPES[data.type] if changed else data
	zombie.name = "Zombie%d" % data.number
	zombie.position = data.place
	zombie.modulate = stats.tint
	count(data.type)
	result["health"] = result.get("health", 0) + stats.health
	return zombie
