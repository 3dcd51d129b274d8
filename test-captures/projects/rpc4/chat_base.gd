# SPDX-License-Identifier: GPL-2.0-or-later
class_name ChatBase
extends Node


@rpc("any_peer")
func say(text: String) -> void:
	Log.called(self, "say", [text])
	if multiplayer.is_server():
		Log.call_at(multiplayer.get_remote_sender_id(), self, "answer", ["heard: " + text, text.length()])
