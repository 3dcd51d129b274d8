# SPDX-License-Identifier: GPL-2.0-or-later
# Made remote by the node, not by keywords of the script.
extends Node

var gold = 0 setget set_gold


func _ready():
	rpc_config("zeta", MultiplayerAPI.RPC_MODE_REMOTE)
	rset_config("gold", MultiplayerAPI.RPC_MODE_REMOTE)


func set_gold(value):
	gold = value
	Log.was_set(self, "gold", value)


func zeta(value):
	Log.called(self, "zeta", [value])
