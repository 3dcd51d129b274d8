# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("call_local", "unreliable_ordered")
func kick(direction: Vector2) -> void:
	Log.called(self, "kick", [direction])
	if not multiplayer.is_server() and direction.x > 2:
		Log.call_at(1, self, "kick", [Vector2.ZERO])
