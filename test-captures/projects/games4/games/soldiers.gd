# SPDX-License-Identifier: GPL-2.0-or-later
# Soldiers that walk to one place after the other, ten updates a second, and look where they go.
extends "res://game.gd"


var right := []


func begin() -> void:
	random.seed = 23
	for number in 16:
		right.append(make(number))
		if multiplayer.is_server():
			get_node("../World").add_child(right[number])


func make(number: int) -> Node2D:
	var soldier: Node2D = load("res://soldier_changed.tscn" if changed else "res://soldier.tscn").instantiate()
	soldier.name = "Soldier%d" % number
	soldier.position = Vector2(60 * number, 300)
	soldier.target = soldier.position
	return soldier


# Each peer knows where they go, so that it can compare.
func play(frame: int) -> void:
	for soldier in right:
		soldier.walk(random)
	for number in 0 if multiplayer.is_server() else get_node("../World").get_child_count():
		var soldier: Node2D = get_node("../World/Soldier%d" % number)
		if changed:
			soldier.derive()
		if frame > 30 and absf(angle_difference(soldier.rotation, right[number].rotation)) < 0.3:
			count("right")
	if frame == 180 and not multiplayer.is_server():
		for soldier in right:
			soldier.free()
