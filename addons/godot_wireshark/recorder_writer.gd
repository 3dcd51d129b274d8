# SPDX-License-Identifier: MIT
## Writes records to a pcapng file, to readers over TCP, or both. One for all recorders of a game.
##
## Each record is flushed, so the recording survives a crash of the game. If a file cannot be
## written, this is reported once and recording into it stops.
class_name RecorderWriter
extends RefCounted

const VERSION := "1.0.0"
const LINK_TYPE_UPPER_PDU := 252
const SECTION_HEADER := 0x0A0D0D0A
const INTERFACE_DESCRIPTION := 1
const ENHANCED_PACKET := 6
const OPTION_COMMENT := 1
const OPTION_INTERFACE_NAME := 2
const OPTION_APPLICATION := 4
const TAG_DISSECTOR := 12
## Prefix of keys of records that are repeated: see [method write].
const KEY_RECORDER := "recorder"
const KEY_PEER := "peer "
## Name of the interface of records that belong to the process and not to a peer.
const GAME := "Engine"
## Wireshark reads no longer blocks, neither from a file nor from a reader's connection.
const MAX_BLOCK := 1 << 18
## Maximum number of bytes of repeated records of one interface; beyond that, the oldest are left
## out.
const MAX_REPEATED := 8 << 20

## What the engine reports; null while that is not recorded.
var reports: RecorderReports
## The RecorderPeer (its instance id) whose packet the engine processes at the moment, 0 for none.
var processing := 0
## Whether packets are recorded with the script line that has sent them.
var with_origins := false

## A game may read and write streams on its own threads. Locked by the public functions.
var _mutex := Mutex.new()
var _path := ""
var _max_bytes := 0
var _file: FileAccess
var _written := 0
var _file_number := 1
var _files := PackedStringArray()
var _server: RecorderServer
var _debugger: RecorderDebugger
var _interfaces: Array[Dictionary] = [] # name, block, used, repeated (key -> block), bytes
var _tags := PackedByteArray()
var _clock_offset := 0
var _game_interface := -1
## What a new reader gets first; empty if it has to be collected again.
var _snapshot: Array[Array] = []
## Functions that write and have not returned yet.
var _depth := 0
## Whether the editor may request the recording later or again.
var _remembers := EngineDebugger.is_active() and not Engine.is_editor_hint()


## path: "" for none; {pid} and {time} in it are replaced. max_bytes: beyond that, another file is
## begun; 0: never. tcp_port: port on 127.0.0.1 where readers get records; 0 for none.
func _init(path: String, max_bytes := 0, tcp_port := 0) -> void:
	_clock_offset = _compare_clocks()
	_tags = _exported_pdu_tags("godot.recorder")
	_max_bytes = max_bytes
	if path:
		var stamp := Time.get_datetime_string_from_system(true).replace(":", "").replace("-", "")
		_path = path.replace("{pid}", str(OS.get_process_id())).replace("{time}", stamp)
		_open_unused()
	if tcp_port:
		_server = RecorderServer.new(tcp_port, _left_out, RecorderSettings.asked_for("tcp_token"))
		if not _server.is_listening():
			complain("cannot listen at port %d of 127.0.0.1" % tcp_port)
			_server = null


## Whether records are written anywhere.
func is_open() -> bool:
	return _file != null or _server != null or _debugger != null


## Whether a record with this key (see [method write]) is needed by a current reader, or by a later
## one, to which it would be repeated.
func takes(key: String) -> bool:
	return is_open() or (_remembers and not key.is_empty())


## Whether a record is being written at the moment.
func is_busy() -> bool:
	return _depth > 0


## The file that is being written, "" if there is none.
func get_path() -> String:
	return _file.get_path_absolute() if _file else ""


## The written files, in the order of their records.
func get_files() -> PackedStringArray:
	return _files


## The port where readers get records, 0 for none.
func get_port() -> int:
	return _server.get_port() if _server else 0


func has_readers() -> bool:
	return _server != null and _server.has_readers()


## Whether records are sent to the editor over the debugger connection.
func set_editor(on: bool) -> void:
	if on == (_debugger != null):
		return # queued records are kept, and interfaces are not sent twice
	_mutex.lock()
	if not on and _debugger:
		_debugger.poll()
	_debugger = RecorderDebugger.new() if on else null
	for i in _interfaces.size():
		if on and _interfaces[i]["used"]:
			_debugger.add_interface(i, str(_interfaces[i]["name"]))
			_repeat_to_editor(i)
	_mutex.unlock()


