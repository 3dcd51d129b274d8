# SPDX-License-Identifier: GPL-2.0-or-later
# Commands as a text.
extends "res://game.gd"


func begin() -> void:
	random.seed = 19


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	var unit := random.randi_range(0, 9)
	var at := way(1, frame / 60.0).round()
	if changed and frame % 10:
		move.rpc(0, Vector3(unit, at.x, at.y))
	elif changed:
		stop.rpc(1)
	else:
		command.rpc("MOVE UNIT %d TO %d %d" % [unit, at.x, at.y] if frame % 10 else "STOP ALL UNITS")


@rpc("unreliable")
func command(line: String) -> void:
	count(line.get_slice(" ", 0))
	result["x"] = result.get("x", 0) + line.get_slice(" ", 4).to_int()


@rpc("unreliable")
func move(_words: int, numbers: Vector3) -> void:
	command("MOVE UNIT %d TO %d %d" % [numbers.x, numbers.y, numbers.z])


@rpc("unreliable")
func stop(_words: int) -> void:
	command("STOP ALL UNITS")
