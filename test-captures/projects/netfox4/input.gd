# SPDX-License-Identifier: GPL-2.0-or-later
# A player who changes direction now and then, the same in each run.
extends Node

const INPUTS := ["movement", "jump", "aim"]

var movement := Vector2.ZERO
var jump := false
var aim := 0.0
var random := RandomNumberGenerator.new()


func _ready() -> void:
	random.seed = 39
	NetworkTime.before_tick_loop.connect(gather)


func gather() -> void:
	if not is_multiplayer_authority():
		return
	if random.randf() < 0.15:
		movement = Vector2(random.randi_range(-1, 1), random.randi_range(-1, 1))
		aim = random.randf()
	jump = random.randf() < 0.1
