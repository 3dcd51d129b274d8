# SPDX-License-Identifier: GPL-2.0-or-later
# Heights of a part of a map: whole numbers, as floats.
extends "res://game.gd"


func begin() -> void:
	random.seed = 5


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var heights := PackedFloat32Array()
	for number in 100:
		heights.append(random.randi() % 200)
	if changed:
		show_bytes.rpc(PackedByteArray(Array(heights)))
	else:
		show_heights.rpc(heights)


@rpc("unreliable")
func show_heights(heights: PackedFloat32Array) -> void:
	for height in heights:
		result["sum"] = result.get("sum", 0.0) + height
	count("parts")


@rpc("unreliable")
func show_bytes(heights: PackedByteArray) -> void:
	show_heights(PackedFloat32Array(Array(heights)))
