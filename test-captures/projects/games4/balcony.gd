# SPDX-License-Identifier: GPL-2.0-or-later
extends Node3D

var height := 0.0
var ground := Vector2.ZERO


func _process(_delta: float) -> void:
	if not is_multiplayer_authority():
		position = Vector3(ground.x, height, ground.y)
