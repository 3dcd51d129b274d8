# SPDX-License-Identifier: GPL-2.0-or-later
# The way that each unit has to go: again and again, or when there is another one.
extends "res://game.gd"

var ways := {}


func begin() -> void:
	random.seed = 18


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	for unit in 4:
		var before: PackedVector2Array = ways.get(unit, PackedVector2Array())
		if frame % 60 == 3:
			ways[unit] = PackedVector2Array()
			for number in 6:
				ways[unit].append(Vector2(random.randf_range(0, 900), random.randf_range(0, 900)))
		if not changed:
			go.rpc(unit, ways[unit])
		elif ways[unit] != before:
			go_reliably.rpc(unit, ways[unit])


@rpc("unreliable")
func go(unit: int, way_to_go: PackedVector2Array) -> void:
	result["unit%d" % unit] = str(way_to_go).hash()


@rpc("reliable")
func go_reliably(unit: int, way_to_go: PackedVector2Array) -> void:
	go(unit, way_to_go)
