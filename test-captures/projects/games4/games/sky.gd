# SPDX-License-Identifier: GPL-2.0-or-later
# The time of the day in a Dictionary that a synchronizer sends.
extends "res://game.gd"


func begin() -> void:
	for number in 2 if multiplayer.is_server() else 0:
		var sky: Node = load("res://sky_changed.tscn" if changed else "res://sky.tscn").instantiate()
		sky.name = "Sky%d" % number
		get_node("../World").add_child(sky)


func play(frame: int) -> void:
	for sky in get_node("../World").get_children():
		if not multiplayer.is_server() and frame > 60:
			result["far"] = maxf(result.get("far", 0.0), snappedf(absf(sky.state["time"] - frame / 60.0), 0.5))
			count("seen")
