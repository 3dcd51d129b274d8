# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var target := Vector2.ZERO


func glide() -> void:
	position = position.lerp(target, 0.06)