func _repeat_to_editor(interface: int) -> void:
	var repeated: Dictionary = _interfaces[interface]["repeated"]
	for key: String in repeated:
		var block: PackedByteArray = repeated[key]
		var record := block.slice(28 + _tags.size(), 28 + block.decode_u32(20))
		_debugger.write(interface, record, key, block.decode_u32(12) << 32 | block.decode_u32(16),
				block.decode_u32(24) - _tags.size())


## Called once per frame: sends readers what has been written since the last call. Does not block.
func poll() -> void:
	if reports:
		reports.flush()
	_mutex.lock()
	_depth += 1
	if _server:
		var reader := _server.accept()
		if reader:
			if _snapshot.is_empty():
				_snapshot = _beginning()
			reader.begin(_snapshot)
		_server.send()
	if _debugger:
		_debugger.poll()
	_depth -= 1
	_mutex.unlock()


## Returns the number of an interface with this name, or with a number appended if it is in use. An
## interface that is no longer used is reused.
func add_interface(interface_name: String) -> int:
	_mutex.lock()
	var interface := _find_or_add_interface(interface_name)
	_mutex.unlock()
	return interface


func _find_or_add_interface(interface_name: String) -> int:
	var number := 1
	var name := interface_name
	for i in _interfaces.size():
		if _interfaces[i]["name"] == name:
			if not _interfaces[i]["used"]:
				_interfaces[i]["used"] = true
				if _debugger:
					_debugger.add_interface(i, name)
				return i
			number += 1
			name = "%s %d" % [interface_name, number]
	var body := _words([LINK_TYPE_UPPER_PDU, 0])
	body.append_array(_option(OPTION_INTERFACE_NAME, name.to_utf8_buffer()))
	body.append_array(_words([0]))
	var block := _block(INTERFACE_DESCRIPTION, body)
	_interfaces.append({"name": name, "block": block, "used": true, "repeated": {}, "bytes": 0})
	_snapshot = []
	_store(block)
	if _server:
		_server.write(block, true)
	if _debugger:
		_debugger.add_interface(_interfaces.size() - 1, name)
	return _interfaces.size() - 1


## Closes an interface; nothing more is written to it.
func release_interface(interface: int) -> void:
	_mutex.lock()
	_interfaces[interface]["used"] = false
	forget(interface, "")
	if _debugger:
		_debugger.release_interface(interface)
	_mutex.unlock()


## Records whose keys begin with this text are no longer repeated.
func forget(interface: int, beginning: String) -> void:
	_mutex.lock()
	var repeated: Dictionary = _interfaces[interface]["repeated"]
	if _debugger and beginning:
		_debugger.forget(interface, beginning)
	for key: String in repeated.keys():
		if key.begins_with(beginning):
			_forget_one(_interfaces[interface], key)
	_mutex.unlock()


func _forget_one(interface: Dictionary, key: String) -> void:
	var repeated: Dictionary = interface["repeated"]
	if repeated.has(key):
		var block: PackedByteArray = repeated[key]
		interface["bytes"] -= block.size()
		repeated.erase(key)
		_snapshot = []


func _repeat(interface: Dictionary, key: String, block: PackedByteArray) -> void:
	var repeated: Dictionary = interface["repeated"]
	_forget_one(interface, key)
	repeated[key] = block
	interface["bytes"] += block.size()
	_snapshot = []
	while interface["bytes"] > MAX_REPEATED:
		for oldest: String in repeated: # a copy of all keys takes too long
			_forget_one(interface, oldest)
			break


## Difference between ticks and Unix time, in microseconds. Measured several times, as another
## process may run between the two calls.
static func _compare_clocks() -> int:
	var best := 1 << 62
	var offset := 0
	for attempt in 8:
		var before := Time.get_ticks_usec()
		var unix_time := int(Time.get_unix_time_from_system() * 1000000.0)
		var after := Time.get_ticks_usec()
		if after - before < best:
			best = after - before
			offset = unix_time - before
	return offset


## Microseconds since 1970; never decreases.
func now() -> int:
	return _clock_offset + Time.get_ticks_usec()


## Writes a record. key: the record is repeated in every further file and to every later reader, but
## only the last one with the same key; packets ([constant KEY_PEER]) are repeated to readers only.
## "": not repeated. "-" and a key: not repeated, and the record with that key is no longer
## repeated. time: in microseconds since 1970, 0 for now. length: in bytes, if the record has
## already been cut.
func write(interface: int, record: PackedByteArray, key := "", time := 0, length := 0) -> void:
	if reports and reports.has_waiting() and OS.get_thread_caller_id() == OS.get_main_thread_id():
		reports.flush()
	_mutex.lock()
	_depth += 1
	if takes(key):
		_write(interface, record, key, time if time else now(), length)
	_depth -= 1
	_mutex.unlock()


