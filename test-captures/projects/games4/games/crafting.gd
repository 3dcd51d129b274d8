# SPDX-License-Identifier: GPL-2.0-or-later
# Stations where things are made, each with a bar of progress.
extends "res://game.gd"

const SECONDS := {"iron sword": 1.5, "oak shield": 2.0, "health potion": 1.0, "pickaxe": 2.5}
const STATIONS := ["anvil", "workbench", "furnace"]

var work := {}
var bars := {}


func begin() -> void:
	random.seed = 45


func play(frame: int) -> void:
	if multiplayer.is_server() and frame % 20 == 1:
		var station: String = STATIONS[random.randi() % 3]
		if station not in work:
			work[station] = {"thing": SECONDS.keys()[random.randi() % 4], "progress": 0.0}
			if changed:
				begin_progress.rpc(station, work[station].thing)
	for station in work.keys() if multiplayer.is_server() or changed else []:
		var one: Dictionary = work[station]
		one.progress = minf(1.0, one.progress + 1 / 60.0 / SECONDS[one.thing])
		if multiplayer.is_server() and not changed:
			show_progress.rpc(station, one.thing, one.progress)
		elif not multiplayer.is_server():
			show_progress(station, one.thing, one.progress)
		if one.progress == 1.0:
			work.erase(station)


@rpc
func show_progress(station: String, _thing: String, progress: float) -> void:
	if progress == 1.0:
		count("made")
	bars[station] = progress


@rpc
func begin_progress(station: String, thing: String) -> void:
	work[station] = {"thing": thing, "progress": 0.0}
