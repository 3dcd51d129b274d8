# SPDX-License-Identifier: GPL-2.0-or-later
# Colors of lamps, from a palette of 8 bits a channel.
extends "res://game.gd"


func begin() -> void:
	random.seed = 11


func play(frame: int) -> void:
	if multiplayer.is_server() and frame % 2 == 0:
		var color := Color8(random.randi_range(0, 255), random.randi_range(0, 255), random.randi_range(0, 255))
		if changed:
			shine_number.rpc(color.to_rgba32(), frame)
		else:
			shine.rpc(color, frame)


@rpc("unreliable")
func shine(color: Color, _frame: int) -> void:
	count("red" if color.r8 > 127 else "green")


@rpc("unreliable")
func shine_number(color: int, _frame: int) -> void:
	shine(Color.hex(color), _frame)
