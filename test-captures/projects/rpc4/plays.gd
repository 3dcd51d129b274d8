# SPDX-License-Identifier: GPL-2.0-or-later
# What clients do.
extends RefCounted

const Values = preload("values.gd")
const RELIABLE := MultiplayerPeer.TRANSFER_MODE_RELIABLE
const ORDERED := MultiplayerPeer.TRANSFER_MODE_UNRELIABLE_ORDERED
const UNRELIABLE := MultiplayerPeer.TRANSFER_MODE_UNRELIABLE

var main: Node


func _init(the_main: Node) -> void:
	main = the_main


func pause(seconds: float) -> void:
	await main.get_tree().create_timer(seconds).timeout


# Waits for the server and for so many other clients.
func join(others := 0) -> bool:
	for i in 400:
		await pause(0.02)
		var peer: MultiplayerPeer = main.api.multiplayer_peer
		if peer.get_connection_status() == MultiplayerPeer.CONNECTION_DISCONNECTED:
			return false
		if main.api.get_peers().has(1) and main.api.get_peers().size() > others:
			return true
	return false


# Calls of every kind: each argument type, transfer mode and channel, ids of every width, and what fails.
func calls() -> void:
	await join()
	var player := main.get_node("Player")
	# Not confirmed yet: with the path.
	Log.call_at(1, player, "hello")
	Log.call_at(1, player, "move", [Vector3(1, 2, 3), 0.5])
	Log.call_at(1, player, "blob", [PackedByteArray([0xde, 0xad])])
	await pause(0.2)
	for value in Values.every_type(player):
		Log.call_at(1, player, "any", [value])
	for size in [0, 1, 300, 4000]:
		var bytes := PackedByteArray()
		bytes.resize(size)
		bytes.fill(size & 255)
		Log.call_at(1, player, "blob", [bytes])
		Log.call_at(1, player, "blob_and_more", [bytes, size])
	Log.call_at(1, player, "many", [-1, "b", Vector2(3, 4), [5, [6]], {"seven": 8}, null])
	Log.call_at(1, player, "any", ["long ".repeat(4000)])
	Log.call_at(1, player, "big_unreliable", ["large ".repeat(800)])
	await pause(0.1)
	for number in 5:
		for method in ["reliable1", "unreliable1", "ordered1", "reliable3", "unreliable4", "ordered5"]:
			Log.call_at(1, player, method, [number])
		Log.call_at(1, player, "turn", [number * 0.25])
		Log.call_at(1, player, "move", [Vector3(number, 0, 0), 1.5])
		await pause(0.03)
	Log.call_at(0, player, "everywhere", ["everywhere"])
	Log.call_at(1, player, "from_authority", ["a client may not call this"])
	var chat := main.get_node("Chat")
	for text in ["hello server", "Zażółć"]:
		Log.call_at(1, chat, "say", [text])
		Log.call_at(1, chat, "_private", [text])
		Log.call_at(1, chat, "Zażółć", [text])
	var configured := main.get_node("Configured")
	for i in 3:
		Log.call_at(1, configured, "zeta", [i])
		Log.call_at(1, configured, "alpha")
		Log.call_at(1, configured, "scripted", [i])
		await pause(0.05)
	for i in 3:
		Log.call_at(1, main.get_node("Board"), "place", [i, -i])
		Log.call_at(1, main.get_node("Board"), "hover", [Vector2i(i, i)])
		await pause(0.05)
	main.send_raw("call me".to_utf8_buffer(), 1, RELIABLE, 0)
	await ids()
	# The server does not have this node.
	for i in 2:
		Log.call_at(1, main.get_node("OnlyHere"), "touch", [i])
		await pause(0.1)
	await pause(0.3)


