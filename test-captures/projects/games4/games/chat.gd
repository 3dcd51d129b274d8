# SPDX-License-Identifier: GPL-2.0-or-later
# The whole text of the chat with each line of it.
extends "res://game.gd"

const WORDS := ["I am at the gate", "wait", "the dragon is in the north", "who has a key?", "behind you!", "ready"]

var text := ""


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var line := "%d: %s\n" % [frame, WORDS[frame / 6 % WORDS.size()]]
	text += line
	if changed:
		show_line.rpc(line)
	else:
		show_chat.rpc(text)


@rpc("reliable")
func show_chat(all: String) -> void:
	text = all
	result["hash"] = text.hash()


@rpc("reliable")
func show_line(line: String) -> void:
	show_chat(text + line)
