# SPDX-License-Identifier: GPL-2.0-or-later
# Methods with arguments of every number, and every mode.
extends "base.gd"


func _ready() -> void:
	rpc_config(&"forbidden", {"rpc_mode": MultiplayerAPI.RPC_MODE_DISABLED})
	rpc_config(&"ghost", {"rpc_mode": MultiplayerAPI.RPC_MODE_ANY_PEER})
	rpc_config(&"of_node", {"rpc_mode": MultiplayerAPI.RPC_MODE_ANY_PEER})
	rpc_config(&"of_node_by_authority", {"rpc_mode": MultiplayerAPI.RPC_MODE_AUTHORITY})


@rpc("any_peer")
func none() -> void:
	Log.called(self, "none")


@rpc("any_peer")
func two(a: int, b: Variant) -> void:
	Log.called(self, "two", [a, b])


@rpc("any_peer", "call_remote", "unreliable", 3)
func optional(a: int, b := 1, c: Array = ["x, (y)", {"z": [1, 2]}],
		d = Vector2(1, 2)) -> void:
	Log.called(self, "optional", [a, b, c, d])


@rpc("any_peer")
func rest(a, ...more: Array) -> void:
	Log.called(self, "rest", [a, more])


@rpc("any_peer")
func bytes(a: PackedByteArray) -> void:
	Log.called(self, "bytes", [a])


# Takes more than the method that it replaces, and is remote by that one's annotation.
func inherited(a, b = 2) -> void:
	Log.called(self, "inherited", [a, b])


@rpc
func by_authority(a) -> void:
	Log.called(self, "by_authority", [a])


@rpc("authority", "call_local", "unreliable_ordered")
func by_authority_too() -> void:
	Log.called(self, "by_authority_too")


func forbidden() -> void:
	Log.called(self, "forbidden")


func of_node(a) -> void:
	Log.called(self, "of_node", [a])


func of_node_by_authority() -> void:
	Log.called(self, "of_node_by_authority")
