# SPDX-License-Identifier: GPL-2.0-or-later
# Errors of the engine that the page of errors lists as leaving no trace on the wire. "provoke" in the log names the text that the engine
# prints next in this process. Environment: ROLE (server or client), PORT.
extends Node

const Thing := preload("res://thing.tscn")
const Other := preload("res://other.tscn")

var is_server := OS.get_environment("ROLE") == "server"
var port := int(OS.get_environment("PORT"))


func _ready() -> void:
	for title: String in ["Custom", "Nothing", "Fewer", "Nowhere", "Named", "Theirs", "Again"]:
		add_spawner(title)
	var peer := ENetMultiplayerPeer.new()
	multiplayer.peer_connected.connect(func(id: int) -> void: Log.record("peer_connected", {"id": id, "me": multiplayer.get_unique_id()}))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port)
		multiplayer.multiplayer_peer = peer
		Log.record("ready")
		await multiplayer.peer_connected
		await multiplayer.peer_disconnected
		await pause(0.5)
		get_tree().quit()
		return
	await without_a_peer()
	await of_peers()
	peer.create_client("127.0.0.1", port)
	multiplayer.multiplayer_peer = peer
	provoke("Trying to call an RPC via a multiplayer peer which is not connected.")
	rpc("at_server", "")
	provoke("Trying to send a raw packet via a multiplayer peer which is not connected.")
	multiplayer.send_bytes(PackedByteArray([1]))
	await multiplayer.connected_to_server
	await pause()
	await while_connected()
	await of_spawners()
	for step: String in ["wide", "delta", "sync_state", "spawn_state", "spawned_again"]:
		var mine := synchronized_thing(step, ".:text", SceneReplicationConfig.REPLICATION_MODE_ALWAYS)
		add_child(mine) # so that the path of the server's is confirmed
		Log.call_at(1, self, "at_server", [step])
		await pause(0.8)
		mine.free()
	await without_a_root()
	peer.close()
	get_tree().quit()


func pause(seconds := 0.3) -> void:
	await get_tree().create_timer(seconds).timeout


func provoke(text: String) -> void:
	Log.record("provoke", {"text": text})


## The server's and the client's differ in what the name says.
func add_spawner(title: String) -> void:
	var parent := Node.new()
	parent.name = title + "Parent"
	add_child(parent)
	var spawner := MultiplayerSpawner.new()
	spawner.name = title
	spawner.spawn_path = NodePath("../NotThere" if title == "Nowhere" and not is_server else "../" + title + "Parent")
	spawner.add_spawnable_scene("res://thing.tscn")
	if is_server or title != "Fewer":
		spawner.add_spawnable_scene("res://other.tscn")
	if is_server:
		spawner.spawn_function = func(_data: Variant) -> Node: return Node.new()
	elif title == "Nothing":
		spawner.spawn_function = func(_data: Variant) -> Variant: return 5
	add_child(spawner)


func without_a_peer() -> void:
	multiplayer.multiplayer_peer = null
	provoke("Trying to call an RPC while no multiplayer peer is active.")
	rpc("at_server", "")
	provoke("Trying to send a raw packet while no multiplayer peer is active.")
	multiplayer.send_bytes(PackedByteArray([1]))
	provoke("No multiplayer peer is assigned. Unable to get unique ID.")
	multiplayer.get_unique_id()
	provoke("Supplied MultiplayerPeer must be connecting or connected.")
	multiplayer.multiplayer_peer = ENetMultiplayerPeer.new()


func of_peers() -> void:
	provoke("The multiplayer instance isn't currently active.")
	ENetMultiplayerPeer.new().get_unique_id()
	provoke("Couldn't connect to the ENet multiplayer server.")
	ENetMultiplayerPeer.new().create_client("127.0.0.1", 0)
	provoke("The number of clients must be set between 1 and 4095 (inclusive).")
	ENetMultiplayerPeer.new().create_server(port + 1, 0)
	await authenticate()
	provoke("Buffer full, dropping packets!")
	var receiver := PacketPeerUDP.new()
	var sender := PacketPeerUDP.new()
	receiver.bind(port + 2, "127.0.0.1")
	sender.set_dest_address("127.0.0.1", port + 2)
	for i in 140:
		sender.put_packet("".rpad(1000).to_utf8_buffer())
		receiver.get_available_packet_count()


