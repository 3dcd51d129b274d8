# SPDX-License-Identifier: GPL-2.0-or-later
# Weights of animations.
extends "res://game.gd"


func begin() -> void:
	random.seed = 23


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var weights := []
	for number in 20:
		weights.append(snappedf(absf(sin(frame * 0.05 + number)), 0.001))
	if changed:
		show_packed.rpc(PackedFloat32Array(weights))
	else:
		show_weights.rpc(weights)


@rpc("unreliable")
func show_weights(weights: Array) -> void:
	for weight: float in weights:
		count("strong" if weight > 0.5 else "weak")


@rpc("unreliable")
func show_packed(weights: PackedFloat32Array) -> void:
	show_weights(Array(weights))
