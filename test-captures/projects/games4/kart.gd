# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var facing := Vector2.RIGHT
var velocity := Vector2.ZERO
var speed := 100.0
var steer := 0.0


func drive(random: RandomNumberGenerator) -> void:
	if random.randf() < 0.03:
		steer = random.randf_range(-2, 2)
	speed = clampf(speed + random.randf_range(-6, 7), 50, 400)
	rotation = wrapf(rotation + steer / 60, -PI, PI)
	facing = Vector2.from_angle(rotation)
	velocity = facing * speed
	position += velocity / 60


func derive() -> void:
	rotation = velocity.angle()
	facing = velocity.normalized()
	speed = velocity.length()
