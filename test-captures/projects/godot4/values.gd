# SPDX-License-Identifier: GPL-2.0-or-later
# Values of every type and many sizes, as [name, value] or, with objects sent whole, [name, value, true].
extends RefCounted

const Item = preload("item.gd")


static func every_type() -> Array:
	return scalars() + texts() + maths() + misc() + containers() + packed() + objects()


# The same without those longer than a kilobyte.
static func short() -> Array:
	return every_type().filter(func(entry): return var_to_bytes_with_objects(entry[1]).size() <= 1024)


static func scalars() -> Array:
	var list := [["nil", null], ["true", true], ["false", false]]
	for i in [0, 1, -1, 127, 128, 255, -128, 256, 65535, 65536, 2147483647, -2147483648, 2147483648,
			-2147483649, 5000000000, 9007199254740993, 9223372036854775807, -9223372036854775807 - 1]:
		list.append(["int %d" % i, i])
	for f in [0.0, -0.0, 1.0, 1.5, -2.25, 0.1, 1e300, 5e-324, 1e-5, 0.0001, 16777216.0, 257.265625, 39160328.0,
			1234567.125, 1e15, 1e16, 3.14159265358979, 1.7976931348623157e308, INF, -INF, NAN]:
		list.append(["float %s" % f, f])
	return list


static func texts() -> Array:
	return [
		["String empty", ""], ["String a", "a"], ["String ab", "ab"], ["String abc", "abc"], ["String abcd", "abcd"],
		["String quotes", "say \"hi\"\\now"], ["String control", "tab\tline\nreturn\rbell\u0007end"],
		["String zażółć", "Zażółć gęślą jaźń"], ["String chinese", "你好，世界"], ["String emoji", "😀 👩‍🚀 🇵🇱"],
		["String arabic", "مرحبا"], ["String combining", "e\u0301 \u202eabc"], ["String BOM inside", "a\ufeffb"],
		["String long", "0123456789".repeat(500)],
		["StringName empty", &""], ["StringName", &"ready"], ["StringName escapes", &"a\"b\\c\nd\t"],
		["StringName unicode", &"żółw"],
		["NodePath empty", ^""], ["NodePath relative", ^"A/B"], ["NodePath absolute", ^"/root/Main/Player:position:x"],
		["NodePath property", ^":modulate"], ["NodePath up", ^"../../%Unique/."], ["NodePath unicode", ^"Gracz/Żółw"],
		["NodePath spaces", ^"My Node/with spaces"],
	]


static func maths() -> Array:
	return [
		["Vector2", Vector2(1, 2)], ["Vector2 odd", Vector2(-0.0, 1e-10)], ["Vector2 inf", Vector2(INF, -INF)],
		["Vector2 nan", Vector2(NAN, 0.1)], ["Vector2i", Vector2i(1, -2)],
		["Vector2i limits", Vector2i(2147483647, -2147483648)],
		["Rect2", Rect2(0.5, -1, 10, 20)], ["Rect2i", Rect2i(0, -5, 10, 20)],
		["Vector3", Vector3(1, 2, 3)], ["Vector3 tiny", Vector3(1e-38, 3.4e38, 0.1)], ["Vector3i", Vector3i(1, -2, 3)],
		["Transform2D identity", Transform2D.IDENTITY],
		["Transform2D", Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6))],
		["Transform2D rotated", Transform2D(0.7, Vector2(100, -50))],
		["Vector4", Vector4(1, 2, 3, 4)], ["Vector4i", Vector4i(1, -2, 3, -4)],
		["Plane", Plane(0, 1, 0, 5)], ["Plane tilted", Plane(Vector3(1, 2, 3).normalized(), -0.25)],
		["Quaternion identity", Quaternion.IDENTITY], ["Quaternion", Quaternion(Vector3.UP, 1.25)],
		["AABB", AABB(Vector3(-1, -2, -3), Vector3(4, 5, 6))],
		["Basis identity", Basis.IDENTITY],
		["Basis", Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))],
		["Transform3D", Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12))],
		["Transform3D rotated", Transform3D(Basis(Vector3.RIGHT, 0.3), Vector3(0.1, 0.2, 0.3))],
		["Projection identity", Projection.IDENTITY],
		["Projection", Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12),
				Vector4(13, 14, 15, 16))],
		["Projection perspective", Projection.create_perspective(75, 1.5, 0.05, 4000)],
		["Color", Color(1, 0.5, 0, 1)], ["Color overbright", Color(-1, 2.5, 0.1, 0)],
		["Color named", Color.CORNFLOWER_BLUE],
	]


