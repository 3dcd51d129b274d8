# SPDX-License-Identifier: GPL-2.0-or-later
extends Node

@export var health := 0


@rpc("any_peer")
func hit(amount: int) -> void:
	Log.called(self, "hit", [amount])


@rpc("authority")
func heal() -> void:
	Log.called(self, "heal")


# Fails after the call: the error belongs to no packet.
@rpc("any_peer")
func fails_later() -> void:
	Log.called(self, "fails_later")
	await get_tree().create_timer(0.1).timeout
	push_error("later")
