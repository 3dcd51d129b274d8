# SPDX-License-Identifier: MIT
## In the editor: receives the records of running instances over the debugger's connections and passes them to Wireshark and to a file.
@tool
extends EditorDebuggerPlugin

## What has been recorded of an instance since it was started.
class Counters:
	extends RefCounted

	var own_id := 0
	var is_server := false
	var packets_in := 0
	var packets_out := 0
	var bytes_in := 0
	var bytes_out := 0
	var calls := 0
	var synchronizations := 0
	var left_out := 0
	var refused := 0
	## Why a connection of the instance is not recorded; "" if all are recorded.
	var not_recorded := ""

	func count(record: PackedByteArray) -> void:
		const COMMAND_MASK := 7
		const CALL := 0
		const SYNCHRONIZATION := 6
		if record.size() < RecorderRecord.HEAD_LENGTH:
			return
		own_id = record.decode_s32(12)
		is_server = record[6] & RecorderRecord.FLAG_SERVER != 0
		if record[5] != RecorderRecord.KIND_PACKET or record.size() == RecorderRecord.HEAD_LENGTH:
			return
		var bytes := record.size() - RecorderRecord.HEAD_LENGTH
		if record[6] & RecorderRecord.FLAG_RECEIVED:
			packets_in += 1
			bytes_in += bytes
		else:
			packets_out += 1
			bytes_out += bytes
		match record[RecorderRecord.HEAD_LENGTH] & COMMAND_MASK:
			CALL:
				calls += 1
			SYNCHRONIZATION:
				synchronizations += 1


## null while nothing is recorded.
var writer: RecorderWriter
## Number of a session -> Counters
var counters := {}

## Number of a session -> {interface in the game: interface in this file}
var _interfaces := {}


func is_on() -> bool:
	return writer != null


## file: "" for none. Running instances are recorded from now on, later ones from their start.
func start(port: int, file := "") -> void:
	stop()
	writer = RecorderWriter.new(file, 0, port)
	OS.set_environment(RecorderSettings.FROM_EDITOR, "1") # for instances that are started from here
	_tell(RecorderDebugger.START)


func stop() -> void:
	if writer:
		_tell(RecorderDebugger.STOP)
		writer.close()
	writer = null
	_interfaces.clear()
	OS.unset_environment(RecorderSettings.FROM_EDITOR)


func _tell(what: String, sessions := get_sessions()) -> void:
	for session: EditorDebuggerSession in sessions:
		if session.is_active():
			session.send_message(RecorderDebugger.CAPTURE + ":" + what, [])


func _setup_session(session_id: int) -> void:
	var session := get_session(session_id)
	session.started.connect(_on_started.bind(session_id))
	session.stopped.connect(_on_stopped.bind(session_id))


func _on_started(session_id: int) -> void:
	counters.erase(session_id)


func _on_stopped(session_id: int) -> void:
	var interfaces: Dictionary = _interfaces.get(session_id, {})
	for there: int in interfaces:
		var here: int = interfaces[there]
		if writer:
			writer.release_interface(here)
	_interfaces.erase(session_id)


func _has_capture(capture: String) -> bool:
	return capture == RecorderDebugger.CAPTURE


func _capture(message: String, data: Array, session_id: int) -> bool:
	if message == RecorderDebugger.CAPTURE + ":" + RecorderDebugger.READY:
		_tell(RecorderDebugger.START if is_on() else RecorderDebugger.STOP, [get_session(session_id)])
	elif message == RecorderDebugger.CAPTURE + ":" + RecorderDebugger.ENTRIES:
		for entry: Variant in data:
			if is_on() and entry is Array:
				var parts: Array = entry
				_take(parts, session_id)
	return true


func _take(entry: Array, session_id: int) -> void:
	var interfaces: Dictionary = _interfaces.get_or_add(session_id, {})
	var counted: Counters = counters.get_or_add(session_id, Counters.new())
	var what: int = entry[0]
	var number: int = entry[1]
	if what == RecorderDebugger.INTERFACE:
		counted.not_recorded = ""
		interfaces[number] = writer.add_interface("Instance %d: %s" % [session_id + 1, entry[2]])
		return
	if what == RecorderDebugger.LEFT_OUT:
		counted.left_out += number
		writer.write_left_out(number)
		return
	if what == RecorderDebugger.REFUSED:
		counted.refused += number
		return
	if what == RecorderDebugger.NOT_RECORDED:
		counted.not_recorded = str(entry[2])
		return
	if not interfaces.has(number):
		return # began before recording was switched on
	var interface: int = interfaces[number]
	match what:
		RecorderDebugger.RECORD:
			var record: PackedByteArray = entry[2]
			var time: int = entry[4]
			counted.count(record)
			writer.write(interface, record, str(entry[3]), time)
		RecorderDebugger.FORGET:
			writer.forget(interface, str(entry[2]))
		RecorderDebugger.RELEASE:
			writer.release_interface(interface)
			interfaces.erase(number)
