# SPDX-License-Identifier: GPL-2.0-or-later
# SHA-256 of the state of the world, as a text.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	var text := ("world %d" % frame).sha256_text()
	if changed:
		check_bytes.rpc(text.hex_decode())
	else:
		check.rpc(text)


@rpc("unreliable")
func check(digest: String) -> void:
	result["sum"] = result.get("sum", 0) + digest.hash() % 1000
	count("checked")


@rpc("unreliable")
func check_bytes(digest: PackedByteArray) -> void:
	check(digest.hex_encode())
