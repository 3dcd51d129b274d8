# SPDX-License-Identifier: GPL-2.0-or-later
# Creeps on a path: where they are follows from how far they are.
extends "res://game.gd"


func play(frame: int) -> void:
	var track: Path2D = get_node("../Track")
	if multiplayer.is_server() and frame % 45 == 1:
		var creep: PathFollow2D = load("res://creep_changed.tscn" if changed else "res://creep.tscn").instantiate()
		creep.name = "Creep%d" % frame
		track.add_child(creep)
	for creep in track.get_children():
		if multiplayer.is_server():
			creep.progress += 2.3 + creep.get_index() * 0.37
		elif creep.position.distance_to(track.curve.sample_baked(creep.progress)) < 1:
			count("on the path")
