# SPDX-License-Identifier: GPL-2.0-or-later
extends Node


@rpc("unreliable")
func show_units(_units: Variant) -> void:
	pass


@rpc("unreliable")
func flash(_at: Vector2) -> void:
	pass
