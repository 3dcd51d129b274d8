# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes whose position is sent when it changes, which is in every tick.
extends "res://game.gd"

var scene := "res://wave_changed.tscn" if OS.get_environment("CHANGED") == "1" else "res://wave.tscn"


func begin() -> void:
	for number in 4 if multiplayer.is_server() else 0:
		var wave: Node2D = load(scene).instantiate()
		wave.name = "Wave%d" % number
		get_node("../World").add_child(wave)


func tick(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var wave: Node2D = get_node("../World/Wave%d" % number)
		var place := way(number, frame / 60.0)
		if multiplayer.is_server():
			wave.position = place
		elif frame > 60:
			result["far"] = maxf(result.get("far", 0.0), wave.position.distance_to(place))
			count("seen")
