# SPDX-License-Identifier: GPL-2.0-or-later
# Coins that bob up and down.
extends "res://game.gd"


func begin() -> void:
	for number in 10 if multiplayer.is_server() else 0:
		var coin: Node2D = load("res://coin_changed.tscn" if changed else "res://coin.tscn").instantiate()
		coin.name = "Coin%d" % number
		coin.position = Vector2(100 + 80 * number, 300 + 10 * number)
		get_node("../World").add_child(coin)


func play(frame: int) -> void:
	for coin in get_node("../World").get_children():
		if not multiplayer.is_server() and frame > 60:
			result["least"] = minf(result.get("least", 1000.0), coin.position.y)
			result["most"] = maxf(result.get("most", 0.0), coin.position.y)
			result["sum"] = result.get("sum", 0.0) + coin.position.y
