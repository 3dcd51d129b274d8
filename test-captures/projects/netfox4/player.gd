# SPDX-License-Identifier: GPL-2.0-or-later
# The server has the state, the client of this name the input. With SCHEMA=1 two properties have a form without types.
extends Node2D

const STATE := ["position", "velocity", "health", "title"]

var velocity := Vector2.ZERO
var health := 100
var title := "Guard"


func _enter_tree() -> void:
	$Input.set_multiplayer_authority(name.to_int())


func _ready() -> void:
	if OS.get_environment("SCHEMA") == "1":
		$RollbackSynchronizer.set_schema(load("res://forms.gd").of_player())


func _rollback_tick(delta: float, tick: int, _is_fresh: bool) -> void:
	$Jump.set_active($Input.jump)
	if $Jump.get_status() in [RewindableAction.CONFIRMING, RewindableAction.ACTIVE]:
		velocity.y -= 40
	velocity = velocity.lerp($Input.movement * 100.0, 0.25)
	position += velocity * delta
	if tick % 40 == 0:
		health = 50 + tick % 7
