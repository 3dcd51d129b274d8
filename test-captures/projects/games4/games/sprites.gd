# SPDX-License-Identifier: GPL-2.0-or-later
# Platformer: players with an AnimatedSprite2D, of which animation, frame and flip_h are synchronized.
extends "res://game.gd"


func begin() -> void:
	random.seed = 900 + index()
	for id in players if multiplayer.is_server() else []:
		var hero: Node2D = load("res://platformer_changed.tscn" if changed else "res://platformer.tscn").instantiate()
		hero.name = str(id)
		get_node("../World").add_child(hero)


func play(frame: int) -> void:
	for hero in get_node("../World").get_children():
		if hero.is_multiplayer_authority():
			hero.move(random, frame)
		elif changed:
			hero.animate()
		if not hero.is_multiplayer_authority():
			if hero.sprite.frame != hero.seen:
				count("frames%d" % players.find(hero.name.to_int()))
			hero.seen = hero.sprite.frame
