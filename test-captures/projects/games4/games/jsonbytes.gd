# SPDX-License-Identifier: GPL-2.0-or-later
# JSON as bytes.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	var state := {"position_x": frame * 3, "position_y": frame * 2, "velocity_x": -(frame % 5), "velocity_y": 3, "health_points": frame % 100, "target_name": "Npc%d" % (frame % 9)}
	if changed:
		show_values.rpc(state.values())
	else:
		read_state.rpc(JSON.stringify(state).to_utf8_buffer())


@rpc("unreliable")
func read_state(state: PackedByteArray) -> void:
	show_values(JSON.parse_string(state.get_string_from_utf8()).values())


@rpc("unreliable")
func show_values(values: Array) -> void:
	count(values[5])
	result["health"] = result.get("health", 0) + int(values[4])
