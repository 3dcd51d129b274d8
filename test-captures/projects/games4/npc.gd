# SPDX-License-Identifier: GPL-2.0-or-later
# A node of a player has the player's id as its name.
extends Node2D


func _enter_tree() -> void:
	if name.to_int() > 1000:
		set_multiplayer_authority(name.to_int())


func _ready() -> void:
	if OS.get_environment("CHANGED") == "1":
		$Sync.add_visibility_filter(is_near)


# Peer 0 is everybody.
func is_near(peer: int) -> bool:
	var player: Node2D = get_parent().get_node_or_null(str(peer))
	return peer != 0 and (player == null or player.position.distance_to(position) < 2300)
