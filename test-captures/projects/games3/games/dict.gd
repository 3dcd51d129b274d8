# SPDX-License-Identifier: GPL-2.0-or-later
# The state of a unit as a Dictionary.
extends "res://game.gd"


func play(frame):
	if not get_tree().is_network_server() or frame % 3:
		return
	var at = way(0, frame / 60.0)
	if changed:
		rpc_unreliable("show", [at, frame / 40.0, 1000 - frame, frame % 4])
	else:
		rpc_unreliable("show", {"position": at, "rotation": frame / 40.0, "health": 1000 - frame, "animation": frame % 4})


puppet func show(state):
	var values = state if state is Array else state.values()
	count("shown")
	result["sum"] = result.get("sum", 0.0) + values[0].x + values[1] + values[2] + values[3]
