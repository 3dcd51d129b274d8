# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D


func _enter_tree():
	set_multiplayer_authority(str(name).to_int())


@rpc("unreliable")
func move_to(place: Vector2):
	Log.called(self, "move_to", [place])
