# SPDX-License-Identifier: GPL-2.0-or-later
# Belongs to player 2: only that one may call the method "own".
extends Node


func _ready() -> void:
	set_multiplayer_authority(2)


@rpc("authority", "reliable")
func own(number: int) -> void:
	Log.called(self, "own", [number])
