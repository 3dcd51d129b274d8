# SPDX-License-Identifier: GPL-2.0-or-later
# Arguments of every type.
extends RefCounted


static func every_type(object: Object) -> Array:
	var ints: Array[int] = [7, -7, 5000000000]
	var names: Dictionary[String, int] = {"b": 1, "a": 2}
	var bytes := PackedByteArray()
	bytes.resize(5000)
	for i in bytes.size():
		bytes[i] = i * i >> 3 & 255
	return [
		null, true, false, 0, 1, -1, 127, -128, 128, 255, 256, 32767, -32768, 40000, -40000, 2147483647, -2147483648,
		3000000000, 5000000000, 9223372036854775807, -9223372036854775807 - 1,
		0.0, -0.0, 0.5, 0.1, 1e300, -2.25, INF, -INF, NAN, 3.14159265358979,
		"", "hi", "Zażółć gęślą jaźń", "quote \" and \\ and\nline", "😀", "x".repeat(300),
		Vector2(1, 2), Vector2i(1, -2), Rect2(0.5, -1, 10, 20), Rect2i(0, -5, 10, 20), Vector3(1, 2, 3), Vector3i(1, -2, 3),
		Transform2D(0.7, Vector2(100, -50)), Vector4(1, 2, 3, 4), Vector4i(1, -2, 3, -4), Plane(0, 1, 0, 5),
		Quaternion(0, 0.6, 0, 0.8), AABB(Vector3(-1, -2, -3), Vector3(4, 5, 6)),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Transform3D(Basis.IDENTITY, Vector3(10, 11, 12)),
		Projection.IDENTITY, Color(1, 0.5, 0, 1), &"name", &"", ^"/root/Main/Player:position:x", ^"A/B", ^"", RID(), object,
		Callable(), Signal(),
		{}, {"a": 1, 2: [null, {"deep": true}]}, names, [], [1, "two", 3.0, [4]], ints,
		PackedByteArray([1, 2, 3]), PackedInt32Array([1, -1]), PackedInt64Array([5000000000]), PackedFloat32Array([0.5, 0.1]),
		PackedFloat64Array([0.1]), PackedStringArray(["a", "", "ż"]), PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array([Vector3(1, 2, 3)]), PackedColorArray([Color.RED]), PackedVector4Array([Vector4(1, 2, 3, 4)]),
		bytes,
	]
