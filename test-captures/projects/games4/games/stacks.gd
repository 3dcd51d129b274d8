# SPDX-License-Identifier: GPL-2.0-or-later
# The same crates, whose changes are sent as seldom as their states.
extends "res://games/crates.gd"


func _init() -> void:
	scene = "res://stack_changed.tscn"
