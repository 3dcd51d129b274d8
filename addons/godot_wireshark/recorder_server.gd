# SPDX-License-Identifier: MIT
## Sends records to readers that connect over TCP, as Wireshark does for the interface
## TCP@127.0.0.1:PORT.
##
## Readers may connect and disconnect at any time. One that reads too slowly misses records and gets
## a record with their number; the game and other readers do not wait for it.
class_name RecorderServer
extends RefCounted

## Maximum number of bytes queued for a reader.
const MAX_WAITING := 8 << 20
## Maximum number of bytes sent to a reader in a frame of the game.
const MAX_SENT := 1 << 20
## Bytes sent at once.
const CHUNK := 1 << 16
const MAX_READERS := 16
## Maximum number of records from before a reader has connected that it gets in a frame of the game.
const MAX_JOINED := 256
## How long a reader may take to send the token.
const TOKEN_MILLISECONDS := 5000
## How long a game that quits waits until readers have received the rest.
const LAST_MILLISECONDS := 300

var _listener := TCPServer.new()
var _readers: Array[Reader] = []
## Those that have connected and have got nothing yet.
var _strangers: Array[Reader] = []
var _left_out: Callable
var _token := PackedByteArray()


## left_out: returns the block that says how many records (int) are missing. token: a reader has to
## send it first, and a line feed; "": any reader gets the records.
func _init(port: int, left_out: Callable, token := "") -> void:
	_left_out = left_out
	if token:
		_token = (token + "\n").to_utf8_buffer()
	_listener.listen(port, "127.0.0.1")


func is_listening() -> bool:
	return _listener.is_listening()


func get_port() -> int:
	return _listener.get_local_port()


func has_readers() -> bool:
	return not _readers.is_empty()


## A reader that gets records from now on, null if there is none: not more than one in a frame, for
## each costs time.
func accept() -> Reader:
	for attempt in MAX_READERS:
		if not _listener.is_connection_available():
			break
		var stream := _listener.take_connection()
		if _readers.size() + _strangers.size() < MAX_READERS:
			_strangers.append(Reader.new(stream))
		else:
			stream.disconnect_from_host()
	for stranger: Reader in _strangers.duplicate():
		if not stranger.may_stay():
			_strangers.erase(stranger)
		elif stranger.has_sent(_token):
			_strangers.erase(stranger)
			_readers.append(stranger)
			return stranger
	return null


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
	for reader in _readers + _strangers:
		reader.close()
	_readers.clear()
	_strangers.clear()
	_listener.stop()


class Reader:
	extends RefCounted

	var _stream: StreamPeerTCP
	var _since := Time.get_ticks_msec()
	var _said := PackedByteArray()
	## Arrays of blocks from before the reader has connected, shared by readers, and which of them
	## is the next one.
	var _snapshot: Array[Array] = []
	var _part := 0
	var _next := 0
	## The bytes that are being sent, and how many of them have been.
	var _current := PackedByteArray()
	var _sent := 0
	var _current_is_old := false
	## Number of old blocks that were taken in this frame.
	var _joined := 0
	var _chunks: Array[PackedByteArray] = []
	var _tail := PackedByteArray()
	var _waiting := 0 # bytes, without those of the snapshot
	var _missing := 0
	## While records are left out: those that later records depend on.
	var _needed := PackedByteArray()

	func _init(stream: StreamPeerTCP) -> void:
		_stream = stream
		_stream.set_no_delay(true)

	## Whether it is connected and can still send the token in time.
	func may_stay() -> bool:
		_stream.poll()
		var stays := _stream.get_status() == StreamPeerTCP.STATUS_CONNECTED \
				and Time.get_ticks_msec() - _since < TOKEN_MILLISECONDS
		if not stays:
			close()
		return stays

	func has_sent(token: PackedByteArray) -> bool:
		var count := mini(_stream.get_available_bytes(), token.size() - _said.size())
		if count > 0:
			var result := _stream.get_partial_data(count)
			var bytes: PackedByteArray = result[1]
			_said.append_array(bytes)
		if _said != token.slice(0, _said.size()):
			_since -= TOKEN_MILLISECONDS # is not asked again
		return _said == token

	## snapshot: what it gets before anything else.
	func begin(snapshot: Array[Array]) -> void:
		_snapshot = snapshot

	func waits() -> bool:
		return _waiting > 0 or _part < _snapshot.size() or not _current.is_empty()

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
		if not _send_chunks():
			close()
			return false
		if _missing > 0 and _waiting <= MAX_WAITING >> 1:
			_append(_needed)
			var block: PackedByteArray = left_out.call(_missing)
			_append(block)
			_needed = PackedByteArray()
			_missing = 0
		return true

	func _send_chunks() -> bool:
		var budget := MAX_SENT
		_joined = 0
		while budget > 0 and _take():
			var chunk := _current.slice(_sent) if _sent else _current
			var result := _stream.put_partial_data(chunk)
			var error: Error = result[0]
			var count: int = result[1]
			if error != OK:
				return false
			budget -= maxi(count, 1)
			_sent += count
			if not _current_is_old:
				_waiting -= count
			if count < chunk.size():
				break
			_current = PackedByteArray()
			_sent = 0
		return true

	## Whether there is something to send now.
	func _take() -> bool:
		if not _current.is_empty():
			return true
		_current_is_old = _part < _snapshot.size()
		if _current_is_old:
			_join()
		elif not _chunks.is_empty():
			_current = _chunks.pop_front()
		return not _current.is_empty()

	func _join() -> void:
		while _joined < MAX_JOINED and _part < _snapshot.size() and _current.size() < CHUNK:
			if _next == _snapshot[_part].size():
				_part += 1
				_next = 0
				continue
			var block: PackedByteArray = _snapshot[_part][_next]
			_current.append_array(block)
			_next += 1
			_joined += 1
		if _part == _snapshot.size():
			_snapshot = []
			_part = 0

	func close() -> void:
		_stream.disconnect_from_host()