# A server and a client with APIs of their own.
func authenticate() -> void:
	var apis: Array[SceneMultiplayer] = [SceneMultiplayer.new(), SceneMultiplayer.new()]
	var peers: Array[ENetMultiplayerPeer] = [ENetMultiplayerPeer.new(), ENetMultiplayerPeer.new()]
	peers[0].create_server(port + 1)
	peers[1].create_client("127.0.0.1", port + 1)
	for i in 2:
		apis[i].auth_callback = func(_id: int, _data: PackedByteArray) -> void: pass
		apis[i].multiplayer_peer = peers[i]
	await poll(apis, func() -> bool: return apis[0].get_authenticating_peers() and apis[1].get_authenticating_peers())
	apis[1].complete_auth(1)
	provoke("The authentication session was already marked as completed.")
	apis[1].complete_auth(1)
	provoke("The authentication session was previously marked as completed, no more authentication data can be sent.")
	apis[1].send_auth(1, PackedByteArray([1]))
	await poll(apis, func() -> bool: return false)
	provoke("The remote peer notified that the authentication session was completed, no more authentication data can be sent.")
	apis[0].send_auth(apis[0].get_authenticating_peers()[0], PackedByteArray([1]))
	for peer in peers:
		peer.close()


func poll(apis: Array[SceneMultiplayer], until: Callable) -> void:
	for i in 60:
		for api in apis:
			api.poll()
		if until.call():
			return
		await pause(0.01)


func while_connected() -> void:
	provoke("Attempt to call RPC with unknown peer ID: 12345")
	rpc_id(12345, "at_server", "")
	provoke("RPC 'at_server' on yourself is not allowed by selected mode.")
	rpc_id(multiplayer.get_unique_id(), "at_server", "")
	provoke("Unable to get the RPC configuration for the function \"not_remote\"")
	rpc("not_remote")
	provoke("The object must be a valid Node inside the SceneTree")
	var outside := Node.new()
	multiplayer.rpc(1, outside, "at_server", [])
	outside.free()
	provoke("Trying to send an empty raw packet.")
	multiplayer.send_bytes(PackedByteArray())
	rpc_id(1, "at_server", 5) # the server refuses its type
	await pause(0.1)


func not_remote() -> void:
	pass


# What the server spawns, and this end does not make.
func of_spawners() -> void:
	const TEXTS := {
		"Custom": "Custom spawn requires a valid 'spawn_function'.",
		"Nothing": "The spawn function must return a Node.",
		"Fewer": "Index (uint32_t)p_id = 1 is out of bounds",
		"Nowhere": "Parameter \"parent\" is null.",
		"Named": "Invalid node name received: '@bad'.",
	}
	for title: String in TEXTS:
		provoke(str(TEXTS[title]))
		Log.call_at(1, self, "at_server", [title])
		await pause(0.5)
	Log.call_at(1, self, "at_server", ["Theirs"])
	await pause()
	var spawner: MultiplayerSpawner = $Theirs
	spawner.spawn_function = func(_data: Variant) -> Node: return Node.new()
	spawner.set_multiplayer_authority(multiplayer.get_unique_id())
	spawner.spawn()
	await pause(0.5)
	spawner.free()


