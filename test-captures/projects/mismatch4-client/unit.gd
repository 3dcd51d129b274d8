# SPDX-License-Identifier: GPL-2.0-or-later
# The older version: has "dance", does not know "retreat" and "explode".
extends Node


@rpc("any_peer")
func dance() -> void:
	Log.called(self, "dance")


@rpc("any_peer")
func fire(number: Variant) -> void:
	Log.called(self, "fire", [number])


@rpc("authority")
func order(number: int) -> void:
	Log.called(self, "order", [number])


@rpc("any_peer")
func stop() -> void:
	Log.called(self, "stop")
