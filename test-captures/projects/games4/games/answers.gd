# SPDX-License-Identifier: GPL-2.0-or-later
# Shops that only their own customers have; the server answers everybody.
extends "res://game.gd"

const Shop = preload("res://shop.gd")


func begin() -> void:
	for number in players.size():
		if multiplayer.is_server() or number == index():
			var shop: Node = Shop.new()
			shop.name = "Shop%d" % number
			get_node("../World").add_child(shop)


func play(frame: int) -> void:
	if not multiplayer.is_server() and frame % 3 == 0:
		get_node("../World/Shop%d" % index()).ask.rpc_id(1, frame)
