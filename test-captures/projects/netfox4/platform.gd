# SPDX-License-Identifier: GPL-2.0-or-later
# Moved by the server, without rollback.
extends Node2D

const STATE := ["position", "phase"]

var phase := 0


func _ready() -> void:
	NetworkTime.on_tick.connect(move)


func move(delta: float, tick: int) -> void:
	if not is_multiplayer_authority():
		return
	position.x += 20 * delta
	if tick % 15 == 0:
		phase += 1
		$Lamp.modulate = Color(0.25 * (phase % 4), 0.5, 0.75)