static func misc() -> Array:
	var item := Item.new()
	var no_object: Object = null
	keep.append(item)
	return [
		["RID empty", RID()], ["RID", item.get_rid()], ["RID 7", rid_from_int64(7)],
		["Object null", no_object], ["Object id", item],
		["Object id in container", {"item": item, "list": [item, null]}],
		["Object EncodedObjectAsID", encoded(0x123)],
		["Callable empty", Callable()], ["Callable", item.get_class],
		["Signal", item.changed], ["Signal empty", Signal()],
	]


static var keep := []  # objects sent by id must outlive the sending


static func encoded(id: int) -> EncodedObjectAsID:
	var it := EncodedObjectAsID.new()
	it.object_id = id
	keep.append(it)
	return it


static func containers() -> Array:
	var ints: Array[int] = [7, -7, 5000000000]
	var vectors: Array[Vector3] = [Vector3(1, 2, 3), Vector3.ZERO]
	var strings: Array[StringName] = [&"a", &"b"]
	var nodes: Array[Node] = []
	var items: Array[Item] = []
	var lists: Array[Array] = [[1], [], ["two", 3.0]]
	var empty: Array[String] = []
	var by_name: Dictionary[String, int] = {"b": 1, "a": 2}
	var by_int: Dictionary[int, Variant] = {}
	var to_nodes: Dictionary[Variant, Node] = {}
	var by_vector: Dictionary[Vector2i, Dictionary] = {Vector2i(1, 2): {"terrain": 3}, Vector2i.ZERO: {}}
	var items_by_name: Dictionary[StringName, Item] = {}
	return [
		["Dictionary empty", {}], ["Dictionary", {"a": 1}],
		["Dictionary unsorted", {"z": 1, "a": 2, 5: "five", 1: [], null: null, true: false, 1.5: 2.5}],
		["Dictionary keys", {&"name": 1, ^"A/B": 2, Vector2(1, 2): 3, [1, 2]: 4, {"k": 1}: 5, Color.RED: 6, NAN: 7}],
		["Dictionary nested", {"a": {"b": {"c": [1, {"d": null}]}}}],
		["Array empty", []], ["Array", [1, "a"]],
		["Array mixed", [null, true, 1, 1.5, "s", &"n", ^"p", Vector3(1, 2, 3), [], {}, PackedByteArray([1])]],
		["Array nested", [[[[[[[["deep"]]]]]]]]],
		["Array[int]", ints], ["Array[Vector3]", vectors], ["Array[StringName]", strings], ["Array[Array]", lists],
		["Array[String] empty", empty], ["Array[Node]", nodes], ["Array[Item]", items],
		["Dictionary[String, int]", by_name], ["Dictionary[int, Variant]", by_int],
		["Dictionary[Variant, Node]", to_nodes], ["Dictionary[Vector2i, Dictionary]", by_vector],
		["Dictionary[StringName, Item]", items_by_name],
		["typed inside untyped", [ints, {"t": by_name}]],
		["depth 100", nested(100)],
		["player state", player_state()],
	]


static func nested(depth: int) -> Array:
	var value := []
	for i in depth - 1:
		value = [value]
	return value


static func player_state() -> Dictionary:
	return {
		"id": 1203, "name": "Łucja", "position": Vector3(12.5, 0, -7.25), "velocity": Vector3(0.5, 9.81, 0),
		"look": Quaternion(Vector3.UP, 0.5), "health": 87.5, "alive": true, "team": &"red",
		"inventory": [{"item": "sword", "count": 1}, {"item": "arrow", "count": 64}],
		"path": ^"/root/Main/World/P1203", "tags": PackedStringArray(["pvp", "vip"]),
		"trail": PackedVector3Array([Vector3(1, 0, 1), Vector3(2, 0, 2)]), "color": Color.ORANGE_RED, "target": null,
	}


