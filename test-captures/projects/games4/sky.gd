# SPDX-License-Identifier: GPL-2.0-or-later
# Time of the day, with what seldom changes.
extends Node

var state := {"time": 0.0, "rain": 0.25, "wind": Vector2(0, 1)}
var since := Time.get_ticks_usec()


func _process(_delta: float) -> void:
	if is_multiplayer_authority() or OS.get_environment("CHANGED") == "1":
		state["time"] = (Time.get_ticks_usec() - since) * 1e-6
