# SPDX-License-Identifier: GPL-2.0-or-later
# An input in seven bytes.
extends Node2D

var packed := PackedByteArray()  # a state that is synchronized


static func pack(tick: int, jump: bool, weapon: int, aim: float, x: float) -> PackedByteArray:
	var data := PackedByteArray()
	data.resize(7)
	data.encode_u16(0, tick)
	data.encode_u8(2, int(jump) | weapon << 1)  # bit 0: jump, bits 1 to 3: weapon
	data.encode_half(3, aim)
	data.encode_u16(5, roundi((x + 100.0) / 200.0 * 65535))  # -100 to 100
	return data


@rpc("any_peer", "unreliable")
func submit_input(data: PackedByteArray) -> void:
	Log.called(self, "submit_input", [data])


@rpc("any_peer", "unreliable")
func submit_input_of(slot: int, data: PackedByteArray) -> void:
	Log.called(self, "submit_input_of", [slot, data])
