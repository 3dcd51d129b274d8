# SPDX-License-Identifier: GPL-2.0-or-later
# Values of every type and many sizes, as [name, value] or, with objects sent whole, [name, value, true]; a fourth element
# marks those whose decoding crashes Godot 3.6 (an object that brings its script along).
extends Reference

const Item = preload("item.gd")

var keep = []  # objects sent by id must outlive the sending


func every_type():
	return scalars() + texts() + maths() + misc() + containers() + packed() + objects()


# The same without those longer than a kilobyte.
func short():
	var list = []
	for entry in every_type():
		if entry.size() < 4 and var2bytes(entry[1], true).size() <= 1024:
			list.append(entry)
	return list


func scalars():
	var list = [["nil", null], ["true", true], ["false", false]]
	for i in [0, 1, -1, 127, 128, 255, -128, 256, 65535, 65536, 2147483647, -2147483648, 2147483648,
			-2147483649, 5000000000, 9007199254740993, 9223372036854775807, -9223372036854775807 - 1]:
		list.append(["int " + str(i), i])
	for f in [0.0, -0.0, 1.0, 1.5, -2.25, 0.1, 1e300, 1e-5, 0.0001, 16777216.0, 257.265625, 39160328.0,
			1234567.125, 1e15, 1e16, 3.14159265358979, INF, -INF, NAN]:
		list.append(["float " + str(f), f])
	return list


func texts():
	return [
		["String empty", ""], ["String a", "a"], ["String ab", "ab"], ["String abc", "abc"], ["String abcd", "abcd"],
		["String quotes", "say \"hi\"\\now"], ["String control", "tab\tline\nreturn\rend"],
		["String zażółć", "Zażółć gęślą jaźń"], ["String chinese", "你好，世界"],
		["String arabic", "مرحبا"], ["String long", "0123456789".repeat(500)],
		["NodePath empty", NodePath("")], ["NodePath relative", NodePath("A/B")],
		["NodePath absolute", NodePath("/root/Main/Player:position:x")],
		["NodePath property", NodePath(":modulate")], ["NodePath up", NodePath("../../Up/.")],
		["NodePath unicode", NodePath("Gracz/Żółw")], ["NodePath spaces", NodePath("My Node/with spaces")],
	]


func maths():
	var basis = Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))
	return [
		["Vector2", Vector2(1, 2)], ["Vector2 odd", Vector2(-0.0, 1e-10)], ["Vector2 inf", Vector2(INF, -INF)],
		["Vector2 nan", Vector2(NAN, 0.1)], ["Rect2", Rect2(0.5, -1, 10, 20)],
		["Vector3", Vector3(1, 2, 3)], ["Vector3 tiny", Vector3(1e-38, 3.4e38, 0.1)],
		["Transform2D identity", Transform2D.IDENTITY],
		["Transform2D", Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6))],
		["Transform2D rotated", Transform2D(0.7, Vector2(100, -50))],
		["Plane", Plane(0, 1, 0, 5)], ["Plane tilted", Plane(Vector3(1, 2, 3).normalized(), -0.25)],
		["Quat identity", Quat.IDENTITY], ["Quat", Quat(Vector3.UP, 1.25)],
		["AABB", AABB(Vector3(-1, -2, -3), Vector3(4, 5, 6))],
		["Basis identity", Basis.IDENTITY], ["Basis", basis], ["Transform", Transform(basis, Vector3(10, 11, 12))],
		["Transform rotated", Transform(Basis(Vector3.RIGHT, 0.3), Vector3(0.1, 0.2, 0.3))],
		["Color", Color(1, 0.5, 0, 1)], ["Color overbright", Color(-1, 2.5, 0.1, 0)],
	]


func misc():
	var item = Item.new()
	var encoded = EncodedObjectAsID.new()
	encoded.object_id = 0x123
	keep += [item, encoded]
	return [
		["RID empty", RID()], ["RID", item.get_rid()], ["Object id", item],
		["Object id in container", {"item": item, "list": [item, null]}], ["Object EncodedObjectAsID", encoded],
	]


