# SPDX-License-Identifier: GPL-2.0-or-later
# Clients tell everybody their input; only the server uses it.
extends "res://game.gd"


func play(frame: int) -> void:
	if multiplayer.is_server() or frame % 3:
		return
	if changed:
		press.rpc_id(1, frame % 7, Vector2.RIGHT.rotated(frame))
	else:
		press.rpc(frame % 7, Vector2.RIGHT.rotated(frame))


@rpc("any_peer", "unreliable_ordered")
func press(_keys: int, _aim: Vector2) -> void:
	if multiplayer.is_server():
		count("pressed")
