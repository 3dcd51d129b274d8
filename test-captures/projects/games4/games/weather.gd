# SPDX-License-Identifier: GPL-2.0-or-later
# The time of the day in a Dictionary with what seldom changes.
extends "res://game.gd"

var known := {}
var at := 0.0


func sky(seconds: float) -> Dictionary:
	return {"wind": Vector3(0, 0, 0.5), "rain": 0.25, "time": 8 + seconds / 60, "fog": false}


func play(frame: int) -> void:
	if multiplayer.is_server():
		if not changed:
			weather.rpc(sky(frame / 60.0))
		elif frame == 1:
			weather_from.rpc(sky(frame / 60.0))
	elif known:
		var time: float = known["time"]
		if changed:
			time += (Time.get_ticks_usec() * 1e-6 - at) / 60
		result["minutes"] = time * 60


@rpc("unreliable_ordered")
func weather(now: Dictionary) -> void:
	known = now


@rpc("reliable")
func weather_from(now: Dictionary) -> void:
	known = now
	at = Time.get_ticks_usec() * 1e-6
