# SPDX-License-Identifier: GPL-2.0-or-later
extends ChatBase


@rpc("authority", "call_remote", "reliable", 2)
func answer(text: String, length: int) -> void:
	Log.called(self, "answer", [text, length])


@rpc("any_peer", "call_remote", "reliable")
func _private(text: String) -> void:
	Log.called(self, "_private", [text])


@rpc("any_peer")
func Zażółć(text: String) -> void:
	Log.called(self, "Zażółć", [text])
