# SPDX-License-Identifier: GPL-2.0-or-later
# Fields of a board that can be reached.
extends "res://game.gd"


func begin() -> void:
	random.seed = 13


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var fields := PackedVector2Array()
	var numbers := PackedByteArray()
	for number in 30:
		fields.append(Vector2(random.randi_range(0, 40), random.randi_range(0, 40)))
		numbers.append_array([int(fields[-1].x), int(fields[-1].y)])
	if changed:
		mark_numbers.rpc(numbers)
	else:
		mark.rpc(fields)


@rpc("unreliable")
func mark(fields: PackedVector2Array) -> void:
	count("marked")
	for field in fields:
		result["sum"] = result.get("sum", 0) + int(field.x * 41 + field.y)


@rpc("unreliable")
func mark_numbers(numbers: PackedByteArray) -> void:
	var fields := PackedVector2Array()
	for number in range(0, numbers.size(), 2):
		fields.append(Vector2(numbers[number], numbers[number + 1]))
	mark(fields)
