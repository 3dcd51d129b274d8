# SPDX-License-Identifier: GPL-2.0-or-later
# Players get hungry, and tired if they run.
extends "res://game.gd"

var scene := "res://needs_changed.tscn"


func begin() -> void:
	random.seed = 47
	for number in 3 if multiplayer.is_server() else 0:
		var one: Node = load(scene if changed else "res://needs.tscn").instantiate()
		one.name = "Needs%d" % number
		get_node("../World").add_child(one)


# What needs no random numbers.
func grow(one: Node) -> void:
	one.hunger -= 1.5 * get_process_delta_time()
	one.thirst -= 5 * get_process_delta_time()


func drink(one: Node) -> void:
	one.thirst = 100.0


func play(frame: int) -> void:
	for one in get_node("../World").get_children():
		if multiplayer.is_server():
			grow(one)
			if frame == 80:
				drink(one)
			if frame / 30 % 2:
				one.stamina -= random.randf()
			if frame / 40 % 2:
				one.warmth += random.randf() / 60
		for what in ["hunger", "thirst", "stamina", "warmth"] if frame > 60 else []:
			result[what] = result.get(what, 0.0) + one.get(what)
