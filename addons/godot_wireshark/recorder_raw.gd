# SPDX-License-Identifier: MIT
## Records of packets and bytes that are not the multiplayer API's; for RecorderPacketPeer and RecorderStreamPeer.
class_name RecorderRaw
extends RefCounted

const KIND_PACKET := 5
const KIND_STREAM := 6

var _writer: RecorderWriter
var _interface := 0
var _recording := 0
var _kind := 0


func _init(wrapped: Object, writer: RecorderWriter, name: String, kind: int) -> void:
	_writer = writer
	_kind = kind
	_recording = RecorderPeer.new_recording()
	var peer_class := RecorderPeer.class_of(wrapped)
	_interface = writer.add_interface("%s %08x" % [name if name else peer_class, _recording])
	var head := RecorderPeer.make_head(RecorderPeer.KIND_RECORDER, 0, _recording, 0, 0, 0)
	head.append_array(JSON.stringify(RecorderPeer.describe(peer_class)).to_utf8_buffer())
	writer.write(_interface, head, true)


func write(received: bool, bytes: PackedByteArray) -> void:
	if bytes.is_empty() or not _writer.is_open():
		return
	var record := RecorderPeer.make_head(_kind, RecorderPeer.FLAG_RECEIVED if received else 0, _recording, 0, 0, 0)
	record.append_array(bytes)
	_writer.write(_interface, record)
