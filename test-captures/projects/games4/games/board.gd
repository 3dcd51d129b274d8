# SPDX-License-Identifier: GPL-2.0-or-later
# The whole board after each move.
extends "res://game.gd"

var board := []
var shown := []


func begin() -> void:
	random.seed = 3
	board.resize(64)
	board.fill(0)
	for number in 16:
		board[number] = number + 1
		board[63 - number] = -number - 1


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 4:
		return
	var from := random.randi_range(0, 63)
	board[random.randi_range(0, 63)] = board[from]
	board[from] = 0
	if changed and shown:
		var places := range(64).filter(func(place): return board[place] != shown[place])
		show_moves.rpc(places, places.map(func(place): return board[place]))
	else:
		show_board.rpc(board)
	shown = board.duplicate()


@rpc("reliable")
func show_board(now: Array) -> void:
	count("shown")
	board = now
	result["sum"] = board.reduce(func(sum, piece): return sum * 3 % 10007 + piece, 0)


@rpc("reliable")
func show_moves(places: Array, pieces: Array) -> void:
	for number in places.size():
		board[places[number]] = pieces[number]
	show_board(board)
