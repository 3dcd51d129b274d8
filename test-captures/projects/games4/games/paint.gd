# SPDX-License-Identifier: GPL-2.0-or-later
# Colors as texts, with when they were chosen.
extends "res://game.gd"


func begin() -> void:
	random.seed = 20


func play(frame: int) -> void:
	if not multiplayer.is_server():
		return
	var color := Color8(random.randi_range(0, 255), random.randi_range(0, 255), random.randi_range(0, 255))
	if changed:
		paint_number.rpc(color.to_rgba32(), frame)
	else:
		paint.rpc(color.to_html(), frame)


@rpc("unreliable")
func paint(color: String, _field: int) -> void:
	count("red" if Color(color).r8 > 127 else "green")


@rpc("unreliable")
func paint_number(color: int, field: int) -> void:
	paint(Color.hex(color).to_html(), field)
