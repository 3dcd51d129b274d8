# SPDX-License-Identifier: GPL-2.0-or-later
# The state of a game as JSON, of which a few numbers change.
extends "res://game.gd"

var state := {
	"level": 3, "name": "Harbour", "gold": 100, "wood": 50, "time": 0, "weather": "clear",
	"buildings": [{"kind": "mill", "hp": 100}, {"kind": "house", "hp": 80}, {"kind": "tower", "hp": 100}],
}


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 5:
		return
	state["gold"] += 3
	state["wood"] += 1
	var changes := {"gold": state["gold"], "wood": state["wood"]}
	if frame % 30 == 0:
		var number := frame / 30 % 3
		state["buildings"][number]["hp"] -= 5
		changes["buildings"] = {str(number): {"hp": state["buildings"][number]["hp"]}}
	if changed and frame > 5:
		change_state.rpc(JSON.stringify(changes))
	else:
		load_state.rpc(JSON.stringify(state))


@rpc("reliable")
func load_state(text: String) -> void:
	state = JSON.parse_string(text)
	show_state()


@rpc("reliable")
func change_state(text: String) -> void:
	var changes: Dictionary = JSON.parse_string(text)
	for number: String in changes.get("buildings", {}):
		state["buildings"][int(number)].merge(changes["buildings"][number], true)
	changes.erase("buildings")
	state.merge(changes, true)
	show_state()


func show_state() -> void:
	count("gold" if state["gold"] > 150 else "poor")
	result["hp"] = int(state["buildings"][0]["hp"] + 1000 * state["buildings"][1]["hp"] + 1000000 * state["buildings"][2]["hp"])
