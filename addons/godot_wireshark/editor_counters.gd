# SPDX-License-Identifier: MIT
## In the editor: what has been recorded of an instance since it was started.
@tool
extends RefCounted

const Bandwidth := preload("editor_bandwidth.gd")
const MAX_REFUSALS := 200
const MAX_TEXTS := 8
const MAX_TEXT := 4096
## The engine's functions that process a received packet, and where they are.
const MODULE := "modules/multiplayer/"
const RECEIVING := "^(_?process_[a-z_]+|poll|on_[a-z]+_receive)$"
## Where the engine's texts name a node.
const NODES: Array[String] = [
	"Node path: (.+)$", "\\bon node (\\S+?)(?:\\.? from:|\\.?$)", "path from RPC: (.+?)\\.?$", "Node not found: \"([^\"]+)\"", "^RPC - '([^']+)'"]

## What the instance sends, by method and by property.
var bandwidth := Bandwidth.new()
var own_id := 0
var is_server := false
var packets_in := 0
var packets_out := 0
var bytes_in := 0
var bytes_out := 0
var calls := 0
var synchronizations := 0
var left_out := 0
## Received packets that the engine has refused.
var refused := 0
## Those with the same text, of the same peer, are one: "peer text" -> text, node, peer, count;
## recording and number of the first packet, which later readers get, too, and a number for it.
var refusals := {}
## Why a connection of the instance is not recorded; "" if all are recorded.
var not_recorded := ""

## Numbers that no row has.
var _slots := range(MAX_REFUSALS)
var _receiving := RegEx.create_from_string(RECEIVING)
## Recording and packet of the last report, and its texts.
var _about := [0, 0]
var _texts := PackedStringArray()
## The row of that packet, "" if it was not refused.
var _row := ""


## length: of the whole record, of which the end may be missing. Returns a key if the record is the
## report by which a row begins.
func count(record: PackedByteArray, length: int) -> String:
	const COMMAND_MASK := 7
	const CALL := 0
	const SYNCHRONIZATION := 6
	if record.decode_s32(12) != 0:
		own_id = record.decode_s32(12)
		is_server = record[6] & RecorderRecord.FLAG_SERVER != 0
	bandwidth.count(record, length)
	var head := record.decode_u16(22)
	if record[5] == RecorderRecord.KIND_REPORT:
		return _count_report(record, head)
	if record[5] != RecorderRecord.KIND_PACKET or record.size() <= head:
		return ""
	if record[6] & RecorderRecord.FLAG_RECEIVED:
		packets_in += 1
		bytes_in += length - head
	else:
		packets_out += 1
		bytes_out += length - head
	match record[head] & COMMAND_MASK:
		CALL:
			calls += 1
		SYNCHRONIZATION:
			synchronizations += 1
	return ""


func _count_report(record: PackedByteArray, head: int) -> String:
	var json := JSON.new() # parse_string() would print an error
	if json.parse(record.slice(head).get_string_from_utf8()) != OK or not json.data is Dictionary:
		return ""
	var report: Dictionary = json.data
	if not report.get("packet") is float or report.get("type") != "error":
		return ""
	var packet: float = report["packet"]
	var about := [record.decode_u32(8), int(packet)]
	if about != _about:
		_about = about
		_texts.clear()
		_row = ""
	if _texts.size() < MAX_TEXTS:
		_texts.append(str(report.get("text")).left(MAX_TEXT))
	if not str(report.get("file")).contains(MODULE) \
			or not _receiving.search(str(report.get("function"))):
		return ""
	return _count_refusal(record.decode_s32(16))


## One packet can have several errors, which make one row. Returns a key for the first packet of a
## row, "" for others.
func _count_refusal(peer: int) -> String:
	var text := " ".join(_texts)
	var key := "%d %s" % [peer, text]
	if not _row:
		refused += 1
	elif refusals.has(_row):
		refusals[_row]["count"] -= 1
		if refusals[_row]["count"] == 0:
			_remove(_row)
	_row = key
	if refusals.has(key):
		refusals[key]["count"] += 1
		return ""
	if refusals.size() >= MAX_REFUSALS:
		for oldest: String in refusals:
			_remove(oldest)
			break
	var slot: int = _slots.pop_back()
	refusals[key] = {"text": text, "node": node_of(_texts), "peer": peer, "count": 1,
			"recording": _about[0], "packet": _about[1], "slot": slot}
	return "refused %d" % slot


func _remove(key: String) -> void:
	_slots.append(refusals[key]["slot"])
	refusals.erase(key)


## The node that one of the engine's texts names, "" for none.
static func node_of(texts: PackedStringArray) -> String:
	for text in texts:
		for pattern in NODES:
			var hit := RegEx.create_from_string(pattern).search(text)
			if hit:
				return hit.get_string(1)
	return ""
