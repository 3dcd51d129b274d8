# SPDX-License-Identifier: GPL-2.0-or-later
extends MultiplayerSynchronizer

@export var direction := Vector2.ZERO


func _process(_delta: float) -> void:
	if get_multiplayer_authority() == multiplayer.get_unique_id():
		direction = Vector2.RIGHT.rotated(Time.get_ticks_msec() / 500.0)


@rpc("call_local")
func jump(height: int) -> void:
	Log.called(self, "jump", [height])


@rpc("reliable")
func wave() -> void:
	Log.called(self, "wave", [])
