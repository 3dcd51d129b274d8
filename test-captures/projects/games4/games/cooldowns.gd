# SPDX-License-Identifier: GPL-2.0-or-later
# Heroes with abilities that cool down, and mana that comes back.
extends "res://game.gd"


func begin() -> void:
	random.seed = 6
	for number in 4 if multiplayer.is_server() else 0:
		var hero: Node2D = load("res://hero_changed.tscn" if changed else "res://hero.tscn").instantiate()
		hero.name = "Hero%d" % number
		get_node("../World").add_child(hero)


func play(frame: int) -> void:
	var number := 0
	for hero in get_node("../World").get_children():
		if multiplayer.is_server():
			if hero.think(random, number, frame) and changed:
				used_ability.rpc(number, hero.cooldown_q, hero.cooldown_w, hero.cooldown_r)
		elif changed:
			hero.cool(1 / 60.0)
		if frame % 90 == 0:
			result["hero%d.%d" % [number, frame]] = "q%.1f w%.1f r%.1f mana %d" % [hero.cooldown_q, hero.cooldown_w, hero.cooldown_r, snappedi(hero.mana, 5)]
		number += 1


@rpc("authority", "reliable")
func used_ability(number: int, q: float, w: float, r: float) -> void:
	get_node("../World/Hero%d" % number).set_all(q, w, r)
