# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes that move from the beginning to the end, where the other advice is followed.
extends "res://games/waves.gd"

var ticks := 0


func _init() -> void:
	scene = "res://drift.tscn" if OS.get_environment("CHANGED") == "1" else "res://wave.tscn"


func tick(_frame: int) -> void:
	pass


func _physics_process(_delta: float) -> void:
	if players:
		ticks += 1
		super.tick(ticks)
