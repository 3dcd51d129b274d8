# SPDX-License-Identifier: GPL-2.0-or-later
# A board on which all draw: lines follow the pen, each part of them from where the last one has ended.
extends "res://game.gd"

var at := Vector2.ZERO
var pending := []
var length := 0.0


func begin() -> void:
	random.seed = 40 + index()
	at = Vector2(random.randi_range(100, 400), random.randi_range(100, 400))


func play(frame: int) -> void:
	if multiplayer.is_server():
		return
	var to := at + Vector2.from_angle(frame / 9.0 + random.randf()) * random.randi_range(2, 9)
	if changed:
		pending.append(to)
		if frame % 3 == 2:
			draw_line.rpc(PackedVector2Array(pending))
			pending = []
	else:
		draw_segment.rpc(at, to)
	at = to


@rpc("any_peer", "reliable")
func draw_segment(from: Vector2, to: Vector2) -> void:
	length += from.distance_to(to)
	count("segments")


@rpc("any_peer", "reliable")
func draw_line(points: PackedVector2Array) -> void:
	for point in points:
		draw_segment(point, point)
