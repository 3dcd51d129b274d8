# SPDX-License-Identifier: GPL-2.0-or-later
# Belongs to the player.
extends Node


@rpc("reliable")
func steer(angle: int) -> void:
	Log.called(self, "steer", [angle])
	if multiplayer.is_server():
		Log.call_at(multiplayer.get_remote_sender_id(), get_parent(), "explode", [])
