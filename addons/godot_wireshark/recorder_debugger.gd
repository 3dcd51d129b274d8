# SPDX-License-Identifier: MIT
## Sends records to the editor over the connection of the debugger, one message in each frame of the
## game.
class_name RecorderDebugger
extends RefCounted

const CAPTURE := "godot_wireshark"
## The game sends READY when it can receive messages; the editor sends START and STOP.
const READY := "ready"
const START := "start"
const STOP := "stop"
const ENTRIES := "entries"
## Maximum size of a message in bytes; the debuggers on both sides accept up to 8 MiB.
const MAX_BYTES := 1 << 20
enum { INTERFACE, RECORD, FORGET, RELEASE, LEFT_OUT, NOT_RECORDED }

var _entries: Array = []
var _bytes := 0
var _missing := 0


func add_interface(interface: int, name: String) -> void:
	_add([INTERFACE, interface, name], name.length())


func release_interface(interface: int) -> void:
	_add([RELEASE, interface], 0)


func forget(interface: int, beginning: String) -> void:
	_add([FORGET, interface, beginning], beginning.length())


## length: of the record, which is sent as far as the editor can write it.
func write(interface: int, record: PackedByteArray, key: String, time: int, length: int) -> void:
	if record.size() > RecorderWriter.MAX_BLOCK:
		record = record.slice(0, RecorderWriter.MAX_BLOCK)
	if _bytes + record.size() > MAX_BYTES and key.is_empty():
		_missing += 1
	else:
		_add([RECORD, interface, record, key, time, length], record.size() + key.length())


func _add(entry: Array, bytes: int) -> void:
	_entries.append(entry)
	_bytes += bytes + 32


func poll() -> void:
	if _missing > 0:
		_entries.append([LEFT_OUT, _missing])
	if not _entries.is_empty():
		EngineDebugger.send_message(CAPTURE + ":" + ENTRIES, _entries)
	_entries = []
	_bytes = 0
	_missing = 0


## Reports why a connection of the instance is not recorded.
static func say_not_recorded(reason: String) -> void:
	EngineDebugger.send_message(CAPTURE + ":" + ENTRIES, [[NOT_RECORDED, 0, reason]])