## Writes a record of the process, of which only one end knows: [constant
## RecorderRecord.KIND_REPORT] and others.
func write_of_game(kind: int, members: Dictionary) -> void:
	if not is_open():
		return
	if _game_interface < 0:
		_game_interface = add_interface(GAME)
		write(_game_interface,
				_record_of_game(RecorderRecord.KIND_RECORDER, RecorderRecord.describe("")),
				KEY_RECORDER)
	write(_game_interface, _record_of_game(kind, members))


static func _record_of_game(kind: int, members: Dictionary) -> PackedByteArray:
	var record := RecorderRecord.make_head(kind, 0, RecorderRecord.game, 0, 0, 0)
	record.append_array(RecorderRecord.text_of(members))
	return record


## Writes a record that belongs to the packet that the engine processes at the moment, if there is
## one. Called on the main thread.
func write_report(kind: int, members: Dictionary) -> void:
	var peer := instance_from_id(processing) as RecorderPeer if processing else null
	if not peer or not peer._recorder_write_report(kind, members):
		write_of_game(kind, members)


func _write(interface: int, record: PackedByteArray, key: String, time: int, length: int) -> void:
	if _debugger:
		_debugger.write(interface, record, key, time, maxi(length, record.size()))
		if key.is_empty() and not _file and not _server:
			return
	var block := _packet_block(interface, record, time, maxi(length, record.size()))
	if key.begins_with("-"):
		_forget_one(_interfaces[interface], key.substr(1))
	elif key and (_server or _remembers or (_max_bytes > 0 and not key.begins_with(KEY_PEER))):
		_repeat(_interfaces[interface], key, block)
	if _server:
		_server.write(block, not key.is_empty())
	if _file and _max_bytes > 0 and _written + block.size() > _max_bytes and _written > 0:
		_rotate()
		if key and not key.begins_with(KEY_PEER) and not key.begins_with("-"):
			return # the new file begins with it
	_store(block)


## The first blocks for a reader: the section and the interfaces, then the repeated records of each
## interface.
func _beginning() -> Array[Array]:
	var parts: Array[Array] = [[_section_header()]]
	for interface in _interfaces:
		parts[0].append(interface["block"])
	for interface in _interfaces:
		var repeated: Dictionary = interface["repeated"]
		parts.append(repeated.values())
	return parts


func _repeated_without_packets() -> PackedByteArray:
	var bytes := PackedByteArray()
	for interface in _interfaces:
		var repeated: Dictionary = interface["repeated"]
		for key: String in repeated:
			if not key.begins_with(KEY_PEER):
				var block: PackedByteArray = repeated[key]
				bytes.append_array(block)
	return bytes


func _left_out(count: int) -> PackedByteArray:
	var record := RecorderRecord.left_out(count)
	return _packet_block(0, record, now(), record.size())


## Repeats a record that was written before, for later readers; arguments as for [method write].
func remember(interface: int, record: PackedByteArray, key: String, time: int, length: int) -> void:
	_mutex.lock()
	_repeat(_interfaces[interface], key,
			_packet_block(interface, record, time, maxi(length, record.size())))
	_mutex.unlock()


## Writes the number of records that no reader has received.
func write_left_out(count: int) -> void:
	write(0, RecorderRecord.left_out(count))


func close() -> void:
	if reports:
		reports.close()
	reports = null
	_mutex.lock()
	if _file:
		_file.close()
	_file = null
	if _server:
		_server.close()
	_server = null
	if _debugger:
		_debugger.poll()
	_debugger = null
	_mutex.unlock()


## Opens the file, or one with a number after its name if another process is writing it.
func _open_unused() -> void:
	if _path.begins_with("user://"):
		DirAccess.make_dir_recursive_absolute(_path.get_base_dir())
	var lock := RecorderLock.new(_path)
	var asked := _path
	_path = RecorderLock.unused(asked)
	_open(_path)
	lock.release()
	if _path != asked and _file:
		complain("another process records into %s; this one records into %s" % [asked, _path])


