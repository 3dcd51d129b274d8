# SPDX-License-Identifier: GPL-2.0-or-later
# Each shot three times, since one could be lost; who gets it knows which ones it has.
extends "res://game.gd"

var shot := 0
var seen := {}


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 9 > 2:
		return
	shot += int(frame % 9 == 0)
	if shot and not changed:
		fire.rpc(shot, way(shot, 1), Vector2.RIGHT.rotated(shot))
	elif shot and frame % 9 == 0:
		fire_once.rpc(shot, way(shot, 1), Vector2.RIGHT.rotated(shot))


@rpc("unreliable")
func fire(number: int, _from: Vector2, _direction: Vector2) -> void:
	if number not in seen:
		seen[number] = true
		count("shots")


@rpc("reliable")
func fire_once(number: int, from: Vector2, direction: Vector2) -> void:
	fire(number, from, direction)
