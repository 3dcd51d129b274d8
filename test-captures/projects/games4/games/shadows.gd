# SPDX-License-Identifier: GPL-2.0-or-later
# Which fields of a map can be seen: a byte for each.
extends "res://game.gd"


func begin() -> void:
	random.seed = 22


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var fields := PackedByteArray()
	var bits := PackedByteArray()
	bits.resize(32)
	for number in 256:
		fields.append(random.randi_range(0, 1))
		bits[number / 8] |= fields[number] << (number % 8)
	if changed:
		show_bits.rpc(bits)
	else:
		show_fields.rpc(fields)


@rpc("unreliable")
func show_fields(fields: PackedByteArray) -> void:
	count("shown")
	result["seen"] = result.get("seen", 0) + fields.count(1)


@rpc("unreliable")
func show_bits(bits: PackedByteArray) -> void:
	var fields := PackedByteArray()
	for number in bits.size() * 8:
		fields.append(bits[number / 8] >> (number % 8) & 1)
	show_fields(fields)
