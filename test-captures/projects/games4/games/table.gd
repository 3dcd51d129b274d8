# SPDX-License-Identifier: GPL-2.0-or-later
# A row for each ball: number, position, velocity, whether it spins.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var rows := []
	for number in 10:
		rows.append([number, way(number, frame / 60.0), way(number + 1, frame / 30.0), frame % (number + 2) == 0])
	if changed:
		show_columns.rpc(PackedInt32Array(column(rows, 0)), PackedVector2Array(column(rows, 1)), PackedVector2Array(column(rows, 2)), PackedByteArray(column(rows, 3)))
	else:
		show_rows.rpc(rows)


static func column(rows: Array, place: int) -> Array:
	return rows.map(func(row: Array) -> Variant: return int(row[place]) if row[place] is bool else row[place])


@rpc("unreliable")
func show_rows(rows: Array) -> void:
	for row: Array in rows:
		count("spins" if row[3] else "rolls")
		result["x"] = result.get("x", 0) + int(row[1].x + row[2].y) % 7


@rpc("unreliable")
func show_columns(numbers: PackedInt32Array, places: PackedVector2Array, velocities: PackedVector2Array, spins: PackedByteArray) -> void:
	var rows := []
	for number in numbers.size():
		rows.append([numbers[number], places[number], velocities[number], spins[number] == 1])
	show_rows(rows)
