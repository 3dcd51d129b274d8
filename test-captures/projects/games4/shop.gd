# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("any_peer", "reliable")
func ask(thing: int) -> void:
	if get_node("/root/Main/Game").changed:
		answer.rpc_id(multiplayer.get_remote_sender_id(), thing, thing * 7)
	else:
		answer.rpc(thing, thing * 7)


@rpc("reliable")
func answer(thing: int, price: int) -> void:
	var game := get_node("/root/Main/Game")
	game.count("answers")
	game.result["sum"] = game.result.get("sum", 0) + thing + price
