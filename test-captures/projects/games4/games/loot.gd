# SPDX-License-Identifier: GPL-2.0-or-later
# What is in a chest, by the names of the things.
extends "res://game.gd"

const THINGS := ["iron_sword", "wooden_shield", "healing_potion", "silver_arrow", "torch_of_light", "leather_boots", "magic_scroll", "golden_key"]


func begin() -> void:
	random.seed = 7


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var found := []
	for number in 6:
		found.append(random.randi() % THINGS.size())
	if changed:
		show_numbers.rpc(frame, PackedByteArray(found))
	else:
		show_chest.rpc(frame, found.map(func(number): return THINGS[number]))


@rpc("reliable")
func show_chest(chest: int, things: Array) -> void:
	count("chests")
	for thing in things:
		count(thing)
	result["last"] = chest


@rpc("reliable")
func show_numbers(chest: int, things: PackedByteArray) -> void:
	show_chest(chest, Array(things).map(func(number): return THINGS[number]))
