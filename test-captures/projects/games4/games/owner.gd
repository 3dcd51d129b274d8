# SPDX-License-Identifier: GPL-2.0-or-later
# A private node for each player, which only its owner has; the server tells all of them.
extends "res://game.gd"

const Hud = preload("res://hud.gd")


func begin() -> void:
	for id in players:
		var player := Node.new()
		player.name = str(id)
		add_child(player)
		if multiplayer.is_server() or id == multiplayer.get_unique_id():
			var hud := Hud.new()
			hud.name = "Hud"
			player.add_child(hud)
		player.set_multiplayer_authority(id)


func play(frame: int) -> void:
	if not multiplayer.is_server():
		return
	for id in players:
		var hud := get_node("%s/Hud" % id)
		if changed:
			hud.show_health.rpc_id(hud.get_multiplayer_authority(), frame)
		else:
			hud.show_health.rpc(frame)
