# SPDX-License-Identifier: MIT
## In the editor: receives the records of running instances over the debugger's connections and
## passes them to Wireshark and to a file.
@tool
extends EditorDebuggerPlugin

const Counters := preload("editor_counters.gd")
const MAX_INTERFACES := 1000
const MAX_TEXT := 4096

## How often the game was started from the editor since recording began.
var run := 1
## null while nothing is recorded.
var writer: RecorderWriter
## Number of a session -> Counters
var counters := {}

## Number of a session -> {interface in the game: interface in this file}
var _interfaces := {}
## Interface in this file -> the entry of the packet that was received last
var _received := {}
## Whether something has been recorded since the run began.
var _run_is_used := false


func is_on() -> bool:
	return writer != null


## file: "" for none. Running instances are recorded from now on, later ones from their start.
func start(port: int, file := "") -> void:
	stop()
	writer = RecorderWriter.new(file, 0, port)
	_begin(1)
	_tell(RecorderDebugger.START)


## Called before the game is started, with all its instances.
func begin_run() -> void:
	if is_on() and _run_is_used:
		_begin(run + 1)


func _begin(number: int) -> void:
	run = number
	_run_is_used = false
	# for instances that are started from here
	OS.set_environment(RecorderSettings.FROM_EDITOR, str(run))


func stop() -> void:
	if writer:
		_tell(RecorderDebugger.STOP)
		writer.close()
	writer = null
	_interfaces.clear()
	_received.clear()
	OS.unset_environment(RecorderSettings.FROM_EDITOR)


func _tell(what: String, sessions := get_sessions()) -> void:
	for session: EditorDebuggerSession in sessions:
		if session.is_active():
			session.send_message(RecorderDebugger.CAPTURE + ":" + what,
					[run] if what == RecorderDebugger.START else [])


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
		_tell(RecorderDebugger.START if is_on() else RecorderDebugger.STOP,
				[get_session(session_id)])
	elif message == RecorderDebugger.CAPTURE + ":" + RecorderDebugger.ENTRIES:
		for entry: Variant in data:
			if not is_on() or not entry is Array:
				continue
			var parts: Array = entry
			if is_valid(parts):
				_take(parts, session_id)
	return true


## Whether it is an entry as RecorderDebugger makes them. Anything can come over the connection.
static func is_valid(entry: Array) -> bool:
	const TYPES := {
		RecorderDebugger.INTERFACE: [TYPE_STRING],
		RecorderDebugger.RECORD: [TYPE_PACKED_BYTE_ARRAY, TYPE_STRING, TYPE_INT, TYPE_INT],
		RecorderDebugger.FORGET: [TYPE_STRING],
		RecorderDebugger.RELEASE: [],
		RecorderDebugger.LEFT_OUT: [],
		RecorderDebugger.NOT_RECORDED: [TYPE_STRING],
	}
	if entry.size() < 2 or not entry[0] is int or not entry[1] is int or not TYPES.has(entry[0]):
		return false
	var number: int = entry[1]
	var types: Array = TYPES[entry[0]]
	if entry.size() != 2 + types.size() or number < 0 or number >= 1 << 31:
		return false
	for i in types.size():
		if typeof(entry[2 + i]) != types[i] \
				or (entry[2 + i] is String and str(entry[2 + i]).length() > MAX_TEXT):
			return false
	return entry[0] != RecorderDebugger.RECORD or _is_valid_record(entry)


static func _is_valid_record(entry: Array) -> bool:
	var record: PackedByteArray = entry[2]
	var time: int = entry[4]
	var length: int = entry[5]
	if record.size() < RecorderRecord.HEAD_LENGTH or record.decode_u32(0) != RecorderRecord.MAGIC:
		return false
	var head := record.decode_u16(22)
	return head >= RecorderRecord.HEAD_LENGTH and head <= record.size() and time >= 0 \
			and length >= record.size() and length < 1 << 31


func _take(entry: Array, session_id: int) -> void:
	var interfaces: Dictionary = _interfaces.get_or_add(session_id, {})
	var counted: Counters = counters.get_or_add(session_id, Counters.new())
	var what: int = entry[0]
	var number: int = entry[1]
	match what:
		RecorderDebugger.INTERFACE:
			if entry[2] != RecorderWriter.GAME:
				counted.not_recorded = ""
			_run_is_used = true
			if interfaces.has(number) or interfaces.size() < MAX_INTERFACES:
				interfaces[number] = writer.add_interface("%s: %s"
						% [_name_of(session_id), entry[2]])
		RecorderDebugger.LEFT_OUT:
			counted.left_out += number
			writer.write_left_out(number)
		RecorderDebugger.NOT_RECORDED:
			counted.not_recorded = str(entry[2])
		_:
			if interfaces.has(number): # else it began before recording was switched on
				var interface: int = interfaces[number]
				_take_of_interface(entry, interface, interfaces, counted)


func _take_of_interface(entry: Array, interface: int, interfaces: Dictionary,
		counted: Counters) -> void:
	match entry[0]:
		RecorderDebugger.RECORD:
			var record: PackedByteArray = entry[2]
			var time: int = entry[4]
			var length: int = entry[5]
			if RecorderRecord.is_received_packet(record):
				_received[interface] = entry
			var refusal := counted.count(record, length)
			writer.write(interface, record, refusal if refusal else str(entry[3]), time, length)
			if refusal and _received.has(interface):
				# so that a Wireshark that is started later has it
				var packet: Array = _received[interface]
				var bytes: PackedByteArray = packet[2]
				var then: int = packet[4]
				var whole: int = packet[5]
				writer.remember(interface, bytes, "packet of %s" % refusal, then, whole)
		RecorderDebugger.FORGET:
			writer.forget(interface, str(entry[2]))
		RecorderDebugger.RELEASE:
			writer.release_interface(interface)
			interfaces.erase(entry[1])
			_received.erase(interface)


## "Instance 1", from the second run on "Run 2, instance 1".
func _name_of(session_id: int) -> String:
	return ("Instance %d" if run < 2 else "Run %d, instance %%d" % run) % (session_id + 1)
