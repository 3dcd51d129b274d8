# SPDX-License-Identifier: GPL-2.0-or-later
# Clients tell the server where they are; it tells everybody, also the one who has told.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server():
		i_am_at.rpc_id(1, way(index(), frame / 60.0))


@rpc("any_peer", "unreliable")
func i_am_at(place: Vector2) -> void:
	var sender := multiplayer.get_remote_sender_id()
	if not changed:
		player_is_at.rpc(sender, place)
		return
	for id in multiplayer.get_peers():
		if id != sender:
			player_is_at.rpc_id(id, sender, place)


@rpc("unreliable")
func player_is_at(id: int, _place: Vector2) -> void:
	if id != multiplayer.get_unique_id():
		count("seen")
