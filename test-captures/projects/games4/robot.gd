# SPDX-License-Identifier: GPL-2.0-or-later
extends Node3D

var ground: Vector2:
	set(value):
		position = Vector3(value.x, 0, value.y)
	get:
		return Vector2(position.x, position.z)
