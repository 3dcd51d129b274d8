# SPDX-License-Identifier: MIT
## Where records go: a pcapng file, a UDP port, or both. One for all recorders of a game.
##
## A record is written at once and flushed, so what was recorded survives a crash. When a file cannot be
## written (any more), that is said once and the game goes on without it.
class_name RecorderWriter
extends RefCounted

const LINK_TYPE_UPPER_PDU := 252
const MAX_DATAGRAM := 65507
const SECTION_HEADER := 0x0A0D0D0A
const INTERFACE_DESCRIPTION := 1
const ENHANCED_PACKET := 6
const OPTION_COMMENT := 1
const OPTION_INTERFACE_NAME := 2
const OPTION_APPLICATION := 4
const TAG_DISSECTOR := 12

var _path := ""
var _max_bytes := 0
var _file: FileAccess
var _written := 0
var _file_number := 1
var _udp: PacketPeerUDP
var _interfaces: Array[PackedByteArray] = []
## Of every interface, what each further file has to begin with.
var _preambles: Array[PackedByteArray] = []
var _tags := PackedByteArray()
var _clock_offset := 0
var _said_too_long := false


## path: "" for none; {pid} and {time} in it are replaced. max_bytes: another file is begun beyond that, 0: never.
## udp: "host:port", "" for none.
func _init(path: String, max_bytes := 0, udp := "") -> void:
	_clock_offset = _compare_clocks()
	_tags = _exported_pdu_tags("godot.recorder")
	_max_bytes = max_bytes
	if path:
		var stamp := Time.get_datetime_string_from_system(true).replace(":", "").replace("-", "")
		_path = path.replace("{pid}", str(OS.get_process_id())).replace("{time}", stamp)
		_open(_path)
	if udp:
		_connect_udp(udp)


## Whether records go anywhere.
func is_open() -> bool:
	return _file != null or _udp != null


## The file that is written to, "" if there is none.
func get_path() -> String:
	return _file.get_path_absolute() if _file else ""


## Returns the number of a new interface.
func add_interface(interface_name: String) -> int:
	var body := _words([LINK_TYPE_UPPER_PDU, 0])
	body.append_array(_option(OPTION_INTERFACE_NAME, interface_name.to_utf8_buffer()))
	body.append_array(_words([0]))
	var block := _block(INTERFACE_DESCRIPTION, body)
	_interfaces.append(block)
	_preambles.append(PackedByteArray())
	_store(block)
	return _interfaces.size() - 1


## What is to be added to ticks for Unix time, in microseconds. Tried several times, for another process may come between the
## two questions.
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


## Microseconds since 1970, never going back.
func now() -> int:
	return _clock_offset + Time.get_ticks_usec()


## Writes a record. repeat: every further file is to have it, too.
func write(interface: int, record: PackedByteArray, repeat := false) -> void:
	if _udp:
		_send(record)
	if not _file:
		return
	var block := _packet_block(interface, record)
	if repeat and _max_bytes > 0:
		_preambles[interface].append_array(block)
	if _file and _max_bytes > 0 and _written + block.size() > _max_bytes and _written > 0:
		_rotate()
		if repeat:
			return # is among what the new file begins with
	_store(block)


func close() -> void:
	if _file:
		_file.close()
	_file = null
	_udp = null


func _connect_udp(address: String) -> void:
	var colon := address.rfind(":")
	var host := address.left(colon).trim_prefix("[").trim_suffix("]") if colon > 0 else "127.0.0.1"
	var port := address.substr(colon + 1).to_int()
	var udp := PacketPeerUDP.new()
	if port <= 0 or port > 65535 or udp.set_dest_address(host, port) != OK:
		_complain("cannot send to %s" % address)
		return
	_udp = udp


func _send(record: PackedByteArray) -> void:
	if record.size() <= MAX_DATAGRAM:
		_udp.put_packet(record)
	elif not _said_too_long:
		_said_too_long = true
		_complain("a packet is too long for a datagram: it is not sent (files have it)")


func _open(path: String) -> void:
	if path.begins_with("user://"):
		DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	_file = FileAccess.open(path, FileAccess.WRITE)
	_written = 0
	if not _file:
		_complain("cannot write %s: %s" % [path, error_string(FileAccess.get_open_error())])
		return
	var body := _words([0x1A2B3C4D, 0x00000001, 0xFFFFFFFF, 0xFFFFFFFF]) # version 1.0, length not known
	var version: String = Engine.get_version_info()["string"]
	body.append_array(_option(OPTION_COMMENT, ("%s, Godot %s" % [game_title(), version]).to_utf8_buffer()))
	body.append_array(_option(OPTION_APPLICATION, "godot_wireshark 1.0".to_utf8_buffer()))
	body.append_array(_words([0]))
	_store(_block(SECTION_HEADER, body))
	for i in _interfaces.size():
		_store(_interfaces[i])
	_written = 0 # a file holds at least one record, however small the limit


## Name and version of the game, as its project says.
static func game_title() -> String:
	var title := str(ProjectSettings.get_setting("application/config/name", ""))
	var version := str(ProjectSettings.get_setting("application/config/version", ""))
	return ("%s %s" % [title, version]).strip_edges()


func _rotate() -> void:
	_file.close()
	_file_number += 1
	_open("%s-%05d.%s" % [_path.get_basename(), _file_number, _path.get_extension()])
	for preamble in _preambles:
		if not preamble.is_empty():
			_store(preamble)
	_written = 0 # what every file begins with does not count, else each record would begin another one


func _store(bytes: PackedByteArray) -> void:
	if not _file:
		return
	_written += bytes.size()
	var before := _file.get_position()
	_file.store_buffer(bytes)
	_file.flush()
	if _file.get_position() != before + bytes.size():
		_complain("cannot write to %s any more" % _file.get_path())
		_file = null


func _complain(text: String) -> void:
	printerr("godot_wireshark: %s" % text)


# --- blocks of pcapng, in the byte order of Godot's buffers ---

static func _exported_pdu_tags(dissector: String) -> PackedByteArray:
	var name_bytes := _padded(dissector.to_utf8_buffer())
	# big-endian: tag 12 and its length, after the name the end tag
	var tags := PackedByteArray([0, TAG_DISSECTOR, name_bytes.size() >> 8, name_bytes.size() & 0xFF])
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


## Built by hand, for this is done for every packet.
func _packet_block(interface: int, record: PackedByteArray) -> PackedByteArray:
	var time := now()
	var length := _tags.size() + record.size()
	var padded := (length + 3) & ~3
	var head := PackedByteArray()
	head.resize(28)
	head.encode_u32(0, ENHANCED_PACKET)
	head.encode_u32(4, padded + 32)
	head.encode_u32(8, interface)
	head.encode_u32(12, time >> 32)
	head.encode_u32(16, time & 0xFFFFFFFF)
	head.encode_u32(20, length)
	head.encode_u32(24, length)
	head.append_array(_tags)
	head.append_array(record)
	head.resize(padded + 32)
	for i in range(28 + length, 28 + padded):
		head[i] = 0
	head.encode_u32(28 + padded, padded + 32)
	return head