# An API that does not know its part of the tree.
func without_a_root() -> void:
	var api := SceneMultiplayer.new()
	var peer := ENetMultiplayerPeer.new()
	peer.create_client("127.0.0.1", port)
	api.multiplayer_peer = peer
	var apis: Array[SceneMultiplayer] = [api]
	await poll(apis, func() -> bool: return not api.get_peers().is_empty())
	Log.call_at(1, self, "at_server", ["confirmed"])
	await poll(apis, func() -> bool: return false)
	peer.set_target_peer(1)
	for id in range(1, 40): # those that are not announced to this peer
		peer.put_packet(PackedByteArray([2, 1, id, 0, 0, 0]))
	await poll(apis, func() -> bool: return false)
	provoke("Multiplayer root was not initialized.")
	Log.call_at(1, self, "at_server", ["announce"])
	await poll(apis, func() -> bool: return false)
	peer.close()


@rpc("any_peer")
func at_server(step: String) -> void:
	Log.called(self, "at_server", [step])
	if step == "Custom" or step == "Nothing":
		(get_node(step) as MultiplayerSpawner).spawn(1)
	elif step == "Fewer" or step == "Nowhere":
		get_node(step + "Parent").add_child(Other.instantiate(), true)
	elif step == "Named":
		spawn_with_a_bad_name()
	elif step == "Theirs":
		provoke("Condition \"p_from != spawner->get_multiplayer_authority()\" is true.")
	elif step == "confirmed":
		provoke("Invalid packet received. Tries to confirm a node which was not requested.")
		rpc_id(multiplayer.get_remote_sender_id(), "announced")
	elif step == "announce":
		rpc("announced")
	else:
		await call(step)


@rpc
func announced() -> void:
	Log.called(self, "announced")


# No engine sends a node whose name it would have to refuse.
func spawn_with_a_bad_name() -> void:
	var path := "Main/Named".to_utf8_buffer()
	var peer := multiplayer.multiplayer_peer
	peer.set_target_peer(multiplayer.get_remote_sender_id())
	peer.transfer_mode = MultiplayerPeer.TRANSFER_MODE_RELIABLE
	peer.put_packet(PackedByteArray([1]) + "".md5_text().to_ascii_buffer() + PackedByteArray([0, 200, 0, 0, 0]) + path + PackedByteArray([0]))
	peer.put_packet(PackedByteArray([4, 0, 200, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0]) + "@bad".to_utf8_buffer())


func synchronized_thing(title: String, property: String, mode: SceneReplicationConfig.ReplicationMode, spawned := false) -> Node:
	var thing := Thing.instantiate()
	thing.name = title
	var synchronizer := MultiplayerSynchronizer.new()
	var config := SceneReplicationConfig.new()
	config.add_property(property)
	config.property_set_spawn(property, spawned)
	config.property_set_replication_mode(property, mode)
	synchronizer.name = "Synchronizer"
	synchronizer.replication_config = config
	thing.add_child(synchronizer)
	return thing


func wide() -> void:
	provoke("Node states bigger than MTU will not be sent")
	await show_thing(synchronized_thing("wide", ".:text", SceneReplicationConfig.REPLICATION_MODE_ALWAYS))


func delta() -> void:
	multiplayer.max_delta_packet_size = 128
	provoke("Synchronizer delta bigger than MTU will not be sent")
	await show_thing(synchronized_thing("delta", ".:text", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE))


func sync_state() -> void:
	provoke("Unable to retrieve sync state.")
	await show_thing(synchronized_thing("sync_state", ".:missing", SceneReplicationConfig.REPLICATION_MODE_ALWAYS))


func show_thing(thing: Node) -> void:
	add_child(thing)
	await pause(0.3)
	thing.text = "".rpad(3000)
	await pause(0.1)
	thing.free()


func spawn_state() -> void:
	provoke("Unable to retrieve spawn state.")
	$AgainParent.add_child(synchronized_thing("spawn_state", ".:missing", SceneReplicationConfig.REPLICATION_MODE_NEVER, true), true)


# A node is ready only once.
func spawned_again() -> void:
	var thing := Other.instantiate()
	$AgainParent.add_child(thing, true)
	await pause(0.1)
	$AgainParent.remove_child(thing)
	await pause(0.1)
	provoke("An error happened during last spawn")
	$AgainParent.add_child(thing, true)
