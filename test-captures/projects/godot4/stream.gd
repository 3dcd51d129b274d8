# SPDX-License-Identifier: GPL-2.0-or-later
# Values over TCP. MODE: tcp, chopped (with fewer values), big-endian, packet-stream, joined (many values in one write),
# mixed (bare integers, strings and raw bytes between the values). TARGET: port to connect to, other than PORT when a relay is in between.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")

var mode := OS.get_environment("MODE")
var port := OS.get_environment("PORT").to_int()
var stream := StreamPeerTCP.new()


func _initialize() -> void:
	if OS.get_environment("ROLE") == "receiver":
		var server := TCPServer.new()
		assert(server.listen(port, "127.0.0.1") == OK)
		Log.record("ready")
		while not server.is_connection_available():
			OS.delay_msec(5)
		stream = server.take_connection()
	else:
		assert(stream.connect_to_host("127.0.0.1", OS.get_environment("TARGET").to_int()) == OK)
		while stream.get_status() == StreamPeerTCP.STATUS_CONNECTING:
			stream.poll()
	stream.set_no_delay(mode not in ["tcp", "chopped"])
	stream.big_endian = mode == "big-endian"
	var sending := OS.get_environment("ROLE") == "sender"
	match mode:
		"packet-stream":
			packets(sending)
		"mixed":
			for step in mixed():
				mix(sending, step[0], step[1])
		"joined":
			joined() if sending else values(false, stream)
		_:
			values(sending, stream)
	while sending and stream.get_status() == StreamPeerTCP.STATUS_CONNECTED:
		OS.delay_msec(5)
		stream.poll()
	stream.disconnect_from_host()
	quit()


func list() -> Array:
	match mode:
		"tcp":
			return Values.short() + Values.big() + Values.big_text_and_world()
		"chopped":
			return Values.short() + Values.big()
	return Values.short()


func values(sending: bool, target: StreamPeer) -> void:
	for entry in list():
		var full: bool = entry.size() > 2
		if sending:
			target.put_var(entry[1], full)
			Log.value("put_var", entry[0], entry[1], full)
		else:
			Log.value("get_var", entry[0], target.get_var(full), full)


func joined() -> void:
	var buffer := StreamPeerBuffer.new()
	values(true, buffer)
	stream.put_data(buffer.data_array)


func packets(sending: bool) -> void:
	var peer := PacketPeerStream.new()
	peer.input_buffer_max_size = 1 << 20
	peer.output_buffer_max_size = 1 << 20
	peer.stream_peer = stream
	for entry in list():
		var full: bool = entry.size() > 2
		if sending:
			Log.value("put_var", entry[0], entry[1], full, {"error": peer.put_var(entry[1], full)})
		else:
			while peer.get_available_packet_count() == 0:
				OS.delay_msec(1)
			var value: Variant = peer.get_var(full)
			Log.value("get_var", entry[0], value, full, {"error": peer.get_packet_error()})


# [method without put_ or get_, value]
func mixed() -> Array:
	return [
		["var", {"hello": 1}], ["32", 7], ["var", Vector3(1, 2, 3)], ["utf8_string", "Zażółć"], ["var", "text"],
		["string", "ascii only"], ["var", [1, 2, 3]], ["u8", 255], ["var", 42], ["16", -2], ["var", null],
		["u64", 5000000000], ["var", 1.5], ["float", 0.5], ["var", true], ["double", 0.1], ["var", {"a": [1, {}]}],
		["utf8_string", ""], ["utf8_string", "long ".repeat(100)], ["var", Values.player_state()],
		["data", "01fe0005ff1c0000".hex_decode()], ["var", PackedStringArray(["a", "b"])], ["half", 1.5],
		["var", Color.RED], ["32", 8], ["32", 2], ["32", 5], ["var", "after bare integers"],
		["data", "ffffffff00000000ffffffff".hex_decode()], ["var", {"last": true}],
	]


func mix(sending: bool, method: String, value: Variant) -> void:
	var wire := StreamPeerBuffer.new()
	wire.call("put_" + method, value)
	var fields := {"wire": wire.data_array.hex_encode()}
	if sending:
		stream.call("put_" + method, value)
		Log.value("put_" + method, "", value, false, fields)
		return
	var got: Variant
	if method == "data":
		got = stream.get_data(value.size())[1]
	else:
		got = stream.call("get_" + method)
	Log.value("get_" + method, "", got)
