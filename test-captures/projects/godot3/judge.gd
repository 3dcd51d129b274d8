# SPDX-License-Identifier: GPL-2.0-or-later
# Receives COUNT datagrams, most of them damaged, and logs what PacketPeerUDP.get_var makes of each.
extends SceneTree

const Log = preload("log.gd")
const PORT = 21002

var peer = PacketPeerUDP.new()
var left = int(OS.get_environment("COUNT"))


func _initialize():
	assert(peer.listen(PORT, "127.0.0.1", 1 << 20) == OK)
	Log.record("ready")


func _idle(_delta):
	while peer.get_available_packet_count() > 0:
		var value = peer.get_var()
		Log.record("decoded")  # what the engine complains about later is about the logging
		Log.value("get_var", "", value)
		peer.set_dest_address("127.0.0.1", peer.get_packet_port())
		peer.put_packet("next".to_utf8())
		left -= 1
	OS.delay_msec(1)
	if left == 0:
		quit()
