# SPDX-License-Identifier: GPL-2.0-or-later
# Fields of a map that somebody discovers, by their places.
extends "res://game.gd"


func begin() -> void:
	random.seed = 11


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var fields := {}
	while fields.size() < 20:
		fields[Vector2i(random.randi() % 400, random.randi() % 300)] = random.randi() % 9
	if changed:
		var numbers := PackedInt32Array()
		for at in fields:
			numbers.append_array([at.x, at.y, fields[at]])
		reveal_numbers.rpc(numbers)
	else:
		reveal.rpc(fields)


@rpc("unreliable")
func reveal(fields: Dictionary) -> void:
	for at in fields:
		count("fields")
		result["sum"] = result.get("sum", 0) + at.x + at.y * 400 + fields[at]


@rpc("unreliable")
func reveal_numbers(numbers: PackedInt32Array) -> void:
	var fields := {}
	for number in numbers.size() / 3:
		fields[Vector2i(numbers[3 * number], numbers[3 * number + 1])] = numbers[3 * number + 2]
	reveal(fields)
