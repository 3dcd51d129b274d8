# SPDX-License-Identifier: GPL-2.0-or-later
# All offers of an auction, of which only the time that is left changes.
extends "res://game.gd"

var offers := []


func begin() -> void:
	for number in 10:
		offers.append([number, "Sword of the %dth king" % (3 * number + 4), 100 + number * 7, 0.0])


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 6:
		return
	var times := {}
	for offer: Array in offers:
		offer[3] = 60.0 + offer[0] - frame / 60.0
		times[offer[0]] = {3: offer[3]}
	if changed and frame > 6:
		show_times.rpc(times)
	else:
		show_offers.rpc(offers)


@rpc("reliable")
func show_offers(all: Array) -> void:
	offers = all
	count("shown")
	result["last"] = str(offers).hash()


@rpc("reliable")
func show_times(times: Dictionary) -> void:
	for number: int in times:
		offers[number][3] = times[number][3]
	show_offers(offers)
