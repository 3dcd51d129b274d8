# SPDX-License-Identifier: MIT
## Sends records to readers that connect over TCP, as Wireshark does for the interface TCP@127.0.0.1:PORT.
##
## Readers may connect and disconnect at any time. One that reads too slowly misses records and gets a record with their number; the game
## and other readers do not wait for it.
class_name RecorderServer
extends RefCounted

## Maximum number of bytes queued for a reader.
const MAX_WAITING := 8 << 20
## Maximum number of bytes sent to a reader in a frame of the game.
const MAX_SENT := 1 << 20
## Bytes sent at once.
const CHUNK := 1 << 16
const MAX_READERS := 16
## How long a game that quits waits until readers have received the rest.
const LAST_MILLISECONDS := 300

var _listener := TCPServer.new()
var _readers: Array[Reader] = []
var _left_out: Callable


## left_out: returns the block that says how many records (int) are missing.
func _init(port: int, left_out: Callable) -> void:
	_left_out = left_out
	_listener.listen(port, "127.0.0.1")


func is_listening() -> bool:
	return _listener.is_listening()


func get_port() -> int:
	return _listener.get_local_port()


func has_readers() -> bool:
	return not _readers.is_empty()


## Readers that have connected since the previous call.
func accept() -> Array[Reader]:
	var fresh: Array[Reader] = []
	while _listener.is_connection_available():
		var stream := _listener.take_connection()
		if _readers.size() < MAX_READERS:
			fresh.append(Reader.new(stream))
			_readers.append(fresh.back())
		else:
			stream.disconnect_from_host()
	return fresh


## needed: later records cannot be understood without this one.
func write(block: PackedByteArray, needed: bool) -> void:
	for reader in _readers:
		reader.write(block, needed)


func send() -> void:
	for i in range(_readers.size() - 1, -1, -1):
		if not _readers[i].send(_left_out):
			_readers.remove_at(i)


func close() -> void:
	var until := Time.get_ticks_msec() + LAST_MILLISECONDS
	while _readers.any(func(reader: Reader) -> bool: return reader.waits()) and Time.get_ticks_msec() < until:
		send()
		OS.delay_msec(5)
	for reader in _readers:
		reader.close()
	_readers.clear()
	_listener.stop()


class Reader:
	extends RefCounted

	var _stream: StreamPeerTCP
	var _chunks: Array[PackedByteArray] = []
	var _tail := PackedByteArray()
	var _sent := 0 # offset in the first chunk
	var _waiting := 0
	var _missing := 0
	## While records are left out: those that later records depend on.
	var _needed := PackedByteArray()

	func _init(stream: StreamPeerTCP) -> void:
		_stream = stream
		_stream.set_no_delay(true)

	func waits() -> bool:
		return _waiting > 0

	func write(block: PackedByteArray, needed: bool) -> void:
		if _missing == 0 and (_waiting == 0 or _waiting + block.size() <= MAX_WAITING):
			_append(block)
		elif needed:
			_needed.append_array(block)
			_missing = maxi(_missing, 1)
		else:
			_missing += 1

	func _append(bytes: PackedByteArray) -> void:
		_tail.append_array(bytes)
		_waiting += bytes.size()
		if _tail.size() >= CHUNK:
			_push_tail()

	func _push_tail() -> void:
		for start in range(0, _tail.size(), CHUNK):
			_chunks.append(_tail.slice(start, start + CHUNK))
		_tail = PackedByteArray()

	## Sends as much as possible. Returns false if the reader has disconnected.
	func send(left_out: Callable) -> bool:
		_stream.poll()
		if _stream.get_status() != StreamPeerTCP.STATUS_CONNECTED or _needed.size() > MAX_WAITING:
			close()
			return false
		_push_tail()
		var budget := MAX_SENT
		while budget > 0 and not _chunks.is_empty():
			var chunk := _chunks[0].slice(_sent) if _sent else _chunks[0]
			var result := _stream.put_partial_data(chunk)
			var error: Error = result[0]
			var count: int = result[1]
			if error != OK:
				close()
				return false
			budget -= maxi(count, 1)
			_waiting -= count
			if count < chunk.size():
				_sent += count
				break
			_chunks.pop_front()
			_sent = 0
		if _missing > 0 and _waiting <= MAX_WAITING >> 1:
			_append(_needed)
			var block: PackedByteArray = left_out.call(_missing)
			_append(block)
			_needed = PackedByteArray()
			_missing = 0
		return true

	func close() -> void:
		_stream.disconnect_from_host()