static func packed() -> Array:
	var list := [
		["PackedByteArray", PackedByteArray([1, 2, 3, 4, 5])], ["PackedByteArray 1", PackedByteArray([255])],
		["PackedByteArray 4", PackedByteArray([0, 1, 254, 255])],
		["PackedInt32Array", PackedInt32Array([1, -1, 2147483647, -2147483648])],
		["PackedInt64Array", PackedInt64Array([1, -1, 9223372036854775807])],
		["PackedFloat32Array", PackedFloat32Array([1.5, 0.1, INF, -INF, NAN, -0.0])],
		["PackedFloat64Array", PackedFloat64Array([0.1, 1e300, 5e-324, NAN])],
		["PackedStringArray", PackedStringArray(["a", "", "abc", "abcd", "ż\"\n"])],
		["PackedVector2Array", PackedVector2Array([Vector2(1, 2), Vector2(-0.5, 1e10)])],
		["PackedVector3Array", PackedVector3Array([Vector3(1, 2, 3), Vector3(0.1, 0.2, 0.3)])],
		["PackedColorArray", PackedColorArray([Color.RED, Color(0.1, 0.2, 0.3, 0.4)])],
		["PackedVector4Array", PackedVector4Array([Vector4(1, 2, 3, 4), Vector4(-1, 0.5, 0, 1e-7)])],
	]
	for empty in [PackedByteArray(), PackedInt32Array(), PackedInt64Array(), PackedFloat32Array(), PackedFloat64Array(),
			PackedStringArray(), PackedVector2Array(), PackedVector3Array(), PackedColorArray(), PackedVector4Array()]:
		list.append([type_string(typeof(empty)) + " empty", empty])
	var bytes := PackedByteArray()
	var ints := PackedInt32Array()
	var longs := PackedInt64Array()
	var floats := PackedFloat32Array()
	var doubles := PackedFloat64Array()
	var strings := PackedStringArray()
	var vectors := PackedVector3Array()
	for i in 1100:
		bytes.append(i * 7 & 255)
		ints.append(i * i - 5000)
		longs.append(i * i * i * 1000003)
		floats.append(i / 8.0)
		doubles.append(i / 10.0)
		strings.append("item %d" % i)
		vectors.append(Vector3(i, -i, i * 0.25))
	list += [["PackedByteArray 1100", bytes], ["PackedInt32Array 1100", ints], ["PackedInt64Array 1100", longs],
			["PackedFloat32Array 1100", floats], ["PackedFloat64Array 1100", doubles],
			["PackedStringArray 1100", strings], ["PackedVector3Array 1100", vectors],
			["Array 1500", range(1500)]]
	return list


static func objects() -> Array:
	var item := Item.new()
	item.next = Item.new()
	item.next.label = "shield"
	item.set_meta(&"owner", "Łucja")
	var node := Timer.new()
	node.wait_time = 2.5
	var items: Array[Item] = [item]
	var by_name: Dictionary[StringName, Item] = {&"first": item}
	var no_object: Object = null
	keep += [item, node]
	return [
		["full RefCounted", RefCounted.new(), true], ["full Item", item, true], ["full Timer", node, true],
		["full Gradient", Gradient.new(), true], ["full in container", {"items": [item, null]}, true],
		["full Array[Item]", items, true], ["full Dictionary[StringName, Item]", by_name, true],
		["full null", no_object, true],
	]


# Too big for a datagram.
static func big() -> Array:
	var bytes := PackedByteArray()
	for i in 70000:
		bytes.append((i * i >> 3) & 255)
	return [["big PackedByteArray", bytes]]


static func big_text_and_world() -> Array:
	var world := []
	for i in 150:
		var player := player_state()
		player.id = i
		player.position = Vector3(i, i * 0.5, -i)
		world.append(player)
	return [
		["big String", "Zażółć gęślą jaźń. ".repeat(3000)], ["big world", {"tick": 1, "players": world}],
	]