# Ids of nodes and methods that need two bytes.
func ids() -> void:
	var many := main.get_node("Many")
	for method in ["m000", "m255", "m256", "m259"]:
		Log.call_at(1, many, method)
	for i in main.get_node("Items").get_child_count():
		Log.call_at(1, main.get_node("Items").get_child(i), "touch", [i])
		if i % 50 == 49:
			await pause(0.05)
	await pause(0.2)
	for method in ["m000", "m255", "m256", "m259"]:
		Log.call_at(1, many, method)
	for i in [0, 200, 298, 299]:
		Log.call_at(1, main.get_node("Items").get_child(i), "touch", ["again"])


# Three of these, or one more than OTHERS says: everyone calls everyone, through the server.
func relay() -> void:
	await join(int(OS.get_environment("OTHERS")) if OS.has_environment("OTHERS") else 2)
	await pause(0.2)
	var chat := main.get_node("Chat")
	var player := main.get_node("Player")
	for round in 2:
		for id in main.api.get_peers():
			Log.call_at(id, chat, "_private", ["%d to %d, round %d" % [main.api.get_unique_id(), id, round]])
			Log.call_at(id, player, "move", [Vector3(round, 0, 1), 0.25])
			Log.call_at(id, player, "blob", [PackedByteArray([round, 2, 3])])
		Log.call_at(0, chat, "say", ["to everyone, round %d" % round])
		Log.call_at(0, player, "turn", [round * 0.5])
		await pause(0.3)
	for mode in [RELIABLE, ORDERED, UNRELIABLE]:
		for target in [0] + Array(main.api.get_peers()) + Array(main.api.get_peers()).map(func(id): return -id):
			main.send_raw(var_to_bytes({"mode": mode, "to": target}), target, mode, 0)
	await pause(0.3)
	main.send_raw("call me".to_utf8_buffer(), 1, RELIABLE, 0)
	await pause(0.5)


# Bytes of the application's own.
func raw() -> void:
	await join()
	for mode in [RELIABLE, ORDERED, UNRELIABLE]:
		for channel in [0, 1, 5]:
			main.send_raw("raw bytes".to_utf8_buffer(), 1, mode, channel)
			main.send_raw(var_to_bytes(["a value", mode, channel]), 1, mode, channel)
			main.send_raw(PackedByteArray([mode]), 1, mode, channel)
		var large := PackedByteArray()
		large.resize(5000)
		large.fill(65 + mode)
		main.send_raw(large, 1, mode, 0)
	main.send_raw("call me".to_utf8_buffer(), 1, RELIABLE, 0)
	await pause(0.4)


# Comes three times; twice it leaves, once it is thrown out.
func reconnect() -> void:
	for round in 3:
		if round > 0:
			main.start()
		await join()
		Log.call_at(1, main.get_node("Chat"), "say", ["round %d" % round])
		Log.call_at(1, main.get_node("Player"), "hello")
		await pause(0.2)
		Log.call_at(1, main.get_node("Player"), "move", [Vector3(round, 1, 2), 3.0])
		if round == 1:
			main.send_raw("disconnect me".to_utf8_buffer(), 1, RELIABLE, 0)
			await pause(0.3)
		elif round == 0:
			await pause(0.1)
			main.stop()
		await pause(0.2)


# A few calls, if it is let in.
func short() -> void:
	if await join():
		Log.call_at(1, main.get_node("Chat"), "say", ["I am in"])
		await pause(0.2)
		Log.call_at(1, main.get_node("Player"), "move", [Vector3(1, 1, 1), 1.0])
		await pause(0.3)


# Asks the server and the other client for what they answer with calls.
func replies() -> void:
	await join(1)
	await pause(0.2)
	var shop := main.get_node("Shop")
	for number in 12:
		for id in main.api.get_peers():
			Log.call_at(id, shop, "ping", [number])
			Log.call_at(id, shop, "request_item", ["item %d" % number, number])
		Log.call_at(1, shop, "_request_stock")
		if number % 4 == 0:
			Log.call_at(1, shop, "buy_apple", [0.5])
			Log.call_at(0, shop, "ask_name")
		await pause(0.03)
	await pause(0.5)
