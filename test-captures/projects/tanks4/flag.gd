# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("any_peer", "reliable")
func grab() -> void:
	Log.called(self, "grab", [])
	var id := multiplayer.get_remote_sender_id()
	Log.call_at(0, self, "belongs_to", [id])
	set_multiplayer_authority(id)


@rpc("any_peer", "reliable")
func belongs_to(id: int) -> void:
	Log.called(self, "belongs_to", [id])
	set_multiplayer_authority(id)


@rpc("reliable")
func carry(far: int) -> void:
	Log.called(self, "carry", [far])
