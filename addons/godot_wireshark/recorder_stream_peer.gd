# SPDX-License-Identifier: MIT
## A StreamPeer as scripts use it, recorded for Wireshark: everything is passed on to [member peer], the bytes of each call are
## one record. Calls that are not here are made at [member peer] and are not recorded.
class_name RecorderStreamPeer
extends RefCounted

var peer: StreamPeer

var _records: RecorderRaw


## name: what to call the recording, the class of the peer if it is empty.
func _init(wrapped: StreamPeer, writer: RecorderWriter, name := "") -> void:
	peer = wrapped
	_records = RecorderRaw.new(wrapped, writer, name, RecorderRaw.KIND_STREAM)


func get_available_bytes() -> int:
	return peer.get_available_bytes()


func put_data(data: PackedByteArray) -> Error:
	_records.write(false, data)
	return peer.put_data(data)


## As StreamPeer: [error, number of bytes that were sent].
func put_partial_data(data: PackedByteArray) -> Array:
	var result := peer.put_partial_data(data)
	var sent: int = result[1]
	_records.write(false, data.slice(0, sent))
	return result


## As StreamPeer: [error, bytes].
func get_data(bytes: int) -> Array:
	return _received(peer.get_data(bytes))


func get_partial_data(bytes: int) -> Array:
	return _received(peer.get_partial_data(bytes))


func put_var(value: Variant, full_objects := false) -> void:
	var encoded := var_to_bytes_with_objects(value) if full_objects else var_to_bytes(value)
	_records.write(false, _with_length(encoded))
	peer.put_var(value, full_objects)


func get_var(allow_objects := false) -> Variant:
	var value: Variant = peer.get_var(allow_objects)
	_records.write(true, _with_length(var_to_bytes_with_objects(value) if allow_objects else var_to_bytes(value)))
	return value


func put_utf8_string(text: String) -> void:
	_records.write(false, _with_length(text.to_utf8_buffer()))
	peer.put_utf8_string(text)


func get_utf8_string(bytes := -1) -> String:
	var text := peer.get_utf8_string(bytes)
	var data := text.to_utf8_buffer()
	_records.write(true, _with_length(data) if bytes < 0 else data)
	return text


func _received(result: Array) -> Array:
	var data: PackedByteArray = result[1]
	_records.write(true, data)
	return result


func _with_length(data: PackedByteArray) -> PackedByteArray:
	var buffer := StreamPeerBuffer.new()
	buffer.big_endian = peer.big_endian
	buffer.put_32(data.size())
	return buffer.data_array + data
