# SPDX-License-Identifier: GPL-2.0-or-later
# Values over TCP. MODE: tcp, chopped (with fewer values), big-endian, packet-stream, joined (many values in one write),
# mixed (bare integers, strings and raw bytes between the values). TARGET: port to connect to, other than PORT when a relay is in between.
extends SceneTree

const Log = preload("log.gd")
const Values = preload("values.gd")

var mode = OS.get_environment("MODE")
var port = int(OS.get_environment("PORT"))
var stream = StreamPeerTCP.new()
var source = Values.new()


func _initialize():
	if OS.get_environment("ROLE") == "receiver":
		var server = TCP_Server.new()
		assert(server.listen(port, "127.0.0.1") == OK)
		Log.record("ready")
		while not server.is_connection_available():
			OS.delay_msec(5)
		stream = server.take_connection()
	else:
		assert(stream.connect_to_host("127.0.0.1", int(OS.get_environment("TARGET"))) == OK)
		while stream.get_status() == StreamPeerTCP.STATUS_CONNECTING:
			OS.delay_msec(1)
	stream.set_no_delay(not mode in ["tcp", "chopped"])
	stream.big_endian = mode == "big-endian"
	var sending = OS.get_environment("ROLE") == "sender"
	match mode:
		"packet-stream":
			packets(sending)
		"mixed":
			for step in mixed():
				mix(sending, step[0], step[1])
		"joined":
			if sending:
				joined()
			else:
				values(false, stream)
		_:
			values(sending, stream)
	while sending and stream.get_status() == StreamPeerTCP.STATUS_CONNECTED:
		OS.delay_msec(5)
	stream.disconnect_from_host()
	quit()


func list():
	match mode:
		"tcp":
			return source.short() + source.big() + source.big_text_and_world()
		"chopped":
			return source.short() + source.big()
	return source.short()


func values(sending, target):
	for entry in list():
		var full = entry.size() > 2
		if sending:
			target.put_var(entry[1], full)
			Log.value("put_var", entry[0], entry[1], full)
		else:
			Log.value("get_var", entry[0], target.get_var(full), full)


func joined():
	var buffer = StreamPeerBuffer.new()
	values(true, buffer)
	stream.put_data(buffer.data_array)


func packets(sending):
	var peer = PacketPeerStream.new()
	peer.input_buffer_max_size = 1 << 20
	peer.output_buffer_max_size = 1 << 20
	peer.stream_peer = stream
	for entry in list():
		var full = entry.size() > 2
		if sending:
			Log.value("put_var", entry[0], entry[1], full, {"error": peer.put_var(entry[1], full)})
		else:
			while peer.get_available_packet_count() == 0:
				OS.delay_msec(1)
			var value = peer.get_var(full)
			Log.value("get_var", entry[0], value, full, {"error": peer.get_packet_error()})


# [method without put_ or get_, value]
func mixed():
	return [
		["var", {"hello": 1}], ["32", 7], ["var", Vector3(1, 2, 3)], ["utf8_string", "Zażółć"], ["var", "text"],
		["string", "ascii only"], ["var", [1, 2, 3]], ["u8", 255], ["var", 42], ["16", -2], ["var", null],
		["u64", 5000000000], ["var", 1.5], ["float", 0.5], ["var", true], ["double", 0.1], ["var", {"a": [1, {}]}],
		["utf8_string", ""], ["utf8_string", "long ".repeat(100)], ["var", source.player_state()],
		["data", PoolByteArray([1, 254, 0, 5, 255, 19, 0, 0])], ["var", PoolStringArray(["a", "b"])], ["var", Color(1, 0, 0)], ["32", 8], ["32", 2], ["32", 5], ["var", "after bare integers"],
		["data", PoolByteArray([255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255])], ["var", {"last": true}],
	]


func mix(sending, method, value):
	var wire = StreamPeerBuffer.new()
	wire.call("put_" + method, value)
	var fields = {"wire": wire.data_array.hex_encode()}
	if sending:
		stream.call("put_" + method, value)
		Log.value("put_" + method, "", value, false, fields)
		return
	var got
	if method == "data":
		got = stream.get_data(value.size())[1]
	else:
		got = stream.call("get_" + method)
	Log.value("get_" + method, "", got)
