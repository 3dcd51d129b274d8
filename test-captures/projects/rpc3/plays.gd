# SPDX-License-Identifier: GPL-2.0-or-later
# What clients do.
extends Reference

const RELIABLE = NetworkedMultiplayerPeer.TRANSFER_MODE_RELIABLE
const ORDERED = NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE_ORDERED
const UNRELIABLE = NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE

var main


func _init(the_main):
	main = the_main


func pause(seconds):
	yield(main.get_tree().create_timer(seconds), "timeout")


# Waits for the server and for so many other clients.
func join(others = 0):
	yield(pause(0.1), "completed")
	for i in 400:
		var peers = main.get_tree().get_network_connected_peers()
		if 1 in peers and peers.size() > others:
			return
		yield(pause(0.02), "completed")


func every_type(object):
	var bytes = PoolByteArray()
	bytes.resize(5000)
	for i in bytes.size():
		bytes[i] = i * i >> 3 & 255
	return [
		null, true, false, 0, 1, -1, 127, -128, 255, 256, 40000, -40000, 2147483647, -2147483648, 3000000000, 5000000000,
		0.0, 0.5, 0.1, 1e300, -2.25, INF, -INF, NAN, 3.14159265358979,
		"", "hi", "Zażółć gęślą jaźń", "quote \" and \\ and\nline", "x".repeat(300),
		Vector2(1, 2), Rect2(0.5, -1, 10, 20), Vector3(1, 2, 3), Transform2D(0.7, Vector2(100, -50)), Plane(0, 1, 0, 5),
		Quat(0, 0.6, 0, 0.8), AABB(Vector3(-1, -2, -3), Vector3(4, 5, 6)),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Transform(Basis(), Vector3(10, 11, 12)),
		Color(1, 0.5, 0, 1), NodePath("/root/Main/Player:position:x"), NodePath("A/B"), NodePath(""), object,
		{}, {"a": 1, 2: [null, {"deep": true}]}, [], [1, "two", 3.0, [4]],
		PoolByteArray([1, 2, 3]), PoolIntArray([1, -1]), PoolRealArray([0.5, 0.1]), PoolStringArray(["a", "", "ż"]),
		PoolVector2Array([Vector2(1, 2)]), PoolVector3Array([Vector3(1, 2, 3)]), PoolColorArray([Color(1, 0, 0, 1)]), bytes,
	]


# Calls and sets of every kind, each argument type, and what fails.
func calls():
	yield(join(), "completed")
	var player = main.get_node("Player")
	# Not confirmed yet: with the path.
	Log.call_at(1, player, "hello")
	Log.call_at(1, player, "move", [Vector3(1, 2, 3), 0.5], true)
	Log.set_at(1, player, "health", 90)
	yield(pause(0.2), "completed")
	for value in every_type(player):
		Log.call_at(1, player, "any", [value])
	for value in [1, "text", Vector2(1, 2), {"a": [1]}, null, PoolByteArray([7, 8])]:
		Log.set_at(1, player, "health", value)
		Log.set_at(1, player, "health", value, true)
	Log.set_at(0, player, "label", "for everyone")
	Log.call_at(1, player, "many", [-1, "b", Vector2(3, 4), [5, [6]], {"seven": 8}, null])
	Log.call_at(1, player, "any", ["long ".repeat(4000)])
	Log.call_at(1, player, "big", ["large ".repeat(800)], true)
	Log.call_at(1, player, "to_master", ["to the master"])
	Log.call_at(1, player, "to_master_too", ["to the master, and here"])
	Log.call_at(1, player, "to_puppet", ["a client may not call this"])
	Log.call_at(0, player, "everywhere", ["everywhere"])
	Log.call_at(1, player, "no_such_method", [1])
	for number in 5:
		Log.call_at(1, player, "move", [Vector3(number, 0, 0), 1.5], true)
		yield(pause(0.03), "completed")
	var chat = main.get_node("Chat")
	for text in ["hello server", "Zażółć"]:
		Log.call_at(1, chat, "say", [text])
		Log.call_at(1, chat, "_private", [text])
	for i in 2:
		Log.call_at(1, main.get_node("Configured"), "zeta", [i])
		Log.set_at(1, main.get_node("Configured"), "gold", i)
		Log.call_at(1, main.get_node("Board"), "place", [i, -i])
		Log.call_at(1, main.get_node("OnlyHere"), "touch", [i])
		yield(pause(0.1), "completed")
	for mode in [RELIABLE, ORDERED, UNRELIABLE]:
		main.send_raw("raw bytes".to_utf8(), 1, mode)
		main.send_raw(var2bytes(["a value", mode]), 1, mode)
	main.send_raw("call me".to_utf8(), 1, RELIABLE)
	yield(pause(1), "completed")


# Three of these: everyone calls everyone, through the server.
func relay():
	yield(join(2), "completed")
	yield(pause(0.2), "completed")
	var tree = main.get_tree()
	var chat = main.get_node("Chat")
	var player = main.get_node("Player")
	for round_number in 2:
		for id in tree.get_network_connected_peers():
			Log.call_at(id, chat, "_private", ["%d to %d, round %d" % [tree.get_network_unique_id(), id, round_number]])
			Log.call_at(id, player, "move", [Vector3(round_number, 0, 1), 0.25], true)
			Log.set_at(id, player, "health", id % 100)
		Log.call_at(0, chat, "say", ["to everyone, round %d" % round_number])
		Log.call_at(0, player, "everywhere", [round_number])
		yield(pause(0.3), "completed")
	for mode in [RELIABLE, ORDERED, UNRELIABLE]:
		main.send_raw(var2bytes({"mode": mode, "to": 0}), 0, mode)
		for id in tree.get_network_connected_peers():
			main.send_raw(var2bytes({"mode": mode, "to": id}), id, mode)
			main.send_raw(var2bytes({"mode": mode, "to": -id}), -id, mode)
	yield(pause(0.3), "completed")
	main.send_raw("call me".to_utf8(), 1, RELIABLE)
	yield(pause(1), "completed")


# Comes three times; twice it leaves, once it is thrown out.
func reconnect():
	for round_number in 3:
		if round_number > 0:
			main.start()
		yield(join(), "completed")
		Log.call_at(1, main.get_node("Chat"), "say", ["round %d" % round_number])
		Log.call_at(1, main.get_node("Player"), "hello")
		yield(pause(0.2), "completed")
		Log.call_at(1, main.get_node("Player"), "move", [Vector3(round_number, 1, 2), 3.0], true)
		if round_number == 1:
			main.send_raw("disconnect me".to_utf8(), 1, RELIABLE)
			yield(pause(0.3), "completed")
		elif round_number == 0:
			yield(pause(0.1), "completed")
			main.stop()
		yield(pause(0.2), "completed")


# Asks the server and the other client for what they answer with calls.
func replies():
	yield(join(1), "completed")
	yield(pause(0.2), "completed")
	var shop = main.get_node("Shop")
	for number in 12:
		for id in main.get_tree().get_network_connected_peers():
			Log.call_at(id, shop, "ping", [number], true)
			Log.call_at(id, shop, "request_item", ["item %d" % number, number])
		Log.call_at(1, shop, "_request_stock")
		if number % 4 == 0:
			Log.call_at(1, shop, "buy_apple", [0.5])
			Log.call_at(0, shop, "ask_name")
		yield(pause(0.03), "completed")
	yield(pause(0.5), "completed")
