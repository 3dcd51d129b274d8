# SPDX-License-Identifier: GPL-2.0-or-later
# Sentences that a server makes of a few names.
extends "res://game.gd"

const NAMES := ["ShadowHunter", "PixelQueen", "NoobMaster", "TheGreatWall"]
const ARMS := ["Assault Rifle", "Rocket Launcher", "Knife"]


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	random.seed = frame
	var by := random.randi() % 4
	var of := random.randi() % 4
	var arm := random.randi() % 3
	if changed:
		killed.rpc(by, of, arm)
	else:
		kill.rpc("%s killed %s with %s" % [NAMES[by], NAMES[of], ARMS[arm]])


@rpc("reliable")
func kill(text: String) -> void:
	count(text)


@rpc("reliable")
func killed(by: int, of: int, arm: int) -> void:
	count("%s killed %s with %s" % [NAMES[by], NAMES[of], ARMS[arm]])
