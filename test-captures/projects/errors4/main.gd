# SPDX-License-Identifier: GPL-2.0-or-later
# Connections that fail. Environment: ROLE (server or client); PORT; COMPRESSION mode 0..4; SECONDS that it lives; TICK, seconds
# between calls; for a server MAX clients, REFUSE: it refuses new connections; AUTHENTICATE: "reject" (the server throws out who
# authenticates) or "wait" (nobody completes the authentication).
extends Node

var is_server := OS.get_environment("ROLE") == "server"
var api: SceneMultiplayer


func _ready() -> void:
	var port := int(OS.get_environment("PORT"))
	var peer := ENetMultiplayerPeer.new()
	api = multiplayer
	api.peer_connected.connect(func(id): note("peer_connected", id))
	api.peer_disconnected.connect(func(id): note("peer_disconnected", id))
	api.peer_authentication_failed.connect(func(id): note("authentication_failed", id))
	api.peer_packet.connect(func(id, packet): Log.record("raw", {"from": id, "hex": packet.hex_encode()}))
	api.connected_to_server.connect(func(): note("connected_to_server", 1))
	api.connection_failed.connect(end.bind("connection_failed"))
	api.server_disconnected.connect(end.bind("server_disconnected"))
	if OS.get_environment("AUTHENTICATE"):
		api.auth_callback = authenticate
		api.peer_authenticating.connect(func(id): api.send_auth(id, "let me in".to_utf8_buffer()))
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(port, int(OS.get_environment("MAX")))
	else:
		peer.create_client("127.0.0.1", port)
	peer.host.compress(int(OS.get_environment("COMPRESSION")))
	peer.refuse_new_connections = OS.get_environment("REFUSE") == "1"
	api.multiplayer_peer = peer
	if is_server:
		Log.record("ready")
	await live(float(OS.get_environment("SECONDS")))
	if not is_server:
		api.multiplayer_peer.close()
	get_tree().quit()


func note(what: String, id: int) -> void:
	Log.record(what, {"id": id, "me": api.get_unique_id(), "time": Time.get_unix_time_from_system()})


func end(what: String) -> void:
	Log.record(what, {"time": Time.get_unix_time_from_system()})
	get_tree().quit()


func live(seconds: float) -> void:
	var until := Time.get_ticks_msec() + int(seconds * 1000)
	while Time.get_ticks_msec() < until:
		await get_tree().create_timer(float(OS.get_environment("TICK"))).timeout
		for id in api.get_peers():
			Log.call_at(id, self, "tick", [Time.get_ticks_msec()])


func authenticate(id: int, data: PackedByteArray) -> void:
	Log.record("auth", {"from": id, "hex": data.hex_encode()})
	if is_server and OS.get_environment("AUTHENTICATE") == "reject":
		Log.record("disconnect_peer", {"id": id})
		api.disconnect_peer(id)


@rpc("any_peer")
func tick(now: int) -> void:
	Log.called(self, "tick", [now])
