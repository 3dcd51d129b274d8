# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

# What an AnimatedSprite2D has: how many pictures a second, and how many there are.
const SPEED := {"idle": 5, "run": 12, "jump": 10}
const COUNT := {"idle": 4, "run": 8, "jump": 3}

var velocity := Vector2.ZERO
var direction := 0
var until := 0
var passed := 0.0
var seen := 0
var shown := ""

@onready var sprite := $AnimatedSprite2D


func _enter_tree() -> void:
	set_multiplayer_authority(name.to_int())


func move(random: RandomNumberGenerator, frame: int) -> void:
	if frame >= until:
		direction = random.randi_range(-1, 1)
		until = frame + random.randi_range(30, 100)
	if position.y >= 0 and random.randf() < 0.01:
		velocity.y = -400
	velocity.y += 900 / 60.0
	velocity.x = move_toward(velocity.x, direction * 220, 20)
	position += velocity / 60
	if position.y >= 0:
		position.y = 0
		velocity.y = 0
	if direction:
		sprite.flip_h = direction < 0
	sprite.animation = "jump" if position.y < 0 else "run" if direction else "idle"
	animate()


func animate() -> void:
	if sprite.animation != shown:
		shown = sprite.animation
		passed = 0
	passed += SPEED[shown] / 60.0
	sprite.frame = int(passed) % COUNT[shown]
