# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("authority", "reliable")
func put(field: int, what: String) -> void:
	Log.called(self, "put", [field, what])
