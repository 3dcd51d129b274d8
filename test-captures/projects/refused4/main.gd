# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that their receiver refuses. Environment: ROLE (server or client), PORT, NUMBER of the client.
extends Node

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	$Differs.set_script(load("res://older.gd" if is_server else "res://newer.gd"))
	if not is_server:
		$Plain.set_script(load("res://newer.gd"))
	multiplayer.peer_connected.connect(func(id): Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.peer_disconnected.connect(leave)
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	if is_server:
		while multiplayer.get_peers().size() < 2:
			await pause(0.05)
		await greet()
	else:
		while multiplayer.get_peers().size() < 2:
			await pause(0.05)
		await pause(1.0)
		await play(1)
		if OS.get_environment("NUMBER") == "1":
			await play(multiplayer.get_peers()[0] if multiplayer.get_peers()[0] != 1 else multiplayer.get_peers()[1])
		await pause(1.5)
		multiplayer.multiplayer_peer.close()
		get_tree().quit()


func pause(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


func leave(_id: int) -> void:
	if multiplayer.get_peers().is_empty():
		get_tree().quit()


# The authority of everything: none of its calls is refused because of its mode.
func greet() -> void:
	for id in multiplayer.get_peers():
		Log.call_at(id, $Unit, "by_authority", ["welcome"])
		Log.call_at(id, $Unit, "by_authority_too")
		Log.call_at(id, $Unit, "of_node_by_authority")
		Log.call_at(id, $Unit, "two", [1])
		Log.call_at(id, $Differs, "b_second")


func play(target: int) -> void:
	for round in 2:
		for arguments in [[], [1], [1, 2], [1, 2, 3]]:
			for method in ["none", "two", "rest", "inherited", "of_node", "ghost"]:
				Log.call_at(target, $Unit, method, arguments)
		for count in 6:
			Log.call_at(target, $Unit, "optional", [1, 2, [3], Vector2(4, 4), 5].slice(0, count))
		Log.call_at(target, $Unit, "bytes", [PackedByteArray()])
		Log.call_at(target, $Unit, "bytes", [PackedByteArray([1, 2])])
		Log.call_at(target, $Unit, "by_authority", ["a client may not call this"])
		Log.call_at(target, $Unit, "by_authority_too")
		Log.call_at(target, $Unit, "of_node_by_authority")
		Log.call_at(target, $Unit, "forbidden")
		await pause(0.3)
	for method in ["a_first", "b_second", "c_third"]:
		Log.call_at(target, $Differs, method, [1] if method == "a_first" else [])
		Log.call_at(target, $Plain, method, [1] if method == "a_first" else [])
	await pause(0.3)
	for method in ["a_first", "b_second", "c_third"]:
		Log.call_at(target, $Differs, method, [1] if method == "a_first" else [])
		Log.call_at(target, $Plain, method, [1] if method == "a_first" else [])
	await pause(0.3)
