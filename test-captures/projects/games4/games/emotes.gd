# SPDX-License-Identifier: GPL-2.0-or-later
# Sounds by the path of their file.
extends "res://game.gd"

const SOUNDS := ["res://sounds/footsteps/grass_left.ogg", "res://sounds/footsteps/grass_right.ogg", "res://sounds/weapons/sword_draw.ogg", "res://sounds/weapons/sword_hit.ogg"]


func begin() -> void:
	random.seed = 5


func play(frame: int) -> void:
	if multiplayer.is_server() and frame % 2 == 0:
		var sound := random.randi_range(0, 3)
		if changed:
			play_number.rpc(sound, Vector2(frame, 1))
		else:
			play_sound.rpc(SOUNDS[sound], Vector2(frame, 1))


@rpc("unreliable")
func play_sound(path: String, _at: Vector2) -> void:
	count(path.get_file())


@rpc("unreliable")
func play_number(number: int, _at: Vector2) -> void:
	count(SOUNDS[number].get_file())
