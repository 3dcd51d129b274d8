# SPDX-License-Identifier: GPL-2.0-or-later
# Hands and what they hold, as a headset tracks them.
extends "res://game.gd"


func play(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var poses := []
	var numbers := PackedFloat32Array()
	for number in 6:
		var turn := Quaternion(Vector3(1, number, 2).normalized(), frame * 0.02)
		var place := Vector3(number, 1.5, sin(frame * 0.05))
		poses.append(Transform3D(Basis(turn), place))
		numbers.append_array([place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w])
	if changed:
		show_numbers.rpc(numbers)
	else:
		show_poses.rpc(poses)


@rpc("unreliable")
func show_poses(poses: Array) -> void:
	for pose: Transform3D in poses:
		count("up" if pose.basis.y.y > 0.9 else "down")
		count("front" if pose.origin.z > 0.1 else "back")


@rpc("unreliable")
func show_numbers(numbers: PackedFloat32Array) -> void:
	var poses := []
	for at in range(0, numbers.size(), 7):
		var turn := Quaternion(numbers[at + 3], numbers[at + 4], numbers[at + 5], numbers[at + 6])
		poses.append(Transform3D(Basis(turn), Vector3(numbers[at], numbers[at + 1], numbers[at + 2])))
	show_poses(poses)
