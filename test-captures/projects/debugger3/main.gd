# SPDX-License-Identifier: GPL-2.0-or-later
# The game that is debugged. Godot 3 has no messages of a game's own, so it goes through its acts by the clock.
extends Node

const ACTS = ["talk", "warn", "engine_error", "fail", "hit", "network", "chat", "chat", "hit", "hit"]
var counter = 0


func _ready():
	print("hello debugger")
	for act in ACTS:
		yield(get_tree().create_timer(0.7), "timeout")
		call(act)
	yield(get_tree().create_timer(6), "timeout")
	get_tree().quit()


func _process(_delta):
	counter += 1


func talk():
	print("line one\nline two ", [1, "two"])
	printerr("printed as error")


func warn():
	push_warning("careful, dog")
	push_error("went wrong: Zażółć")


func engine_error():
	load("res://missing.tres")
	get_node("Nowhere")


func fail():
	var before = "local value"
	var nothing = null
	nothing.call_something(before)
	print("after the failure")


func hit():
	$World/Player.hit(12.5)


func network():
	var server = NetworkedMultiplayerENet.new()
	assert(server.create_server(21033) == OK)
	get_tree().network_peer = server


func chat():
	$World/Player.rpc("chat", "cześć")
