# SPDX-License-Identifier: GPL-2.0-or-later
# Boxes by their names, of which most lie still.
extends "res://game.gd"

const COUNT := 8

var before := {}
var places := {}


func tick(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	for number in COUNT:
		var moves := number < 2
		var time := frame / 60.0 if moves else 1.0
		var at := way(number, time)
		var box := "RigidBody%d" % number
		var state := [Vector3(at.x, 1, at.y), Vector3(0, time, 0), Vector3(cos(time), 0, sin(time)) if moves else Vector3.ZERO, Vector3.ZERO]
		if not changed:
			update_box.rpc(box, state[0], state[1], state[2], state[3])
		elif before.get(box) != state:
			change_box.rpc(box, state[0], state[1], state[2], state[3])
		before[box] = state


@rpc("unreliable")
func update_box(box: String, where: Vector3, _turn: Vector3, _velocity: Vector3, _spin: Vector3) -> void:
	places[box] = str(where.snapped(Vector3.ONE))
	result["boxes"] = str(places).hash()


@rpc("reliable")
func change_box(box: String, where: Vector3, turn: Vector3, velocity: Vector3, spin: Vector3) -> void:
	update_box(box, where, turn, velocity, spin)
