# SPDX-License-Identifier: GPL-2.0-or-later
# A call tells the position that a synchronizer sends as well.
extends "res://game.gd"


func begin() -> void:
	for number in 3 if multiplayer.is_server() else 0:
		var mirror: Node2D = load("res://mirror.tscn").instantiate()
		mirror.name = "Mirror%d" % number
		get_node("../World").add_child(mirror)


func play(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var mirror: Node2D = get_node("../World/Mirror%d" % number)
		var place := way(number, frame / 60.0)
		if multiplayer.is_server():
			mirror.position = place
			if not changed:
				mirror.move.rpc(place)
		elif frame > 60:
			result["far"] = maxf(result.get("far", 0.0), mirror.position.distance_to(place))
			count("seen")
