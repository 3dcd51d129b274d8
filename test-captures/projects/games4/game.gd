# SPDX-License-Identifier: GPL-2.0-or-later
# What the games have in common.
extends Node

var changed := false
var players := []
var random := RandomNumberGenerator.new()
var result := {}


func begin() -> void:
	pass


# Each drawn frame, from 1.
func play(_frame: int) -> void:
	pass


# Each tick of physics.
func tick(_frame: int) -> void:
	pass


func count(what: String) -> void:
	result[what] = result.get(what, 0) + 1


func index() -> int:
	return players.find(multiplayer.get_unique_id())


# Position on a smooth way, as of something that moves.
static func way(number: int, seconds: float) -> Vector2:
	return Vector2(500 + 300 * cos(seconds * (0.5 + number * 0.1)), 400 + 200 * sin(seconds * (0.7 + number * 0.13)))
