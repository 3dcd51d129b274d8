# SPDX-License-Identifier: GPL-2.0-or-later
# Values by WebSocketPeer.put_var, text messages between them; the server answers each text.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")
const PORT := 21021

var server: TCPServer
var peer := WebSocketPeer.new()
var serving := OS.get_environment("ROLE") == "server"
var list: Array
var index := 0
var answered := false
var texts := 0
var answers := 0


func _initialize() -> void:
	list = Values.every_type() + Values.big()
	peer.inbound_buffer_size = 1 << 20
	peer.outbound_buffer_size = 1 << 20
	if serving:
		server = TCPServer.new()
		assert(server.listen(PORT, "127.0.0.1") == OK)
		Log.record("ready")
	else:
		assert(peer.connect_to_url("ws://127.0.0.1:%d/game" % PORT) == OK)


func _process(_delta: float) -> bool:
	OS.delay_msec(1)
	if server and server.is_connection_available():
		peer.accept_stream(server.take_connection())
	peer.poll()
	match peer.get_ready_state():
		WebSocketPeer.STATE_OPEN:
			receive()
			if not serving:
				send()
		WebSocketPeer.STATE_CLOSED:
			if not serving or index > 0:
				Log.record("closed", {"code": peer.get_close_code(), "reason": peer.get_close_reason()})
				return true
	return false


func send() -> void:
	if index == list.size() and answers == texts:
		index += 1
		peer.close(1000, "that was all")
	elif index < list.size():
		var entry: Array = list[index]
		index += 1
		var full := entry.size() > 2
		Log.value("put_var", entry[0], entry[1], full, {"error": peer.put_var(entry[1], full)})
		if text_is_due():
			var text := "{\"chat\": \"cześć %d\"}" % index
			Log.record("send_text", {"text": text, "error": peer.send_text(text)})
			texts += 1


# After every twentieth value and the last.
func text_is_due() -> bool:
	return index > 0 and index % 20 == 0 or index == list.size()


func receive() -> void:
	while peer.get_available_packet_count() > 0:
		# Whether the next one is text shows only after it was taken, so the order of the client decides.
		var full: bool = index < list.size() and list[index].size() > 2
		if not serving or text_is_due() and not answered:
			var text := peer.get_packet().get_string_from_utf8()
			assert(peer.was_string_packet())
			Log.record("get_text", {"text": text})
			answered = true
			answers += 1
			if serving:
				Log.record("send_text", {"text": "ok", "error": peer.send_text("ok")})
		else:
			answered = false
			var value: Variant = peer.get_var(full)
			Log.value("get_var", list[index][0], value, full, {"error": peer.get_packet_error()})
			index += 1
