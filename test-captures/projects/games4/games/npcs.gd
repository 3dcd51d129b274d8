# SPDX-License-Identifier: GPL-2.0-or-later
# Animals all over a large map, 20 times a second; players that walk in a part of it.
extends "res://game.gd"


func begin() -> void:
	for number in 20 if multiplayer.is_server() else 0:
		add("Npc%d" % number)
	for id in players if multiplayer.is_server() else []:
		add(str(id))


func add(title: String) -> void:
	var npc: Node2D = preload("res://npc.tscn").instantiate()
	npc.name = title
	get_node("../World").add_child(npc)


func play(frame: int) -> void:
	var mine: Node2D = get_node_or_null("../World/%d" % multiplayer.get_unique_id())
	if mine:
		mine.position = Vector2(index() * 8000, 300) + way(3, frame / 60.0)
	for number in 20:
		var npc: Node2D = get_node_or_null("../World/Npc%d" % number)
		var place := way(number, frame / 60.0) + Vector2(number * 500, 0)
		if npc and multiplayer.is_server():
			npc.position = place
		elif mine and mine.position.distance_to(place) < 2000 and frame > 60:
			count("near")
			result["there"] = result.get("there", 0) + int(npc != null and npc.position.distance_to(place) < 60)
