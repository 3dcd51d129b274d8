# SPDX-License-Identifier: GPL-2.0-or-later
# Damage, and a call back for each: that it has arrived.
extends "res://game.gd"

var number := 0


func begin() -> void:
	random.seed = 11


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 5:
		return
	for id in players:
		number += 1
		hurt.rpc_id(id, number, random.randi() % 40, Vector2(frame, id % 100))


@rpc("reliable")
func hurt(hit: int, damage: int, _place: Vector2) -> void:
	count("hits")
	result["damage"] = result.get("damage", 0) + damage
	if not changed:
		arrived.rpc_id(1, hit)


@rpc("any_peer", "reliable")
func arrived(_hit: int) -> void:
	pass
