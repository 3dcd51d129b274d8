# SPDX-License-Identifier: MIT
## A StreamPeer that forwards everything to [member peer] and records it for Wireshark: one record
## with the bytes of each call. Methods that are missing here have to be called on [member peer] and
## are not recorded.
class_name RecorderStreamPeer
extends RefCounted

var peer: StreamPeer

var _records: RecorderRaw


## name: name of the recording; if it is empty, the class of the peer.
func _init(wrapped: StreamPeer, writer: RecorderWriter, name := "") -> void:
	peer = wrapped
	_records = RecorderRaw.new(wrapped, writer, name, RecorderRecord.KIND_STREAM)


func get_available_bytes() -> int:
	return peer.get_available_bytes()


func put_data(data: PackedByteArray) -> Error:
	var error := peer.put_data(data)
	if error == OK:
		_records.write(false, data)
	return error


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


## As StreamPeer.put_var(), with the length and the value in one call.
func put_var(value: Variant, full_objects := false) -> void:
	put_data(_with_length(var_to_bytes_with_objects(value) if full_objects
			else var_to_bytes(value)))


## As StreamPeer.get_var(): returns null if no complete value is there.
func get_var(allow_objects := false) -> Variant:
	var encoded := _get_with_length()
	if encoded.is_empty():
		return null
	return bytes_to_var_with_objects(encoded) if allow_objects else bytes_to_var(encoded)


func put_utf8_string(text: String) -> void:
	put_data(_with_length(text.to_utf8_buffer()))


func get_utf8_string(bytes := -1) -> String:
	var data := _get_with_length() if bytes < 0 else _bytes_of(get_data(bytes))
	var end := data.find(0)
	return (data if end < 0 else data.slice(0, end)).get_string_from_utf8()


## The bytes after a length, recorded with it as one record; empty if fewer bytes are there.
func _get_with_length() -> PackedByteArray:
	var head := _bytes_of(peer.get_data(4))
	if head.is_empty():
		return head
	var buffer := StreamPeerBuffer.new()
	buffer.big_endian = peer.big_endian
	buffer.data_array = head
	var length := buffer.get_32()
	var data := _bytes_of(peer.get_data(length)) if length > 0 else PackedByteArray()
	_records.write(true, head + data)
	return data


## The bytes of a result of get_data(); empty if it has failed.
static func _bytes_of(result: Array) -> PackedByteArray:
	var error: Error = result[0]
	return result[1] if error == OK else PackedByteArray()


func _received(result: Array) -> Array:
	_records.write(true, _bytes_of(result))
	return result


func _with_length(data: PackedByteArray) -> PackedByteArray:
	var buffer := StreamPeerBuffer.new()
	buffer.big_endian = peer.big_endian
	buffer.put_32(data.size())
	return buffer.data_array + data
