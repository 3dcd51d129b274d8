# SPDX-License-Identifier: GPL-2.0-or-later
# Karts that send what follows from other properties.
extends "res://game.gd"


func begin() -> void:
	random.seed = 17
	for number in 6 if multiplayer.is_server() else 0:
		var kart: Node2D = load("res://kart_changed.tscn" if changed else "res://kart.tscn").instantiate()
		kart.name = "Kart%d" % number
		kart.position = Vector2(100 * number, 50)
		get_node("../World").add_child(kart)


func play(frame: int) -> void:
	var number := 0
	for kart in get_node("../World").get_children():
		if multiplayer.is_server():
			kart.drive(random)
		elif changed:
			kart.derive()
		if frame % 180 == 0:
			result["kart%d.%d" % [number, frame]] = "turn %.1f speed %d" % [snappedf(kart.rotation, 0.2), snappedi(kart.speed, 50)]
		number += 1
