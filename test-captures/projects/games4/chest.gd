# SPDX-License-Identifier: GPL-2.0-or-later
extends Node

var items := []


func _init() -> void:
	for number in 30:
		items.append([number, 1])


func put(place: int, amount: int, by_call: bool) -> void:
	if by_call:
		set_item.rpc(place, amount)
	set_item(place, amount)


@rpc("reliable")
func set_item(place: int, amount: int) -> void:
	items = items.duplicate(true)
	items[place][1] += amount
