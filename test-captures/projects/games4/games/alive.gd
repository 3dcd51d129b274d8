# SPDX-License-Identifier: GPL-2.0-or-later
# Clients say in each frame that they are there, reliably; the server answers, and they measure the time.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server() and (not changed or frame % 3 == 0):
		alive.rpc_id(1, Time.get_ticks_usec())


@rpc("any_peer", "reliable")
func alive(ticks: int) -> void:
	count("alive")
	answered.rpc_id(multiplayer.get_remote_sender_id(), ticks)


@rpc("reliable")
func answered(ticks: int) -> void:
	count("answered")
	result["slow"] = int(Time.get_ticks_usec() - ticks > 500000)
