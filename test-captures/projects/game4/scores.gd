# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("authority", "call_remote", "reliable", 3)
func update_scores(scores: Dictionary) -> void:
	Log.called(self, "update_scores", [scores])


@rpc("any_peer", "call_remote", "reliable")
func request_scores() -> void:
	Log.called(self, "request_scores")
	if multiplayer.is_server():
		Log.call_at(multiplayer.get_remote_sender_id(), self, "update_scores", [{"asked": true}])
