# SPDX-License-Identifier: GPL-2.0-or-later
# Looks where it goes.
extends Node2D

var target := Vector2.ZERO
var before := Vector2.ZERO


func walk(random: RandomNumberGenerator) -> void:
	if position.distance_to(target) < 3:
		target = Vector2(random.randf_range(0, 1000), random.randf_range(0, 600))
	rotation = (target - position).angle()
	position = position.move_toward(target, 2.5)


func derive() -> void:
	if position != before:
		rotation = (position - before).angle()
	before = position
