# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("unreliable")
func mark(_strength: float) -> void:
	pass