func _open(path: String) -> void:
	# The editor renames a file that is only written until it is closed.
	_file = FileAccess.open(path,
			FileAccess.WRITE_READ if Engine.is_editor_hint() else FileAccess.WRITE)
	_written = 0
	if not _file:
		complain("cannot write %s: %s" % [path, error_string(FileAccess.get_open_error())])
		return
	_files.append(path)
	_store(_section_header())
	for interface in _interfaces:
		var block: PackedByteArray = interface["block"]
		_store(block)
	_written = 0 # a file contains at least one record, even if the limit is smaller


static func _section_header() -> PackedByteArray:
	# version 1.0, length unknown
	var body := _words([0x1A2B3C4D, 0x00000001, 0xFFFFFFFF, 0xFFFFFFFF])
	var version: String = Engine.get_version_info()["string"]
	body.append_array(_option(OPTION_COMMENT,
			("%s, Godot %s, %s" % [game_title(), version, RecorderLock.owner()]).to_utf8_buffer()))
	body.append_array(_option(OPTION_APPLICATION,
			("godot_wireshark %s" % VERSION).to_utf8_buffer()))
	body.append_array(_words([0]))
	return _block(SECTION_HEADER, body)


## Name and version of the game, as its project says.
static func game_title() -> String:
	var title := str(ProjectSettings.get_setting("application/config/name", ""))
	var version := str(ProjectSettings.get_setting("application/config/version", ""))
	return ("%s %s" % [title, version]).strip_edges()


func _rotate() -> void:
	_file.close()
	_file_number += 1
	_open("%s-%05d.%s" % [_path.get_basename(), _file_number, _path.get_extension()])
	_store(_repeated_without_packets())
	# does not count the blocks that every file begins with, else each record would rotate
	_written = 0


func _store(bytes: PackedByteArray) -> void:
	if not _file:
		return
	_written += bytes.size()
	var before := _file.get_position()
	_file.store_buffer(bytes)
	_file.flush()
	if _file.get_position() != before + bytes.size():
		complain("cannot write to %s any more" % _file.get_path())
		_file = null


static func complain(text: String) -> void:
	printerr("godot_wireshark: %s" % text)


# --- blocks of pcapng, in the byte order of Godot's buffers ---

static func _exported_pdu_tags(dissector: String) -> PackedByteArray:
	var name_bytes := _padded(dissector.to_utf8_buffer())
	# big-endian: tag 12 and its length; after the name, the end tag
	var tags := PackedByteArray([0, TAG_DISSECTOR, name_bytes.size() >> 8,
			name_bytes.size() & 0xFF])
	tags.append_array(name_bytes)
	tags.append_array(PackedByteArray([0, 0, 0, 0]))
	return tags


static func _padded(bytes: PackedByteArray) -> PackedByteArray:
	var padded := bytes.duplicate()
	padded.resize((bytes.size() + 3) & ~3)
	for i in range(bytes.size(), padded.size()):
		padded[i] = 0
	return padded


static func _words(words: Array[int]) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(words.size() * 4)
	for i in words.size():
		bytes.encode_u32(i * 4, words[i])
	return bytes


static func _option(code: int, value: PackedByteArray) -> PackedByteArray:
	var bytes := PackedByteArray()
	var shortened := value.slice(0, 4096)
	bytes.resize(4)
	bytes.encode_u16(0, code)
	bytes.encode_u16(2, shortened.size())
	bytes.append_array(_padded(shortened))
	return bytes


static func _block(type: int, body: PackedByteArray) -> PackedByteArray:
	var bytes := _words([type, body.size() + 12])
	bytes.append_array(body)
	bytes.append_array(_words([body.size() + 12]))
	return bytes


## Not built from _block() and _option() because this is called for every packet.
## original: length of the record, which is longer if it was cut.
func _packet_block(interface: int, record: PackedByteArray, time: int,
		original: int) -> PackedByteArray:
	var length := mini(_tags.size() + record.size(), MAX_BLOCK - 32)
	var padded := (length + 3) & ~3
	var head := PackedByteArray()
	head.resize(28)
	head.encode_u32(0, ENHANCED_PACKET)
	head.encode_u32(4, padded + 32)
	head.encode_u32(8, interface)
	head.encode_u32(12, time >> 32)
	head.encode_u32(16, time & 0xFFFFFFFF)
	head.encode_u32(20, length)
	head.encode_u32(24, _tags.size() + original)
	head.append_array(_tags)
	head.append_array(record)
	head.resize(padded + 32)
	for i in range(28 + length, 28 + padded):
		head[i] = 0
	head.encode_u32(28 + padded, padded + 32)
	return head
