# SPDX-License-Identifier: GPL-2.0-or-later
# Base of player.gd, which names it by its path.
extends Node


@rpc("any_peer")
func hello() -> void:
	Log.called(self, "hello")


@rpc("any_peer", "call_remote", "unreliable")
func move(to: Vector3, speed: float) -> void:
	Log.called(self, "move", [to, speed])


@rpc("any_peer", "unreliable_ordered")
func turn(angle: float) -> void:
	Log.called(self, "turn", [angle])
