# SPDX-License-Identifier: GPL-2.0-or-later
# Who hits whom, by ids of 64 bits as those of instances.
extends "res://game.gd"

const COUNT := 6

var ids := []


func begin() -> void:
	random.seed = 4
	for number in COUNT:
		ids.append(36 * (1 << 40) + random.randi())


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	var who := random.randi() % COUNT
	var by := random.randi() % COUNT
	if changed:
		hit_number.rpc(who, by, random.randi() % 30)
	else:
		hit.rpc(ids[who], ids[by], random.randi() % 30)


@rpc("reliable")
func hit(who: int, by: int, damage: int) -> void:
	result[str(who)] = result.get(str(who), 0) + damage + by % 7


@rpc("reliable")
func hit_number(who: int, by: int, damage: int) -> void:
	hit(ids[who], ids[by], damage)
