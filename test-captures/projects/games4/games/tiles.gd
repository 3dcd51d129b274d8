# SPDX-License-Identifier: GPL-2.0-or-later
# A region of a map that is dug out, tile by tile.
extends "res://game.gd"

var tiles := {}


func begin() -> void:
	random.seed = 6


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var dug := []
	for number in 8:
		dug.append(Vector3i(frame, number, random.randi_range(0, 30)))
	if changed:
		var all := []
		for tile in dug:
			all.append_array([tile.x, tile.y, tile.z])
		set_tiles.rpc(all)
	else:
		for tile in dug:
			set_tile.rpc(tile.x, tile.y, tile.z)


@rpc("reliable")
func set_tile(x: int, y: int, kind: int) -> void:
	tiles[Vector2i(x, y)] = kind
	result = {"tiles": tiles.size(), "hash": hash(tiles)}


@rpc("reliable")
func set_tiles(dug: Array) -> void:
	for at in range(0, dug.size(), 3):
		set_tile(dug[at], dug[at + 1], dug[at + 2])
