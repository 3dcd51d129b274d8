# SPDX-License-Identifier: GPL-2.0-or-later
# Lines that a player draws: pairs of numbers.
extends "res://game.gd"


func begin() -> void:
	random.seed = 9


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var line := []
	for number in 20:
		line.append([random.randi() % 1900, random.randi() % 1000])
	if changed:
		var numbers := PackedInt32Array()
		for point in line:
			numbers.append_array(point)
		draw_numbers.rpc(numbers)
	else:
		draw.rpc(line)


@rpc("unreliable")
func draw(line: Array) -> void:
	for point in line:
		count("points")
		result["sum"] = result.get("sum", 0) + point[0] + point[1]


@rpc("unreliable")
func draw_numbers(numbers: PackedInt32Array) -> void:
	var line := []
	for number in numbers.size() / 2:
		line.append([numbers[2 * number], numbers[2 * number + 1]])
	draw(line)
