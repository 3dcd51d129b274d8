# SPDX-License-Identifier: GPL-2.0-or-later
# What the recorder costs per packet: time and allocations, of RPCs between a server and a client in one process.
extends Node

const CALLS := 5000
const PER_FRAME := 17 # about 1,000 a second at 60 frames a second

var received := 0


@rpc("any_peer", "reliable")
func take(_position: Vector3, _rotation: float) -> void:
	received += 1


func _ready() -> void:
	var other := Node.new()
	other.name = "Client"
	get_tree().root.add_child.call_deferred(other)
	await get_tree().process_frame
	await run(other)
	get_tree().quit()


# The server has this node, the client one with the same name below its own root.
func run(other: Node) -> void:
	var client := SceneMultiplayer.new()
	get_tree().set_multiplayer(client, other.get_path())
	var twin: Node = load("res://twin.gd").new()
	twin.name = name
	other.add_child(twin)
	var server_peer := ENetMultiplayerPeer.new()
	server_peer.create_server(int(OS.get_environment("PORT")))
	multiplayer.multiplayer_peer = server_peer
	var client_peer := ENetMultiplayerPeer.new()
	client_peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	client.multiplayer_peer = client_peer
	await client.connected_to_server
	for i in 30:
		rpc("take", Vector3(1, 2, 3), 0.5) # until the path is confirmed
		await get_tree().process_frame
	var before := int(OS.get_environment("ALLOCATIONS"))
	var spent := 0
	var longest := 0
	var frames := 0
	for sent in range(0, CALLS, PER_FRAME):
		var start := Time.get_ticks_usec()
		for i in PER_FRAME:
			rpc("take", Vector3(1, 2, 3), 0.5)
		client.poll()
		multiplayer.poll()
		var took := Time.get_ticks_usec() - start
		spent += took
		longest = maxi(longest, took)
		frames += 1
		await get_tree().process_frame
	var allocations := int(OS.get_environment("ALLOCATIONS")) - before
	print(JSON.stringify({
		"recorded": multiplayer is RecorderAPI or multiplayer.multiplayer_peer is RecorderPeer, "calls": frames * PER_FRAME,
		"microseconds_per_call": snappedf(float(spent) / (frames * PER_FRAME), 0.1),
		"microseconds_per_frame": snappedf(float(spent) / frames, 0.1), "longest_frame": longest,
		"allocations_per_call": snappedf(float(allocations) / (frames * PER_FRAME), 0.1),
	}))
