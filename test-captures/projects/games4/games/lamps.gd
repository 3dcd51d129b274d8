# SPDX-License-Identifier: GPL-2.0-or-later
# Colors of all lamps, from a palette of 8 bits a channel.
extends "res://game.gd"


func begin() -> void:
	random.seed = 14


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var colors := PackedColorArray()
	var numbers := PackedInt32Array()
	for number in 12:
		colors.append(Color8(random.randi_range(0, 255), random.randi_range(0, 255), random.randi_range(0, 255)))
		numbers.append(colors[-1].to_rgba32())
	if changed:
		shine_numbers.rpc(numbers)
	else:
		shine.rpc(colors)


@rpc("unreliable")
func shine(colors: PackedColorArray) -> void:
	for color in colors:
		count("red" if color.r8 > 127 else "green")


@rpc("unreliable")
func shine_numbers(numbers: PackedInt32Array) -> void:
	var colors := PackedColorArray()
	for number in numbers:
		colors.append(Color.hex(number))
	shine(colors)
