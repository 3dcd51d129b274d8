# SPDX-License-Identifier: GPL-2.0-or-later
# Bones that move and turn, by name.
extends "res://game.gd"

const BONES := 10


func tick(frame: int) -> void:
	if not multiplayer.is_server() or frame % 3:
		return
	var bones := {}
	var numbers := PackedFloat32Array()
	for bone in BONES:
		var turned := Basis.from_euler(Vector3(frame * 0.01, bone, 0))
		var at := Vector3(bone, sin(frame * 0.1), 0)
		bones["bone_%d" % bone] = Transform3D(turned, at)
		var by := turned.get_rotation_quaternion()
		numbers.append_array([at.x, at.y, at.z, by.x, by.y, by.z, by.w])
	if changed:
		pose_of.rpc(numbers)
	else:
		pose.rpc(bones)


@rpc("unreliable_ordered")
func pose(bones: Dictionary) -> void:
	count("poses")
	for bone: String in bones:
		result[bone] = 1000 * bones[bone].basis.get_rotation_quaternion().x


@rpc("unreliable_ordered")
func pose_of(numbers: PackedFloat32Array) -> void:
	count("poses")
	for bone in BONES:
		result["bone_%d" % bone] = 1000 * numbers[7 * bone + 3]
