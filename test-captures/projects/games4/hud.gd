# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("any_peer", "unreliable_ordered")
func show_health(health: int) -> void:
	get_node("/root/Main/Game").count("health")
	get_node("/root/Main/Game").result["last"] = health
