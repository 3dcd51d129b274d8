# SPDX-License-Identifier: GPL-2.0-or-later
# Methods made remote by the node, not by the script, beside one of the script.
extends Node


func _ready() -> void:
	var mode := MultiplayerAPI.RPC_MODE_ANY_PEER
	rpc_config(&"zeta", {"rpc_mode": mode, "transfer_mode": MultiplayerPeer.TRANSFER_MODE_RELIABLE, "channel": 0})
	rpc_config(&"alpha", {"rpc_mode": mode, "transfer_mode": MultiplayerPeer.TRANSFER_MODE_UNRELIABLE, "channel": 6})
	rpc_config(&"disabled", {"rpc_mode": MultiplayerAPI.RPC_MODE_DISABLED})


func zeta(value: Variant) -> void:
	Log.called(self, "zeta", [value])


func alpha() -> void:
	Log.called(self, "alpha")


func disabled() -> void:
	Log.called(self, "disabled")


@rpc("any_peer")
func scripted(value: Variant) -> void:
	Log.called(self, "scripted", [value])
