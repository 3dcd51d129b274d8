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
	if frame == 3:
		show_team.rpc("Knights of the round table", 1000, 100)
	show_place.rpc(number, TITLES[number], at.x, at.y)


@rpc("unreliable")
func show_unit(number: int, title: String, _team: String, _most: int, _health: int, x: float, _y: float) -> void:
	count(title.left(3))
	result["x%d" % number] = snappedf(x, 50)


@rpc("reliable")
func show_team(team: String, _most: int, _health: int) -> void:
	result["team"] = team.length()


@rpc("unreliable")
func show_place(number: int, title: String, x: float, y: float) -> void:
	show_unit(number, title, "", 0, 0, x, y)
