# SPDX-License-Identifier: GPL-2.0-or-later
# What a microphone records, 8 bits each: nothing while nobody speaks.
extends "res://game.gd"


func begin() -> void:
	random.seed = 44 + index()


func play(frame: int) -> void:
	if multiplayer.is_server() or frame % 3:
		return
	var speaks := (frame / 45 + index()) % 3 == 0
	var sound := PackedByteArray()
	sound.resize(320)
	sound.fill(128)
	for number in sound.size() if speaks else 0:
		sound[number] = 128 + int(60 * sin(number * 0.3 + frame)) + random.randi_range(-9, 9)
	if speaks or not changed:
		hear.rpc(sound)


@rpc("any_peer", "unreliable")
func hear(sound: PackedByteArray) -> void:
	if sound.count(128) < 300:
		count("heard")