func containers():
	return [
		["Dictionary empty", {}], ["Dictionary", {"a": 1}],
		["Dictionary unsorted", {"z": 1, "a": 2, 5: "five", 1: [], null: null, true: false, 1.5: 2.5}],
		["Dictionary keys", {NodePath("A/B"): 2, Vector2(1, 2): 3, Color(1, 0, 0): 6}],
		["Dictionary nested", {"a": {"b": {"c": [1, {"d": null}]}}}],
		["Array empty", []], ["Array", [1, "a"]],
		["Array mixed", [null, true, 1, 1.5, "s", NodePath("p"), Vector3(1, 2, 3), [], {}, PoolByteArray([1])]],
		["Array nested", [[[[[[[["deep"]]]]]]]]],
		["depth 100", nested(100)],
		["player state", player_state()],
	]


func nested(depth):
	var value = []
	for i in depth - 1:
		value = [value]
	return value


func player_state():
	return {
		"id": 1203, "name": "Łucja", "position": Vector3(12.5, 0, -7.25), "velocity": Vector3(0.5, 9.81, 0),
		"look": Quat(Vector3.UP, 0.5), "health": 87.5, "alive": true, "team": "red",
		"inventory": [{"item": "sword", "count": 1}, {"item": "arrow", "count": 64}],
		"path": NodePath("/root/Main/World/P1203"), "tags": PoolStringArray(["pvp", "vip"]),
		"trail": PoolVector3Array([Vector3(1, 0, 1), Vector3(2, 0, 2)]), "color": Color(1, 0.5, 0), "target": null,
	}


func packed():
	var list = [
		["PoolByteArray", PoolByteArray([1, 2, 3, 4, 5])], ["PoolByteArray 1", PoolByteArray([255])],
		["PoolByteArray 4", PoolByteArray([0, 1, 254, 255])],
		["PoolIntArray", PoolIntArray([1, -1, 2147483647, -2147483648])],
		["PoolRealArray", PoolRealArray([1.5, 0.1, INF, -INF, NAN, -0.0])],
		["PoolStringArray", PoolStringArray(["a", "", "abc", "abcd", "ż\"\n"])],
		["PoolVector2Array", PoolVector2Array([Vector2(1, 2), Vector2(-0.5, 1e10)])],
		["PoolVector3Array", PoolVector3Array([Vector3(1, 2, 3), Vector3(0.1, 0.2, 0.3)])],
		["PoolColorArray", PoolColorArray([Color(1, 0, 0), Color(0.1, 0.2, 0.3, 0.4)])],
		["PoolByteArray empty", PoolByteArray()], ["PoolIntArray empty", PoolIntArray()],
		["PoolRealArray empty", PoolRealArray()], ["PoolStringArray empty", PoolStringArray()],
		["PoolVector2Array empty", PoolVector2Array()], ["PoolVector3Array empty", PoolVector3Array()],
		["PoolColorArray empty", PoolColorArray()],
	]
	var bytes = PoolByteArray()
	var ints = PoolIntArray()
	var floats = PoolRealArray()
	var strings = PoolStringArray()
	var vectors = PoolVector3Array()
	for i in 1100:
		bytes.append(i * 7 & 255)
		ints.append(i * i - 5000)
		floats.append(i / 8.0)
		strings.append("item %d" % i)
		vectors.append(Vector3(i, -i, i * 0.25))
	return list + [["PoolByteArray 1100", bytes], ["PoolIntArray 1100", ints], ["PoolRealArray 1100", floats],
			["PoolStringArray 1100", strings], ["PoolVector3Array 1100", vectors], ["Array 1500", range(1500)]]


func objects():
	var item = Item.new()
	item.next = Item.new()
	item.next.label = "shield"
	item.set_meta("owner", "Łucja")
	var node = Timer.new()
	node.wait_time = 2.5
	var texture = GradientTexture.new()
	texture.gradient = Gradient.new()
	texture.set_meta("note", Vector2(1, 2))
	keep += [item, node]
	return [
		["full Reference", Reference.new(), true], ["full Item", item, true, "scripted"], ["full Timer", node, true],
		["full Gradient", Gradient.new(), true], ["full GradientTexture", texture, true],
		["full in list", [texture, null, node], true], ["full in container", {"items": [item, null]}, true, "scripted"],
	]


# Too big for a datagram.
func big():
	var bytes = PoolByteArray()
	for i in 70000:
		bytes.append((i * i >> 3) & 255)
	return [["big PoolByteArray", bytes]]


func big_text_and_world():
	var world = []
	for i in 150:
		var player = player_state()
		player.id = i
		player.position = Vector3(i, i * 0.5, -i)
		world.append(player)
	return [
		["big String", "Zażółć gęślą jaźń. ".repeat(3000)], ["big world", {"tick": 1, "players": world}],
	]
