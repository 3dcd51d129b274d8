# SPDX-License-Identifier: GPL-2.0-or-later
# Messages as JSON, of which there are a few.
extends "res://game.gd"

const COUNT := 5


func text_of(number: int) -> String:
	return JSON.stringify({"type": "emoji", "data": {"id": number % COUNT, "from": "player_%d" % (number / COUNT)}})


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	var number := frame * 7 % (3 * COUNT)
	if changed:
		show_number.rpc(number)
	else:
		show_text.rpc(text_of(number))


@rpc("reliable")
func show_text(text: String) -> void:
	count(text)


@rpc("reliable")
func show_number(number: int) -> void:
	count(text_of(number))
