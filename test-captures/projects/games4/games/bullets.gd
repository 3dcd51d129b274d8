# SPDX-License-Identifier: GPL-2.0-or-later
# Bullets that fly straight on.
extends "res://game.gd"


func play(frame: int) -> void:
	if multiplayer.is_server() and frame % 10 == 0 and frame <= 90:
		var bullet: Node2D = load("res://bullet_changed.tscn" if changed else "res://bullet.tscn").instantiate()
		bullet.name = "Bullet%d" % frame
		bullet.position = way(frame, 1)
		bullet.velocity = Vector2.RIGHT.rotated(frame) * 400
		get_node("../World").add_child(bullet)
	for bullet in get_node("../World").get_children():
		if multiplayer.is_server():
			bullet.age += 1
			if bullet.age == 80:
				bullet.free()
				continue
		if multiplayer.is_server() or changed:
			bullet.position += bullet.velocity / 60
		if not multiplayer.is_server() and frame > 60:
			count("flying")
			bullet.seen += 1
			if bullet.seen == 40:
				var number := int(bullet.name.to_int())
				var off: float = (bullet.position - way(number, 1)).cross(Vector2.RIGHT.rotated(number))
				result["beside"] = maxf(result.get("beside", 0), absf(off))
				count("watched")
