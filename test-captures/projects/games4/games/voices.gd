# SPDX-License-Identifier: GPL-2.0-or-later
# What a microphone records, as AudioEffectCapture returns it.
extends "res://game.gd"


func begin() -> void:
	random.seed = 16


func play(frame: int) -> void:
	if index() != 0 or frame % 3:
		return
	var sound := PackedVector2Array()
	for number in 80:
		var at := 0.4 * sin(number * 0.3 + frame) + random.randf_range(-0.05, 0.05)
		sound.append(Vector2(at, at))
	if not changed:
		hear.rpc(sound)
		return
	var halves := PackedByteArray()
	halves.resize(sound.size() * 4)
	for number in sound.size():
		halves.encode_half(number * 4, sound[number].x)
		halves.encode_half(number * 4 + 2, sound[number].y)
	hear_halves.rpc(halves)


@rpc("any_peer", "unreliable")
func hear(sound: PackedVector2Array) -> void:
	count("heard")
	for one in sound:
		result["loudness"] = result.get("loudness", 0) + int(round(absf(one.x) * 10))


@rpc("any_peer", "unreliable")
func hear_halves(halves: PackedByteArray) -> void:
	var sound := PackedVector2Array()
	for number in range(0, halves.size(), 4):
		sound.append(Vector2(halves.decode_half(number), halves.decode_half(number + 2)))
	hear(sound)
