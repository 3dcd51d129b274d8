# SPDX-License-Identifier: GPL-2.0-or-later
# Values by ENetPacketPeer.put_var, a bare number after each longer one; the server logs what get_var returned.
extends SceneTree

const Log = preload("log.gd")
const PORT := 21031

var host := ENetConnection.new()
var serving := OS.get_environment("ROLE") == "server"
var list := [
	["wave", 1], ["state", {"id": 1203, "position": Vector2(12.5, -7.25)}], ["ready", true], ["health", 100],
	["chat", "see you at the gate"], ["health", 95], ["speed", 2.5], ["dead", false], ["target", null],
	["path", [Vector2i(1, 2), Vector2i(3, 4)]], ["money", -5], ["stamp", 5000000000], ["place", Vector2(3, 4)],
]


func _initialize() -> void:
	if serving:
		host.create_host_bound("127.0.0.1", PORT, 2, 1)
		Log.record("ready")
	else:
		host.create_host(1, 1)
		host.connect_to_host("127.0.0.1", PORT, 1)


func _process(_delta: float) -> bool:
	var event := host.service(20)
	var peer: ENetPacketPeer = event[1]
	match event[0]:
		ENetConnection.EVENT_CONNECT:
			if not serving:
				for entry in list:
					var error := peer.put_var(entry[1])
					host.flush() # each in a datagram of its own
					Log.value("put_var", entry[0], entry[1], false, {"error": error})
				peer.peer_disconnect_later()
		ENetConnection.EVENT_RECEIVE:
			var entry: Array = list.pop_front()
			Log.value("get_var", entry[0], peer.get_var())
		ENetConnection.EVENT_DISCONNECT:
			return true
	return false
