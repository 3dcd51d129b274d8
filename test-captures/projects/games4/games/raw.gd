# SPDX-License-Identifier: GPL-2.0-or-later
# Packets of the game's own: a Dictionary as bytes, in each frame.
extends "res://game.gd"


func begin() -> void:
	multiplayer.peer_packet.connect(show_unit)


func play(frame: int) -> void:
	if multiplayer.is_server():
		var unit := {"type": "move_unit", "position": way(1, frame / 60.0), "health": 100 - frame / 40, "shield": 50}
		multiplayer.send_bytes(var_to_bytes(unit.values() if changed else unit), 0, MultiplayerPeer.TRANSFER_MODE_UNRELIABLE)


func show_unit(_from: int, bytes: PackedByteArray) -> void:
	var unit: Variant = bytes_to_var(bytes)
	count("shown")
	result["health"] = unit[2] if changed else unit["health"]
