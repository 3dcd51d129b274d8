# SPDX-License-Identifier: GPL-2.0-or-later
# The state of four units as JSON text, in each frame.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server():
		return
	var units := []
	for number in 4:
		var at := way(number, frame / 60.0)
		units.append({"number": number, "x": at.x, "y": at.y, "health": 100 - frame / 40})
	if changed:
		show_values.rpc(units.map(func(unit): return unit.values()))
	else:
		show_units.rpc(JSON.stringify(units))


@rpc("unreliable")
func show_units(text: String) -> void:
	count("shown")
	result["health"] = JSON.parse_string(text)[3]["health"]


@rpc("unreliable")
func show_values(units: Array) -> void:
	count("shown")
	result["health"] = units[3][3]
