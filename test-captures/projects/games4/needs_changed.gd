# SPDX-License-Identifier: GPL-2.0-or-later
extends "res://needs.gd"

var all: Vector4:
	set(value):
		hunger = value.x
		thirst = value.y
		stamina = value.z
		warmth = value.w
	get:
		return Vector4(hunger, thirst, stamina, warmth)
