# SPDX-License-Identifier: GPL-2.0-or-later
# One value per datagram by PacketPeerUDP.put_var; the other side logs what get_var returned.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")
const PORT = 21001

var peer = PacketPeerUDP.new()
var values = Values.new()
var list = values.every_type()


func _initialize():
	if OS.get_environment("ROLE") == "receiver":
		assert(peer.listen(PORT, "127.0.0.1", 1 << 20) == OK)
		Log.record("ready")
	else:
		assert(peer.set_dest_address("127.0.0.1", PORT) == OK)


func _idle(_delta):
	OS.delay_msec(2)
	if OS.get_environment("ROLE") == "receiver":
		receive()
	elif not list.empty():
		send(list.pop_front())
	if list.empty():
		quit()


func send(entry):
	var full = entry.size() > 2
	var error = peer.put_var(entry[1], full)
	Log.value("put_var", entry[0], entry[1], full, {"error": error})


func receive():
	while peer.get_available_packet_count() > 0:
		var entry = list.pop_front()
		var full = entry.size() > 2
		if entry.size() > 3:
			Log.record("get_packet", {"name": entry[0], "full": full, "hex": peer.get_packet().hex_encode()})
		else:
			Log.value("get_var", entry[0], peer.get_var(full), full, {"error": peer.get_packet_error()})
