# SPDX-License-Identifier: GPL-2.0-or-later
# The time that is left, in each frame, to everybody.
extends "res://game.gd"

var began := 0.0
var started := 0


func play(frame: int) -> void:
	if multiplayer.is_server() and not changed:
		show_time.rpc(120.0 - frame / 60.0)
	elif multiplayer.is_server() and frame == 1:
		start_time.rpc(120.0 - frame / 60.0)
	elif started:
		show_time(began - (Time.get_ticks_msec() - started) / 1000.0)


@rpc("reliable")
func start_time(left: float) -> void:
	began = left
	started = Time.get_ticks_msec()


@rpc("unreliable")
func show_time(left: float) -> void:
	count("shown")
	result["left"] = ceili(left)
