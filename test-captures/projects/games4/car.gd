# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

var speed := 0.0
var fov := 70.0
var velocity := Vector2.ZERO # of a frame
var camera_position := Vector2.ZERO
var aim := 0.0
var latest := Vector2.ZERO


func drive(random: RandomNumberGenerator) -> void:
	aim += random.randf_range(-0.2, 0.2)
	speed = clampf(speed + random.randf_range(-4, 5), 0, 80)
	position += Vector2.from_angle(aim) * speed / 20
	derive()


func derive() -> void:
	velocity = position - latest
	latest = position
	camera_position = position + Vector2(0, -120)
	fov = 70 + speed / 2
