# SPDX-License-Identifier: GPL-2.0-or-later
# One value per datagram by PacketPeerUDP.put_var; the other side logs what get_var returned.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")
const PORT := 21001

var peer := PacketPeerUDP.new()
var values: Array


func _initialize() -> void:
	values = Values.every_type()
	if OS.get_environment("ROLE") == "receiver":
		assert(peer.bind(PORT, "127.0.0.1", 1 << 20) == OK)
		Log.record("ready")
	else:
		assert(peer.connect_to_host("127.0.0.1", PORT) == OK)


func _process(_delta: float) -> bool:
	OS.delay_msec(2)
	return receive() if OS.get_environment("ROLE") == "receiver" else send()


func send() -> bool:
	var entry: Array = values.pop_front()
	var full := entry.size() > 2
	var error := peer.put_var(entry[1], full)
	Log.value("put_var", entry[0], entry[1], full, {"error": error})
	return values.is_empty()


func receive() -> bool:
	while peer.get_available_packet_count() > 0:
		var entry: Array = values.pop_front()
		var full := entry.size() > 2
		Log.value("get_var", entry[0], peer.get_var(full), full, {"error": peer.get_packet_error()})
	return values.is_empty()
