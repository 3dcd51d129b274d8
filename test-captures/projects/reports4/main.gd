# SPDX-License-Identifier: GPL-2.0-or-later
# A server and a client whose engines report errors while they process packets and at other times. Environment: ROLE (server or client),
# PORT, PLAY: reports (default) or large.
extends Node

var is_server := OS.get_environment("ROLE") == "server"


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	$Differs.set_script(load("res://older.gd" if is_server else "res://newer.gd"))
	multiplayer.peer_connected.connect(func(id: int) -> void: Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.peer_disconnected.connect(func(_id: int) -> void: get_tree().quit())
		Log.record("ready")
	else:
		peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	if is_server:
		await multiplayer.peer_connected
		push_error("without a packet")
	else:
		await multiplayer.connected_to_server
		await pause(0.3)
		await call(OS.get_environment("PLAY") if OS.get_environment("PLAY") else "reports")
		await pause(0.5)
		multiplayer.multiplayer_peer.close()
		get_tree().quit()


func pause(seconds := 0.2) -> void:
	await get_tree().create_timer(seconds).timeout


func reports() -> void:
	Log.call_at(1, $Unit, "number", [0])
	await pause()
	await refused()
	for method: Array in [["fails", [null]], ["warns", ["a text"]], ["prints", []], ["later", []], ["many", [300]]]:
		Log.call_at(1, $Unit, method[0], method[1])
		await pause(0.4)
	Log.call_at(1, $Unit, "number", [1])
	await pause(1.0) # until what was left out is said
	Log.call_at(1, $Unit, "sleeps", [1500])
	Log.call_at(1, $Unit, "number", [2])
	await pause(1.8)
	await changes()


# What the server's engine refuses.
func refused() -> void:
	Log.call_at(1, $Unit, "by_authority")
	Log.call_at(1, $Unit, "expects", [1])
	Log.call_at(1, $Unit, "ghost")
	Log.call_at(1, $Differs, "second")
	await pause()
	Log.call_at(1, $Differs, "second")
	Log.call_at(1, $Differs, "first")
	await pause()
	var here := preload("res://thing.tscn").instantiate()
	here.name = "OnlyHere"
	add_child(here)
	Log.call_at(1, here, "number", [3])
	await pause()
	Log.call_at(1, here, "number", [4])
	await pause()


# Of nodes that packets name.
func changes() -> void:
	Log.call_at(1, self, "change")
	await pause(0.4)
	Log.call_at(1, $Unit, "number", [5]) # was renamed at the server, its number is still valid
	await pause(0.6)


@rpc("any_peer")
func change() -> void:
	Log.called(self, "change")
	await get_tree().process_frame
	var peer := multiplayer.get_remote_sender_id() if multiplayer.get_remote_sender_id() else multiplayer.get_peers()[0]
	$Unit.set_multiplayer_authority(peer)
	Log.record("authority", {"node": "Main/Unit", "authority": peer})
	await pause()
	var unit := $Unit
	unit.name = "Renamed"
	Log.record("renamed", {"node": "Main/Renamed"})
	var thing := preload("res://thing.tscn").instantiate()
	thing.name = "Thing"
	$Units.add_child(thing)
	Log.record("added", {"node": "Main/Units/Thing"})
	await pause(0.5)
	thing.queue_free()
	Log.record("removed", {"node": "Main/Units/Thing"})


# A packet that is longer than Wireshark's limit, and what follows.
func large() -> void:
	Log.call_at(1, $Unit, "number", [0])
	await pause()
	var data := PackedByteArray()
	data.resize(300_000)
	$Unit.rpc_id(1, "large", data)
	Log.record("call", {"node": "Main/Unit", "method": "large", "target": 1, "size": data.size()})
	for i in 20:
		Log.call_at(1, $Unit, "number", [i + 1])
	await pause(1.0)
