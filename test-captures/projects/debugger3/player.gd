# SPDX-License-Identifier: GPL-2.0-or-later
extends Node2D

export var health = 87.5
export var tags = PoolStringArray(["pvp", "vip"])
var inventory = {"sword": 1, "arrow": 64}
var target = null


func hit(damage):
	var left = health - damage
	var message = "%s has %s left" % [name, left]
	print(message)
	health = left
	return left


remote func chat(text):
	print("chat: ", text)
