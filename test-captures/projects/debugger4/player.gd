# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

@export var health := 87.5
@export var tags := PackedStringArray(["pvp", "vip"])
var inventory := {"sword": 1, "arrow": 64}
var target: Node = null


func hit(damage: float) -> float:
	var left := health - damage
	var message := "%s has %s left" % [name, left]
	print(message)
	health = left
	return left


@rpc("any_peer", "call_remote", "reliable")
func chat(text: String) -> void:
	print("chat: ", text)
