# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("any_peer", "unreliable")
func report(_progress: float) -> void:
	pass
