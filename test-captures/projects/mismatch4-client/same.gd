# SPDX-License-Identifier: GPL-2.0-or-later
# The same on both sides.
extends Node


@rpc("any_peer")
func talk(text: String) -> void:
	Log.called(self, "talk", [text])
