# SPDX-License-Identifier: GPL-2.0-or-later
# Whom a turret aims at, by the path of the node.
extends "res://game.gd"

const TARGETS: Array[NodePath] = [^"/root/Main/Level/Towers/North", ^"/root/Main/Level/Towers/South", ^"/root/Main/Level/Gate"]


func begin() -> void:
	random.seed = 12


func play(frame: int) -> void:
	if multiplayer.is_server() and frame % 2 == 0:
		var target := random.randi_range(0, 2)
		if changed:
			aim_number.rpc(target, frame)
		else:
			aim.rpc(TARGETS[target], frame)


@rpc("unreliable")
func aim(target: NodePath, _frame: int) -> void:
	count(str(target).get_file())


@rpc("unreliable")
func aim_number(target: int, _frame: int) -> void:
	aim(TARGETS[target], _frame)
