# SPDX-License-Identifier: GPL-2.0-or-later
# Ticks of physics, some of them in the same drawn frame, reliably.
extends "res://game.gd"


func begin() -> void:
	if multiplayer.is_server():
		Engine.max_fps = 45


func tick(frame: int) -> void:
	if multiplayer.is_server():
		var at := way(0, frame / 45.0)
		if changed:
			place_latest.rpc(at)
		else:
			place.rpc(at)


@rpc("reliable")
func place(_at: Vector2) -> void:
	count("placed")


@rpc("unreliable_ordered")
func place_latest(_at: Vector2) -> void:
	count("placed")
