# SPDX-License-Identifier: GPL-2.0-or-later
# A mesh of three: one connection for each pair, opened by the higher id, no server. Environment: ID of this player (from 1),
# PORT of the pair 1 and 2 (the next ones: 1 and 3, 2 and 3), OWN_PORT of who opens the first connection (else any), DATA:
# what a connection sends along; SECONDS that it lives.
extends Node

const PLAYERS := 3
var id := int(OS.get_environment("ID"))
var number := 0
var mesh := ENetMultiplayerPeer.new()
var joining := {}  # other player: connection


func port_of(one: int, other: int) -> int:
	return int(OS.get_environment("PORT")) + (one - 1) * (PLAYERS - 1) + other - 2


func _ready() -> void:
	mesh.create_mesh(id)
	multiplayer.multiplayer_peer = mesh
	multiplayer.peer_connected.connect(func(peer): Log.record("peer_connected", {"me": id, "id": peer}))
	multiplayer.peer_disconnected.connect(func(peer): Log.record("peer_disconnected", {"me": id, "id": peer}))
	for other in range(id + 1, PLAYERS + 1):
		var host := ENetConnection.new()
		host.create_host_bound("127.0.0.1", port_of(id, other), 1)
		joining[other] = host
	Log.record("ready", {"me": id})
	if id > 1:
		for other in range(1, id):
			var host := ENetConnection.new()
			if OS.get_environment("OWN_PORT"):
				host.create_host_bound("127.0.0.1", int(OS.get_environment("OWN_PORT")) + 2 * other + id - 4, 1)
			else:
				host.create_host(1)
			host.connect_to_host("127.0.0.1", port_of(other, id), 0, int(OS.get_environment("DATA")) if OS.get_environment("DATA") else id)
			joining[other] = host
	play()


func _process(_delta: float) -> void:
	for other in joining.keys():
		var host: ENetConnection = joining[other]
		if host.service()[0] == ENetConnection.EVENT_CONNECT:
			joining.erase(other)
			mesh.add_mesh_peer(other, host)


func play() -> void:
	while multiplayer.get_peers().size() < PLAYERS - 1:
		await get_tree().create_timer(0.02).timeout
	await get_tree().create_timer(0.5).timeout
	for round in 12:
		for peer in multiplayer.get_peers():
			call_at(peer, self, "tell")
		call_at(0, self, "shout")
		if round % 3 == 0:
			call_at(0, $Seat, "own")
		await get_tree().create_timer(0.05 + 0.007 * id).timeout
	await get_tree().create_timer(1.0).timeout
	Log.record("closed")
	get_tree().quit()


func call_at(peer: int, node: Node, method: String) -> void:
	number += 1
	Log.call_at(peer, node, method, [number])


@rpc("any_peer", "reliable")
func tell(of: int) -> void:
	Log.called(self, "tell", [of])


@rpc("any_peer", "unreliable")
func shout(of: int) -> void:
	Log.called(self, "shout", [of])
