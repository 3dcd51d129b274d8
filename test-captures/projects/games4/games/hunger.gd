# SPDX-License-Identifier: GPL-2.0-or-later
# The same needs, of which some only grow with time.
extends "res://games/needs.gd"


func _init() -> void:
	scene = "res://hunger_changed.tscn"


func play(frame: int) -> void:
	super.play(frame)
	if changed and not multiplayer.is_server():
		for one in get_node("../World").get_children():
			grow(one)


func drink(one: Node) -> void:
	super.drink(one)
	if changed:
		has_drunk.rpc(str(one.name))


@rpc("reliable")
func has_drunk(who: String) -> void:
	get_node("../World/" + who).thirst = 100.0
