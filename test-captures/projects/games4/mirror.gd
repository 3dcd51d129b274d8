# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D


@rpc("unreliable_ordered")
func move(to: Vector2) -> void:
	position = to
