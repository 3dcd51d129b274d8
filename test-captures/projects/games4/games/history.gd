# SPDX-License-Identifier: GPL-2.0-or-later
# The whole chat with each line of it.
extends "res://game.gd"

const WORDS := ["I am at the gate of the town", "wait for me", "the dragon is in the north, do not go there", "who has a key?", "behind you!", "ready"]

var said := []
var read := []


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	said.append("%d: %s" % [frame, WORDS[frame / 6 % WORDS.size()]])
	if changed:
		show_line.rpc(said[-1])
	else:
		show_chat.rpc(said)


@rpc("reliable")
func show_chat(lines: Array) -> void:
	read = lines
	result["lines"] = read.size()
	result["last"] = read[-1]
	result["hash"] = "".join(PackedStringArray(read)).hash()


@rpc("reliable")
func show_line(line: String) -> void:
	show_chat(read + [line])
