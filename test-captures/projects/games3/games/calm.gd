# SPDX-License-Identifier: GPL-2.0-or-later
# Where something is, reliably, in each frame.
extends "res://game.gd"


func play(frame):
	if not get_tree().is_network_server():
		return
	if changed:
		rpc_unreliable("place", way(0, frame / 60.0))
	else:
		rpc("place", way(0, frame / 60.0))


puppet func place(at):
	count("placed")
	result["sum"] = result.get("sum", 0.0) + at.x
