# SPDX-License-Identifier: MIT
## Records of packets and bytes that are not the multiplayer API's; for RecorderPacketPeer and
## RecorderStreamPeer.
class_name RecorderRaw
extends RefCounted

var _writer: RecorderWriter
var _interface := 0
var _recording := 0
var _kind := 0
var _count := 0


func _init(wrapped: Object, writer: RecorderWriter, name: String, kind: int) -> void:
	_writer = writer
	_kind = kind
	_recording = RecorderRecord.new_recording()
	var peer_class := RecorderRecord.class_of(wrapped)
	_interface = writer.add_interface(name if name else peer_class)
	var head := RecorderRecord.make_head(RecorderRecord.KIND_RECORDER, 0, _recording, 0, 0, 0)
	head.append_array(JSON.stringify(RecorderRecord.describe(peer_class)).to_utf8_buffer())
	writer.write(_interface, head, RecorderWriter.KEY_RECORDER)


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE and _writer:
		_writer.release_interface(_interface)


func write(received: bool, bytes: PackedByteArray) -> void:
	if bytes.is_empty() or not _writer.is_open():
		return
	_count += 1
	var record := RecorderRecord.make_head(_kind, RecorderRecord.FLAG_RECEIVED if received else 0,
			_recording, 0, 0, 0, _count)
	record.append_array(bytes)
	_writer.write(_interface, record)
