# SPDX-License-Identifier: GPL-2.0-or-later
# The newer version: has "retreat" and "explode", no longer has "dance".
extends Node


@rpc("any_peer")
func explode() -> void:
	Log.called(self, "explode")


@rpc("any_peer")
func fire(number: Variant) -> void:
	Log.called(self, "fire", [number])


@rpc("authority")
func order(number: int) -> void:
	Log.called(self, "order", [number])


@rpc("any_peer")
func retreat() -> void:
	Log.called(self, "retreat")


@rpc("any_peer")
func stop() -> void:
	Log.called(self, "stop")
