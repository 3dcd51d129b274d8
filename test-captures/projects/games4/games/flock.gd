# SPDX-License-Identifier: GPL-2.0-or-later
# Birds by their numbers.
extends "res://game.gd"


func begin() -> void:
	random.seed = 21


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var places := {}
	for number in 14:
		places[1000 + number] = way(number, frame / 60.0)
	if changed:
		fly_packed.rpc(PackedInt32Array(places.keys()), PackedVector2Array(places.values()))
	else:
		fly.rpc(places)


@rpc("unreliable")
func fly(places: Dictionary) -> void:
	for number: int in places:
		count("north" if places[number].y < 400 else "south")


@rpc("unreliable")
func fly_packed(numbers: PackedInt32Array, where: PackedVector2Array) -> void:
	var places := {}
	for number in numbers.size():
		places[numbers[number]] = where[number]
	fly(places)
