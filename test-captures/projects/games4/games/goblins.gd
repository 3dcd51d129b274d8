# SPDX-License-Identifier: GPL-2.0-or-later
# Paths of nodes as texts, of which there are few.
extends "res://game.gd"

const COUNT := 10


func play(frame: int) -> void:
	if multiplayer.is_server() or frame % 2 != index():
		return
	var number := frame / 2 * 7 % COUNT
	if changed:
		attack_number.rpc_id(1, number, frame % 9)
	else:
		attack.rpc_id(1, "/root/Main/World/Enemies/Goblin%d" % number, frame % 9)


@rpc("any_peer", "reliable")
func attack(target: String, damage: int) -> void:
	result[target] = result.get(target, 0) + damage


@rpc("any_peer", "reliable")
func attack_number(target: int, damage: int) -> void:
	attack("/root/Main/World/Enemies/Goblin%d" % target, damage)
