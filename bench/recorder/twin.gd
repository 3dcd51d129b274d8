# SPDX-License-Identifier: GPL-2.0-or-later
# The client's end of cost.gd.
extends Node


@rpc("any_peer", "reliable")
func take(_position: Vector3, _rotation: float) -> void:
	pass
