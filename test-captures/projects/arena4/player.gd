# SPDX-License-Identifier: GPL-2.0-or-later
# Each client moves its own player; its name is the peer's id.
extends Node2D

var place := Vector2.ZERO


func _enter_tree() -> void:
	set_multiplayer_authority(name.to_int())


func _process(delta: float) -> void:
	if is_multiplayer_authority():
		place += Vector2(60, 20) * delta


@rpc("call_remote", "unreliable")
func aim(angle: float) -> void:
	Log.called(self, "aim", [angle])


@rpc("any_peer", "reliable")
func hit(damage: int) -> void:
	Log.called(self, "hit", [damage])
