# SPDX-License-Identifier: GPL-2.0-or-later
# Both ends of a connection that nobody admits, though they ask each second, and that no auth_timeout ends. Environment: ROLE, PORT.
extends SceneTree

var api: SceneMultiplayer


func _initialize() -> void:
	var peer := ENetMultiplayerPeer.new()
	var is_server := OS.get_environment("ROLE") == "server"
	api = get_multiplayer()
	api.auth_timeout = 0
	api.auth_callback = func(id, data): Log.record("auth", {"from": id, "hex": data.hex_encode()})
	if is_server:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(int(OS.get_environment("PORT")), 1)
	else:
		peer.create_client("127.0.0.1", int(OS.get_environment("PORT")))
	api.multiplayer_peer = peer
	if is_server:
		Log.record("ready")
	for second in 5:
		for id in api.get_authenticating_peers():
			api.send_auth(id, "let me in".to_utf8_buffer())
		await create_timer(1).timeout
	Log.record("waiting", {"peers": Array(api.get_peers()), "authenticating": Array(api.get_authenticating_peers())})
