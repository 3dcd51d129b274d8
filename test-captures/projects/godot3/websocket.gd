# SPDX-License-Identifier: GPL-2.0-or-later
# Values by put_var of a WebSocketClient's peer, text messages between them; the server answers each text.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")
const PORT = 21021

var serving = OS.get_environment("ROLE") == "server"
var socket
var peer
var values = Values.new()
var list = values.every_type()
var index = 0
var answered = false
var texts = 0
var answers = 0


func _initialize():
	if serving:
		socket = WebSocketServer.new()
		socket.connect("client_connected", self, "_client_connected")
		socket.connect("client_disconnected", self, "_closed")
		socket.set_buffers(1024, 2048, 1024, 2048)
		assert(socket.listen(PORT, [], false) == OK)
		Log.record("ready")
	else:
		socket = WebSocketClient.new()
		socket.connect("connection_established", self, "_established")
		socket.connect("connection_closed", self, "_closed", [0])
		socket.set_buffers(1024, 2048, 1024, 2048)
		assert(socket.connect_to_url("ws://127.0.0.1:%d/game" % PORT, [], false) == OK)


func _client_connected(id, _protocol):
	peer = socket.get_peer(id)


func _established(_protocol):
	peer = socket.get_peer(1)


func _closed(_id = 0, clean = false):
	Log.record("closed", {"clean": clean})
	quit()


func _idle(_delta):
	OS.delay_msec(1)
	socket.poll()
	if peer and peer.is_connected_to_host():
		receive()
		if not serving:
			send()


func send():
	if index == list.size() and answers == texts:
		index += 1
		peer.close(1000, "that was all")
	elif index < list.size():
		var entry = list[index]
		index += 1
		var full = entry.size() > 2
		peer.set_write_mode(WebSocketPeer.WRITE_MODE_BINARY)
		Log.value("put_var", entry[0], entry[1], full, {"error": peer.put_var(entry[1], full)})
		if text_is_due():
			send_text("{\"chat\": \"cześć %d\"}" % index)
			texts += 1


# After every twentieth value and the last.
func text_is_due():
	return index > 0 and index % 20 == 0 or index == list.size()


func send_text(text):
	peer.set_write_mode(WebSocketPeer.WRITE_MODE_TEXT)
	Log.record("send_text", {"text": text, "error": peer.put_packet(text.to_utf8())})


func receive():
	while peer.get_available_packet_count() > 0:
		if not serving or text_is_due() and not answered:
			var text = peer.get_packet().get_string_from_utf8()
			assert(peer.was_string_packet())
			Log.record("get_text", {"text": text})
			answered = true
			answers += 1
			if serving:
				send_text("ok")
			continue
		answered = false
		var entry = list[index]
		var full = entry.size() > 2
		if entry.size() > 3:
			Log.record("get_packet", {"name": entry[0], "hex": peer.get_packet().hex_encode()})
		else:
			Log.value("get_var", entry[0], peer.get_var(full), full, {"error": peer.get_packet_error()})
		index += 1
