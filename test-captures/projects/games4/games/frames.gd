# SPDX-License-Identifier: GPL-2.0-or-later
# Three calls in each frame.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server():
		return
	var at := way(0, frame / 60.0)
	if changed:
		show_all.rpc(at, at.angle(), frame)
	else:
		move.rpc(at)
		turn.rpc(at.angle())
		mark.rpc(frame)


@rpc("unreliable")
func move(_at: Vector2) -> void:
	count("moved")


@rpc("unreliable")
func turn(_angle: float) -> void:
	count("turned")


@rpc("unreliable")
func mark(_number: int) -> void:
	count("marked")


@rpc("unreliable")
func show_all(_at: Vector2, _angle: float, _number: int) -> void:
	count("moved")
	count("turned")
	count("marked")
