# SPDX-License-Identifier: GPL-2.0-or-later
# Monks with auras, of which each has so many seconds left.
extends "res://game.gd"

const KINDS := ["haste", "shield", "patience"]


func begin() -> void:
	for number in 3 if multiplayer.is_server() else 0:
		var monk: Node2D = load("res://monk_changed.tscn" if changed else "res://monk.tscn").instantiate()
		monk.name = "Monk%d" % number
		get_node("../World").add_child(monk)


func play(frame: int) -> void:
	for number in get_node("../World").get_child_count():
		var monk: Node2D = get_node("../World/Monk%d" % number)
		if multiplayer.is_server() or changed:
			monk.run_out()
		if multiplayer.is_server() and frame % 45 == 1 + 15 * number:
			monk.begin(KINDS[frame / 15 % 3], frame)
			if changed:
				begin_aura.rpc(number, KINDS[frame / 15 % 3], frame)
		if frame % 45 == 40:
			for aura in monk.auras:
				result["%s at %d" % [monk.name, frame]] = result.get("%s at %d" % [monk.name, frame], "") + "%s %d " % [aura["kind"], aura["strength"]]


@rpc("authority", "reliable")
func begin_aura(number: int, kind: String, strength: int) -> void:
	get_node("../World/Monk%d" % number).begin(kind, strength)
