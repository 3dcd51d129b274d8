# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("any_peer", "call_remote", "reliable", 4)
func say(text: String) -> void:
	Log.called(self, "say", [text])
