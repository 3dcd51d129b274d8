# SPDX-License-Identifier: GPL-2.0-or-later
# Units that are told with all that they are, though little of it changes.
extends "res://game.gd"

const TITLES := ["Sir Reginald the Bold", "Lady Eleanor of York", "Brother Tuck", "Will Scarlet"]


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var number := frame / 3 % 4
	var at := way(number, frame / 60.0)
	if not changed:
		show_unit.rpc(number, TITLES[number], "Knights of the round table", 1000, 100, at.x, at.y)
		return
	if frame <= 12:
		show_rest.rpc(number, TITLES[number], "Knights of the round table", 1000, 100)
	show_place.rpc(number, at.x, at.y)


@rpc("unreliable")
func show_unit(number: int, title: String, team: String, most: int, health: int, x: float, y: float) -> void:
	show_rest(number, title, team, most, health)
	show_place(number, x, y)


@rpc("reliable")
func show_rest(number: int, title: String, team: String, _most: int, _health: int) -> void:
	result["unit%d" % number] = "%s, %s" % [title, team]


@rpc("unreliable")
func show_place(number: int, x: float, _y: float) -> void:
	count("places")
	result["x%d" % number] = snappedf(x, 50)
