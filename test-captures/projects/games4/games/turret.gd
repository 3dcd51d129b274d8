# SPDX-License-Identifier: GPL-2.0-or-later
# Turrets with a Basis that only turns.
extends "res://game.gd"


func play(frame: int) -> void:
	if multiplayer.is_server() and frame % 3 == 0:
		var turn := Basis(Vector3.UP, wrapf(frame / 40.0, -PI, PI))
		if changed:
			aim_turned.rpc(turn.get_rotation_quaternion())
		else:
			aim.rpc(turn)


@rpc("unreliable")
func aim(turn: Basis) -> void:
	count("aimed")
	result["turn"] = snappedf(turn.get_euler().y, 0.2)


@rpc("unreliable")
func aim_turned(turn: Quaternion) -> void:
	aim(Basis(turn))
