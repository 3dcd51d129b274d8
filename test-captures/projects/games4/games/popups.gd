# SPDX-License-Identifier: GPL-2.0-or-later
# Texts to be shown, of which one number changes.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 2:
		return
	random.seed = frame
	var target := random.randi() % 8
	var damage := random.randi() % 90 + 10
	if changed:
		popup_of.rpc(target, 0, damage)
	else:
		popup.rpc(target, "[color=#ff0000]%d![/color]" % damage)


@rpc("unreliable")
func popup(target: int, text: String) -> void:
	result[target] = text


@rpc("unreliable")
func popup_of(target: int, _text: int, damage: int) -> void:
	popup(target, "[color=#ff0000]%d![/color]" % damage)
