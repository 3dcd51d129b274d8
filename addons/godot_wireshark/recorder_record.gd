# SPDX-License-Identifier: MIT
## Records: a head of 24 bytes, or 28 with a number, and a payload. The format is described in
## docs/recorder.md of godot-wireshark.
class_name RecorderRecord
extends RefCounted

const HEAD_LENGTH := 24
const MAGIC := 0x43524447 # "GDRC"
const FLAG_RECEIVED := 1
const FLAG_SERVER := 2
const KIND_PACKET := 0
const KIND_CONNECTED := 1
const KIND_DISCONNECTED := 2
const KIND_RECORDER := 3
const KIND_NAMES := 4
const KIND_RAW_PACKET := 5
const KIND_STREAM := 6
const KIND_LEFT_OUT := 7
const KIND_REPORT := 8
const KIND_OUTPUT := 9
const KIND_NODE := 10
const KIND_PAUSE := 11
const KIND_ORIGIN := 12

## Number of the recording that the records of the process are in, as opposed to those of a peer.
static var game := new_recording()
static var _control := RegEx.create_from_string("[\\x01-\\x1f\\x7f]")


## number: of a packet in its recording, 0 for none.
static func make_head(kind: int, flags: int, recording: int, own: int, other: int, channel: int,
		number := 0) -> PackedByteArray:
	var length := HEAD_LENGTH if number == 0 else HEAD_LENGTH + 4
	var record := PackedByteArray()
	record.resize(length)
	record.encode_u32(0, MAGIC)
	record.encode_u8(4, 1)
	record.encode_u8(5, kind)
	record.encode_u8(6, flags)
	record.encode_u8(7, 0)
	record.encode_u32(8, recording)
	record.encode_s32(12, own)
	record.encode_s32(16, other)
	record.encode_u16(20, channel & 0xFFFF)
	record.encode_u16(22, length)
	if number:
		record.encode_u32(HEAD_LENGTH, number)
	return record


static func is_received_packet(record: PackedByteArray) -> bool:
	return record[5] == KIND_PACKET and record[6] & FLAG_RECEIVED != 0


## A record for a slow reader: the number of records that it did not get.
static func left_out(count: int) -> PackedByteArray:
	var record := make_head(KIND_LEFT_OUT, 0, 0, 0, 0, 0)
	record.resize(HEAD_LENGTH + 4)
	record.encode_u32(HEAD_LENGTH, count)
	return record


## A random number, not 0, that does not change the game's own sequence of random numbers.
static func new_recording() -> int:
	return maxi(1, Crypto.new().generate_random_bytes(4).decode_u32(0))


## The name of an object's class, or of its script if it has one.
static func class_of(object: Object) -> String:
	var script: Script = object.get_script()
	return str(script.get_global_name()) if script and script.get_global_name() \
			else object.get_class()


## Bytes of a JSON text. The engine's own function leaves most control characters as they are and
## escapes others as JSON does not.
static func text_of(members: Dictionary) -> PackedByteArray:
	var text := JSON.stringify(members)
	if _control.search(text):
		var parts := PackedStringArray()
		var at := 0
		for hit in _control.search_all(text):
			parts.append(text.substr(at, hit.get_start() - at))
			parts.append("\\u%04x" % text.unicode_at(hit.get_start()))
			at = hit.get_end()
		parts.append(text.substr(at))
		text = "".join(parts)
	if text.contains("\\v"):
		text = text.replace("\\\\", "\u0001").replace("\\v", "\\u000b").replace("\u0001", "\\\\")
	return text.to_utf8_buffer()


## peer_class: "" for the recording of the process.
static func describe(peer_class: String) -> Dictionary:
	var version: String = Engine.get_version_info()["string"]
	var description := {
		"engine": version,
		"project": str(ProjectSettings.get_setting("application/config/name", "")),
		"project_version": str(ProjectSettings.get_setting("application/config/version", "")),
		"platform": OS.get_name(),
		"process": OS.get_process_id(),
		"time": int(Time.get_unix_time_from_system() * 1000000.0),
		"ticks": Time.get_ticks_usec(),
		"game": game,
	}
	var run := RecorderSettings.run_of_editor()
	if run > 0:
		description["run"] = run
	if peer_class:
		description["peer_class"] = peer_class
	return description
