# SPDX-License-Identifier: GPL-2.0-or-later
extends Node

var rounds := 0


func _ready() -> void:
	if not multiplayer.is_server():
		Log.call_at(1, Lobby, "player_loaded", [])
	elif OS.get_environment("PLAYERS") == "2":
		Log.call_at(0, self, "countdown", [3])  # before everybody has the scene


func start_game() -> void:
	for round in 5:
		Log.call_at(0, $Ball, "kick", [Vector2(round, 1)])
		Log.call_at(0, self, "score", ["left", round])
		await get_tree().create_timer(0.2).timeout


@rpc("reliable")
func countdown(seconds: int) -> void:
	Log.called(self, "countdown", [seconds])


@rpc("reliable")
func score(side: String, goals: int) -> void:
	Log.called(self, "score", [side, goals])
	rounds += 1
	if rounds == 3:
		Log.call_at(1, self, "score", ["mine", 99])
		Log.call_at(1, self, "concede", [])


@rpc("any_peer")
func concede() -> void:
	Log.called(self, "concede", [])
