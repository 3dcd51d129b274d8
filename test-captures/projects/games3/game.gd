# SPDX-License-Identifier: GPL-2.0-or-later
# What the games have in common.
extends Node

var changed = false
var players = []
var result = {}


func begin():
	pass


# Each drawn frame, from 1.
func play(_frame):
	pass


func count(what):
	result[what] = result.get(what, 0) + 1


func index():
	return players.find(get_tree().get_network_unique_id())


# Position on a smooth way, as of something that moves.
static func way(number, seconds):
	return Vector2(500 + 300 * cos(seconds * (0.5 + number * 0.1)), 400 + 200 * sin(seconds * (0.7 + number * 0.13)))
